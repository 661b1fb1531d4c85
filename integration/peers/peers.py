#!/usr/bin/env python3
"""Measures two other programs on a site, the way dustbuster is measured.

    pip install maybedont==0.1.1
    peers.py ORIGIN ACCESS.log.gz BODIES.tsv.gz [--fetches 300,1000,3000,0]

MIQPS is re-made from its description (Pinterest, 2026). The pattern of a URL is the
sorted list of the names of its parameters. For each pattern, the most frequent first,
and each of its parameters, N URLs with different values are fetched with and without
the parameter. If the share of pages that differ stays below 5 %, the parameter is
removed from the URLs of that pattern. A parameter with fewer than N values stays.

MaybeDont 0.1.1 learns while it crawls: URLs come in the order of the log; a URL is left
out if the probability of a duplicate is above .98, but for one in twenty, once 300 pages
are known.

Every request counts. A page is its visible text, or its bytes if it is no HTML. Coverage
is the share of duplicates that are merged or left out, false merges are pages lost per
10,000 URLs, both over all pages with status 200 in BODIES. Fetches of 0 means no limit.
"""
import argparse, collections, gzip, hashlib, html, http.client, random, re, sys, time, urllib.parse


class Spent(Exception):
    """No request is left."""


class Site:
    """The pages of a site, each requested once, and counted."""

    def __init__(self, origin):
        parts = urllib.parse.urlsplit(origin)
        self.host, self.secure = parts.netloc, parts.scheme == "https"
        self.made, self.known, self.most, self.connection = 0, {}, 0, None

    def page(self, url):
        """Return status and text of a page, after at most five redirects."""
        for _ in range(6):
            if url not in self.known:
                self.known[url] = self.ask(url)
            status, kind, body, location = self.known[url]
            if status not in (301, 302, 303, 307, 308):
                return status, text(kind, body)
            url = urllib.parse.urljoin(url, urllib.parse.urlsplit(location)._replace(scheme="", netloc="").geturl())
        return 0, ""

    def ask(self, url):
        if self.most and self.made >= self.most:
            raise Spent
        self.made += 1
        for _ in range(2):  # the server may have closed the connection
            try:
                if self.connection is None:
                    make = http.client.HTTPSConnection if self.secure else http.client.HTTPConnection
                    self.connection = make(self.host, timeout=60)
                self.connection.request("GET", url)
                answer = self.connection.getresponse()
                return answer.status, answer.getheader("Content-Type", ""), answer.read(), answer.getheader("Location", "")
            except (http.client.HTTPException, OSError):
                self.connection = None
        return 0, "", b"", ""


def text(kind, body):
    """Return the visible text of a page, or a name of its bytes."""
    if "html" not in kind:
        return hashlib.sha1(body).hexdigest()
    plain = re.sub(r"(?is)<(script|style)\b.*?</\1>|<!--.*?-->|<[^>]*>", " ", body.decode("utf-8", "replace"))
    return " ".join(html.unescape(plain).split())


def urls_of(log):
    """Return the URLs of a log that were answered with a page, each once, in order."""
    urls = {}
    for line in gzip.open(log, "rt", errors="replace"):
        found = re.search(r'"GET (/\S*) HTTP/[\d.]+" 200 ', line)
        if found:
            urls[found.group(1)] = None
    return list(urls)


def truth_of(bodies):
    """Return the pages of a crawl: class, simhash and words by URL."""
    truth = {}
    for line in gzip.open(bodies, "rt", errors="replace"):
        f = line.rstrip("\n").split("\t")
        if len(f) >= 8 and f[1] == "200":
            url = f[0].split(urllib.parse.urlsplit(f[0]).netloc, 1)[1] or "/"
            words = int(f[6]) if f[6].isdigit() else 0
            truth[url] = (f[4] if words else f[3], int(f[5], 16) if f[5] not in ("", "-") else 0, words)
    return truth


def same(a, b):
    """The criterion of the crawl's own judge."""
    return a[0] == b[0] or a[2] >= 8 and b[2] >= 8 and bin(a[1] ^ b[1]).count("1") <= 3


