"""Records for tests."""

import json


def drop(name, site="a.example", rank=1, **members):
    """A record of a rule that drops a parameter."""
    record = {"schema": 2, "site": site, "id": f"drop-{name}", "rank": rank, "state": "valid"}
    return {**record, "kind": "parameter", "op": "drop", "params": [name], "scope": {}, **members}


def substring(old, new, site="a.example", rank=1, at_start=True, **members):
    """A record of a rule that turns one text into another."""
    record = {"schema": 2, "site": site, "id": f"{old}-{new}", "rank": rank, "state": "valid", "kind": "substring"}
    sides = {"alpha": old, "beta": new, "at_start": at_start, "at_end": False, "direction": "alpha_to_beta"}
    return {**record, **sides, "scope": {}, **members}


def lines(*records):
    return "".join(json.dumps(r) + "\n" for r in records)
