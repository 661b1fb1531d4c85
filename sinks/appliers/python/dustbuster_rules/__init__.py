"""Rules of dustbuster, applied to URLs.

    from dustbuster_rules import follow

    rules = follow("rules.jsonl")             # or the daemon's address, http://127.0.0.1:9464
    key = rules.canonical(url)                # the key of what was seen; fetch the URL as found

docs/rules.md in dustbuster's repository is the whole meaning of a rule.
"""

from .errors import RefusedError
from .explore import Exploration
from .follow import follow
from .live import Counts, Live, Step
from .rulelist import RuleList, read
from .sites import Sites

__all__ = ["Counts", "Exploration", "Live", "RefusedError", "RuleList", "Sites", "Step", "follow", "read"]
