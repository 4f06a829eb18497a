"""Is a run to be believed? Energy, constraints, steps, speeds and the start, judged in words with the cure.

`limits` holds what is asked; `watch` looks on while a run goes on, by what `samples` measures; `energy` is what
energies say; `judge` puts what was seen into verdicts, `cures` says what to do. What comes of it stands in the result:
`Result.judgement`, `Result.verdicts`.
"""
