"""Reports: one self-contained HTML page each, to be opened without a network, on a phone and on paper.

What a page shows is plain data (`page`); how it looks stands in `templates`. Reports know nothing of studies or plots:
pictures come as SVG text or PNG bytes.
"""
