# SPDX-License-Identifier: GPL-2.0-only
"""literal.py - run the commands that e2lazy doctor prints, as they are printed

	literal.py COMMANDS SUMS...

COMMANDS is a file with a command a line.  Each runs in its turn, on a terminal
of its own, below a shell.  Every question is answered with y.  A view that is
mounted on DIRECTORY is looked at and ended by Ctrl-C, and so is a mount.  stdout has
a line for each command that shows less than all files, or that cannot do its work:
its exit status has a bit but 1, 2 and 4 of fsck(8).
"""
import errno, hashlib, os, pty, re, select, signal, subprocess, sys, time

PATIENCE = 120
# The questions of e2lazyck, and those of e2fsck and mke2fs.
QUESTION = re.compile(rb"(\(y/n\)|<[yn]>\??|\(y,N\)|\(y/N\)) ?$")


def sums_of(path):
    """The checksums of the files below a directory, by their names."""
    found = {}
    for top, _, names in os.walk(path):
        for name in names:
            whole = os.path.join(top, name)
            if os.path.islink(whole):
                continue
            try:
                with open(whole, "rb") as f:
                    found[os.path.relpath(whole, path)] = \
                        hashlib.sha256(f.read()).hexdigest()
            except OSError:
                pass
    return found


def lacks(path, wanted):
    found = sums_of(path)
    return sum(found.get(name) != sum_ for name, sum_ in wanted.items())


def wants(path):
    wanted = {}
    with open(path) as f:
        for line in f:
            sum_, name = line.rstrip("\n").split("  ", 1)
            wanted[name[2:] if name.startswith("./") else name] = sum_
    return wanted


class Terminal:
    """A command on a terminal."""

    def __init__(self, command):
        self.said = b""
        self.asked = 0
        self.pid, self.fd = pty.fork()
        if not self.pid:
            os.execvp("sh", ["sh", "-c", command])

    def read(self, seconds):
        """False at the end."""
        if not select.select([self.fd], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self.fd, 65536)
        except OSError as e:
            if e.errno != errno.EIO:
                raise
            data = b""
        self.said += data
        return bool(data)

    def answer(self):
        tail = self.said[self.asked:]
        if QUESTION.search(tail):
            self.asked = len(self.said)
            os.write(self.fd, b"y\n")

    def interrupt(self):
        os.write(self.fd, b"\x03")

    def status(self):
        _, status = os.waitpid(self.pid, 0)
        os.close(self.fd)
        return os.waitstatus_to_exitcode(status)


def is_mounted(path):
    return subprocess.run(["mountpoint", "-q", path]).returncode == 0


def run(command, wanted):
    """The exit status, and what a mount on DIRECTORY lacks, or None."""
    before = is_mounted("DIRECTORY")
    terminal = Terminal(command)
    end = time.monotonic() + PATIENCE
    shown = None
    while time.monotonic() < end and terminal.read(0.1):
        terminal.answer()
        if shown is None and not before and is_mounted("DIRECTORY"):
            # The command may end by itself, as mount(8) does.
            shown = lacks("DIRECTORY", wanted)
            if command.startswith("e2lazy view"):
                terminal.interrupt()
    if time.monotonic() >= end:
        terminal.interrupt()
        print("  no end: %s" % command)
    status = terminal.status()
    if is_mounted("DIRECTORY"):
        shown = lacks("DIRECTORY", wanted)
        subprocess.run(["umount", "DIRECTORY"])
    return status, shown, terminal.said


def last_line(said):
    lines = said.decode(errors="replace").replace("\r", "\n").split("\n")
    lines = [line for line in lines if line.strip()]
    return lines[-1] if lines else ""


def main():
    wanted = wants(sys.argv[2])
    with open(sys.argv[1]) as f:
        commands = [line.rstrip("\n") for line in f]
    for command in commands:
        status, shown, said = run(command, wanted)
        if shown:
            print("  %s missing: %s" %
                  ("all" if shown == len(wanted) else "some", command))
        # A view ends by the signal that ended it.
        if status & ~7 and status != -signal.SIGINT:
            print("  exit %d: %s" % (status, command))
        if os.environ.get("LITERAL_SAYS"):
            print("    %s" % last_line(said))


main()
