# SPDX-License-Identifier: GPL-2.0-only
"""page.py PAGE - is it well-formed, quiet, and true to its policy?"""
import base64
import hashlib
import html.parser
import re
import sys

VOID = {"meta", "br"}
ELEMENTS = set("""html head meta title style body a header h1 h2 h3 p nav ul li
    main section div svg g path b br small strong details summary table thead
    tbody tr th td dl dt dd article span""".split())
ATTRIBUTES = set("""lang charset http-equiv content name class href id
    aria-labelledby aria-label aria-hidden role tabindex viewbox d scope
    """.split())


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links, self.text = [], set(), [], []
        self.style, self.policy = "", ""

    def complain(self, *what):
        print(self.getpos(), *what)

    def handle_starttag(self, tag, attrs):
        if tag not in ELEMENTS:
            self.complain("element", tag)
        for name, value in attrs:
            if name not in ATTRIBUTES:
                self.complain("attribute", tag, name)
            if name == "id":
                if value in self.ids:
                    self.complain("id twice", value)
                self.ids.add(value)
            if name == "href":
                self.links.append(value)
        given = dict(attrs)
        if given.get("http-equiv") == "Content-Security-Policy":
            self.policy = given["content"]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.complain("end of", tag)

    def handle_data(self, data):
        if self.open and self.open[-1] == "style":
            self.style += data
        else:
            self.text.append(data)


page = Page()
with open(sys.argv[1], encoding="utf-8", newline="") as f:
    source = f.read()
page.feed(source)
page.close()
if page.open:
    print("not ended:", page.open)
for link in page.links:
    if not link.startswith("#") or link[1:] not in page.ids:
        print("link to", link)
digest = hashlib.sha256(page.style.encode()).digest()
wanted = "'sha256-%s'" % base64.b64encode(digest).decode()
if not page.policy.startswith("default-src 'none'; ") or \
        "style-src %s;" % wanted not in page.policy:
    print("policy:", page.policy)
if re.search(r"url\(|@import|\bon[a-z]+=|javascript:", page.style):
    print("the style fetches")
if len(source) > 1000000:
    print("too large:", len(source))
for name in sys.argv[2:]:
    if name not in "".join(page.text):
        print("no text", name)
