# SPDX-License-Identifier: GPL-2.0-only
"""The tree at several times of one file system, from what followed."""

import os
import time

from earlier import E2LAZY, contents, is_file, run_both, undelete

NEVER = "/doc/in-place"         # its blocks are written again, and shown by nothing


def note(disk):
    """What the files are after this transaction."""
    disk.sync()
    disk.sync()                 # contents that waited for their blocks
    top = disk.mount_point
    files = {}
    for directory, _, names in os.walk(top):
        for name in names:
            path = os.path.join(directory, name)
            files[path[len(top):]] = contents(path)
    disk.times.append((disk.transactions()[-1], files))
    time.sleep(0.1)


def change_step_by_step(disk, gone):
    """What editors, tar and people do, a transaction after the other."""
    def fresh(size):
        return disk.random.randbytes(size)

    disk.times = []
    for name in ("text", "archive", "log", "in-place", "moved", "linked"):
        disk.write(f"/doc/{name}", fresh(30000))
    for i in range(12):
        disk.write(f"/tree/{i % 3}/{i}", fresh(9000 + i))
    note(disk)
    disk.write("/doc/.text.new", fresh(31000))
    os.rename(disk.path("/doc/.text.new"), disk.path("/doc/text"))
    os.link(disk.path("/doc/linked"), disk.path("/doc/second"))
    note(disk)
    disk.write("/doc/archive", fresh(50000))
    disk.remove("/doc/linked")
    with open(disk.path("/doc/in-place"), "r+b") as f:
        f.write(fresh(30000))
    note(disk)
    open(disk.path("/doc/log"), "wb").close()
    os.rename(disk.path("/doc/moved"), disk.path("/tree/1/moved"))
    note(disk)
    disk.remove_tree("/tree")
    disk.remove("/doc/second")
    note(disk)
    # Blocks of that tree are taken again, and must not pass for its own.
    for i in range(3):
        disk.write(f"/new/{i}", fresh(20000))
    note(disk)


def check_steps(disk):
    whole = 0
    for number, (tid, files) in enumerate(disk.times):
        out, _, listed = undelete(disk, f"then{number}", "--ring", "--until-tid",
                                  str(tid), "--tree")
        for path, was in files.items():
            grade = listed[path]["grade"] if path in listed else "unlisted"
            assert is_file(out, path[1:]) or grade != "living", (tid, path)
            if not is_file(out, path[1:]):
                assert path == NEVER or grade in ("partial", "lost"), \
                    (tid, path, grade)
                continue
            assert contents(out + path) == was, (tid, path, grade)
            assert path != NEVER or number >= 2, (tid, "written since")
            whole += 1
        said = run_both(E2LAZY, "undelete", "-q", "--ring", "--until-tid",
                        str(tid), "--why", disk.image).stdout.decode()
        assert "lost transaction" not in said, said     # the ring has all
    count = sum(len(files) for _, files in disk.times)
    assert whole > count * 3 / 4, f"{whole} of {count}"
