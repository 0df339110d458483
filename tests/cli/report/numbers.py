# SPDX-License-Identifier: GPL-2.0-only
"""numbers.py REPORT.json DUMP.json LOG.json - do the cells say what dump --all
and log say?"""
import json
import sys
from collections import Counter

report, dump, log = (json.load(open(name)) for name in sys.argv[1:4])
ring, groups, txns = report["ring"], report["groups"], report["transactions"]
kinds = ["live", "superseded", "revoked", "uncommitted", "stale", "refused",
         "control", "free", "unread"]


def same(what, ours, theirs):
    if ours != theirs:
        print(what, ours, "for", theirs)


same("blocks", sum(ring[k] for k in kinds), ring["blocks"])
cells = Counter()
for copy in dump["copies"]:
    cell = (copy["logblk"] - ring["first"]) // ring["cell_blocks"]
    cells[cell, copy["state"]] += 1
for i, cell in enumerate(ring["cells"]):
    same("cell %d" % i, sum(cell.get(k, 0) for k in kinds), cell["blocks"])
    for kind in kinds[:6]:
        if kind != "stale":
            same("cell %d %s" % (i, kind), cell.get(kind, 0), cells[i, kind])

first = 1 if report["filesystem"]["block_size"] == 1024 else 0
per = int(sys.argv[4])
live, all_ = Counter(), Counter()
for copy in dump["copies"]:
    if copy["state"] in ("live", "superseded", "revoked", "refused"):
        group = (copy["fsblk"] - first) // per // groups["cell_groups"]
        all_[group] += 1
        live[group] += copy["state"] == "live"
for i, cell in enumerate(groups["cells"]):
    same("group %d" % i, (cell["live"], cell["overwritten"]),
         (live[i], all_[i] - live[i]))
    same("its number", cell["group"], i * groups["cell_groups"])
same("groups", sum(c["groups"] for c in groups["cells"]), groups["groups"])

whole = [t for t in log["transactions"] if t["state"] == "committed"]
same("transactions", txns["count"], len(whole))
same("in cells", sum(c["transactions"] for c in txns["cells"]), len(whole))
for key, theirs in (("copies", "blocks"), ("live", "live"),
                    ("revokes", "revokes")):
    same(key, sum(c[key] for c in txns["cells"]),
         sum(t[theirs] for t in whole))
sizes = Counter(t["blocks"] and 1 << t["blocks"].bit_length() - 1
                for t in whole)
same("sizes", {s["copies"]: s["transactions"] for s in txns["sizes"]}, sizes)
print("the numbers are those of dump and log")
