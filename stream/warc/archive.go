package warc

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"math"
	"net/http"
	"os"
	"strings"

	digests "dustbuster/operators/read/digest"
	"dustbuster/operators/url/urlnorm"
)

// Archive finds the recorded responses of a web archive in a file, plain or with one gzip
// member for each record, as crawlers write archives. An Archive keeps 8 bytes of hash and
// 8 bytes of offset for each URL, and reads a response from the file when asked. Of several
// responses of one URL the last counts. A revisit stands for the response with the same
// digest. The answer to a request other than GET does not count.
//
// Any goroutine may use an Archive after Open.
type Archive struct {
	in   io.ReaderAt
	shut func() error
	zip  bool
	seed maphash.Seed
	at   map[uint64]int64 // offset of the record, by hash of the URL

	digests  map[int64]uint64 // digest of the record, by its offset; nil without Digests
	contents map[uint64]int64 // offset of a record, by its digest
	label    func(digest uint64) uint64
}

// Label lets one content stand for all of its label: the archive then answers with the response whose digest is the label
// of the digest of a page, if it has one. Open must note the digests. Call Label before all other methods.
func (a *Archive) Label(label func(digest uint64) uint64) { a.label = label }

// Open reads a file from its beginning to its end and notes where each response is. A
// damaged archive is an error with the offset of the damage. digests has Open note digests as well, for Label: 32 bytes
// more a response.
func Open(path string, digests bool) (*Archive, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read web archive: %w", err)
	}
	a := newArchive(file, file.Close)
	if digests {
		a.digests, a.contents = map[int64]uint64{}, map[uint64]int64{}
	}
	if err := a.index(); err != nil {
		_ = file.Close() // the first error is told
		return nil, fmt.Errorf("read web archive %q: %w", path, err)
	}
	return a, nil
}

func newArchive(in io.ReaderAt, shut func() error) *Archive {
	return &Archive{in: in, shut: shut, seed: maphash.MakeSeed(), at: map[uint64]int64{}}
}

// Close closes the file.
func (a *Archive) Close() error { return a.shut() }

// Len returns the number of URLs with a response.
func (a *Archive) Len() int { return len(a.at) }

// Has reports whether a response is recorded at a URL. The hashes of two URLs are equal
// with a probability of 2^-64.
func (a *Archive) Has(url string) bool {
	_, ok := a.offset(url)
	return ok
}

// Answer returns the response recorded at a URL, or nil. The caller closes the body.
func (a *Archive) Answer(url string) (*http.Response, error) {
	at, ok := a.offset(url)
	if !ok {
		return nil, nil
	}
	at = a.standsFor(at)
	in, err := a.open(at)
	if err != nil {
		return nil, fmt.Errorf("read web archive at byte %d: %w", at, err)
	}
	r := NewReader(in)
	if err := r.header(); err != nil {
		return nil, fmt.Errorf("read web archive at byte %d: %w", at, err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(io.LimitReader(r.in, r.head.length)), nil)
	if err != nil {
		return nil, fmt.Errorf("read response at byte %d of the web archive: %w", at, err)
	}
	return resp, nil
}

// standsFor returns the record that answers in the place of another.
func (a *Archive) standsFor(at int64) int64 {
	number, ok := a.digests[at]
	if a.label == nil || !ok {
		return at
	}
	label := a.label(number)
	if first, ok := a.contents[label]; ok && label != number {
		return first
	}
	return at
}

// offset returns the offset of the record of a URL. The record of the same URL with the
// other scheme stands in: rules know no scheme.
func (a *Archive) offset(url string) (at int64, ok bool) {
	key, ok := a.key(url)
	if !ok {
		return 0, false
	}
	if at, ok = a.at[key]; ok {
		return at, true
	}
	rest, secure := strings.CutPrefix(url, "https://")
	if secure {
		url = "http://" + rest
	} else {
		url = "https://" + strings.TrimPrefix(url, "http://")
	}
	if key, ok = a.key(url); ok {
		at, ok = a.at[key]
	}
	return at, ok
}

// key returns the hash of a URL in the form of mined strings. ok is false if the URL is not
// one of a web page.
func (a *Archive) key(url string) (key uint64, ok bool) {
	parts, isHTTP := urlnorm.ParseAddress(url)
	text, plain := parts.Mined([]byte(strings.ToLower(parts.Scheme)+parts.Host), math.MaxInt)
	return maphash.Bytes(a.seed, text), isHTTP && plain
}

// open returns the archive from a record on.
func (a *Archive) open(at int64) (io.Reader, error) {
	in := io.NewSectionReader(a.in, at, math.MaxInt64-at)
	if !a.zip {
		return in, nil
	}
	return gzip.NewReader(in)
}

// index notes all responses.
func (a *Archive) index() error {
	in := bufio.NewReaderSize(io.NewSectionReader(a.in, 0, math.MaxInt64), MaxHeader)
	head, _ := in.Peek(len(Magic))
	x := index{archive: a, at: map[uint64]int64{}}
	defer x.settle(true)
	switch {
	case Is(head):
		return x.plain(in)
	case len(head) > 2 && head[0] == 0x1f && head[1] == 0x8b:
		a.zip = true
		return x.zipped(&counter{in: in})
	}
	return fmt.Errorf("neither a WARC file nor one compressed by gzip: it begins with %q", head)
}

// index is the state of reading an archive once.
type index struct {
	archive *Archive
	at      map[uint64]int64 // offset of responses, by digest
	held    pairing[found]
}

// found is a record of an answer to be noted once its method is known.
type found struct {
	url, digest string
	response    bool
	page        bool // see header.page
	at          int64
}

// plain reads an archive without compression.
func (x *index) plain(in io.Reader) error {
	r := NewReader(in)
	for {
		err := r.next(x.archive.digests != nil)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("record at byte %d: %w", r.start, err)
		}
		x.note(&r.head, r.start)
	}
}

