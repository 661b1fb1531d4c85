package miner

// Content returns a machine that holds the window of this moment. Another goroutine may use it, while
// m goes on. It takes in no observations, and its learners have no rules. O(URLs and their entries),
// about 100 bytes each.
func (m *Machine) Content() *Machine {
	urls := m.urls.Clone()
	return &Machine{o: m.o, site: m.site, urls: urls, table: m.table.View(urls), cutURLs: m.cutURLs, counts: m.counts, awake: true}
}

// View is Content with the likely rules of this moment. O(likely rules) more.
func (m *Machine) View() *Machine {
	m.settle()
	v := m.Content()
	v.learn = m.known()
	return v
}
