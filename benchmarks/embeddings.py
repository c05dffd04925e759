"""Kassaie 2016's study of word vectors, on open notes: whether more notes give better ones.

python benchmarks/embeddings.py --data ../shared/data --out benchmarks/results
python benchmarks/embeddings.py --questions questions-words.txt    # Mikolov's, beside ours

English is ACI-Bench and MTS-Dialog (notes and dialogues), Spanish MEDDOCAN's training notes
without their annotations. A study that the results hold already is not run again.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pages import DATA, RESULTS, ROOT, keep, kept

from phiscrub.cli.htmlpictures import page, rising
from phiscrub.core.document import Document
from phiscrub.embeddings.analogies import read_questions
from phiscrub.embeddings.normalise import Normalise
from phiscrub.embeddings.study import study
from phiscrub.embeddings.text import Text
from phiscrub.embeddings.training import ALGORITHMS, Training
from phiscrub.formats.annotated import documents
from phiscrub.tokenize.registry import get_tokenizer

SHIPPED = ROOT / "src" / "phiscrub" / "data" / "analogies"
EPOCHS = {"cbow": 10, "skip-gram": 10, "rnnlm": 4}
TEXTS = ("note", "dialogue", "section_text")


def english(data: Path) -> Iterator[Document]:
    """Yield the notes and dialogues of ACI-Bench and MTS-Dialog."""
    files = sorted((data / "aci_bench" / "data" / "challenge_data").glob("*.csv"))
    files += sorted((data / "mts_dialog" / "Main-Dataset").glob("*.csv"))
    for file in files:
        with file.open(encoding="utf-8", newline="") as lines:
            for number, row in enumerate(csv.DictReader(lines)):
                for name in TEXTS:
                    if row.get(name):
                        yield Document(f"{file.stem}-{number}-{name}", row[name])


def spanish(data: Path) -> Iterator[Document]:
    """Yield the texts of MEDDOCAN's training notes."""
    yield from documents(data / "meddocan" / "train" / "xml")


CORPORA = {"en": english, "es": spanish}


def run(text: Text, algorithm: str, digits: str, questions: Path) -> dict[str, Any]:
    """Run one study."""
    training = Training(algorithm, epochs=EPOCHS[algorithm])
    began = time.process_time()
    found = study(
        text,
        read_questions(questions.read_text("utf-8"), questions.name),
        training,
        Normalise(digits, lower=True),
        tick=lambda step: print(f"  {step.part:.2f}: {step.similarity:.4f}", flush=True),
        inner=lambda _, __: None,
    )
    return {
        "dimensions": training.size,
        "epochs": training.rounds,
        "cpu_seconds": round(time.process_time() - began),
        **asdict(found),
    }


def written(results: dict[str, dict[str, Any]]) -> str:
    """Write the results as Markdown."""
    lines = [
        "# Word vectors by size of text (Kassaie 2016's study)",
        "",
        "Made by `benchmarks/embeddings.py`. Mean cosine of b - a + c with d over the questions "
        "whose words the first quarter's vocabulary has, and the p-value of the paired t test "
        "against the quarter before (questions share words, so p is too small). The paper, on "
        "68,278 optometry records: p = 5e-78, 1.6e-9, .49. Small letters, minimum count 2, "
        "window 5, one thread, seed 1. With little text, few updates leave the vectors of CBOW and "
        "skip-gram close together, so that their cosines fall as the text grows while the share of "
        "right answers rises: read both.",
        "",
        "| text, algorithm, digits, questions | asked | 1/4 | 2/4 | 3/4 | 4/4 | p | p | p "
        "| right at 1/4 | right at 4/4 | tokens | CPU s |",
        f"|---|{'---:|' * 12}",
    ]
    for name, row in sorted(results.items()):
        cells = [f"{step['similarity']:.4f}" for step in row["steps"]]
        cells += [f"{change['p']:.2g}" for change in row["changes"]]
        last = row["steps"][-1]
        cells += [f"{step['accuracy']:.3f}" for step in (row["steps"][0], last)]
        cells += [f"{last['tokens']:,}", str(row["cpu_seconds"])]
        lines.append(f"| {name} | {row['questions']:,} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Run the studies that are missing."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--algorithms", nargs="+", choices=ALGORITHMS, default=ALGORITHMS)
    parser.add_argument("--digits", nargs="+", default=["glued", "split"])
    parser.add_argument("--corpora", nargs="+", choices=CORPORA, default=list(CORPORA))
    parser.add_argument("--questions", type=Path, help="other questions, of English words")
    options = parser.parse_args()
    file = options.out / "embeddings.json"
    results = kept(file)
    for corpus in options.corpora:
        notes = get_tokenizer().tokenize(list(CORPORA[corpus](options.data)))
        asked = [SHIPPED / f"{corpus}.txt"]
        if options.questions is not None and corpus == "en":
            asked.append(options.questions)
        for algorithm in options.algorithms:
            for digits in options.digits:
                text = Text.of(notes, Normalise(digits, lower=True))
                for questions in asked:
                    source = "ours" if questions.parent == SHIPPED else questions.stem
                    name = f"{corpus}, {algorithm}, {digits}, {source}"
                    if name in results:
                        continue
                    print(name, flush=True)
                    results[name] = run(text, algorithm, digits, questions)
                    keep(file, results)
    (options.out / "embeddings.md").write_text(written(results), "utf-8")
    shown = results["en, cbow, glued, ours"]["steps"]
    points = [(step["tokens"], step["similarity"]) for step in shown]
    picture = page(rising(points, "tokens of the notes", "mean similarity"))
    (options.out / "embeddings.svg").write_text(picture, "utf-8")


if __name__ == "__main__":
    main()
