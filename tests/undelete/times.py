# SPDX-License-Identifier: GPL-2.0-only
"""Times of files in the timeline: which a program has set, and the body file."""

import json
import os
import shutil
import subprocess
import time

E2LAZY = os.environ.get("E2LAZY", "e2lazy")
E2LAZYCK = os.environ.get("E2LAZYCK", "e2lazyck")
OLD = 981173106         # 2001


def set_times(disk, gone):
    for name in ("mode", "written", "back", "accessed", "renamed", "removed",
                 "ahead"):
        disk.write(f"/{name}", b"some words")
    disk.sync()
    time.sleep(1.1)
    os.chmod(disk.path("/mode"), 0o600)
    disk.write("/written", b"other word")
    os.utime(disk.path("/back"), (OLD, OLD))
    at = os.stat(disk.path("/accessed")).st_mtime_ns
    os.utime(disk.path("/accessed"), ns=(OLD * 10**9, at))
    os.utime(disk.path("/ahead"), (time.time(), time.time() + 86400 * 400))
    os.rename(disk.path("/renamed"), disk.path("/new-name"))
    os.unlink(disk.path("/removed"))
    disk.write("/unpacked", b"from an archive")
    os.utime(disk.path("/unpacked"), (OLD, OLD))
    disk.write("/made", b"now")
    disk.sync()
    names = ("mode", "written", "back", "accessed", "new-name", "ahead",
             "unpacked", "made")
    disk.was = {f"/{n}": os.stat(disk.path(f"/{n}")) for n in names}


def answer(*words):
    done = subprocess.run([E2LAZY, *words], capture_output=True, check=False)
    assert not done.returncode, done.stderr.decode()
    return done.stdout.decode()


def check_events(disk, known_creation):
    events = json.loads(answer("timeline", "-q", "--ring", "--json",
                               disk.image))["events"]
    last = max(e["tid"] for e in events)
    whats = {}
    for e in events:
        if e["tid"] == last:
            whats.setdefault(e["path"], set()).add(e["what"])
    assert whats["/mode"] == {"chmod"}, whats
    assert "times set" not in whats["/written"] and \
        whats["/written"] & {"written", "mapped"}, whats
    for path in ("/back", "/accessed", "/ahead"):
        assert whats[path] == {"times set"}, (path, whats)
    assert whats["/new-name"] == {"renamed"} and whats["/removed"] == {"deleted"}
    assert whats["/made"] == {"created"}, whats
    assert whats["/unpacked"] == {"created"} | \
        ({"times set"} if known_creation else set()), whats
    detail = [e["detail"] for e in events if e["what"] == "times set" and
              e["path"] == "/accessed"]
    assert len(detail) == 1 and detail[0].startswith("atime ") and \
        detail[0].endswith("-> 2001-02-03T04:05:06.000000000Z"), detail


def check_body(disk, known_creation):
    last = {}
    for line in answer("timeline", "-q", "--ring", "--body",
                       disk.image).splitlines():
        fields = line.split("|")
        assert len(fields) == 11, line
        last[fields[1].split(" (")[0]] = [int(f) for f in fields[7:]]
    for path, st in disk.was.items():
        times = [int(st.st_atime), int(st.st_mtime), int(st.st_ctime)]
        assert last[path][:3] == times, (path, last[path], times)
        assert (last[path][3] != 0) == known_creation, last[path]
    # A change of the mode sets one time, and mactime prints the letter c for it.
    atime, mtime, ctime, crtime = last["/mode"]
    assert ctime not in (atime, mtime, crtime)
    assert last["/removed"][2] > last["/removed"][1]
    check_fls(disk, last)


def body_of_fls(image):
    """Times of each path by sleuthkit, which reads static blocks only: so from a
    copy whose log has been written back."""
    copy = image + ".checkpointed"
    shutil.copy(image, copy)
    done = subprocess.run([E2LAZYCK, "--checkpoint", "-y", "-q", copy],
                          capture_output=True, check=False)
    assert done.returncode in (0, 1), done
    lines = subprocess.run(["fls", "-r", "-m", "/", copy], check=True,
                           capture_output=True).stdout.decode().splitlines()
    os.unlink(copy)
    return {f[1]: [int(n) for n in f[7:]] for f in
            (line.split("|") for line in lines)}


def check_fls(disk, last):
    """The last event of a living file has the times that it has in place."""
    if not shutil.which("fls"):
        print("# skip: fls -m has the same times: sleuthkit is not installed")
        return
    theirs = body_of_fls(disk.image)
    for path in disk.was:
        assert theirs[path] == last[path], (path, theirs[path], last[path])


def check_set_times(disk):
    check_events(disk, True)
    check_body(disk, True)


def check_set_times_of_ext3(disk):
    check_events(disk, False)
    check_body(disk, False)
