#!/usr/bin/env python3
"""Measures other tools on the logs that dustbuster mines, in one run, interleaved.

    pip install duckdb chdb
    apt-get install goaccess mawk ripgrep g++ libsimdjson-dev
    tools.py PROGRAM ACCESS.log.gz [--rounds 5]

The log is in the format combined. Its lines are also written as JSON, as nginx writes them, as
documents of OTLP and Loki with 50 lines each, and packed by gzip and zstd. Every tool reads the same files, unpacked, from the page cache. A tool that is not there is
left out. The figures are the least of the rounds: user time of all threads, and time by the
clock. For the libraries in Python only the query counts, not the start of Python.

What the tools do is not the same: mine learns rules and prints a report, GoAccess
counts for its report, the databases and mawk group the hits by URL with the least and the
greatest size, ripgrep counts lines, and simdjson finds three members of each line. gzip and zstd unpack.
"""
import argparse, gzip, importlib, importlib.util, itertools, json, os, re, resource, shutil, subprocess, sys, tempfile, time

COMBINED = re.compile(r'(\S+) \S+ (\S+) \[([^\]]+)\] "((?:[^"\\]|\\.)*)" (\d+) (\d+|-) "((?:[^"\\]|\\.)*)" "((?:[^"\\]|\\.)*)"')

LINES = ("read_csv('{log}', columns={{'line': 'VARCHAR'}}, delim='\x01', quote='', escape='', header=false, auto_detect=false, "
         "ignore_errors=true, max_line_size=1048576)")
GROUP = "SELECT count(*), sum(n) FROM (SELECT url, count(*) AS n, min(size), max(size) FROM ({rows}) GROUP BY url)"
QUERIES = {
    ("duckdb", "combined"): GROUP.format(rows="SELECT split_part(split_part(line, '\"', 2), ' ', 2) AS url, "
                                         "TRY_CAST(split_part(split_part(line, '\"', 3), ' ', 3) AS BIGINT) AS size FROM " + LINES),
    ("duckdb", "json"): GROUP.format(rows="SELECT split_part(request, ' ', 2) AS url, body_bytes_sent AS size FROM "
                                     "read_ndjson('{log}', columns={{'request': 'VARCHAR', 'body_bytes_sent': 'BIGINT'}})"),
    ("chdb", "combined"): GROUP.format(rows="SELECT splitByChar(' ', splitByChar('\"', line)[2])[2] AS url, "
                                       "toInt64OrZero(splitByChar(' ', splitByChar('\"', line)[3])[3]) AS size FROM file('{log}', 'LineAsString')"),
    ("chdb", "json"): GROUP.format(rows="SELECT splitByChar(' ', request)[2] AS url, body_bytes_sent AS size FROM "
                                   "file('{log}', 'JSONEachRow', 'request String, body_bytes_sent Int64') SETTINGS input_format_skip_unknown_fields=1"),
}
MAWK = r'''{ split($0, q, "\""); split(q[2], r, " "); split(q[3], s, " "); u = r[2]; b = s[2] + 0; n[u]++
  if (!(u in least) || b < least[u]) least[u] = b; if (b > most[u]) most[u] = b } END { for (u in n) { urls++; all += n[u] }; print urls, all }'''


def query(tool, kind, log):
    """Runs a query within this process, and prints the user time and the time by the clock."""
    sql = QUERIES[tool, kind].format(log=log)
    if tool == "duckdb":
        import duckdb
        connection = duckdb.connect()
        run = lambda: connection.execute(sql).fetchone()
    else:
        import chdb
        chdb.query("SELECT 1")
        run = lambda: tuple(json.loads(str(chdb.query(sql, "JSONCompact")))["data"][0])
    used = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_utime
    user, clock = used(), time.perf_counter()
    found = run()
    print(used() - user, time.perf_counter() - clock, *found)


def prepare(source, folder):
    """Writes the log unpacked, and as JSON. It returns the paths, and the number of lines."""
    log, ndjson, lines = os.path.join(folder, "combined.log"), os.path.join(folder, "nginx.json"), 0
    unescape = lambda text: re.sub(r'\\(["\\])', r"\1", text)
    with gzip.open(source, "rt", errors="replace", newline="\n") as read, open(log, "w", newline="\n") as plain, open(ndjson, "w", newline="\n") as out:
        for line in read:
            match = COMBINED.match(line)
            if not match:
                continue
            lines += 1
            plain.write(line)
            client, name, when, request, status, size, referrer, agent = match.groups()
            out.write(json.dumps({"time_local": when, "remote_addr": client, "remote_user": name, "request": unescape(request), "status": int(status),
                                  "body_bytes_sent": int(size.replace("-", "0")), "http_referer": unescape(referrer), "http_user_agent": unescape(agent)},
                                 separators=(",", ":"), ensure_ascii=False) + "\n")
    logs = {"combined": log, "json": ndjson, "otlp": os.path.join(folder, "otlp.json"), "loki": os.path.join(folder, "loki.json")}
    with open(log, newline="\n") as read, open(logs["otlp"], "w") as otlp, open(logs["loki"], "w") as loki:
        for some in batches((line.rstrip("\n") for line in read), 50):
            records = [{"timeUnixNano": "1706295602000000000", "body": {"stringValue": line}} for line in some]
            otlp.write(json.dumps({"resourceLogs": [{"scopeLogs": [{"logRecords": records}]}]}, separators=(",", ":")) + "\n")
            loki.write(json.dumps({"streams": [{"stream": {"job": "web"}, "values": [["1706295602000000000", line] for line in some]}]}, separators=(",", ":")) + "\n")
    for tool, suffix in (("gzip", ".gz"), ("zstd", ".zst")):
        if shutil.which(tool):
            subprocess.run([tool, "-k", "-q", log], check=True)
            logs[tool] = log + suffix
    return logs, lines


