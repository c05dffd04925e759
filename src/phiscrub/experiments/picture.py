"""Pictures of an experiment, as SVG: lines and dots over two named axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

COLOURS = ("#2f6f9f", "#c0504d", "#5b8c3a", "#8064a2", "#b8860b", "#444444")
WIDTH, HEIGHT = 640, 400
LEFT, TOP, RIGHT, BOTTOM = 70, 20, 20, 54
TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)
LARGE = 1000  # from here on, numbers are whole
LINE, DOTS = "line", "dots"

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Series:
    """Named points, joined by a line or not."""

    name: str
    points: tuple[Point, ...]
    style: str = LINE


@dataclass(frozen=True, slots=True)
class Frame:
    """The ranges of both axes, and where a point stands in the picture."""

    low: Point
    high: Point

    @classmethod
    def around(cls, points: Sequence[Point]) -> Frame:
        """Return the frame of some points; never empty."""
        xs, ys = [x for x, _ in points] or [0.0], [y for _, y in points] or [0.0]
        low, high = (min(xs), min(ys)), (max(xs), max(ys))
        return cls(low, (high[0] + (high[0] == low[0]), high[1] + (high[1] == low[1])))

    def place(self, point: Point) -> Point:
        """Return where a point stands."""
        shares = [
            (value - low) / (high - low)
            for value, low, high in zip(point, self.low, self.high, strict=True)
        ]
        x = LEFT + shares[0] * (WIDTH - LEFT - RIGHT)
        y = HEIGHT - BOTTOM - shares[1] * (HEIGHT - TOP - BOTTOM)
        return round(x, 1), round(y, 1)


def draw(series: Sequence[Series], along: str, up: str, frame: Frame | None = None) -> str:
    """Return an SVG file of all series; points outside the frame are left out."""
    seen = frame or Frame.around([point for one in series for point in one.points])
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'font-family="system-ui,sans-serif" font-size="12" aria-label="{escape(up)} by '
        f'{escape(along)}">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
    ]
    for tick in TICKS:
        at = tuple(low + tick * (high - low) for low, high in zip(seen.low, seen.high, strict=True))
        x, y = seen.place((at[0], at[1]))
        parts += [
            f'<path d="M{LEFT} {y}H{WIDTH - RIGHT}" stroke="#dde3e9"/>',
            _text(x, HEIGHT - BOTTOM + 18, _number(at[0], 4), "end" if tick == 1 else "middle"),
            _text(LEFT - 6, y + 4, _number(at[1], 3), "end"),
        ]
    for number, one in enumerate(series):
        parts += _drawn(one, seen, COLOURS[number % len(COLOURS)])
        row = HEIGHT - BOTTOM - 10 - 16 * (len(series) - 1 - number)
        parts.append(_text(LEFT + 10, row, one.name, "start", COLOURS[number % len(COLOURS)]))
    middle = (HEIGHT - BOTTOM + TOP) / 2
    parts += [
        f'<path d="M{LEFT} {TOP}V{HEIGHT - BOTTOM}H{WIDTH - RIGHT}" fill="none" stroke="#aab4be"/>',
        _text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, along, "middle"),
        f'<text x="14" y="{middle}" text-anchor="middle" fill="#5b6875" '
        f'transform="rotate(-90 14 {middle})">{escape(up)}</text>',
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _drawn(one: Series, frame: Frame, colour: str) -> list[str]:
    inside = [
        point
        for point in one.points
        if all(
            low <= value <= high
            for value, low, high in zip(point, frame.low, frame.high, strict=True)
        )
    ]
    places = [frame.place(point) for point in inside]
    parts = []
    if one.style == LINE and len(places) > 1:
        dots = " ".join(f"{x},{y}" for x, y in places)
        parts.append(f'<polyline points="{dots}" fill="none" stroke="{colour}" stroke-width="2"/>')
    parts += [
        f'<circle cx="{x}" cy="{y}" r="{2 if one.style == LINE else 4}" fill="{colour}">'
        f"<title>{escape(one.name)}: {at:.5g}, {value:.5g}</title></circle>"
        for (x, y), (at, value) in zip(places, inside, strict=True)
    ]
    return parts


def _number(value: float, digits: int) -> str:
    """Return a number with so many digits; a large one whole, as people write it."""
    return f"{value:,.0f}" if abs(value) >= LARGE else f"{value:.{digits}g}"


def _text(x: float, y: float, words: str, anchor: str, colour: str = "#5b6875") -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{colour}">{escape(words)}</text>'
