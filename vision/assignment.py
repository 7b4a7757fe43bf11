"""The linear assignment problem: every row gets its own column at the least total cost, proven by dual prices.

Rows are what has been seen (the plays of a hand, the faces of a spread deck), columns the cards of the deck and costs
the negative logarithms of what the camera believes, so the cheapest assignment is the likeliest reading in which each
card exists once.

Method: shortest augmenting paths with dual prices (Jonker and Volgenant, Computing 38, 1987, in the rectangular form
of Crouse, IEEE Transactions on Aerospace and Electronic Systems 52(4), 2016). One row costs O(rows x columns).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Assignment:
    """The optimum of one problem with n rows and m columns, n <= m.

    ``columns`` (n,) is the column of each row, ``total`` their summed cost. ``reduced`` (n, m) are the costs less the
    prices of row and column: never negative, zero where the row has its column; an assignment's reduced costs add up
    to no more than its distance from the optimum. ``regret`` (n, m) is exactly what the cheapest assignment costs
    beyond ``total`` in which that row has that column.
    """

    columns: NDArray[np.intp]
    total: float
    reduced: Floats
    regret: Floats


def solve(cost: Floats) -> Assignment:
    """The cheapest assignment of every row of ``cost`` (n, m) to a column of its own.

    All costs must be finite (a forbidden pair is a large number) and n <= m, else ``ValueError``. Ties go to the
    lower column, so that the same problem always has the same answer.
    """
    table = np.ascontiguousarray(cost, dtype=np.float64)
    if table.ndim != 2 or table.shape[0] > table.shape[1]:
        raise ValueError(f"an assignment needs at least as many columns as rows, not {table.shape}")
    if not np.isfinite(table).all():
        raise ValueError("an assignment needs finite costs")
    rows, width = table.shape
    row_price = np.zeros(rows)
    column_price = np.zeros(width)
    column_of = np.full(rows, -1, dtype=np.intp)
    row_of = np.full(width, -1, dtype=np.intp)
    for start in range(rows):
        _augment(table, start, row_price, column_price, column_of, row_of)
    reduced = table - row_price[:, None] - column_price[None, :]
    np.maximum(reduced, 0.0, out=reduced)
    total = float(table[np.arange(rows), column_of].sum()) if rows else 0.0
    return Assignment(column_of, total, reduced, _regret(reduced, column_price, column_of, row_of))


def _regret(reduced: Floats, column_price: Floats, column_of: NDArray[np.intp], row_of: NDArray[np.intp]) -> Floats:
    """What it costs to force each pair: its reduced cost and the cheapest chain of exchanges that makes room.

    Columns that no row has are given to idle rows without costs, so that every chain closes into a ring.
    """
    rows, width = reduced.shape
    square = np.empty((width, width))
    square[:rows] = reduced
    square[rows:] = np.maximum(-column_price, 0.0)
    owner = row_of.copy()
    owner[row_of < 0] = np.arange(rows, width)
    column = np.empty(width, dtype=np.intp)
    column[owner] = np.arange(width)
    chain = square[:, column]  # (a, b): row a takes the column of row b
    for via in range(width):
        np.minimum(chain, chain[:, via, None] + chain[None, via, :], out=chain)
    regret: Floats = reduced + chain[owner, :rows].T
    regret[np.arange(rows), column_of] = 0.0
    return regret


def _augment(
    table: Floats,
    start: int,
    row_price: Floats,
    column_price: Floats,
    column_of: NDArray[np.intp],
    row_of: NDArray[np.intp],
) -> None:
    """Bring row ``start`` into the assignment along the cheapest chain of exchanges; keeps the prices feasible."""
    width = table.shape[1]
    distance = np.full(width, np.inf)
    open_distance = np.full(width, np.inf)  # the same, infinite where the column is already reached
    reached = np.zeros(width, dtype=bool)
    via = np.full(width, -1, dtype=np.intp)
    chain: list[int] = []
    row, so_far = start, 0.0
    while True:
        chain.append(row)
        through = (so_far - row_price[row]) + table[row] - column_price
        better = through < distance
        better &= ~reached
        distance[better] = through[better]
        open_distance[better] = through[better]
        via[better] = row
        column = int(open_distance.argmin())
        so_far = float(distance[column])
        reached[column] = True
        open_distance[column] = np.inf
        if row_of[column] < 0:
            break
        row = int(row_of[column])
    row_price[start] += so_far
    for other in chain[1:]:
        row_price[other] += so_far - distance[column_of[other]]
    column_price[reached] -= so_far - distance[reached]
    while True:
        row = int(via[column])
        row_of[column] = row
        column_of[row], column = column, int(column_of[row])
        if row == start:
            return
