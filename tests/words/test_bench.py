"""The bench: every figure that is promised, in the promised form."""

from bot.words.bench import figures


def test_every_figure_has_a_name_a_value_and_a_unit() -> None:
    told = list(figures())
    assert all(figure.keys() == {"figure", "value", "unit", "limit", "baseline"} for figure in told)
    assert all(figure["value"] > 0 for figure in told)
    limits = {figure["figure"]: figure["limit"] for figure in told}
    assert len(limits) == len(told)
    assert limits["word look-up against a set"] == 2
    assert limits["all words from 25 letters"] == 3
    assert limits["every placement of 11 letters with a wildcard on two maps"] == 40
    memory = next(figure for figure in told if figure["unit"] == "MB")
    assert memory["value"] <= memory["limit"]
