import re
from pathlib import Path

import pytest

from vision.train.recipe import RecipeError, deck_shares, read_recipe

ROOT = Path(__file__).parents[3]


def small(tmp_path, **changes):
    text = (ROOT / "datasets" / "identifier.toml").read_text()
    text, counts = re.subn(r"^count = \d+$", "count = 1", text, flags=re.MULTILINE)
    text, lists = re.subn(r"^validation = \[.*\]$", "validation = [900000]", text, flags=re.MULTILINE)
    assert (counts, lists) == (1, 1), "the shipped recipe would be drawn whole"
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
