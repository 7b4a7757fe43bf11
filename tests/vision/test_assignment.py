from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from vision.assignment import solve

SIZES = st.tuples(st.integers(1, 4), st.integers(0, 2)).map(lambda pair: (pair[0], pair[0] + pair[1]))
COSTS = SIZES.flatmap(lambda size: arrays(np.float64, size, elements=st.floats(0, 20, allow_nan=False)))


def cheapest(cost: np.ndarray, forced: tuple[int, int] | None = None) -> float:
    rows, width = cost.shape
    best = np.inf
    for columns in permutations(range(width), rows):
        if forced is None or columns[forced[0]] == forced[1]:
            best = min(best, sum(cost[row, column] for row, column in enumerate(columns)))
    return float(best)


@settings(max_examples=150, deadline=None)
@given(COSTS)
def test_it_is_the_optimum(cost: np.ndarray) -> None:
    found = solve(cost)
    assert len(set(found.columns.tolist())) == cost.shape[0]
    assert found.total == pytest.approx(cost[np.arange(cost.shape[0]), found.columns].sum())
    assert found.total == pytest.approx(cheapest(cost), abs=1e-6)


@settings(max_examples=60, deadline=None)
@given(COSTS)
def test_what_a_forced_pair_costs(cost: np.ndarray) -> None:
    found = solve(cost)
    assert (found.reduced >= 0).all()
    for row in range(cost.shape[0]):
        assert found.reduced[row, found.columns[row]] == pytest.approx(0, abs=1e-7)
        for column in range(cost.shape[1]):
            forced = cheapest(cost, (row, column))
            assert forced >= found.total + found.reduced[row, column] - 1e-6
            assert forced == pytest.approx(found.total + found.regret[row, column], abs=1e-6)


def test_no_rows_cost_nothing() -> None:
    assert solve(np.zeros((0, 5))).total == 0.0


@pytest.mark.parametrize("cost", [np.zeros((3, 2)), np.array([[1.0, np.inf]]), np.zeros(4)])
def test_what_cannot_be_assigned_is_refused(cost: np.ndarray) -> None:
    with pytest.raises(ValueError, match="assignment needs"):
        solve(cost)
