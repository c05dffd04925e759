"""What the inverse hybrid's next steps are made of."""

from __future__ import annotations

from phiscrub.evaluate.sample import Sample
from phiscrub.experiments import inverse_outcome
from phiscrub.experiments.inverse_next import relabelled, risk_of
from training_notes import corpus


def test_binary_and_coarse_labels_keep_every_place() -> None:
    notes = corpus(4)
    places = [[m.span for m in note.mentions] for note in notes.notes]
    for coarse, labels in ((False, {"PHI"}), (True, {"PATIENT", "DATE", "ROOM"})):
        made = relabelled(notes, coarse=coarse)
        assert set(made.labels) == labels
        assert [[m.span for m in note.mentions] for note in made.notes] == places
        assert made.sha256 != notes.sha256


def test_the_risk_counts_notes_that_leak() -> None:
    text = "Lena Ortiz of Salem, a teacher."
    gold = ((0, 10, "PATIENT"), (14, 19, "CITY"), (23, 30, "PROFESSION"))
    leaking = Sample("one", text, gold, ((14, 19, "PHI"), (23, 30, "PHI")))
    together = Sample("two", text, gold, ((0, 10, "PHI"),))
    masked = Sample("three", text, gold, ((0, 30, "PHI"),))
    told = risk_of([leaking, together, masked])
    assert (told["notes"], told["direct"], told["quasi"]) == (3, 1, 1)
    assert told["chance"][0] == 2 / 3
    assert not told["acceptable"]
    risk = next(
        own
        for own in inverse_outcome.outcome({"risk": {"systems": {"any": told}}})
        if "risk" in own.title
    )
    assert risk.rows[0][:4] == ("any", 3, 1, 1)
    assert risk.rows[0][-1] == "no"


def test_other_ways_to_learn_stand_beside_the_network_as_it_is() -> None:
    own = {"masking": {"all": [8, 2, 2], "hipaa.corrected": [8, 0, 0]}, "useful": [3, 1]}
    done = {"thresholds d": {"pair 1": own}, "thresholds d, binary labels": {"pair 2": own}}
    ways, *_ = inverse_outcome.outcome(done)
    rows = {row[0]: row[1:] for row in ways.rows}
    assert rows["as it is, -1"] == rows["learned from binary labels, -2"] == (1.0, 0.8, 0.8, 0.75)
    assert rows["as it is, -2"] == (None,) * 4  # not run is not 0
    assert "names with a salutation repeated, -2" in rows
