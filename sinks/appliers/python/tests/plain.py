"""The meaning of rules, written once more and plainly: a loop over all records. The tests
compare the package with it. Texts only, no URLs."""

import re

LETTER = re.compile("%[89A-Fa-f][0-9A-Fa-f]|%[0-9A-Fa-f]{2}|.", re.S)


def characters(text):
    """The characters of a text, escapes as one, each with whether it is a letter or digit."""
    result = []
    for c in LETTER.findall(text):
        byte = int(c[1:], 16) if len(c) == 3 else ord(c)
        result.append((c, byte >= 0x80 or chr(byte).isalnum()))
    return result


def boundaries(text):
    at, last, result = 0, False, {0, len(text)}
    for c, is_letter in characters(text):
        if not (last and is_letter):
            result.add(at)
        at, last = at + len(c), is_letter
    return result


def query_of(text):
    """The pieces and the separators of the query; no pieces without a question mark."""
    mark = text.find("?")
    if mark < 0:
        return [], []
    return re.split("[&;]", text[mark + 1 :]), re.findall("[&;]", text[mark + 1 :])


def path_of(text):
    return text.split("?")[0]


def join(path, pieces, separators):
    query = pieces[0] if pieces else ""
    for s, p in zip(separators, pieces[1:]):
        query += s + p
    return path + "?" + query


def name_of(piece):
    return piece.split("=")[0]


def value_of(piece):
    return piece[len(name_of(piece)) + 1 :] if "=" in piece else None


def drops(r, piece):
    name = name_of(piece)
    if "pattern" in r:
        prefix = r["pattern"]["prefix"]
        rest = name[len(prefix) :]
        if not name.startswith(prefix):
            return False
        if r["pattern"]["class"] == "digits":
            return len(rest) >= 4 and set(rest) <= set("0123456789")
        one_case = set(rest) <= set("0123456789abcdef") or set(rest) <= set("0123456789ABCDEF")
        return len(rest) >= 8 and one_case and bool(set(rest) & set("0123456789"))
    if name not in r["params"]:
        return False
    return r.get("op") == "set" or "value" not in r or value_of(piece) == r["value"]


def drop(r, text):
    pieces, separators = query_of(text)
    if not any(drops(r, p) for p in pieces):
        return text
    query = text[text.find("?") + 1 :]
    at, rest = 0, ""
    for n, piece in enumerate(pieces):
        is_last = n == len(pieces) - 1
        if not drops(r, piece):
            rest += piece if is_last else piece + separators[n]
        elif is_last:
            rest = rest[:-1]
        at += len(piece) + 1
    assert at == len(query) + 1
    return path_of(text) + ("?" + rest if rest else "")


def drop_in_path(r, text):
    path = path_of(text)
    segments = path.split("/")
    for n in range(1, len(segments)):
        pieces = segments[n].split(";")
        made = pieces[0]
        for p in pieces[1:]:
            if not drops(r, p):
                made += ";" + p
        segments[n] = made
    return "/".join(segments) + text[len(path) :]


def is_path(path, want):
    got, segments = path.split("/"), want.split("/")
    if len(got) != len(segments):
        return False
    for n, s in enumerate(segments):
        inner = 0 < n < len(segments) - 1
        if got[n] != s and not (s == "*" and inner and got[n] != ""):
            return False
    return True


def meets(condition, pieces):
    for p in pieces:
        if name_of(p) == condition["param"]:
            if "value" in condition:
                if value_of(p) == condition["value"]:
                    return True
            elif "begins" in condition:
                if (value_of(p) or "").startswith(condition["begins"]):
                    return True
            elif not condition.get("valued") or value_of(p) is not None:
                return True
    return False


def holds(r, scope, text):
    path, (pieces, _) = path_of(text), query_of(text)
    if r.get("in") == "path":
        path = path_of(drop_in_path(r, text))
    elif r.get("op") in ("drop", "set"):
        pieces = [p for p in pieces if not drops(r, p)]
    if "path" in scope and not is_path(path, scope["path"]):
        return False
    if not text.startswith(scope.get("prefix", "")):
        return False
    whole, _ = query_of(text)
    return all(meets(c, whole if c.get("own") else pieces) for c in scope.get("where", []))


