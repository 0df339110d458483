# SPDX-License-Identifier: GPL-2.0-only
"""All that a tree shows of itself, to be compared with another time's."""

import hashlib
import os
import stat


def _xattrs(path):
    return {n: os.getxattr(path, n, follow_symlinks=False)
            for n in os.listxattr(path, follow_symlinks=False)}


def _one(path):
    st = os.lstat(path)
    seen = {"mode": st.st_mode, "links": st.st_nlink, "uid": st.st_uid,
            "gid": st.st_gid, "xattrs": _xattrs(path)}
    if stat.S_ISDIR(st.st_mode):
        return seen
    seen.update(size=st.st_size, mtime=st.st_mtime_ns, ctime=st.st_ctime_ns,
                rdev=st.st_rdev, inode=st.st_ino)
    if stat.S_ISLNK(st.st_mode):
        seen["target"] = os.readlink(path)
    if stat.S_ISREG(st.st_mode):
        with open(path, "rb") as f:
            seen["sha256"] = hashlib.sha256(f.read()).hexdigest()
    return seen


def tree(top):
    seen = {".": _one(top)}
    for folder, dirs, files in os.walk(top):
        for name in dirs + files:
            path = os.path.join(folder, name)
            seen[os.path.relpath(path, top)] = _one(path)
    return seen


def differences(was, now):
    found = []
    for path in sorted(set(was) | set(now)):
        a, b = was.get(path), now.get(path)
        if a is None or b is None:
            found.append(f"{path}: {'lost' if b is None else 'too much'}")
            continue
        found += [f"{path}: {key} {a.get(key)} -> {b.get(key)}"
                  for key in sorted(set(a) | set(b)) if a.get(key) != b.get(key)]
    return found
