package config

import "testing"

// Finished logs have defaults of their own, which named settings replace.
func TestOnce(t *testing.T) {
	c, err := Load("", nil, nil)
	must(t, err)
	c.Once()
	if k := &c.Kafka.Topics; c.Read.Window != 0 || c.Keep.State != "" || c.Admin.Listen != "" || k.Observations != "once.observations" || k.Rules != "once.rules" || k.Events != "once.events" {
		t.Errorf("%+v", c)
	}
	c, err = Load("", []string{"DUSTBUSTER_READ_WINDOW=7d", "DUSTBUSTER_KEEP_STATE=s", "DUSTBUSTER_ADMIN_LISTEN=127.0.0.1:1", "DUSTBUSTER_KAFKA_TOPIC_PREFIX=p", "DUSTBUSTER_KAFKA_RULES=r"}, nil)
	must(t, err)
	c.Once()
	if k := &c.Kafka.Topics; c.Read.Window.Hours() != 168 || c.Keep.State != "s" || c.Admin.Listen != "127.0.0.1:1" || k.Observations != "p.observations" || k.Rules != "r" || k.Events != "p.events" {
		t.Errorf("%+v", c)
	}
}
