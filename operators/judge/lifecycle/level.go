package lifecycle

import "dustbuster/operators/judge/lifecycle/book"

// learner mines the forms.
type learner struct{ *life }

// next mines the forms if they may be mined, so once in LevelEvery.
func (le *learner) next(now int64) (Look, step) {
	stage := le.view.NextStage(&le.book.Learned)
	if stage == 0 || le.rest != NoRest || !le.mayLearn(now) {
		return Look{}, nothing
	}
	le.learn(stage, now)
	return Look{}, changed
}

// why returns the reason for which the forms are not mined now.
func (le *learner) why(now int64) Now {
	switch at := le.levelAt(); {
	case le.rest > NoRest && le.view.NextStage(&le.book.Learned) > 0 && le.mayLearn(now):
		return Now{Why: Kept}
	case at > 0:
		return Now{Why: Level, Until: at}
	}
	return Now{}
}

// learn mines the forms.
func (le *learner) learn(stage int, now int64) {
	l := le.view.Learn(le.labels(), stage, now)
	le.do(book.Act{Learnt: &l})
}

// labels returns the labels of the documents that were requested.
func (le *learner) labels() book.Labels {
	return le.book.Memory.Labels(le.book.Noise.Threshold(le.o.Tau))
}

// mayLearn reports whether the forms may be mined again.
func (le *learner) mayLearn(now int64) bool {
	return !le.o.GivenOnly && now >= le.book.Learned.At+le.o.LevelEvery
}

// levelAt returns the time from which the forms may be mined again; 0 if they were not mined yet, or
// are not mined again.
func (le *learner) levelAt() int64 {
	if le.o.GivenOnly || le.book.Learned.At == 0 || le.view.NextStage(&le.book.Learned) == 0 {
		return 0
	}
	return le.book.Learned.At + le.o.LevelEvery
}
