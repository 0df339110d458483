# SPDX-License-Identifier: GPL-2.0-only
"""A log with fast commits, as e2lazy, e2fsck and the kernel replay it."""

import os
import subprocess

from disk import Disk, run
from tree import tree

E2LAZY = os.environ.get("E2LAZY", "e2lazy")
E2LAZYCK = os.environ.get("E2LAZYCK", "e2lazyck")
SECTOR = 512


def call(*words):
    return subprocess.run(words, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)


def text(done):
    return done.stdout.decode(errors="replace")


def _lay(table, source, patch, out):
    """Follow a device-mapper table of linear pieces, those out of place."""
    with open(source, "rb") as log, open(patch, "rb") as made, \
            open(out, "r+b") as to:
        for line in table.splitlines():
            start, count, kind, name, offset = line.split()
            assert kind == "linear", line
            if name != "PATCH" and start == offset:
                continue
            held = made if name == "PATCH" else log
            held.seek(int(offset) * SECTOR)
            to.seek(int(start) * SECTOR)
            to.write(held.read(int(count) * SECTOR))


def _ck(snap, out, *words):
    run("cp", "--sparse=always", snap, out)
    done = subprocess.run([E2LAZYCK, "-q", "-p", *words, out],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=False)
    return "" if done.returncode == 1 else \
        f"exit {done.returncode}: {text(done)}{done.stderr.decode()}"


def by_e2lazyck(snap, out):
    """Empty, or why the log was not written back."""
    why = _ck(snap, out, "--checkpoint")
    if why:
        return why
    status = text(call(E2LAZYCK, "--status", out)).strip()
    return "" if status == "clean" else f"the log is {status} afterwards"


def logged(snap, out):
    """The fast commits are a transaction of a log that is in use."""
    return _ck(snap, out, "--compact")


def by_e2lazy(snap, out, *more):
    """Empty, or why the view lacks fast commits."""
    patch = out + ".patch"
    done = subprocess.run([E2LAZY, "view", "-q", *more, "--dm-table", "--patch",
                           patch, snap], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False)
    if done.returncode:
        return f"exit {done.returncode}: {done.stderr.decode()}"
    run("cp", "--sparse=always", snap, out)
    # The table names what nobody has on disk "PATCH", or the patch itself.
    table = done.stdout.decode().replace(patch, "PATCH")
    _lay(table, snap, patch, out)
    os.unlink(patch)
    return ""


def look(image, where, options):
    """The tree that a mount shows, or None."""
    loop = Disk.attach(image)
    mounted = call("mount", "-t", "ext4", "-o", options, loop, where)
    try:
        return None if mounted.returncode else tree(where)
    finally:
        if not mounted.returncode:
            call("umount", where)
        call("losetup", "-d", loop)


def by_kernel(snap, out, where):
    run("cp", "--sparse=always", snap, out)
    return look(out, where, "noatime")


def by_e2fsck(snap, out, where):
    run("cp", "--sparse=always", snap, out)
    call("e2fsck", "-fy", out)
    return look(out, where, "ro,noload,noatime")