def substring(r, text):
    old, new = r["alpha"], r["beta"]
    if r["direction"] == "beta_to_alpha":
        old, new = new, old
    edges = boundaries(text)
    made = [(at, at + len(new)) for at in edges if text[at:].startswith(new) and at + len(new) in edges]
    for at in sorted(edges):
        end = at + len(old)
        if text[at:end] != old or end not in edges:
            continue
        if r["at_start"] and at > 0 or r["at_end"] and end < len(text):
            continue
        if old == "" and not r["at_end"] and at > 0:
            continue
        if any(start <= at and end <= stop for start, stop in made):
            continue
        result = text[:at] + new + text[end:]
        if text[:1] == "/" and result[:1] != "/":
            continue
        return result
    return text


def set_value(r, text):
    pieces, separators = query_of(text)
    if not pieces:
        return text
    return join(path_of(text), [r["params"][0] + "=" + r["to"] if drops(r, p) else p for p in pieces], separators)


def order(r, text):
    pieces, separators = query_of(text)
    if not pieces:
        return text
    named = sorted([p for p in pieces if name_of(p)], key=name_of)
    return join(path_of(text), [named.pop(0) if name_of(p) else p for p in pieces], separators)


def form(r, text):
    path, rest = path_of(text), text[len(path_of(text)) :]
    if r["form"] == "slashes":
        while "//" in path:
            path = path.replace("//", "/")
    elif r["form"] == "empty-query" and rest == "?":
        rest = ""
    elif r["form"] == "empty-value" and rest:
        pieces, separators = query_of(text)
        return join(path, [name_of(p) if name_of(p) and value_of(p) == "" else p for p in pieces], separators)
    elif r["form"] == "escapes":
        result = ""
        for c, is_letter in characters(text):
            if len(c) == 3:
                byte = int(c[1:], 16)
                c = chr(byte) if byte < 0x80 and (is_letter or chr(byte) in "-._~") else c.upper()
            result += c
        return result
    elif r["form"] == "case":
        path = "".join(c.lower() if len(c) == 1 else c for c, _ in characters(path))
    return path + rest


def template(r, text):
    head, slash, path = path_of(text).partition("/")
    pieces, separators = query_of(text)
    names = [name_of(p) for p in pieces]
    if not slash or "" in names or len(set(names)) < len(names) or any(n[0] == "/" for n in names) or len(set(separators)) > 1:
        return text
    segments = path.split("/")
    old = {"/%d" % n: s for n, s in enumerate(segments)}
    old.update((name_of(p), value_of(p)) for p in pieces)
    if set(old) != set(r["where"]) or any(v not in ("*", old[k]) for k, v in r["where"].items()):
        return text
    new = {}
    for k in list(old) + [k for k in r["edit"] if k not in old]:
        e = r["edit"].get(k, "keep")
        if e == "keep":
            new[k] = old[k]
        elif e != "drop":
            v = e["set"] if "set" in e else old[e["copy"]]
            if v is None or k in old and old[k] is None:
                return text
            if "copy" in e and (set(v) & set("/?;&") or v == "" and k[0] == "/"):
                return text
            new[k] = v
    made = "".join("/" + v for k, v in new.items() if k[0] == "/") or "/"
    query = (separators or ["&"])[0].join(k if v is None else k + "=" + v for k, v in new.items() if k[0] != "/")
    return head + made + ("?" + query if query else "")


def segment(r, text):
    head, slash, path = path_of(text).partition("/")
    after, to = r["after"].split("/")[1:-1], r["to"].split("/")[1:-1]
    segments, n = path.split("/"), len(after)
    as_name = {"pattern": {"prefix": "", "class": r["class"]}}
    if not slash or segments[:n] != after or len(segments) < n + 2 or segments[n + 1] == "" or "=" in segments[n] or not drops(as_name, segments[n]):
        return text
    return "/".join([head, *to, *segments[n + 1 :]]) + text[len(path_of(text)) :]


def edit(r, text):
    if r["kind"] == "parameter":
        if r["op"] == "drop":
            return (drop_in_path if r.get("in") == "path" else drop)(r, text)
        return (set_value if r["op"] == "set" else order)(r, text)
    return {"substring": substring, "form": form, "template": template, "segment": segment}[r["kind"]](r, text)


def apply(r, text):
    excepted = r.get("except", {})
    if not holds(r, r.get("scope", {}), text) or text in excepted.get("urls", []):
        return text
    if any(holds(r, s, text) for s in excepted.get("scopes", [])):
        return text
    return edit(r, text)


def canonical(records, text):
    """The canonical form, and the places of the rules that changed the text."""
    if len(text) > 2048:
        return text, []
    now, steps = text, []
    for _ in range(10):
        before = now
        for n, r in enumerate(records):
            made = apply(r, now)
            if made != now:
                steps.append(n)
            now = made
            if len(now) > 2048:
                return text, []
        if now == before:
            return now, steps if now != text else []
    return text, []
