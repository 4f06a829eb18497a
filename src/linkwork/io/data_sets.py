"""xarray, for those who ask for a data set: an extra, because it brings pandas along, and nothing else needs either."""

from __future__ import annotations

from linkwork.errors import UsageError


def need_xarray() -> None:
    """Raise UsageError where xarray is not installed."""
    try:
        import xarray  # noqa: F401
    except ImportError:
        raise UsageError(
            "a data set is an object of the package xarray, which is not installed.",
            remedy="pip install 'linkwork[xarray]'; without it result[\"position\"] gives arrays, and "
            'result.save("run.nc") a file.',
        ) from None
