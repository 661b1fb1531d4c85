package offline

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/config"
	"dustbuster/operators/judge/near"
	"dustbuster/operators/url/urlnorm"
	"dustbuster/stream/duplicates"

	"github.com/spf13/cobra"
)

// ambiguous is the label of a URL that is in several clusters of near-duplicates, since its
// page has changed.
const ambiguous = "ambiguous"

// nearLabels returns a label for each URL in a cluster of near-duplicates of the archives.
// The keys are hosts and mined strings, one after the other.
func nearLabels(cmd *cobra.Command, paths []string, c *config.Config) (labels map[string]string, err error) {
	if slices.Contains(paths, "-") {
		return nil, cli.WrongUsage(errors.New("--labels near reads the archives twice, so standard input cannot be one of them"))
	}
	if paths, err = crawlFiles(paths); err != nil {
		return nil, err
	}
	finder, err := duplicates.New(duplicates.Options{Options: near.Options{Threshold: near.DefaultThreshold, Exact: true}, Memory: cli.LimitMemory(c.Keep.Memory)})
	if err != nil {
		return nil, err
	}
	defer finder.Close()
	if err := find(cmd.Context(), finder, paths, cmd.ErrOrStderr()); err != nil {
		return nil, err
	}
	counts := finder.Counts()
	if counts.Documents == 0 {
		return nil, errors.New("there are no pages to compare: --labels near needs web archives (WARC)")
	}
	clusters, err := finder.URLs()
	if err != nil {
		return nil, err
	}
	labels = map[string]string{}
	for n, urls := range clusters {
		for _, url := range urls {
			label := fmt.Sprintf("cluster %d", n)
			if key, ok := nearKey(url, c.Site.Host); ok {
				if other, known := labels[key]; known && other != label {
					label = ambiguous
				}
				labels[key] = label
			}
		}
	}
	return labels, nil
}

// nearKey returns the host and the mined string of a URL. The page of a folder has a path only,
// and is of the site that --site names.
func nearKey(url, site string) (key string, ok bool) {
	if strings.HasPrefix(url, "/") {
		return site + url, true
	}
	a, isHTTP := urlnorm.ParseAddress(url)
	mined, plain := a.Mined([]byte(a.Host), math.MaxInt)
	return string(mined), isHTTP && plain
}
