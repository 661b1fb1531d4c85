package lifecycle

// Owes reports whether the machine has unpublished rules that hold and that would be
// published after a trial of the set. If the machine does not know yet whether the rules
// are held back, the rules count.
func (m *Machine) Owes() bool {
	return m.view != nil && m.publisher.owes(m.view.list)
}

// Close publishes the rules that hold before the machine is given up because no more pairs
// can be fetched. Close publishes nothing if the set was not tried at all, or if the set
// was found wrong.
func (m *Machine) Close(now int64) {
	m.resting, m.closing = true, true
	if test, ok := m.Next(now); ok {
		m.Release(test)
	}
	m.closing = false
}

// close ends a trial of the set that cannot continue. The set may be published if no pair
// of the set was wrong.
func (m *Machine) close(s *setTrial) step {
	if sum := s.tally.Sum(); sum.Negatives == 0 && sum.Outcomes() >= m.o.Trial.Minimum {
		return ready
	}
	return nothing
}
