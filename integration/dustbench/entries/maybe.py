"""MaybeDont 0.1.1 as an entry of DUST bench: LOG ORIGIN REQUESTS URLS.

    pip install maybedont==0.1.1

It learns while it crawls, in the order of the URLs. A third of the requests, at most 300, show it what all pages have.
It predicts that a URL is left out, and names no form. The form here is the first URL kept that differs in one
parameter, or else that has the same path.
"""
import pathlib, random, sys, urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "peers"))
from maybedont import DupePredictor, predict
from peers import Samples, Site, Spent

LIKELY, SITE = 0.98, "http://site"


def learn(site, urls):
    first, model = [], None
    try:
        for url in urls:
            if model and model.get_dupe_prob(SITE + url) > LIKELY and random.random() >= 0.05:
                continue
            status, page = site.page(url)
            if status != 200:
                continue
            if model:
                model.update_model(SITE + url, page)
                continue
            first.append((url, page))
            if len(first) >= min(300, site.most // 3):
                model = DupePredictor(texts_sample=[page for _, page in first])
                for known, page in first:
                    model.update_model(SITE + known, page)
    except Spent:
        pass
    return model


def alike(url):
    """Keys that a URL shares with those that differ in one parameter, and with those of its path."""
    parts = urllib.parse.urlsplit(url)
    query = sorted(urllib.parse.parse_qsl(parts.query, keep_blank_values=True))
    return [(parts.path, tuple(query))] + [(parts.path, tuple(query[:i] + query[i + 1 :])) for i in range(len(query))] + [parts.path]


def main():
    _, origin, requests, path = sys.argv[1:]
    urls = pathlib.Path(path).read_text().split("\n")[:-1]
    random.seed(0)
    predict.random = Samples(0)
    site = Site(origin)
    site.most = int(requests)
    model = learn(site, urls)
    kept = {}
    for url in urls:
        form = url
        if model and model.get_dupe_prob(SITE + url) > LIKELY:
            form = next((kept[key] for key in alike(url) if key in kept), url)
        if form == url:
            for key in alike(url):
                kept.setdefault(key, url)
        print(url, form, sep="\t")


main()
