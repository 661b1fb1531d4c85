package daemon

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/config"
	"dustbuster/operators/read/input"
	"dustbuster/sinks/admin"
	"dustbuster/sinks/page"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

const statusLong = `status prints the state of a running daemon or agent: its inputs with their lag, the
sites with their trials, and the rules that were published or are held.

status reads the address and the token from the settings of the daemon: from its
configuration FILE, the environment and the flags. --address names another daemon. The
token is the one of admin.read_token_file, or else of admin.token_file. The flag
--admin-token-file wins over both settings in FILE.

The exit code is 0 if the daemon answers, and 1 if it does not.`

const statusExamples = `  dustbuster status
  dustbuster status --watch /etc/dustbuster.yml
  dustbuster status --output json | jq '.inputs[] | {name, lag_bytes}'
  dustbuster status --address https://dust.example.org \
    --admin-read-token-file token`

// statusOptions are the flags of status.
type statusOptions struct {
	address string
	output  string
	every   time.Duration // 0: once
	sites   int           // shown
}

func newStatusCommand() *cobra.Command {
	flags := config.NewFlags(config.Defaults())
	var o statusOptions
	which, what := config.NewSection("Which daemon"), config.NewSection("What is shown")
	asked, shown := which.Flags, what.Flags
	asked.StringVar(&o.address, "address", "", "`URL` of the daemon, such as http://192.0.2.7:9464. The default is the address in its settings")
	flags.Register(asked, "admin.listen", "admin.read_token_file", "admin.token_file")
	asked.Lookup("admin-listen").Usage = "`host:port` that the daemon listens on"
	asked.Lookup("admin-read-token-file").Usage = "`file` with the token of readers, which status shows to the daemon"
	asked.Lookup("admin-token-file").Usage = "`file` with the token of operators, for a daemon that has no token of readers"
	cli.OutputFlag(shown, &o.output, "json is one object a line", "text", "json")
	shown.Var(config.DurationFlag(&o.every), "watch", "print the state again after each `duration`, or each 2s if none is given. On a terminal the screen is redrawn")
	shown.Lookup("watch").NoOptDefVal = "2s"
	shown.IntVar(&o.sites, "sites", 20, "`number` of sites shown as text: those with the most URLs. 0 shows all")
	cmd := &cobra.Command{
		Use:     "status [FILE]",
		Short:   "show how a running daemon or agent is doing",
		Long:    statusLong,
		Example: statusExamples,
		Args:    cli.OneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case cmd.Flags().Changed("watch") && o.every < 100*time.Millisecond:
				return cli.Usage(cmd, fmt.Errorf("--watch must be 100ms or more, got %v", o.every))
			case cmd.Flags().Changed("watch") && len(args) > 0 && isDuration(args[0]):
				return cli.Usage(cmd, fmt.Errorf("--watch takes its duration after an equals sign: --watch=%s", args[0]))
			case o.sites < 0:
				return cli.Usage(cmd, fmt.Errorf("--sites must be 0 or more, got %d", o.sites))
			}
			c, err := cli.LoadConfig(cmd, append(args, "")[0], flags)
			if err != nil {
				return err
			}
			if cmd.Flags().Changed("admin-token-file") && !cmd.Flags().Changed("admin-read-token-file") {
				c.Admin.ReadTokenFile = ""
			}
			cli.SayStrangers(cmd.ErrOrStderr(), &c)
			d, err := remoteOf(&c, o.address)
			if err != nil {
				return err
			}
			return o.run(cmd.Context(), d, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cli.UseSections(cmd, []config.Section{which, what})
	return cmd
}

// isDuration reports whether an argument is a duration rather than a file.
func isDuration(arg string) bool {
	return config.DurationFlag(new(time.Duration)).Set(arg) == nil
}

// remote is a daemon that is asked over HTTP.
type remote struct {
	address string // without path
	token   string
}

// askTimeout bounds the time of an answer.
const askTimeout = 10 * time.Second

// mostAnswer bounds an answer, in bytes. A site takes about one kilobyte.
const mostAnswer = 256 << 20

// remoteOf returns the daemon at an address, or at the address of a configuration.
func remoteOf(c *config.Config, address string) (*remote, error) {
	d := &remote{}
	switch host, port, err := net.SplitHostPort(c.Admin.Listen); {
	case address != "":
		u, err := url.Parse(address)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" {
			return nil, cli.WrongUsage(fmt.Errorf("--address must be a URL such as http://127.0.0.1:9464, got %q", address))
		}
		d.address = strings.TrimRight(u.String(), "/")
	case c.Admin.Listen == "":
		return nil, cli.WrongUsage(errors.New("admin.listen is empty: this daemon has no listener; --address names another one"))
	case err != nil || port == "0":
		return nil, cli.WrongUsage(fmt.Errorf("admin.listen is %q: which port that is, only the daemon's log says; give it with --address", c.Admin.Listen))
	default:
		if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() { // any address, and so loopback
			host = "127.0.0.1"
		}
		d.address = "http://" + net.JoinHostPort(host, port)
	}
	file := cmp.Or(c.Admin.ReadTokenFile, c.Admin.TokenFile)
	if file == "" {
		return d, nil
	}
	var err error
	if d.token, err = admin.ReadToken(file); err != nil {
		return nil, fmt.Errorf("read token: %w", err)
	}
	return d, nil
}

// reply is what a daemon says. The status is passed on as it came.
type reply struct {
	Address string          `json:"address"`
	Status  json.RawMessage `json:"status"`
	Inputs  []input.State   `json:"inputs"`
}

