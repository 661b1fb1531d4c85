// Finds three members of each line of a file of JSON lines, for tools.py.
#include <cstdint>
#include <cstdio>
#include <simdjson.h>

int main(int, char **argv) {
  simdjson::padded_string text;
  simdjson::ondemand::parser parser;
  simdjson::ondemand::document_stream lines;
  if (simdjson::padded_string::load(argv[1]).get(text) || parser.iterate_many(text, 1 << 20).get(lines)) return 1;
  uint64_t n = 0, bytes = 0;
  for (auto line : lines) {
    std::string_view request;
    uint64_t status, size;
    if (line["request"].get(request) || line["status"].get(status) || line["body_bytes_sent"].get(size)) return 1;
    n++;
    bytes += size + request.size() + status;
  }
  std::printf("%lu %lu\n", n, bytes);
}
