#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""fleet.py DEVICE... - the journals of many volumes, one line of JSON each

Four volumes are read at a time, since the library lets other threads run. Ends with
status 1 if one of them is not sound.
"""
import concurrent.futures
import json
import sys

import e2lazy


def look(device):
    """What there is to say of one volume."""
    try:
        with e2lazy.open(device) as journal:
            verdict = journal.verify(quick=True)
            waiting = len(journal.map())
    except (e2lazy.Error, OSError) as error:
        return {"device": device, "sound": False, "verdict": None,
                "error": str(error)}
    return {"device": device, "sound": verdict.sound,
            "verdict": verdict.verdict, "waiting": waiting,
            "findings": [finding.id for finding in verdict.findings]}


def main(devices):
    sound = True
    with concurrent.futures.ThreadPoolExecutor(4) as readers:
        for row in readers.map(look, devices):
            print(json.dumps(row))
            sound = sound and row["sound"]
    return not sound


sys.exit(main(sys.argv[1:]))
