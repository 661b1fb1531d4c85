package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"dustbuster/config"
	"dustbuster/operators/miner"
	"dustbuster/sinks/admin"
	"dustbuster/stream/loop"

	"go.uber.org/zap"
)

// shown is the daemon as the admin listener shows it.
type shown struct {
	loop   *loop.Loop
	inputs *loop.Inputs
}

// Status says how the daemon is doing.
func (s shown) Status() admin.Status {
	is := s.loop.State().Status
	return admin.Status{
		Version: version(), Started: is.Started, CaughtUp: is.CaughtUp, Counts: is.Counts,
		Late: is.Late, Shed: is.Shed, Beyond: is.Beyond, Ahead: is.Ahead, Tail: s.inputs.Stats(), Sites: is.Sites,
		Events: is.Events, Errors: is.Errors, LastError: is.LastError,
		Saved: is.Saved, SaveTook: is.SaveTook, StateBytes: is.StateBytes,
	}
}

// Rules are the rules last published.
func (s shown) Rules() []miner.Rule { return s.loop.State().Rules }

// Ready tells whether rules are current.
func (s shown) Ready() error {
	if !s.loop.State().Status.CaughtUp {
		return errors.New("catching up with the logs")
	}
	return nil
}

// Healthy tells whether the daemon can go on by itself.
func (s shown) Healthy() error { return nil }

// serve shows the daemon on its admin listener, if it has one, until the
// function returned is called.
func serve(c *config.Config, s shown, log *zap.Logger) (stop func(), err error) {
	if c.Admin.Listen == "" {
		return func() {}, nil
	}
	server, err := admin.Open(admin.Options{Listen: c.Admin.Listen, AllowRemote: remote(c.Admin.Listen), ErrorLog: zap.NewStdLog(log)}, s)
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

// notifyReady tells systemd, if it started the program, that logs are followed.
func notifyReady() error {
	address := os.Getenv("NOTIFY_SOCKET")
	if address == "" {
		return nil
	}
	socket, err := net.Dial("unixgram", address)
	if err != nil {
		return err
	}
	_, err = socket.Write([]byte("READY=1"))
	return errors.Join(err, socket.Close())
}
