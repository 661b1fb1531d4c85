package schema1

import (
	"flag"
	"os"
	"testing"
)

var convert = flag.String("convert", "", "a list to write anew in schema 2")

// TestConvert writes a list of rules anew, if -convert names one.
func TestConvert(t *testing.T) {
	if *convert == "" {
		return
	}
	list, err := os.ReadFile(*convert)
	if err == nil {
		list, err = ModernList(list)
	}
	if err == nil {
		err = os.WriteFile(*convert, list, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestModern(t *testing.T) {
	for old, want := range map[string]string{
		`{"alpha":"/a&<","at_end":false,"at_start":true,"beta":"","support":4,"support_high":5}`:                                      `{"alpha":"/a&<","at_end":false,"at_start":true,"beta":"","kind":"substring","schema":2,"scope":{},"support":4,"support_high":5}`,
		`{"kind":"parameter","op":"drop","param":"h","scope":{},"support":3,"comparable":4}`:                                          `{"comparable":4,"kind":"parameter","op":"drop","params":["h"],"schema":2,"scope":{},"support":3}`,
		`{"kind":"parameter","op":"drop","param":"h","scope":{"path":"","param":"a","value":""},"support":3,"comparable":4}`:          `{"comparable":4,"kind":"parameter","op":"drop","params":["h"],"schema":2,"scope":{"path":"","where":[{"param":"a","value":""}]},"support":3}`,
		`{"kind":"parameter","op":"drop","param":"h","scope":{"param":"a"},"support":3,"comparable":4}`:                               `{"comparable":4,"kind":"parameter","op":"drop","params":["h"],"schema":2,"scope":{"where":[{"param":"a"}]},"support":3}`,
		`{"kind":"parameter","op":"set","param":"h","value":"","scope":{"path":"/"},"support":3}`:                                     `{"kind":"parameter","op":"set","params":["h"],"schema":2,"scope":{"path":"/"},"support":3,"to":""}`,
		`{"op":"drop","params":["hb","h"],"where":[{"param":"a","value":"1"},{"param":"b"}],"path":"/*/","support":5,"comparable":6}`: `{"comparable":6,"kind":"parameter","op":"drop","params":["hb","h"],"schema":2,"scope":{"path":"/*/","where":[{"param":"a","value":"1"},{"param":"b","valued":true}]},"support":5}`,
		` {"schema":2,"kind":"form"}` + "\n":                                 `{"schema":2,"kind":"form"}`,
		`{"op":"drop","params":["h"],"value":"","support":5,"comparable":6}`: `{"comparable":6,"kind":"parameter","op":"drop","params":["h"],"schema":2,"scope":{},"support":5,"value":""}`,
	} {
		if got, err := Modern([]byte(old)); err != nil || string(got) != want {
			t.Errorf("%s\ngot  %s, %v\nwant %s", old, got, err, want)
		}
	}
	if list, err := ModernList([]byte(`{"alpha":"a","beta":"b"}` + "\n" + `{"schema":2}`)); string(list) != `{"alpha":"a","beta":"b","kind":"substring","schema":2,"scope":{}}`+"\n"+`{"schema":2}`+"\n" {
		t.Errorf("a list: %s, %v", list, err)
	}
	if _, err := ModernList([]byte("[")); err == nil {
		t.Error("no error for a line that is no object")
	}
}

func TestOld(t *testing.T) {
	for line, want := range map[string]string{
		`{"schema":2,"kind":"substring","alpha":"/a","beta":"","scope":{"prefix":"/"}}`:                                   `{"alpha":"/a","beta":"","kind":"substring","schema":1,"scope":{"prefix":"/"}}`,
		`{"schema":2,"kind":"parameter","op":"drop","params":["h"],"scope":{"path":"/","where":[{"param":"a"}]}}`:         `{"kind":"parameter","op":"drop","param":"h","schema":1,"scope":{"param":"a","path":"/"}}`,
		`{"schema":2,"kind":"parameter","op":"set","params":["h"],"to":"1","scope":{"where":[{"param":"a","value":""}]}}`: `{"kind":"parameter","op":"set","param":"h","schema":1,"scope":{"param":"a","value":""},"value":"1"}`,
		`{"kind":"parameter","op":"drop","params":["h","i"],"scope":{}}`:                                                  "",
		`{"kind":"parameter","op":"drop","params":["h"],"value":"1","scope":{}}`:                                          "",
		`{"kind":"parameter","op":"drop","params":["h"],"in":"path","scope":{}}`:                                          "",
		`{"kind":"parameter","op":"drop","params":["h"],"scope":{"prefix":"/"}}`:                                          "",
		`{"kind":"parameter","op":"drop","params":["h"],"scope":{"where":[{"param":"a","valued":true}]}}`:                 "",
		`{"kind":"parameter","op":"drop","params":["h"],"scope":{"where":[{"param":"a"},{"param":"b"}]}}`:                 "",
		`{"kind":"substring","alpha":"/a","beta":"","scope":{},"except":{"urls":["/"]}}`:                                  "",
		`{"kind":"parameter","op":"drop","params":["h"],"scope":{"path":"/*/"}}`:                                          "",
		`{"kind":"parameter","op":"order","scope":{}}`:                                                                    "",
		`{"kind":"form","form":"case","scope":{}}`:                                                                        "",
		`{"kind":"template","where":{},"edit":{},"scope":{}}`:                                                             "",
	} {
		got, ok, err := Old([]byte(line))
		if err != nil || ok != (want != "") || string(got) != want {
			t.Errorf("%s\ngot  %s, %v, %v\nwant %s", line, got, ok, err, want)
		}
	}
	if _, _, err := Old([]byte("[")); err == nil {
		t.Error("no error for a line that is no object")
	}
}
