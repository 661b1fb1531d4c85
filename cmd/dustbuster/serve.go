package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"dustbuster/config"
	"dustbuster/sinks/admin"

	"go.uber.org/zap"
)

// stalled is for how long the loop may not turn before something hangs.
const stalled = time.Minute

// Status says how the daemon is doing.
func (d *daemon) Status() admin.Status {
	source := d.source.Load()
	s := admin.Status{Version: version(), Status: d.loop.State().Status, Tail: source.Stats(), Lags: source.Lags()}
	if d.worker != nil {
		s.Trial = admin.Trial{On: true, Sites: d.worker.Status(), Published: d.loop.State().Published, Held: d.worker.Held(),
			Verdicts: d.verdicts.counts(), Fetch: d.fetcher.Stats()}
	}
	return s
}

// Rules are those found so far.
func (d *daemon) Rules() admin.Rules {
	s := d.loop.State()
	return admin.Rules{Likely: s.Rules, Tried: s.Validates, Published: s.Published}
}

// Approve has an update of the rules published that was held back.
func (d *daemon) Approve(site, mark string) bool {
	return d.worker != nil && d.worker.Approve(site, mark)
}

// Recheck has rules of a site tried again now.
func (d *daemon) Recheck(site, id string) bool { return d.worker != nil && d.worker.Recheck(site, id) }

// Ready tells whether rules are current.
func (d *daemon) Ready() error {
	if !d.loop.State().Status.CaughtUp {
		return errors.New("catching up with the logs")
	}
	return unreadable(d.source.Load().Unreadable())
}

// Healthy tells whether the daemon can go on by itself.
func (d *daemon) Healthy() error {
	if since := d.loop.Stalled(); since > stalled {
		return fmt.Errorf("nothing has been done for %v: does a disk hang?", since.Round(time.Second))
	}
	return nil
}

// serve shows the daemon on its admin listener, if it has one, until the
// function returned is called.
func serve(c *config.Config, s admin.State, log *zap.Logger) (stop func(), err error) {
	if c.Admin.Listen == "" {
		return func() {}, nil
	}
	server, err := admin.Open(adminOptions(c.Admin.Listen, log), s)
	return serveAdmin(server, err, log)
}

func adminOptions(listen string, log *zap.Logger) admin.Options {
	return admin.Options{Listen: listen, AllowRemote: remote(listen), ErrorLog: zap.NewStdLog(log)}
}

// serveAdmin has a listener answer, if it could be opened.
func serveAdmin(server *admin.Server, err error, log *zap.Logger) (stop func(), _ error) {
	if err != nil {
		return nil, fmt.Errorf("%w\nchoose another address with --admin-listen, or none with --admin-listen ''", err)
	}
	done := make(chan error, 1)
	go func() { done <- server.Serve() }()
	log.Info("serving metrics, health and API", zap.Stringer("address", server.Addr()))
	return func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if err := errors.Join(server.Shutdown(ctx), <-done); err != nil {
			log.Warn("cannot end the admin listener", zap.Error(err))
		}
	}, nil
}

// remote tells whether an address that was named is one that others reach: then
// that was meant.
func remote(listen string) bool {
	host, _, err := net.SplitHostPort(listen)
	ip := net.ParseIP(host)
	return err == nil && host != "localhost" && !ip.IsLoopback()
}

// ready tells systemd, if that started the program, that it works.
func ready(log *zap.Logger) {
	if err := notify("READY=1"); err != nil {
		log.Warn("cannot tell systemd", zap.Error(err))
	}
}

// notify tells systemd how it is, if that started the program (sd_notify).
func notify(state string) error {
	address := os.Getenv("NOTIFY_SOCKET")
	if address == "" {
		return nil
	}
	socket, err := net.Dial("unixgram", address)
	if err != nil {
		return err
	}
	_, err = socket.Write([]byte(state))
	return errors.Join(err, socket.Close())
}
