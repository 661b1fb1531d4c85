package subscribe

// Topic returns a topic in memory, for the example. In the topic, a miner has published
// rules that drop parameters on a site.
func Topic(site string, params ...string) (Log, error) {
	m := newMemory(1)
	w, err := m.claim(0, 1)
	if err != nil {
		return nil, err
	}
	w.publish(site, params...)
	return m, nil
}
