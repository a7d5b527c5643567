# SPDX-License-Identifier: GPL-2.0-or-later
"""formats - a comparison as text, Markdown, JUnit XML, JSON, and JSON for github-action-benchmark.

Names come from files and may hold anything: each format has one function through which all of them
go. Nothing here decides.
"""

import json
import math
import re
import xml.etree.ElementTree as ElementTree

import verdict
from text import clean

MOST_ROWS = 50  # of a table; the formats for programs have all
_WORDS = {verdict.WORSE: "worse", verdict.BETTER: "better", verdict.SAME: "same",
          verdict.INCONCLUSIVE: "inconclusive"}


def rate_text(value):
    """A rate in ops per second as kernel reports print it: whole, or with digits where small."""
    if value is None:
        return "-"
    return f"{value:.2f}" if value < 1000 else f"{value:.4g}" if value > 1e12 else f"{value:.0f}"


def spread_text(value):
    """The spread of single repeats; empty where there is none."""
    return "" if value is None else f"± {value * 100:.1f}%"


def change_text(decision):
    """The change in percent."""
    ratio = decision.ratio
    if ratio is None or math.isnan(ratio):
        return "-"
    if math.isinf(ratio):
        return "+inf%"
    change = (ratio - 1) * 100
    if change == 0:
        return "0.0%"
    return f"{change:+.1f}%" if abs(change) >= 0.05 else f"{change:+.1g}%"


def interval_text(decision):
    """The 95 % interval of the change; empty where there is none."""
    if decision.low is None:
        return ""
    low, high = ((end - 1) * 100 for end in (decision.low, decision.high))
    return f"{low:+.1f}..{high:+.1f}%"


def summary(comparison):
    """One line: how many series, and what became of them."""
    count = len(comparison.results)
    parts = [f"{comparison.count(word)} {word}" for word in _WORDS if comparison.count(word)]
    return f"{count} series compared: {', '.join(parts)}" if count else "nothing comparable"


def rules_text(comparison):
    """How the verdicts were made, one line for each kind of machine that is there."""
    lines, rules = [], comparison.rules
    if any(not result.simulated for result in comparison.results):
        lines.append(
            f"Native: worse or better is a rank test (Holm over all series, {rules.alpha:g}), a "
            f"95% interval beyond {rules.min_effect * 100:.3g}% of change, and more than its own "
            "noise.")
    if any(result.simulated for result in comparison.results):
        lines.append("Simulated: exact, every difference is a change.")
    return lines


def remarks(comparison):
    """Differences of the set-up, notes, and series that only one side has, a list of lines."""
    lines = [f"differs: {clean(line)}" for line in comparison.changes]
    lines += [f"note: {clean(line)}" for line in comparison.notes]
    for side, names in (("base", comparison.only_base), ("new", comparison.only_new)):
        if names:
            more = f", and {len(names) - 3} more" if len(names) > 3 else ""
            lines.append(f"only in {side}: {', '.join(names[:3])}{more}")
    return lines


def _shown(comparison, everything):
    """The results that a table shows, and how many it leaves out."""
    most = len(comparison.results) if everything else MOST_ROWS
    return comparison.results[:most], len(comparison.results[most:])


def _machines(shown):
    """[(machine, its results)] in the order of their worst."""
    machines = {}
    for result in shown:
        machines.setdefault(result.key.machine, []).append(result)
    return list(machines.items())


def _machine_text(machine):
    return "native" if machine == "native" else f"{clean(machine)} (simulated)"


def _cells(result):
    decision = result.decision
    return [rate_text(result.base), spread_text(decision.spread_base), change_text(decision),
            rate_text(result.new), spread_text(decision.spread_new), interval_text(decision),
            _WORDS[decision.verdict], result.label]


def as_text(comparison, everything=False):
    """The table that kernel reports have: base ± %, change, new ± %, and what it is."""
    shown, more = _shown(comparison, everything)
    lines = [f"base: {clean(comparison.base)}", f"new:  {clean(comparison.new)}"]
    lines += remarks(comparison)
    for machine, found in _machines(shown):
        rows = [_cells(result) for result in found]
        widths = [max(len(row[i]) for row in rows) for i in range(7)]
        widths[0], widths[3] = max(widths[0], 8), max(widths[3], 8)
        widths[2], widths[5] = max(widths[2], 7), max(widths[5], 8)
        left, right = widths[0] + 1 + widths[1], widths[3] + 1 + widths[4]
        lines += ["", f"machine {_machine_text(machine)}, ops per second",
                  f"{'base':>{widths[0]}} {'':{widths[1]}}  {'change':>{widths[2]}}  "
                  f"{'new':>{widths[3]}} {'':{widths[4]}}  {'interval':>{widths[5]}}  "
                  f"{'verdict':{widths[6]}}  series".rstrip(),
                  f"{'-' * left}  {'-' * widths[2]}  {'-' * right}  {'-' * widths[5]}  "
                  f"{'-' * widths[6]}  ------"]
        for row, result in zip(rows, found):
            line = (f"{row[0]:>{widths[0]}} {row[1]:>{widths[1]}}  {row[2]:>{widths[2]}}  "
                    f"{row[3]:>{widths[3]}} {row[4]:>{widths[4]}}  {row[5]:>{widths[5]}}  "
                    f"{row[6]:{widths[6]}}  {row[7]}")
            lines.append(line + (f"  [{result.reason}]" if result.reason else ""))
    lines += ["", f"{more} more series (--all shows them)"] if more else []
    return "\n".join([*lines, "", *rules_text(comparison), summary(comparison)]) + "\n"


