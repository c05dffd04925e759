"""What each policy removes, and why."""

from __future__ import annotations

import typer
from rich.table import Table

from phiscrub.cli import options as opt
from phiscrub.cli.printed import print_json, stdout
from phiscrub.replace.policy import load_policy, policy_names


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog=opt.examples("phiscrub policies safe-harbor"))(policies)


def policies(
    name: str | None = typer.Argument(
        None, help="A policy, or a TOML file; all in short if left out.", show_default=False
    ),
    as_json: opt.Json = False,
) -> None:
    """Show what each policy removes, and why."""
    shown = [load_policy(n) for n in ([name] if name else policy_names())]
    if as_json:
        rows = [
            {"policy": p.name, "label": label, "action": action, "reason": reason}
            for p in shown
            for label, action, reason in p.rows
        ]
        print_json(rows, indent=1)
        return
    console = stdout()
    if name:
        table = Table(title=f"{shown[0].name}: {shown[0].about}", title_justify="left")
        for column in ("label", "action", "why"):
            table.add_column(column)
        for row in shown[0].rows:
            table.add_row(*row)
    else:
        table = Table(title="What each policy does with what is found", title_justify="left")
        table.add_column("label")
        for policy in shown:
            table.add_column(policy.name)
        for of_label in zip(*(policy.rows for policy in shown), strict=True):
            table.add_row(of_label[0][0], *(action for _, action, _ in of_label))
    console.print(table)
