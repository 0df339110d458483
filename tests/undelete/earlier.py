# SPDX-License-Identifier: GPL-2.0-only
"""Files at an earlier time: what undelete and the views say of their contents."""

import json
import os
import shutil
import subprocess

E2LAZY = os.environ.get("E2LAZY", "e2lazy")
DEBUGLAZY = os.environ.get("DEBUGLAZY", "debuglazy")


def run_both(*words, ok=(0, 4)):
    done = subprocess.run(words, capture_output=True, check=False)
    assert done.returncode in ok, \
        f"{words}: {done.returncode} {done.stderr.decode()}"
    return done


def undelete(disk, name, *more):
    """The files that undelete lists, by path, after it restores them to NAME."""
    out = os.path.join(disk.work, name)
    done = run_both(E2LAZY, "undelete", "-q", "--json", "--to", out, *more,
                    disk.image)
    files = json.loads(done.stdout)["files"]
    return out, done.returncode, {f["path"]: f for f in files}


def contents(path):
    with open(path, "rb") as f:
        return f.read()


def is_file(*names):
    return os.path.isfile(os.path.join(*names))


# ------------------------------------------------ files that still exist

def write_then_change(disk, gone):
    """Five files at an earlier time, each with another fate since."""
    disk.was = {f"/doc/{name}": disk.random.randbytes(size) for name, size in
                (("emptied", 400000), ("same", 70000), ("mode", 5000),
                 ("longer", 3000), ("cut", 50000))}
    for path, data in disk.was.items():
        disk.write(path, data)
    disk.write("/fill", disk.random.randbytes(14 << 20))
    disk.remount()
    os.truncate(disk.path("/doc/emptied"), 0)
    os.truncate(disk.path("/doc/cut"), 4096)
    os.chmod(disk.path("/doc/mode"), 0o600)
    with open(disk.path("/doc/longer"), "ab") as f:
        f.write(b"more")
    disk.sync()
    try:
        for i in range(60):
            disk.write(f"/new{i}", b"B" * 200000)
    except OSError:
        pass            # the disk is full, as it is meant to be


def check_contents_of_then(disk):
    first = run_both(E2LAZY, "log", "--histories", "--raw", "--no-headings",
                     "--columns", "FIRST", disk.image).stdout.split()[0].decode()
    past = ("--ring", "--until-tid", first)
    out, status, files = undelete(disk, "then", *past, "--tree", "--path", "/doc")
    grades = {path: f["grade"] for path, f in files.items()}
    assert grades.pop("/doc/cut") in ("unproven", "lost")
    assert grades == {"/doc": "living", "/doc/emptied": "lost",
                      "/doc/same": "living", "/doc/mode": "living",
                      "/doc/longer": "unproven"}, grades
    grades["/doc/cut"] = "not living"
    assert status == 4
    for path, was in disk.was.items():
        restored = is_file(out, path[1:])
        assert restored == (grades[path] == "living"), (path, grades[path])
        assert not restored or contents(out + path) == was, path
    said = run_both(E2LAZY, "view", *past, disk.image, "--", "stat", "{}")
    later = [path for path in disk.was if f"{path}: " in said.stderr.decode()]
    assert sorted(later) == ["/doc/cut", "/doc/emptied", "/doc/longer"], \
        said.stderr.decode()
    assert said.returncode == 4
    for path, was in disk.was.items():
        said = run_both(DEBUGLAZY, *past, "-R", f"cat {path}", disk.image)
        warned = f"cat: {path}: " in said.stderr.decode()
        assert warned == (path in later), (path, said.stderr.decode())
        assert warned or said.stdout == was, path
    os.mkdir(os.path.join(disk.work, "dumped"))
    said = run_both(DEBUGLAZY, *past, "-R", f"rdump /doc {disk.work}/dumped",
                    disk.image).stderr.decode()
    assert all((f"rdump: {path}: " in said) == (path in later)
               for path in disk.was), said
    now = run_both(E2LAZY, "view", disk.image, "--", "stat", "{}", ok=(0,))
    assert not now.stderr, now.stderr
    shutil.rmtree(os.path.join(disk.work, "dumped"))
