"""Random rules and texts, of few and short words, so that they meet."""

import random

WORDS = ["a", "b", "a1", "/", "/", ".", "?", "&", ";", "=", "&", "=", "-", "index", "%", "%4", "4", "%41", "%2F"]
WORDS += ["%E0%B8%81", "//", ";a", "a12345678", "1234", "A", "%c3", "c", "C=M"]


class World:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.words = self.random.choices(WORDS, k=self.random.randint(4, 11))

    def chance(self, one_in):
        return self.random.randrange(one_in) == 0

    def text(self, most):
        return "".join(self.random.choices(self.words, k=self.random.randint(0, most)))

    def url_text(self):
        if self.chance(3):
            return "/" + self.text(9)
        if self.chance(4):
            values = ["1234", "123", "0a1b2c3d", "0A1B2C3D", "0a1B2c3d", "abcdefab", "a", ""]
            return "".join("/" + self.random.choice(values) for _ in range(self.random.randint(1, 4))) + self.text(2)
        return "/" + self.text(2) + "?" + self.text(12)

    def without(self, text, characters):
        return "".join(c for c in text if c not in characters)

    def name(self):
        return self.without("a"[: self.random.randint(0, 1)] + self.text(1), "=&;?/") or "b"

    def value(self):
        return self.without(self.text(1), "&;/?")

    def condition(self):
        c = {"param": self.name()}
        kind = self.random.randrange(3)
        if kind == 0:
            c["value"] = self.value()
        elif kind == 1:
            c["valued"] = True
        return c

    def scope(self):
        s = {}
        if self.chance(3):
            s["path"] = "/" + self.without(self.text(1), "?")
            if self.chance(3):
                s["path"] = "/*" + s["path"]
        if self.random.randrange(2) == 0:
            s["where"] = [self.condition() for _ in range(self.random.randint(1, 2))]
            if s["where"][0] == s["where"][-1]:
                s["where"] = s["where"][:1]
        if self.chance(4):
            s["prefix"] = "/" + self.text(1)
        return s

    def edit(self):
        kind = self.random.randrange(7)
        if kind == 0:
            return self.substring()
        if kind == 1:
            return self.drop()
        if kind == 2:
            return {"kind": "parameter", "op": "set", "params": [self.name()], "to": self.value()}
        if kind == 3:
            return {"kind": "parameter", "op": "order"}
        if kind == 4:
            return {"kind": "form", "form": self.random.choice("slashes empty-query empty-value escapes case".split())}
        if kind == 5:
            return self.segment()
        return self.template()

    def segment(self):
        after = "/" + "".join(self.without(self.text(1), "?") + "/" for _ in range(self.random.randrange(2)))
        return {"kind": "segment", "after": after, "class": self.random.choice(["digits", "hex"]), "to": self.random.choice(["/", after])}

    def substring(self):
        alpha, beta = self.text(3), self.text(2)
        if self.chance(200):
            beta *= 600
        if alpha == beta or len(beta) > 2048:
            alpha, beta = "a", ""
        direction = self.random.choice(["alpha_to_beta", "beta_to_alpha"])
        return {"kind": "substring", "alpha": alpha, "beta": beta, "at_start": self.chance(4), "at_end": self.chance(4), "direction": direction}

    def drop(self):
        r = {"kind": "parameter", "op": "drop", "params": [self.name()]}
        kind = self.random.randrange(6)
        if kind == 0:
            r["params"] = sorted({self.name() for _ in range(self.random.choice([2, 2, 3, 6]))})
        elif kind == 1:
            r["value"] = self.value()
        elif kind == 2:
            del r["params"]
            r["pattern"] = {"prefix": self.random.choice(["", "a"]), "class": self.random.choice(["digits", "hex"])}
        if self.chance(3):
            r["in"] = "path"
        return r

    def template(self):
        """A template of the shape of a random text, so that it has something to edit."""
        path, _, query = self.url_text().partition("?")
        where = {"/%d" % n: s for n, s in enumerate(path.split("/")[1:])}
        for piece in query.replace(";", "&").split("&"):
            name, _, value = piece.partition("=")
            if name and name[0] != "/" and "?" not in name:
                where[name] = value
        where = {k: v if self.chance(3) and "=" not in k else "*" for k, v in where.items()}
        edits = {k: self.change(where, k) for k in where if self.chance(2)}
        if self.chance(3) or not edits:
            edits["new"] = self.change(where, "new")
        return {"kind": "template", "where": where, "edit": edits}

    def change(self, where, key):
        kind = self.random.randrange(3)
        if kind == 0 and key in where:
            return "drop"
        if kind == 1:
            return {"copy": self.random.choice(list(where))}
        return {"set": self.value() or "s"}

    def rule(self, rank):
        r = {"schema": 2, "site": "a.example", "id": str(rank), "rank": rank, "state": "valid", **self.edit()}
        r["scope"] = self.scope() if self.chance(2) else {}
        if self.chance(4):
            r["except"] = {"urls": [self.url_text()]}
            scope = self.scope()
            if scope:
                r["except"]["scopes"] = [scope]
        if r.get("op") in ("drop", "set") and len(r.get("params", [])) == 1 and "value" not in r and "in" not in r and self.chance(2):
            r["except"] = {"scopes": [{"where": [self.own(r["params"][0])]}]}
        return r

    def own(self, param):
        value = self.value()
        if value and self.chance(2):
            return {"param": param, "own": True, "begins": value}
        return {"param": param, "own": True, "value": value}

    def rules(self, most):
        return [self.rule(rank) for rank in range(1, self.random.randint(1, most) + 1)]
