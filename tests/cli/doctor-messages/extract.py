# SPDX-License-Identifier: GPL-2.0-only
"""extract.py - the beginnings of the messages of ext4 and jbd2

	extract.py TREE

TREE is the source of a kernel.  Each message that a mount, a replay or a commit
can print goes to stdout as a line of the kernel's log, with 7 for each number and
sda1 for each name, and without what follows the first 70 characters of its text.
Messages for developers are left out: those of debugging and of assertions, and
those that name neither ext4 nor jbd2.
"""
import re, sys

# What prints, and what the kernel puts before the text.
CALLS = {
    "ext4_msg": "EXT4-fs (sda1): ",
    "__ext4_msg": "EXT4-fs (sda1): ",
    "ext4_error": "EXT4-fs error (device sda1): function:7: comm name: ",
    "ext4_error_err": "EXT4-fs error (device sda1): function:7: comm name: ",
    "__ext4_error": "EXT4-fs error (device sda1): function:7: comm name: ",
    "ext4_abort": "EXT4-fs error (device sda1): function:7: comm name: ",
    "ext4_warning": "EXT4-fs warning (device sda1): function:7: ",
    "__ext4_warning": "EXT4-fs warning (device sda1): function:7: ",
    "pr_emerg": "", "pr_alert": "", "pr_crit": "", "pr_err": "",
    "pr_warn": "", "pr_notice": "", "pr_info": "", "printk": "",
    "pr_err_ratelimited": "", "pr_warn_ratelimited": "",
    "pr_notice_ratelimited": "", "printk_ratelimited": "",
}
FILES = ["fs/ext4/super.c", "fs/ext4/orphan.c", "fs/ext4/mmp.c",
         "fs/ext4/fast_commit.c", "fs/ext4/ext4_jbd2.c",
         "fs/ext4/block_validity.c", "fs/jbd2/journal.c",
         "fs/jbd2/recovery.c", "fs/jbd2/commit.c", "fs/jbd2/checkpoint.c",
         "fs/jbd2/revoke.c", "fs/jbd2/transaction.c"]
TEXT = 70
OURS = re.compile(r"EXT4-fs|JBD2: |Aborting journal|(__)?j(bd2_j)?ournal_\w+: |"
                  r"__jbd2_log_wait_for_space: ")
FOR_DEVELOPERS = re.compile(r"freeing b_|credits:|Waiting for Godot|jh->b_|"
                            r"assertion failure|leaked 7 |test_dummy|"
                            r"[Tt]est dummy|j_commit_request|FC replay|: bad jh")
STRING = r'"(?:[^"\\]|\\.)*"'
PLACE = re.compile(r"(0x)?%[-+ #0]*(?:\d+|\*)?(?:\.(?:\d+|\*))?"
                   r"(?:hh|h|ll|l|z|j|t)?([diuxXco]|p[a-zA-Z0-9]*|s|%)")


def without_comments(text):
    keep = lambda m: m.group(0) if m.group(0)[0] == '"' else " "
    return re.sub(STRING + r"|/\*.*?\*/|//[^\n]*", keep, text, flags=re.S)


def arguments(text, at):
    """The arguments of the call whose bracket is at @at, split at commas."""
    depth, start, found = 0, at + 1, []
    while at < len(text):
        quoted = re.compile(STRING).match(text, at)
        if quoted:
            at = quoted.end()
            continue
        char = text[at]
        depth += (char in "([{") - (char in ")]}")
        if (char == "," and depth == 1) or not depth:
            found.append(text[start:at].strip())
            start = at + 1
        if not depth:
            return found
        at += 1
    return found


def literal(argument):
    """The text of a format, in one piece."""
    parts = re.findall(STRING + r"|[A-Za-z_]\w*", argument)
    text, known = "", False
    for part in parts:
        if part[0] == '"':
            text += part[1:-1]
            known = True
        elif not part.startswith("KERN_") and known:
            text += "7"          # a macro in the middle of a format
    return text if known else None


def choices(argument, function):
    """The texts that an argument of %s can be."""
    if argument == "__func__":
        return [function]
    texts = re.findall(STRING, argument)
    return [t[1:-1] for t in texts] if len(texts) > 1 else ["sda1"]


def formed(form, args, function):
    """The texts of a format with its arguments."""
    args = list(args)
    texts, end = [""], 0
    for place in PLACE.finditer(form):
        kind = place.group(2)
        words = ["%"] if kind == "%" else ["7"]
        if kind != "%":
            if "*" in place.group(0) and args:
                args.pop(0)
            argument = args.pop(0) if args else ""
            if kind[0] in "ps":
                words = choices(argument, function)
        between = form[end:place.start()]
        texts = [t + between + w for t in texts for w in words]
        end = place.end()
    for text in texts:
        text += form[end:]
        for sign in ('\\"', '"'), ("\\n", " "), ("\\t", " "):
            text = text.replace(*sign)
        yield " ".join(text.split())


def functions(text):
    """Where each function begins, and its name."""
    return [(m.start(), m.group(1)) for m in
            re.finditer(r"^(?:[a-z_][\w *]*?)??\b(\w+)\([^;{]*\)\s*\{", text,
                        flags=re.M)]


def messages(text):
    text = without_comments(text)
    known = functions(text)
    for m in re.finditer(r"\b(\w+)\s*(?=\()", text):
        prefix = CALLS.get(m.group(1))
        if prefix is None:
            continue
        args = arguments(text, m.end())
        function = ([n for at, n in known if at < m.start()] or ["f"])[-1]
        # In its own definition a call has no string.
        for i, arg in enumerate(args):
            if "KERN_DEBUG" in arg:
                break
            form = literal(arg)
            if form is None:
                continue
            if prefix.startswith("EXT4-fs (") and args[0] == "NULL":
                prefix = "EXT4-fs: "
            for line in formed(form, args[i + 1:], function):
                yield prefix + line[:TEXT].rstrip()
            break


def main():
    found = set()
    for path in FILES:
        try:
            with open("%s/%s" % (sys.argv[1], path)) as f:
                found.update(messages(f.read()))
        except FileNotFoundError:
            print("no %s" % path, file=sys.stderr)
    for line in sorted(found):
        if OURS.match(line) and not FOR_DEVELOPERS.search(line):
            print(line)


main()
