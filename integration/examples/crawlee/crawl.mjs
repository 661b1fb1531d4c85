// An example of a crawler of Crawlee that fetches one URL of each canonical form: the form is the unique key of a
// request, and the URL is fetched as found.
//
//     npm install @crawlee/cheerio dustbuster-rules
//     node crawl.mjs http://127.0.0.1:8080/ [rules.jsonl, or the address of a daemon]
import { CheerioCrawler, Configuration } from "@crawlee/cheerio";
import { Live, follow, open } from "dustbuster-rules";

const [start, source] = process.argv.slice(2);
const live = new Live({ host: new URL(start).host, share: Number(process.env.EXPLORE ?? 1000) });
const stop = new AbortController();
if (source) {
  await open(live, source);
  follow(live, source, { every: 60_000, failed: console.error, signal: stop.signal });
}

// keyed gives a link its key. An explored URL keeps a key of its own.
function keyed(request) {
  const { canonical, explore } = live.ask(request.url);
  return { ...request, uniqueKey: explore ? request.url : canonical };
}

const crawler = new CheerioCrawler(
  {
    maxConcurrency: Number(process.env.CONCURRENCY ?? 1),
    async requestHandler({ request, enqueueLinks }) {
      console.log(request.url);
      await enqueueLinks({ strategy: "same-hostname", transformRequestFunction: keyed });
    },
  },
  new Configuration({ persistStorage: false }),
);
await crawler.run([keyed({ url: start })]);
stop.abort();
