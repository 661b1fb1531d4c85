package duplicates

import (
	"cmp"
	"encoding/hex"
	"hash/maphash"
	"iter"
	"slices"

	"dustbuster/operators/judge/sketch"
)

// Cluster is a set of URLs whose documents are near-duplicates, directly or by way of
// others.
type Cluster struct {
	docs   []uint32 // the first of each URL
	finder *Finder
}

// Document is a document of a cluster.
type Document struct {
	URL         string
	Digest      string  // SHA-256 of the decoded body, in hexadecimal digits; "" of a revisit
	Resemblance float64 // to the first document of the cluster that is no revisit; 0 of a revisit
	Revisit     bool    // the archive says that the content is that of another document of the cluster
}

// Len returns the number of URLs.
func (c *Cluster) Len() int { return len(c.docs) }

// Clusters lists the clusters of at least two URLs after Match, by the number of documents, the
// largest first, and else in the order of their first documents. Of several documents of one
// URL, a cluster has the first. Listing takes 8 bytes a document, 24 bytes a cluster, and about
// 40 for each document of the largest.
func (f *Finder) Clusters() iter.Seq2[*Cluster, error] {
	return func(yield func(*Cluster, error) bool) {
		seed := maphash.MakeSeed()
		all := slices.Collect(f.forest.Clusters())
		slices.SortStableFunc(all, func(a, b []uint32) int { return cmp.Compare(len(b), len(a)) })
		for _, docs := range all {
			c := &Cluster{finder: f}
			seen := make(map[uint64]bool, len(docs))
			for _, doc := range docs {
				url, err := f.url(doc)
				if err != nil {
					yield(nil, err)
					return
				}
				if h := maphash.String(seed, url); !seen[h] { // two URLs are confused with a probability of 2^-64
					seen[h] = true
					c.docs = append(c.docs, doc)
				}
			}
			if len(c.docs) > 1 && !yield(c, nil) {
				return
			}
		}
	}
}

func (f *Finder) url(doc uint32) (string, error) {
	d, err := f.spool.entry(doc)
	if err != nil {
		return "", err
	}
	return f.spool.url(d)
}

// Documents lists the documents in the order of the archives.
func (c *Cluster) Documents() iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		var first *sketch.Page
		for _, doc := range c.docs {
			d, err := c.document(doc, &first)
			if !yield(d, err) || err != nil {
				return
			}
		}
	}
}

func (c *Cluster) document(doc uint32, first **sketch.Page) (d Document, err error) {
	e, err := c.finder.spool.entry(doc)
	if err != nil {
		return d, err
	}
	if d.URL, err = c.finder.spool.url(e); err != nil || e.revisit {
		d.Revisit = e.revisit
		return d, err
	}
	page, err := c.finder.spool.load(doc)
	if err != nil {
		return d, err
	}
	if *first == nil {
		*first = page
	}
	d.Digest = hex.EncodeToString(page.Digest[:])
	d.Resemblance = c.finder.o.Resemblance(*first, page)
	return d, nil
}

// URLs returns the URLs of each cluster, all in memory.
func (f *Finder) URLs() (clusters [][]string, err error) {
	for c, err := range f.Clusters() {
		if err != nil {
			return nil, err
		}
		var urls []string
		for _, doc := range c.docs {
			url, err := f.url(doc)
			if err != nil {
				return nil, err
			}
			urls = append(urls, url)
		}
		clusters = append(clusters, urls)
	}
	return clusters, nil
}
