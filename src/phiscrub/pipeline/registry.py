"""Every part that a pipeline file can name. A part is a module with `Settings` and `build`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from types import MappingProxyType
from typing import Any, Protocol, cast

from phiscrub.core.errors import PhiscrubError, SettingsError, raised_in
from phiscrub.core.toolbox import Toolbox

PARTS = MappingProxyType(
    {
        "detector": MappingProxyType(
            {
                "columns": "phiscrub.detect.columns",
                "crf": "phiscrub.detect.tagging.crf",
                "ensemble": "phiscrub.detect.tagging.ensemble",
                "gazetteer": "phiscrub.detect.gazetteer",
                "hl7": "phiscrub.detect.hl7",
                "inverse": "phiscrub.detect.inverse",
                "names": "phiscrub.detect.names",
                "neural": "phiscrub.detect.tagging.neural",
                "patterns": "phiscrub.detect.patterns",
                "short_dates": "phiscrub.detect.short_dates",
                "stacked": "phiscrub.detect.stacked",
                "subject": "phiscrub.detect.subject",
            }
        ),
        "refiner": MappingProxyType(
            {
                "aged": "phiscrub.refine.aged",
                "boundary": "phiscrub.refine.boundary",
                "clock": "phiscrub.refine.clock",
                "excluded": "phiscrub.refine.excluded",
                "medical": "phiscrub.refine.medical",
                "recut": "phiscrub.refine.recut",
                "relabel": "phiscrub.refine.relabel",
                "repeat": "phiscrub.refine.repeat",
                "spelled": "phiscrub.refine.spelled",
            }
        ),
        "combiner": MappingProxyType(
            {"ranked": "phiscrub.combine.ranked", "vote": "phiscrub.combine.vote"}
        ),
        "replacer": MappingProxyType(
            {
                "phi": "phiscrub.replace.phi",
                "remove": "phiscrub.replace.remove",
                "stars": "phiscrub.replace.stars",
                "surrogates": "phiscrub.replace.surrogates",
                "tags": "phiscrub.replace.tags",
                "templates": "phiscrub.replace.templates",
            }
        ),
    }
)
GROUP = "phiscrub.parts"  # other packages name theirs `detector.NAME = "their.module"` here


class Part(Protocol):
    """What the module of a part holds."""

    Settings: type[Any]
    build: Callable[[Any, Toolbox], Any]


@dataclass(frozen=True, slots=True)
class Plugin:
    """A part of another package; what fails while it is built is told as its own."""

    name: str
    module: str
    part: Part

    @property
    def Settings(self) -> type[Any]:  # noqa: N802 - as modules of parts have it
        """The part's settings."""
        return self.part.Settings

    def build(self, settings: Any, tools: Toolbox) -> Any:
        """Build the part; raise `SettingsError` where it fails."""
        try:
            return self.part.build(settings, tools)
        except PhiscrubError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever another package raises
            raise SettingsError(
                f"{self.name} cannot be built: {type(error).__name__} in {raised_in(error)}",
                hint=f"check its settings, or mend {self.module}",
            ) from None


def get_part(kind: str, name: str, at: str, where: str) -> Part:
    """Return a part's module; raise `SettingsError` where there is none of that name.

    `kind` is one of `PARTS`; `at` and `where` place the name in the pipeline file.
    """
    module = PARTS[kind].get(name)
    if module is not None:
        return cast(Part, import_module(module))
    from importlib.metadata import entry_points  # noqa: PLC0415 - slow, seldom needed

    plugins = {entry.name: entry for entry in entry_points(group=GROUP)}
    plugin = plugins.get(f"{kind}.{name}")
    if plugin is None:
        others = [n.removeprefix(f"{kind}.") for n in plugins if n.startswith(f"{kind}.")]
        raise SettingsError(
            f"'{at}' names no {kind}: {name!r}",
            where=where,
            hint=f"known: {', '.join(sorted((*PARTS[kind], *others)))}",
        )
    try:
        part = plugin.load()
    except Exception as error:  # noqa: BLE001 - whatever another package raises
        raise SettingsError(
            f"'{at}': {name} cannot be loaded: {type(error).__name__}",
            where=where,
            hint=f"mend {plugin.value}",
        ) from None
    if not (hasattr(part, "Settings") and hasattr(part, "build")):
        raise SettingsError(
            f"'{at}': {name} has no Settings and build",
            where=where,
            hint=f"give {plugin.value} both",
        )
    return cast(Part, Plugin(name, plugin.value, part))
