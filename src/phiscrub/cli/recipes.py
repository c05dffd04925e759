"""The `recipes` command: what can be trained."""

from __future__ import annotations

import typer
from rich.console import Console

from phiscrub.cli import options as opt
from phiscrub.cli.printed import plain_table, print_json, stdout
from phiscrub.train.recipe import Recipe, load_recipe, recipe_names


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(epilog=opt.examples("phiscrub recipes phiscrub-crf"))(recipes)


def recipes(
    name: str | None = typer.Argument(
        None, help="A recipe, or a TOML file; all in short if left out.", show_default=False
    ),
    language: str | None = typer.Option(
        None, "--language", help="Show the recipe as it is for a language: en, es, sv, …"
    ),
    as_json: opt.Json = False,
) -> None:
    """Show what can be trained: recipes with their features, and what they lack."""
    shown = [load_recipe(one) for one in ([name] if name else recipe_names())]
    if language is not None:
        shown = [recipe.spoken(language) for recipe in shown]
    if as_json:
        rows = [{**recipe.stated(), "about": recipe.about} for recipe in shown]
        print_json(rows, indent=1)
        return
    console = stdout()
    if name is None:
        table = plain_table()
        table.add_column("recipe", no_wrap=True)
        for column in ("kind", "languages", "about"):
            table.add_column(column)
        for recipe in shown:
            languages = ", ".join(recipe.variants) or "any"
            table.add_row(recipe.name, recipe.kind, languages, recipe.about)
        console.print(table)
        console.print(
            "Other languages go without lists and rules. phiscrub recipes NAME shows one's features"
        )
        return
    _one(shown[0], console)


def _one(recipe: Recipe, console: Console) -> None:
    console.print(f"{recipe.name}: {recipe.about}")
    for what, told in (
        ("after", recipe.source),
        ("reads", f"a {recipe.sequence} at a time, tokenizer {recipe.tokenizer}, {recipe.scheme}"),
        *(("lacks", one) for one in recipe.lacks),
    ):
        if told:
            console.print(f"  {what}: {told}")
    console.print(f"  {_training(recipe)}")
    if recipe.network is not None:
        for part, settings in recipe.stated()["network"].items():
            told = settings
            if isinstance(settings, dict):
                told = "; ".join(f"{key} {_told(value)}" for key, value in settings.items())
            console.print(f"  network.{part}: {told}")
    _features(recipe, console)


def _training(recipe: Recipe) -> str:
    """Say how it is trained, in a line."""
    if recipe.network is not None:
        by = recipe.schedule
        return (
            f"training: {by.optimiser}, rate {by.rate:g}, batches of {by.batch}, at most "
            f"{by.epochs} epochs, words of {by.min_count} notes or more"
        )
    if recipe.stack is not None:
        by_stack = recipe.stack
        return f"training: {by_stack.learner}, penalty {by_stack.penalty:g}"
    own = recipe.training
    penalties = f", c1 {own.c1:g}, c2 {own.c2:g}" if own.algorithm == "lbfgs" else ""
    return (
        f"training: {own.algorithm}{penalties}, at most {own.max_iterations} iterations, "
        f"features of {own.min_count} notes or more"
    )


def _features(recipe: Recipe, console: Console) -> None:
    """Show the features of every language."""
    table = plain_table()
    table.add_column("group", no_wrap=True)
    table.add_column("features of a token")
    parts = [("", recipe.features, recipe.detectors)]
    parts += [(f"{c}: ", v.features, v.detectors or ()) for c, v in recipe.variants.items()]
    for before, features, detectors in parts:
        for group, templates in features.items():
            table.add_row(f"{before}{group}", ", ".join(templates))
        for detector in detectors:
            others = (f"{key} {_told(value)}" for key, value in detector.items() if key != "use")
            table.add_row(f"{before}found by", "; ".join((str(detector["use"]), *others)))
    console.print(table)


def _told(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
