import re
from pathlib import Path

import numpy as np
import pytest

from vision.synth.decks import long_pip_labels, random_deck
from vision.train.recipe import RecipeError, deck_shares, read_recipe

ROOT = Path(__file__).parents[3]


def small(tmp_path, **changes):
    text = (ROOT / "datasets" / "identifier.toml").read_text()
    text, long = re.subn(r"^\[styles\.long\].*?(?=^\[)", "", text, flags=re.MULTILINE | re.DOTALL)
    text, counts = re.subn(r"^count = \d+$", "count = 1", text, flags=re.MULTILINE)
    text, lists = re.subn(r"^validation = \[.*\]$", "validation = [900000]", text, flags=re.MULTILINE)
    assert (counts, long, lists) == (1, 1, 1), "the shipped recipe would be drawn whole"
    for old, new in changes.items():
        text = text.replace(old, new)
    path = tmp_path / "recipe.toml"
    path.write_text(text)
    return path


def test_the_shipped_recipe_reads_and_keeps_held_out_styles_apart():
    recipe = read_recipe(ROOT / "datasets" / "identifier.toml")
    assert recipe.stages
    assert recipe.first_style + recipe.styles < 900_000
    assert min(recipe.validation_styles) >= 900_000
    assert recipe.long_pips.first >= recipe.first_style + recipe.styles, "the same style would be drawn twice"
    assert recipe.long_pips.first + 20 * recipe.long_pips.count < 900_000


def test_long_pips_are_taken_from_further_styles_and_bring_nothing_else(tmp_path):
    path = small(tmp_path)
    path.write_text(
        path.read_text().replace(
            "[decks] ", "[styles.long]\nfirst = 1000\ncount = 1\nweight = 5.0\nindex_weight = 2.0\n\n[decks] "
        )
    )
    shares, _ = deck_shares(read_recipe(path), tmp_path / "cache", None)
    long, index = shares[-2:]
    assert long.path.name.startswith("long-")
    assert index.path.name.startswith("index-")
    assert (long.weight, index.weight) == (5.0, 2.0)
    for folder in (long.path, index.path):
        faces = {file.stem for file in folder.glob("*_*.png")}
        assert len(faces) >= 4
        assert all(re.fullmatch(r"(espadas|bastos)_0[4-9]", face) for face in faces)


def test_cards_to_learn_the_index_from_differ_from_the_true_ones_in_their_pips_alone():
    seed = next(seed for seed in range(1000, 1100) if len(long_pip_labels(seed)) >= 4)
    labels = long_pip_labels(seed)
    true, mixed = random_deck(seed, 300, labels), random_deck(seed, 300, labels, index_alone=True)
    changed = 0
    for label in labels:
        step = np.abs(true.face(label).astype(int) - mixed.face(label)).max(axis=2)
        assert step[:40, :30].mean() < 25, "the index is the same"
        changed += step[60:240, 40:-40].mean() > 5
    assert changed >= 2


def test_decks_come_from_the_repository_alone(tmp_path):
    shares, validation = deck_shares(read_recipe(small(tmp_path)), tmp_path / "cache", None)
    assert [share.path.name for share in shares] == ["style-000000", "own"]
    assert [share.path.name for share in validation] == ["style-900000"]


@pytest.mark.parametrize("text", ["not toml [", "seed = 1\n", "seed = 'a'\nmargin = 0.1\n[styles]\nfirst = 0\n"])
def test_bad_recipes_are_told_in_a_sentence(tmp_path, text):
    path = tmp_path / "bad.toml"
    path.write_text(text)
    with pytest.raises(RecipeError, match=r"bad\.toml"):
        read_recipe(path)


def test_holding_out_a_deck_that_is_not_there_is_an_error(tmp_path):
    recipe = read_recipe(small(tmp_path, **{"held_out = []": 'held_out = ["nowhere"]'}))
    with pytest.raises(RecipeError, match="nowhere"):
        deck_shares(recipe, tmp_path / "cache", None)
