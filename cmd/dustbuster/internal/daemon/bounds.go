package daemon

import (
	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/stream/loop"
	"dustbuster/stream/site"

	"go.uber.org/zap"
)

// looksShare is the part of the memory for a look of learners at a window.
const looksShare = 0.1

// lookURLs returns the number of URLs that learners may look at within the limit; 0: any.
func lookURLs(limit int64) int { return int(looksShare * float64(limit) / site.LookBytes) }

// tableBudget is the same for loops; nil: any.
func tableBudget(limit int64, tried bool) *loop.Memory {
	if limit <= 0 {
		return nil
	}
	return loop.NewMemory(cli.TableBytes(limit, tried))
}

// reportHidden logs the likely rules that are withheld, which mine lists.
func reportHidden(log *zap.Logger) func(site.Withheld, int) {
	return func(w site.Withheld, sites int) {
		log.Info("some rules are hidden for privacy: they look like secrets, or come from one visitor; --no-withhold shows them",
			zap.Int("rules", w.Sum()), zap.Int("secret", w.Secret), zap.Int("one_client", w.OneClient), zap.Int("sites", sites))
	}
}

// reportLate logs the sites most of whose newest hits are dropped, since they are late.
func reportLate(log *zap.Logger) func([]loop.Late) {
	return func(sites []loop.Late) {
		log.Warn("most new lines of a site are older than its window, so they are dropped: is a clock wrong, or a log old?",
			zap.String("site", sites[0].Site), zap.Int("late_of_64", sites[0].Hits), zap.Time("newest_pane", sites[0].Newest), zap.Int("sites", len(sites)))
	}
}

// reportShed logs the URLs and hits left out for want of memory.
func reportShed(log *zap.Logger) func(loop.Shed) {
	return func(s loop.Shed) {
		log.Warn("memory limit reached, URLs dropped: raise --memory, --max-urls or --max-sites, or name your hosts with --hosts",
			zap.Int("urls_shed", s.URLs), zap.Int("sites_cut", s.Sites), zap.Int("hits_on_urls_left_out", s.Hits),
			zap.Int("hits_beyond_max_sites", s.Beyond), zap.Int64("used_bytes", s.Used), zap.Int64("budget_bytes", s.Budget))
	}
}
