"""Blocks that several problems have: a mechanism's tables, factors of matrices, what is known of dependent rows."""

from __future__ import annotations

from linkwork.kernels.dense_ldl import DenseFactors
from linkwork.kernels.dense_qr import RowFactors
from linkwork.kernels.dense_saddle import SaddleFactors
from linkwork.kernels.dependence import Dependence
from linkwork.kernels.sparse_ldl import LdlFactors, LdlPattern
from linkwork.kernels.sparse_lu import Factors, Pattern
from linkwork.problems.blocks import block_of
from linkwork.problems.dependent import Dependent
from linkwork.problems.pivot_exchange import Exchange
from linkwork.problems.sparse_redundancy import Wide
from linkwork.system.packed import Tables

# a pattern's first number is how long its third array is; the trial's count, last, only the Python side reads
PATTERN = block_of(Pattern, "#2 u1 u1 u1 u1 0")
FACTORS = block_of(Factors, "u1 u1 i1 u1 u1 f1 u1 u1 f1 f1 f1 f1 u1 u1 f1 f1 f1 f1 i1 i1 u1 u1 f1 i1")
LDL_PATTERN = block_of(LdlPattern, "u1 u1 u1 u1 u1 u1 u1 u1")
LDL_FACTORS = block_of(LdlFactors, "f1 f1 f1")
DENSE_FACTORS = block_of(DenseFactors, "f1 f1 f1")
SADDLE_FACTORS = block_of(SaddleFactors, "f1 f1 f1")
ROW_FACTORS = block_of(RowFactors, "f2 i1 f1 f1 i1 i1 f1 f1")
DEPENDENCE = block_of(Dependence, "i1 i1 i1 i1 f2 f2 f2 f2 f1 i1 i1 i1 f1")
EXCHANGE = block_of(Exchange, "u1 u1 f1 i1 i1")
WIDE = block_of(Wide, "u2x5 u1 f1 f1 f1 f1", EXCHANGE, LDL_PATTERN, LDL_FACTORS, LDL_FACTORS)
DEPENDENT = block_of(Dependent, DEPENDENCE, "f2 f1 i1 f1", WIDE)

TABLES = block_of(Tables, "f2x10 f1 i2x5 f2x20 i1 i1 f1 i1 i2x6 f2x6 i2x3 f2x10 i2x3 f2x16")
