#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""examiner.py IMAGE [DIRECTORY] - the deleted files that the journal remembers

Prints grade, time of deletion, size, SHA-256 and path of each, and saves the intact
ones in DIRECTORY under the numbers of their lines.
"""
import hashlib
import os
import stat
import sys

import e2lazy


def contents(file):
    """All of an intact regular file, or None."""
    if not stat.S_ISREG(file.mode) or file.grade != "intact":
        return None
    try:
        return file.read()
    except e2lazy.Error:        # zeros, or it cannot be read
        return None


def main(image, directory=None):
    with e2lazy.open(image) as journal:
        for number, file in enumerate(journal.deleted()):
            data = contents(file)
            print(file.grade, file.deleted or "-", file.size,
                  hashlib.sha256(data).hexdigest() if data is not None else "-",
                  ascii(file.path))
            if directory and data is not None:
                with open(os.path.join(directory, str(number)), "xb") as out:
                    out.write(data)


main(*sys.argv[1:])