def judge(truth, canon):
    """Return coverage and false merges of a function from URLs to forms."""
    groups = collections.defaultdict(list)
    for url in truth:
        groups[canon(url)].append(url)
    wrong = 0
    for form, members in groups.items():
        stands = truth.get(form) or truth[members[0]]
        wrong += sum(not same(truth[url], stands) for url in members)
    duplicates = len(truth) - len({page[0] for page in truth.values()})
    return (len(truth) - len(groups) - wrong) / duplicates, 1e4 * wrong / len(truth)


def pieces(url):
    path, mark, query = url.partition("?")
    return path, re.split("[&;]", query) if mark else []


def name(piece):
    return piece.split("=", 1)[0]


def pattern(url):
    return tuple(sorted({name(p) for p in pieces(url)[1] if name(p)}))


def without(url, names):
    path, query = pieces(url)
    left = [p for p in query if name(p) not in names]
    separator = ";" if ";" in url.partition("?")[2] else "&"
    return path + ("?" + separator.join(left) if left else "")


def miqps(site, urls, samples, share=0.05):
    """Return the parameters to remove, by pattern."""
    by_pattern = collections.defaultdict(list)
    for url in urls:
        by_pattern[pattern(url)].append(url)
    neutral = collections.defaultdict(set)
    try:
        for names, members in sorted(by_pattern.items(), key=lambda p: (-len(p[1]), p[0])):
            for param in names:
                by_value = {}
                for url in members:
                    value = tuple(p for p in pieces(url)[1] if name(p) == param)
                    by_value.setdefault(value, url)
                if len(by_value) < samples:
                    continue
                chosen = random.sample(sorted(by_value.values()), samples)
                differ = 0
                for url in chosen:
                    differ += site.page(url) != site.page(without(url, {param}))
                    if differ >= share * samples:
                        break
                if differ < share * samples:
                    neutral[names].add(param)
    except Spent:
        pass
    return neutral


class Samples(random.Random):
    """Samples from sets as well: MaybeDont 0.1.1 does so, and Python refuses since 3.11."""

    def sample(self, population, k):
        return super().sample(sorted(population) if isinstance(population, (set, frozenset)) else population, k)


def maybedont(site, urls, truth):
    """Return the URLs of the crawl that the model takes for duplicates."""
    from maybedont import DupePredictor, predict

    predict.random = Samples(random.random())
    model, first = None, []
    try:
        for url in urls:
            if model and model.get_dupe_prob("http://site" + url) > 0.98 and random.random() >= 0.05:
                continue
            status, page = site.page(url)
            if status != 200:
                continue
            if model is None:
                first.append((url, page))
                if len(first) < 300:
                    continue
                model = DupePredictor(texts_sample=[page for _, page in first])
                for known, page in first:
                    model.update_model("http://site" + known, page)
            else:
                model.update_model("http://site" + url, page)
    except Spent:
        pass
    return {url for url in truth if model and model.get_dupe_prob("http://site" + url) > 0.98}


def judge_left_out(truth, left_out):
    """Return coverage and false merges of URLs that are left out of a crawl. A page all of
    whose URLs are left out is lost once."""
    kept = {page[0] for url, page in truth.items() if url not in left_out}
    lost = len({truth[url][0] for url in left_out} - kept)
    duplicates = len(truth) - len({page[0] for page in truth.values()})
    return (len(left_out) - lost) / duplicates, 1e4 * lost / len(truth)


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("origin")
    args.add_argument("log")
    args.add_argument("bodies")
    args.add_argument("--fetches", default="300,1000,3000,0")
    args.add_argument("--seed", type=int, default=0)
    args.add_argument("--peers", default="miqps-3,miqps-10,maybedont")
    a = args.parse_args()
    urls, truth = urls_of(a.log), truth_of(a.bodies)
    site = Site(a.origin)
    print("peer\tfetches allowed\tmade\tcoverage\tfalse merges per 10,000\tseconds")
    for peer in a.peers.split(","):
        for most in map(int, a.fetches.split(",")):
            random.seed(a.seed)
            site = Site(a.origin)
            site.most, began = most, time.time()
            if peer == "maybedont":
                coverage, wrong = judge_left_out(truth, maybedont(site, urls, truth))
            else:
                neutral = miqps(site, urls, int(peer.removeprefix("miqps-")))
                coverage, wrong = judge(truth, lambda url: without(url, neutral[p]) if (p := pattern(url)) in neutral else url)
            print(f"{peer}\t{most or 'all'}\t{site.made}\t{coverage:.3f}\t{wrong:.1f}\t{time.time() - began:.0f}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
