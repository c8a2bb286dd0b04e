#!/usr/bin/python3
"""Checks of the documentation, for tools/make-docs.

  documentation.py products                 names each library product and its modules, from `swift package dump-package` on standard input
  documentation.py paths FILE...            every file that the texts name in code spans exists
  documentation.py examples FOLDER FILE...  writes the examples of landing pages as Swift files into a folder
  documentation.py symbols FILE...          every public symbol of the symbol graphs has a documentation comment
"""

import json
import os
import re
import sys

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)


def products():
    for product in json.load(sys.stdin)["products"]:
        if "library" in product["type"]:
            print(product["name"], *product["targets"])
    return 0


def every_file():
    """Files and folders of the repository, as paths from its root; build folders aside."""
    found = set()
    for folder, folders, files in os.walk("."):
        folders[:] = [name for name in folders if not name.startswith(".")]
        place = os.path.relpath(folder, ".")
        for name in folders + files:
            found.add(os.path.normpath(os.path.join(place, name)))
    return found


def is_path(span):
    if span.startswith(".build"):
        return False
    if not re.fullmatch(r"[\w.+*-]+(/[\w.+*-]+)*/?", span):
        return False
    return re.search(r"\.(swift|md|py|h)$", span) is not None or "/" in span


def exists(span, files):
    """Texts name files from their module or folder on: any file that ends so will do. NAME stands for any name."""
    pattern = "[^/]+".join(re.escape(part) for part in span.rstrip("/").split("NAME"))
    return any(re.fullmatch("(.*/)?" + pattern, file) for file in files)


def paths(texts):
    files = every_file()
    missing = []
    for text in texts:
        with open(text, encoding="utf-8") as file:
            prose = FENCE.sub(lambda match: "\n" * match[0].count("\n"), file.read())
        for number, line in enumerate(prose.split("\n"), 1):
            for span in re.findall(r"(?<!`)`([^`\s]+)`(?!`)", line):
                if is_path(span) and not exists(span, files):
                    missing.append(f"{text}:{number}: there is no {span}")
            for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", line):
                if not os.path.exists(os.path.join(os.path.dirname(text), link)):
                    missing.append(f"{text}:{number}: there is no {link}")
    for line in missing:
        print(line, file=sys.stderr)
    return 1 if missing else 0


def examples(folder, texts):
    """Statements go into a function; functions and types stay as they are."""
    count = 0
    for text in texts:
        with open(text, encoding="utf-8") as file:
            blocks = [code for language, code in FENCE.findall(file.read()) if language == "swift"]
        for code in blocks:
            count += 1
            imports = re.findall(r"^import \w+$", code, re.M)
            rest = re.sub(r"^import \w+\n", "", code, flags=re.M).strip("\n")
            if re.match(r"(///.*\n)*(public |private |final |static )*(func|struct|class|enum|extension)\b", rest):
                body = f"enum Example{count} {{\n{rest}\n}}\n"
                if "extension" in rest.split("\n")[0]:
                    body = rest + "\n"
            else:
                body = f"func example{count}() throws {{\n{rest}\n}}\n"
            name = os.path.join(folder, f"example{count}.swift")
            with open(name, "w", encoding="utf-8") as file:
                file.write("\n".join(imports) + "\n\n" + body)
    return 0


def symbols(graphs):
    undocumented, count, modules = [], 0, set()
    for graph in graphs:
        with open(graph, encoding="utf-8") as file:
            content = json.load(file)
        modules.add(content["module"]["name"])
        for symbol in content["symbols"]:
            # What is synthesized has no place; an extension of another module's type is not a symbol of its own. Members
            # that a protocol requires have the comment of the requirement.
            place = symbol.get("location")
            extension = symbol["kind"]["identifier"] == "swift.extension"
            if symbol["accessLevel"] not in ("public", "open") or extension or not place:
                continue
            count += 1
            if not symbol.get("docComment"):
                path = place["uri"].removeprefix("file://")
                path = os.path.relpath(path, os.getcwd())
                line = place["position"]["line"] + 1
                undocumented.append((path, line, ".".join(symbol["pathComponents"])))
    for path, line, name in sorted(undocumented):
        print(f"{path}:{line}: {name} has no documentation comment", file=sys.stderr)
    if not count:
        print("documentation.py: the symbol graphs hold no public symbol", file=sys.stderr)
        return 1
    print(f"{count} public symbols of {len(modules)} modules, {len(undocumented)} without a documentation comment")
    return 1 if undocumented else 0


def main(arguments):
    match arguments:
        case ["products"]:
            return products()
        case ["paths", *texts] if texts:
            return paths(texts)
        case ["examples", folder, *texts] if texts:
            return examples(folder, texts)
        case ["symbols", *graphs] if graphs:
            return symbols(graphs)
    print(__doc__, file=sys.stderr)
    return 2


sys.exit(main(sys.argv[1:]))
