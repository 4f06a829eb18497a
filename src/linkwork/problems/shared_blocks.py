"""Blocks that several problems have: a mechanism's tables, factors of matrices, what is known of dependent rows."""

from __future__ import annotations

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

PATTERN = block_of(Pattern)
FACTORS = block_of(Factors)
LDL_PATTERN = block_of(LdlPattern)
LDL_FACTORS = block_of(LdlFactors)
SADDLE_FACTORS = block_of(SaddleFactors)
ROW_FACTORS = block_of(RowFactors)
DEPENDENCE = block_of(Dependence)
EXCHANGE = block_of(Exchange)
WIDE = block_of(Wide)
DEPENDENT = block_of(Dependent)

TABLES = block_of(Tables)