var errMembers = errors.New("a gzip member holds several records, so no record can be found by its offset: decompress the file")

// zipped reads an archive with one gzip member for each record.
func (x *index) zipped(in *counter) error {
	var z *gzip.Reader
	for {
		at := in.n
		if _, err := in.in.Peek(1); err == io.EOF {
			return nil
		}
		var err error
		if z == nil {
			z, err = gzip.NewReader(in)
		} else {
			err = z.Reset(in)
		}
		if err == nil {
			z.Multistream(false)
			err = x.member(z, at)
		}
		if err != nil {
			return fmt.Errorf("gzip member at byte %d: %w", at, err)
		}
	}
}

// member reads the record of a gzip member.
func (x *index) member(z io.Reader, at int64) error {
	r := NewReader(z)
	switch err := r.next(x.archive.digests != nil); {
	case err == io.EOF:
		return nil // an empty member
	case err != nil:
		return err
	}
	x.note(&r.head, at)
	switch err := r.header(); {
	case err == nil:
		return errMembers
	case err != io.EOF:
		return err
	}
	return nil
}

// note notes where the response to the URL of a record is, or the method of a request.
func (x *index) note(h *header, at int64) {
	switch {
	case !h.isAnswer():
		x.held.request(h)
	case !h.truncated:
		x.held.answer(h, found{string(h.url), string(h.digest), string(h.kind) == "response", h.page, at})
	}
	x.settle(false)
}

// settle notes the answers whose methods are known, or all at the end of the archive.
func (x *index) settle(end bool) {
	for {
		f, method, ok := x.held.next(longestPairing, end)
		if !ok {
			return
		}
		if isPage(method, []byte(f.url)) {
			x.add(f)
		}
	}
}

func (x *index) add(f found) {
	url, ok := x.archive.key(f.url)
	if !ok {
		return
	}
	digest := maphash.String(x.archive.seed, f.digest)
	if f.response {
		x.archive.at[url] = f.at
		if len(f.digest) > 0 {
			x.at[digest] = f.at
			x.archive.noteDigest(f)
		}
	} else if same, ok := x.at[digest]; ok {
		x.archive.at[url] = same
	}
}

// noteDigest notes the digest of a response. Of several responses of one digest the first counts.
func (a *Archive) noteDigest(f found) {
	number := digests.OfPayload([]byte(f.digest))
	if a.digests == nil || number == 0 || !f.page {
		return
	}
	a.digests[f.at] = number
	if _, ok := a.contents[number]; !ok {
		a.contents[number] = f.at
	}
}

// counter counts the bytes read. A gzip reader reads no byte beyond its member, since a
// counter can be read by the byte.
type counter struct {
	in *bufio.Reader
	n  int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.n += int64(n)
	return n, err
}

func (c *counter) ReadByte() (byte, error) {
	b, err := c.in.ReadByte()
	if err == nil {
		c.n++
	}
	return b, err
}