// ask asks for the inputs, and for the status with so many of the largest sites; 0: with all.
func (d *remote) ask(ctx context.Context, sites int) (*reply, error) {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	status, err := d.get(ctx, fmt.Sprint("/api/v1/status?sites=", sites))
	if err != nil {
		return nil, err
	}
	inputs, err := d.get(ctx, "/api/v1/inputs")
	if err != nil {
		return nil, err
	}
	a := &reply{Address: d.address, Status: status}
	if err := json.Unmarshal(inputs, a); err != nil {
		return nil, fmt.Errorf("%s is no dustbuster of this version: %w", d.address, err)
	}
	return a, nil
}

// get returns the body of one answer, which is JSON.
func (d *remote) get(ctx context.Context, path string) (json.RawMessage, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, d.address+path, nil)
	if err != nil {
		return nil, err
	}
	if d.token != "" {
		request.Header.Set("Authorization", "Bearer "+d.token)
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }} // the token is for this address
	got, err := client.Do(request)
	if err != nil {
		return nil, d.unanswered(err)
	}
	defer got.Body.Close()
	body, err := io.ReadAll(io.LimitReader(got.Body, mostAnswer))
	if err != nil {
		return nil, d.unanswered(err)
	}
	if path, _, _ = strings.Cut(path, "?"); got.StatusCode != http.StatusOK {
		return nil, errors.New(d.address + d.refusal(path, got))
	}
	if !json.Valid(body) {
		return nil, fmt.Errorf("%s%s is not JSON\nis it a dustbuster?", d.address, path)
	}
	return body, nil
}

// refusal says what an answer without a document means: the rest of a sentence that begins with the address.
func (d *remote) refusal(path string, got *http.Response) string {
	switch {
	case got.StatusCode == http.StatusUnauthorized && d.token == "":
		return " needs a token\nname the file that the daemon uses: --admin-read-token-file FILE or --admin-token-file FILE, or its configuration"
	case got.StatusCode == http.StatusUnauthorized:
		return " refuses the token\ngive the file that the daemon was given; the daemon reads a new token at SIGHUP"
	case got.StatusCode == http.StatusForbidden:
		return " does not let this token read\ngive the token of readers or of operators: --admin-read-token-file FILE or --admin-token-file FILE"
	case got.StatusCode == http.StatusMisdirectedRequest:
		return " does not go by that name\nask it by an address, or allow the name with --admin-hosts"
	}
	return fmt.Sprintf("%s answers %s\nis it a dustbuster of this version?", path, page.Visible(got.Status))
}

// unanswered is the error for a daemon that does not answer.
func (d *remote) unanswered(err error) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err // names the address once
	}
	return fmt.Errorf("no daemon answers at %s: %w\nstart one with dustbuster run --tail LOG, or say where it listens: its log has the address after \"serving metrics\"; give its configuration FILE, or --address", d.address, err)
}

// run prints one answer, or answers until ctx ends. A watch survives a restart of the
// daemon, but its first answer must come.
func (o *statusOptions) run(ctx context.Context, d *remote, out, errs io.Writer) error {
	sites := o.sites
	if o.output == "json" {
		sites = 0
	}
	a, err := d.ask(ctx, sites)
	if err != nil {
		return err
	}
	s := newScreen(out, o.every > 0 && o.output == "text")
	for {
		if err := o.show(s, a, err); err != nil {
			return err
		}
		if o.every == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(o.every):
		}
		if a, err = d.ask(ctx, sites); ctx.Err() != nil {
			return nil
		}
		if err != nil && !s.redraws {
			fmt.Fprintln(errs, "dustbuster:", strings.SplitN(err.Error(), "\n", 2)[0])
			continue
		}
	}
}

// show prints an answer, or the error in its place.
func (o *statusOptions) show(s *screen, a *reply, failed error) error {
	switch {
	case a == nil && s.redraws:
		return s.draw(failed.Error() + "\n")
	case a == nil:
		return nil
	case o.output == "json":
		line, err := json.Marshal(a)
		if err != nil {
			return err
		}
		_, err = s.w.Write(append(line, '\n'))
		return err
	}
	text, err := statusText(a, o.sites, s.width, time.Now())
	if err != nil {
		return err
	}
	return s.draw(text)
}

// screen is where status is printed.
type screen struct {
	w             io.Writer
	width, height int  // of a terminal; 0: there is none
	redraws       bool // one text replaces the other
	drawn         bool
}

func newScreen(w io.Writer, watch bool) *screen {
	s := &screen{w: w}
	s.measure()
	s.redraws = watch && s.width > 0
	return s
}

// measure asks a terminal for its size, which may change.
func (s *screen) measure() {
	if file, ok := s.w.(*os.File); ok {
		if width, height, err := term.GetSize(int(file.Fd())); err == nil {
			s.width, s.height = width, height
		}
	}
}

// Control sequences of terminals (ECMA-48).
const (
	clearScreen = "\x1b[2J"
	goHome      = "\x1b[H"
	clearLine   = "\x1b[K" // to its end
	clearBelow  = "\x1b[J"
)

// draw prints a text. Where texts replace each other, the text is cut to the height of the
// screen.
func (s *screen) draw(text string) error {
	if !s.redraws {
		if s.drawn {
			text = "\n" + text
		}
		s.drawn = true
		_, err := io.WriteString(s.w, text)
		return err
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if s.height > 1 && len(lines) > s.height-1 {
		lines = append(lines[:s.height-2], "…")
	}
	frame := goHome
	if !s.drawn {
		frame = clearScreen + goHome
	}
	s.drawn = true
	s.measure()
	_, err := io.WriteString(s.w, frame+strings.Join(lines, clearLine+"\n")+clearLine+"\n"+clearBelow)
	return err
}