def batches(lines, size):
    while some := list(itertools.islice(lines, size)):
        yield some


def simdjson(folder):
    """Builds the program that reads JSON, and returns its path; None without compiler or library."""
    program = os.path.join(folder, "simdjson")
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "simdjson.cpp")
    built = shutil.which("g++") and subprocess.run(["g++", "-O3", "-march=native", "-std=c++17", "-o", program, source, "-lsimdjson"], stderr=subprocess.DEVNULL)
    return program if built and built.returncode == 0 else None


def tools(program, logs, folder):
    """Returns the runs: a name, the kind of log, the command, and whether the command measures itself."""
    here = [sys.executable, os.path.abspath(__file__), "--query"]
    all = [("dustbuster mine", kind, [program, "mine", logs[kind]], False) for kind in logs]
    if shutil.which("goaccess"):
        all.append(("GoAccess", "combined", ["goaccess", logs["combined"], "--log-format=COMBINED", "--no-progress", "-o", os.path.join(folder, "report.json")], False))
    for tool, name in (("duckdb", "DuckDB"), ("chdb", "chDB")):
        if importlib.util.find_spec(tool):
            all += [(name, kind, here + [tool, kind, logs[kind]], True) for kind in ("combined", "json")]
    if shutil.which("mawk"):
        all.append(("mawk", "combined", ["mawk", MAWK, logs["combined"]], False))
    if shutil.which("rg"):
        all.append(("ripgrep, counts GETs with status 200", "combined", ["rg", "-c", '"GET [^"]*" 200 ', logs["combined"]], False))
    all += [(tool + " -dc", tool, [tool, "-dc", logs[tool]], False) for tool in ("gzip", "zstd") if tool in logs]
    if reader := simdjson(folder):
        all.append(("simdjson, finds three members", "json", [reader, logs["json"]], False))
    return all


def measure(command, itself):
    """Runs a command, and returns the user time and the time by the clock."""
    start = time.perf_counter()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as said:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=said)
        _, status, usage = os.wait4(child.pid, 0)
        clock = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0), said.seek(0)
        if child.returncode != 0:
            raise SystemExit(f"{command[0]} ended with {child.returncode}: {said.read().decode(errors='replace')[-2000:]}")
        if itself:
            user, clock = map(float, out.read().split()[:2])
            return user, clock
        return usage.ru_utime, clock


def version(name):
    commands = {"GoAccess": ["goaccess", "--version"], "mawk": ["mawk", "-W", "version"], "ripgrep": ["rg", "--version"], "gzip": ["gzip", "--version"], "zstd": ["zstd", "--version"]}
    for key, command in commands.items():
        if name.startswith(key):
            ran = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
            return re.search(r"\d+\.[\d.]*\d", ran.stdout + ran.stderr).group()
    if name in ("DuckDB", "chDB"):
        return importlib.import_module(name.lower()).__version__
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--query", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("words", nargs="+", metavar="PROGRAM ACCESS.log.gz")
    args = parser.parse_args()
    if args.query:
        return query(*args.words)
    program, source = args.words
    with tempfile.TemporaryDirectory() as folder:
        logs, lines = prepare(source, folder)
        runs, best = tools(program, logs, folder), {}
        for _ in range(args.rounds):
            for name, kind, command, itself in runs:
                user, clock = measure(command, itself)
                was = best.get((name, kind), (user, clock))
                best[name, kind] = min(user, was[0]), min(clock, was[1])
        sizes = {kind: os.path.getsize(path) for kind, path in logs.items()}
    print(f"{lines} lines, {sizes['combined'] >> 20} MiB, as JSON {sizes['json'] >> 20} MiB; least of {args.rounds} rounds\n")
    print("| tool | log | user time, s | ns a line | by the clock, s |\n|---|---|---|---|---|")
    for (name, kind), (user, clock) in best.items():
        tool, _, does = name.partition(", ")
        label = " ".join(filter(None, [tool, version(name)])) + (", " + does if does else "")
        print(f"| {label} | {kind} | {user:.3f} | {user / lines * 1e9:.0f} | {clock:.3f} |")


if __name__ == "__main__":
    main()
