# SPDX-License-Identifier: GPL-2.0-or-later
"""pages.py - result files for the browser's check, made up: pages.py FOLDER."""
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from chart_helpers import (LATENCY, MARKUP, PUBLISHED, fields, hostile_files,  # noqa: E402
                           latency_row, make, write_table)

TABLE = [(32, 799, 803), (64, 640, 651), (125, 537, 545), (4096, 397, 398), (65533, 369, 369)]


def main(folder):
    """Write a latency file with its results, a reproduction file, and files of hostile names."""
    (folder / "hostile").mkdir(parents=True, exist_ok=True)
    make(folder / "pmbench.csv", *(
        fields(testcase="pmbench1", counter="pagevec", kind="lru", batch=batch, batch_used=batch,
               tasks=tasks, ops_per_sec=1e6 * tasks) for batch in (15, 31) for tasks in (1, 96)))
    write_table(folder / "pmbench.latency.csv", LATENCY, *(
        latency_row(testcase="pmbench1", batch=batch, tasks=tasks, low_ns=2 ** power,
                    high_ns=2 ** (power + 1),
                    count=round(1e6 * math.exp(-((power - 9 - tasks / 80) ** 2) / 3)) + 1)
        for batch in (15, 31) for tasks in (1, 96) for power in range(7, 20)))
    write_table(folder / "reproduce.csv", PUBLISHED, *(
        ["numa", f"threshold {row}", "cycles", real, real, simulated, f"{simulated / real:.4f}",
         "predicted"] for row, real, simulated in TABLE))
    hostile_files(folder / "hostile", MARKUP)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
