"""The picture of the inverse rule's curves, as SVG."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

LEFT = 0.98  # recall where the picture begins
COLOURS = ("#1f77b4", "#7fb2d9", "#d62728", "#f0a3a3", "#2ca02c", "#98d98e")
X, Y, WIDTH, HEIGHT = 60, 20, 560, 320


def _place(recall: float, precision: float) -> tuple[float, float]:
    """Return where a point is in the picture."""
    return X + (recall - LEFT) / (1 - LEFT) * WIDTH, Y + (1 - precision) * HEIGHT


def _words(x: float, y: float, text: str, anchor: str = "middle", fill: str = "#222") -> str:
    """Return a text of the picture."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{fill}">{text}</text>'


def picture(results: Mapping[str, Any]) -> str:
    """Return the curves as SVG: recall to the right, precision upwards."""
    frame = f'x="{X}" y="{Y}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#999"'
    view = 'viewBox="0 0 640 400" font-family="sans-serif" font-size="12"'
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" {view}>', f"<rect {frame}/>"]
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        recall = LEFT + share * (1 - LEFT)
        parts.append(_words(_place(recall, 0)[0], Y + HEIGHT + 18, f"{recall:.3f}"))
        parts.append(_words(X - 8, _place(LEFT, share)[1] + 4, f"{share:.2f}", "end"))
    parts.append(_words(X + WIDTH / 2, Y + HEIGHT + 38, "masking recall; precision upwards"))
    for number, (name, told) in enumerate(results["systems"].items()):
        seen = (_place(*point[:2]) for point in told["curve"] if point[0] >= LEFT)
        dots = " ".join(f"{x:.1f},{y:.1f}" for x, y in seen)
        line = f'fill="none" stroke="{COLOURS[number]}" stroke-width="2"'
        parts.append(f'<polyline points="{dots}" {line}/>')
        row = Y + HEIGHT - 16 - 18 * number
        parts.append(_words(X + 12, row, name, "start", COLOURS[number]))
    recall, precision = results["rules"][:2]
    told = f"← rules alone: {recall:.3f}, {precision:.2f}"
    parts.append(_words(X + 12, Y + HEIGHT - 16 - 18 * len(results["systems"]), told, "start"))
    x, y = _place(0.999, 0.85)
    parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="none" stroke="#222"/>')
    return "\n".join([*parts, _words(x - 8, y - 8, "aim", "end"), "</svg>"]) + "\n"
