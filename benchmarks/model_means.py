"""The mean of a network's weights and of those that its training began with.

Source: Wortsman et al. 2022, Model soups: networks trained on from the same weights lie so near
that the mean of them is a network too, which errs less on other notes and costs no more to run.
"""

from __future__ import annotations

from dataclasses import replace

from phiscrub.tokenize.registry import get_tokenizer
from phiscrub.train.export import export
from phiscrub.train.network import NetworkFitted
from phiscrub.train.network_begun import NetworkBegun
from phiscrub.train.trained import Trained

TOLD = "the weights are the mean of these and of those begun with"


def mean(begun: Trained, ended: Trained) -> None:
    """Give a network the mean of its weights and another's, which has the same."""
    first, last = begun.network.state_dict(), ended.network.state_dict()
    both = {name: (first[name] + weight) / 2 for name, weight in last.items()}
    ended.network.load_state_dict(both)


def meant(fitted: NetworkFitted) -> NetworkFitted:
    """Return a network as the mean, where it began with one that knows the very same notes."""
    recipe, init = fitted.recipe, fitted.run.init
    if init is None or recipe.network is None:
        return fitted
    begun = NetworkBegun.load(init, recipe.network, recipe.tokenizer, fitted.model.language)
    known = {one.sha256 for one in begun.manifest.data}
    is_known = {corpus.sha256 for corpus in fitted.data} <= known
    if not is_known or begun.trained.tags != fitted.trained.tags:
        return fitted
    mean(begun.trained, fitted.trained)
    notes = get_tokenizer(recipe.tokenizer).tokenize(
        [note.document for corpus in fitted.data for note in corpus.notes]
    )
    exported = export(fitted.trained, notes)
    ended = replace(fitted.ended, stopped=f"{fitted.stopped}; {TOLD}")
    return replace(fitted, model=exported.model, ended=ended, proof=dict(exported.proof))