def markdown_text(value):
    """Any text as Markdown code on one line of a table: nothing in it is a tag, link or mention."""
    value = clean(value)
    if re.fullmatch(r"[A-Za-z0-9_.,:;=+/#%()> -]+", value):
        return f"`{value}`"
    return "<code>" + "".join(char if char.isalnum() and char.isascii() or char == " "
                              else f"&#{ord(char)};" for char in value) + "</code>"


def as_markdown(comparison, everything=False):
    """A table for a merge request or a job's summary."""
    shown, more = _shown(comparison, everything)
    lines = [f"### {summary(comparison)}", "",
             f"{markdown_text(comparison.base)} → {markdown_text(comparison.new)}"]
    for machine, found in _machines(shown):
        lines += ["", f"Machine {markdown_text(_machine_text(machine))}, ops per second", "",
                  "| base | ± | change | new | ± | 95% interval | verdict | series | |",
                  "|---:|---:|---:|---:|---:|---:|---|---|---|"]
        for result in found:
            cells = _cells(result)
            bold = result.decision.verdict == verdict.WORSE
            cells[1], cells[4] = (cell.removeprefix("± ") for cell in (cells[1], cells[4]))
            cells[6] = f"**{cells[6]}**" if bold else cells[6]
            cells[7] = markdown_text(cells[7])
            reason = markdown_text(result.reason) if result.reason else ""
            lines.append("| " + " | ".join([*cells, reason]) + " |")
    lines += ["", f"{more} more series"] if more else []
    lines += ["", *rules_text(comparison), ""]
    lines += [f"- {markdown_text(line)}" for line in remarks(comparison)]
    return "\n".join(lines).rstrip("\n") + "\n"


def as_junit(comparison, everything=True):
    """JUnit XML: a test case for each series; worse is a failure, inconclusive is skipped."""
    del everything
    suite = ElementTree.Element("testsuite", {
        "name": "will-it-batch compare", "tests": str(len(comparison.results)),
        "failures": str(comparison.count(verdict.WORSE)), "errors": "0",
        "skipped": str(comparison.count(verdict.INCONCLUSIVE))})
    for result in comparison.results:
        case = ElementTree.SubElement(suite, "testcase", {
            "classname": clean(f"{result.key.machine}.{result.key.testcase}"),
            "name": clean(result.label), "time": "0"})
        said = (f"{rate_text(result.base)} -> {rate_text(result.new)} ops/s, "
                f"{change_text(result.decision)} {interval_text(result.decision)}".rstrip())
        said += f"; {clean(result.reason)}" if result.reason else ""
        if result.decision.verdict == verdict.WORSE:
            ElementTree.SubElement(case, "failure", {"message": said, "type": "worse"})
        elif result.decision.verdict == verdict.INCONCLUSIVE:
            ElementTree.SubElement(case, "skipped", {"message": said})
        else:
            ElementTree.SubElement(case, "system-out").text = said
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def _number(value):
    """A number that JSON has; None for what it has not."""
    return value if value is None or math.isfinite(value) else None


def as_json(comparison, everything=True):
    """All that is known, for programs. Shares are numbers: a ratio of 0.85 is 15 % less."""
    del everything
    found = []
    for result in comparison.results:
        decision, key = result.decision, result.key._asdict()
        key["params"] = dict(key["params"])
        found.append({
            "series": result.label, "key": key, "simulated": result.simulated,
            "verdict": decision.verdict, "base_ops_per_sec": result.base,
            "new_ops_per_sec": result.new, "base_repeats": result.counts[0],
            "new_repeats": result.counts[1], "base_spread": _number(decision.spread_base),
            "new_spread": _number(decision.spread_new), "ratio": _number(decision.ratio),
            "ratio_low": _number(decision.low), "ratio_high": _number(decision.high),
            "p_adjusted": decision.p, "noise": _number(decision.noise),
            "repeats_needed": decision.needed, "reason": result.reason})
    rules = comparison.rules
    return json.dumps({
        "format": "will-it-batch compare", "version": 1, "base": comparison.base,
        "new": comparison.new, "status": comparison.status, "min_effect": rules.min_effect,
        "alpha": rules.alpha, "counts": {word: comparison.count(word) for word in _WORDS},
        "series": found, "only_base": comparison.only_base, "only_new": comparison.only_new,
        "differs": comparison.changes, "notes": comparison.notes}, indent=1) + "\n"


def as_action(comparison, everything=True):
    """The new side as customBiggerIsBetter of github-action-benchmark: a list of its fields."""
    del everything
    return json.dumps([{
        "name": clean(f"{result.key.machine}: {result.label}"), "unit": "ops/s",
        "value": result.new, "range": spread_text(result.decision.spread_new),
        "extra": clean(f"{_WORDS[result.decision.verdict]} {change_text(result.decision)} "
                       f"{result.reason}").strip()}
        for result in comparison.results if result.new is not None], indent=1) + "\n"


# name of the format: (function, name of its file)
FORMATS = {"text": (as_text, "compare.txt"), "markdown": (as_markdown, "compare.md"),
           "junit": (as_junit, "compare.xml"), "json": (as_json, "compare.json"),
           "action": (as_action, "benchmark.json")}
