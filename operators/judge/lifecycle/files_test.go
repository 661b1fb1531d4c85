package lifecycle_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule"
)

// fileOf is a file with the published rules of a machine.
func fileOf(m *lifecycle.Machine, format string, at int64) *book.File {
	f := &book.File{Format: format, At: at}
	for _, mark := range rule.MarksOf(m.Published().Records) {
		f.Marks = append(f.Marks, mark)
	}
	slices.Sort(f.Marks)
	return f
}

// filesOf returns the files in use.
func filesOf(m *lifecycle.Machine) []book.File { return bookOf(m, madeup.Options()).Files }

// A file that an operator took is told as outdated when a rule of it is retired, until the new file is taken, the
// rule is back, or the file is not in use. A machine restored from the acts knows as well.
func TestOutdatedFiles(t *testing.T) {
	w, m, now := ruled(t, 60, madeup.Options())
	id := idOf(m, t, "/b/p3.html")
	outdated := func(m *lifecycle.Machine) (all []string) {
		for _, o := range m.Answers.Status().Outdated {
			all = append(all, fmt.Sprintf("%s %t %d %v %v", o.Format, o.Redirect, o.At, o.Retired, o.Changed))
		}
		return all
	}
	nginx, apache := fileOf(m, "nginx", now), fileOf(m, "apache", now)
	apache.Marks = slices.DeleteFunc(apache.Marks, func(mark string) bool { return rule.Unmark(mark) == id })
	must(t, m.Operator.Take(nginx))
	must(t, m.Operator.Take(apache))
	m.Acts()
	again := *nginx
	again.At++
	if must(t, m.Operator.Take(&again)); len(m.Acts()) > 0 || len(outdated(m)) > 0 {
		t.Errorf("the same file once more is an act, or outdated: %v", outdated(m))
	}
	must(t, m.Operator.Wish(book.Wish{Veto: id}))
	now = w.live(m, now+1, ignore)
	want := []string{fmt.Sprintf("nginx false %d [%s] []", nginx.At, id)}
	if got := outdated(m); !slices.Equal(got, want) {
		t.Errorf("after the veto: %v, want %v", got, want)
	}
	twin := New("town", madeup.Options())
	for a := range m.Dump {
		twin.Restore(recode(t, a))
	}
	if got := outdated(twin); !slices.Equal(got, want) || !reflect.DeepEqual(dump(twin), dump(m)) {
		t.Errorf("restored: %v, want %v", got, want)
	}
	if err := m.Operator.Wish(book.Wish{Drop: &book.File{Format: "nginx", Redirect: true}, Undo: true}); !errors.Is(err, book.ErrNoFile) {
		t.Errorf("a file that nobody took: %v", err)
	}
	must(t, twin.Operator.Wish(book.Wish{Drop: &book.File{Format: "nginx"}, Undo: true}))
	must(t, twin.Operator.Wish(book.Wish{Drop: &book.File{Format: "apache"}, Undo: true}))
	if got := outdated(twin); len(got) > 0 || len(filesOf(twin)) > 0 {
		t.Errorf("not in use: %v", got)
	}
	third := New("town", madeup.Options())
	for _, a := range slices.Concat(m.Acts(), twin.Acts()) {
		third.Restore(recode(t, a))
	}
	if len(filesOf(third)) > 0 {
		t.Errorf("the acts do not tell that no file is in use: %+v", filesOf(third))
	}
	must(t, m.Operator.Take(fileOf(m, "nginx", now)))
	if got := outdated(m); len(got) > 0 {
		t.Errorf("the new file: %v", got)
	}
}

// The files of a site are bounded in number and size: those that were taken first are forgotten.
func TestMostFiles(t *testing.T) {
	m := New("town", madeup.Options())
	for i := range 100 {
		f := &book.File{Format: fmt.Sprint("f", i), Marks: make([]string, 1000)}
		must(t, m.Operator.Take(f))
	}
	if n := len(filesOf(m)); n != 10 || filesOf(m)[9].Format != "f99" {
		t.Errorf("%d files", n)
	}
	for i := range 100 {
		must(t, m.Operator.Take(&book.File{Format: fmt.Sprint("g", i), Marks: []string{"a"}}))
	}
	if n := len(filesOf(m)); n != 32 || filesOf(m)[31].Format != "g99" || filesOf(m)[0].Format != "g68" {
		t.Errorf("%d files", n)
	}
	if err := m.Operator.Take(&book.File{Format: "large", Marks: make([]string, 10_001)}); !errors.Is(err, book.ErrMany) || len(filesOf(m)) != 32 {
		t.Errorf("a file with too many rules: %v", err)
	}
}
