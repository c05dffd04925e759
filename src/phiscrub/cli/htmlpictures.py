"""Pictures of a report, as SVG inside its HTML."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from phiscrub.evaluate.curve import Point

WIDTH = 560
ROW = 18  # height of a bar with its gap
MOST = 25  # bars shown
NAME = 224  # width of the names beside the bars
LETTERS = 28  # of a name that fit
SQUARE = 360
EDGE = 44
LEFT = 64  # for numbers of more digits
STYLE = (
    "text{fill:#5b6875;font:12px system-ui,sans-serif}.line{fill:none;stroke:#2f6f9f;"
    "stroke-width:2}.dot{fill:#2f6f9f}.axis{fill:none;stroke:#aab4be}.grid{stroke:#dde3e9}"
)
TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


def bars(rows: Sequence[tuple[str, int]]) -> str:
    """Draw a bar a row, the longest first; only the first `MOST` are drawn."""
    shown = sorted(rows, key=lambda row: (-row[1], row[0]))[:MOST]
    most = max((number for _, number in shown), default=1)
    room = WIDTH - NAME - 50
    parts = [_open(WIDTH, ROW * len(shown), "Leaks per note")]
    for at, (name, number) in enumerate(shown):
        length = round(room * number / most, 1)
        short = name if len(name) <= LETTERS else f"{name[: LETTERS - 1]}…"
        base = ROW * at
        parts.append(
            f"<g><title>{escape(name)}: {number}</title>"
            f'<text x="{NAME - 8}" y="{base + 13}" text-anchor="end">{escape(short)}</text>'
            f'<rect class="bar" x="{NAME}" y="{base + 3}" width="{length}" height="{ROW - 5}"/>'
            f'<text x="{NAME + length + 6}" y="{base + 13}">{number}</text></g>'
        )
    return "".join((*parts, "</svg>"))


def recall_precision(points: Sequence[Point]) -> str:
    """Draw precision over recall, with the least score that each point asks for."""
    size = SQUARE - 2 * EDGE
    parts = [_open(SQUARE, SQUARE, "Precision over recall")]
    for tick in TICKS:
        x, y = _place(tick, tick, size)
        parts.append(
            f'<path class="grid" d="M{x} {EDGE}V{EDGE + size}M{EDGE} {y}H{EDGE + size}"/>'
            f'<text x="{x}" y="{EDGE + size + 16}" text-anchor="middle">{tick:g}</text>'
            f'<text x="{EDGE - 6}" y="{y + 4}" text-anchor="end">{tick:g}</text>'
        )
    places = [(*_place(p.counts.recall or 0.0, p.counts.precision or 0.0, size), p) for p in points]
    parts.append(f'<path class="line" d="M{"L".join(f"{x} {y}" for x, y, _ in places)}"/>')
    parts += [
        f'<circle class="dot" cx="{x}" cy="{y}" r="3"><title>score ≥ {point.least:g}: recall '
        f"{point.counts.recall or 0:.3f}, precision {point.counts.precision or 0:.3f}</title>"
        "</circle>"
        for x, y, point in places
    ]
    middle = SQUARE / 2
    parts.append(
        f'<path class="axis" d="M{EDGE} {EDGE}V{EDGE + size}H{EDGE + size}"/>'
        f'<text x="{middle}" y="{SQUARE - 8}" text-anchor="middle">recall</text>'
        f'<text x="12" y="{middle}" text-anchor="middle" transform="rotate(-90 12 {middle})">'
        "precision</text></svg>"
    )
    return "".join(parts)


def page(picture: str) -> str:
    """Return a picture as a file of its own, which carries the styles of the report."""
    head, _, rest = picture.partition(">")
    return f'{head}><rect width="100%" height="100%" fill="#fff"/><style>{STYLE}</style>{rest}\n'


def rising(points: Sequence[tuple[float, float]], along: str, up: str) -> str:
    """Draw a line through ``(x, y)`` points, x rising from 0; both axes are named."""
    most = max(x for x, _ in points) or 1.0
    low, high = min(y for _, y in points), max(y for _, y in points)
    span = (high - low) or 1.0
    room, height = WIDTH - 2 * LEFT, SQUARE - 2 * EDGE
    parts = [_open(WIDTH, SQUARE, f"{up} by {along}")]
    for tick in TICKS:
        x, y = round(LEFT + room * tick, 1), round(EDGE + height * (1 - tick), 1)
        parts.append(
            f'<path class="grid" d="M{LEFT} {y}H{LEFT + room}"/>'
            f'<text x="{x}" y="{EDGE + height + 16}" text-anchor="middle">{most * tick:.4g}</text>'
            f'<text x="{LEFT - 6}" y="{y + 4}" text-anchor="end">{low + span * tick:.3g}</text>'
        )
    places = [
        (round(LEFT + room * x / most, 1), round(EDGE + height * (1 - (y - low) / span), 1), x, y)
        for x, y in points
    ]
    parts.append(f'<path class="line" d="M{"L".join(f"{x} {y}" for x, y, _, _ in places)}"/>')
    parts += [
        f'<circle class="dot" cx="{x}" cy="{y}" r="2"><title>{at:.6g}: {value:.4g}</title></circle>'
        for x, y, at, value in places
    ]
    parts.append(
        f'<path class="axis" d="M{LEFT} {EDGE}V{EDGE + height}H{LEFT + room}"/>'
        f'<text x="{WIDTH / 2}" y="{SQUARE - 8}" text-anchor="middle">{escape(along)}</text>'
        f'<text x="12" y="{SQUARE / 2}" text-anchor="middle" '
        f'transform="rotate(-90 12 {SQUARE / 2})">{escape(up)}</text></svg>'
    )
    return "".join(parts)


def _place(recall: float, precision: float, size: int) -> tuple[float, float]:
    return round(EDGE + size * recall, 1), round(EDGE + size * (1 - precision), 1)


def _open(width: int, height: int, name: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" aria-label="{name}">'
    )
