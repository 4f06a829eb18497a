"""Studies: runs made to answer a question, and what they found, in numbers, pictures and a sentence.

`papers` holds the figures and tables of published papers, one entry per paper; `reproduction.reproduce` carries
them out.
"""
