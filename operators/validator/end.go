package validator

// Owes reports whether rules hold that are not published and would be once the set has
// been tried; those of which it is not known yet whether they are held back may be.
func (m *Machine) Owes() bool {
	return m.forms != nil && !m.stands(len(m.list)) && (m.cut < 0 || !m.stands(m.cut))
}

// Close publishes what holds before the machine is given up, as no more pairs can be
// fetched. It publishes nothing if the set was not tried at all, or was found wrong.
func (m *Machine) Close(now int64) {
	m.resting, m.closing = true, true
	if test, ok := m.Next(now); ok {
		m.Release(test)
	}
	m.closing = false
}

// close is what comes of a set's trial that cannot go on: the set may go out if it was
// never found wrong.
func (m *Machine) close(s *sample) step {
	if sum := s.course.Sum(); sum.Negatives == 0 && sum.Outcomes() >= m.o.Trial.Minimum {
		return ready
	}
	return nothing
}
