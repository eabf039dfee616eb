#!/usr/bin/env python3
"""Writes a changelog as Debian's tools read it: an entry for each release of CHANGELOG.md.

changelog.py CHANGELOG.md REVISION MAINTAINER OUT
"""

import datetime
import email.utils
import re
import sys

RELEASE = re.compile(r"^## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d\d-\d\d)$", re.MULTILINE)


def entry(version, date, revision, maintainer):
    noon = datetime.datetime.fromisoformat(f"{date}T12:00:00+00:00")
    return (f"vyre ({version}-{revision}) unstable; urgency=medium\n\n"
            f"  * Version {version}; changelog.gz says what is new in it.\n\n"
            f" -- {maintainer}  {email.utils.format_datetime(noon)}\n")


def main():
    source, revision, maintainer, out = sys.argv[1:]
    with open(source, encoding="utf-8") as file:
        releases = RELEASE.findall(file.read())
    with open(out, "w", encoding="utf-8") as file:
        file.write("\n".join(entry(*release, revision, maintainer) for release in releases))
    return 0 if releases else f"{source} names no release: ## [X.Y.Z] - YYYY-MM-DD"


if __name__ == "__main__":
    sys.exit(main())
