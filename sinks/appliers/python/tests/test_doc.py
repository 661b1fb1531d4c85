"""The examples in the modules' comments."""

import doctest
import importlib
import pkgutil

import dustbuster_rules

#: What needs a library that is not part of Python.
OPTIONAL = {"dustbuster_rules.scrapy", "dustbuster_rules.topic"}


def load_tests(loader, tests, pattern):
    for module in pkgutil.iter_modules(dustbuster_rules.__path__, "dustbuster_rules."):
        if module.name not in OPTIONAL | {"dustbuster_rules.__main__"}:
            tests.addTests(doctest.DocTestSuite(importlib.import_module(module.name)))
    return tests
