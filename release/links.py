"""A hook of MkDocs: README.md is the first page, and links to files outside docs lead to the repository.

The text of the pages is left as it is. A link to a file that is not there ends the build.
"""

import pathlib
import posixpath
import re

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

LINK = re.compile(r"(\]\(|(?:src|srcset)=\")([^)\s\"#]+)")
ROOT = pathlib.Path(__file__).parent.parent


def on_files(files, config):
    files.append(File.generated(config, "index.md", content=(ROOT / "README.md").read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown, page, config, files):
    """Rewrites the links of a page, which are relative to its source."""
    at = "" if page.file.src_uri == "index.md" else posixpath.join("docs", posixpath.dirname(page.file.src_uri))

    def target(match):
        begin, link = match.groups()
        if ":" in link or link.startswith("/"):
            return match[0]
        path = posixpath.normpath(posixpath.join(at, link))
        if not (ROOT / path).exists():
            raise PluginError(f"{page.file.src_uri}: the link {link} leads to no file")
        if path == "README.md":
            return begin + posixpath.relpath("index.md", posixpath.dirname(page.file.src_uri) or ".")
        inside = path.removeprefix("docs/")
        if inside != path and files.get_file_from_path(inside):
            return begin + posixpath.relpath(inside, posixpath.dirname(page.file.src_uri) or ".")
        kind = "tree" if (ROOT / path).is_dir() else "blob"
        version = (ROOT / "VERSION").read_text().strip()
        return f"{begin}{config.repo_url.rstrip('/')}/{kind}/v{version}/{path}"

    code = re.compile(r"(```.*?```|`[^`\n]*`)", re.S)
    return "".join(piece if piece.startswith("`") else LINK.sub(target, piece) for piece in code.split(markdown))
