package integration

import (
	"debug/buildinfo"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// component is a module that the program contains, and what is owed to its authors.
type component struct {
	licence    string   // its SPDX identifier
	copyrights []string // lines of the licence file
	notice     string   // the file NOTICE; "": the module has none
}

// NOTICE names each module that the program contains, and no other, with its licence, its
// copyright lines and what the module's own NOTICE says.
func TestNotice(t *testing.T) {
	t.Parallel()
	for _, wrong := range checkNotice(string(readFile(t, "../NOTICE")), linked(t)) {
		t.Error(wrong)
	}
}

func TestNoticeFindsWhatIsWrong(t *testing.T) {
	modules := map[string]component{
		"a.example/one": {"MIT", []string{"Copyright (c) 2020 One"}, ""},
		"b.example/two": {"Apache-2.0", nil, "Two, by\n  The Two Authors"},
	}
	good := "a.example/one  MIT\n    Copyright (c) 2020 One\nb.example/two  Apache-2.0\n    Two, by\n    The Two Authors\n"
	for _, c := range []struct{ name, old, new, want string }{
		{"nothing", "", "", ""},
		{"missing", "a.example/one  MIT\n", "", "a.example/one: is not named"},
		{"one too many", "b.example/two", "c.example/three  MIT\nb.example/two", "c.example/three: is named, and not linked"},
		{"another licence", "one  MIT", "one  BSD-3-Clause", "a.example/one: BSD-3-Clause is named, its licence is MIT"},
		{"no copyright", "    Copyright (c) 2020 One\n", "", `a.example/one: "Copyright (c) 2020 One" is missing`},
		{"no notice", "    The Two Authors\n", "", `b.example/two: "The Two Authors" is missing`},
		{"at another", "    Two, by\n    The Two Authors\n", "", `b.example/two: "Two, by" is missing`},
	} {
		wrong := strings.Join(checkNotice(strings.Replace(good, c.old, c.new, 1), modules), "\n")
		if (c.want == "") != (wrong == "") || !strings.Contains(wrong, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, wrong, c.want)
		}
	}
}

// entry is the line of NOTICE that names a module with its licence.
var entry = regexp.MustCompile(`(?m)^(\S+\.\S+/\S+|Go)  (\S+( AND \S+)*)$`)

// checkNotice returns what is wrong with a NOTICE of a program with these modules.
func checkNotice(notice string, modules map[string]component) (wrong []string) {
	add := func(path, format string, args ...any) {
		wrong = append(wrong, path+": "+fmt.Sprintf(format, args...))
	}
	named := map[string]bool{}
	all := entry.FindAllStringSubmatchIndex(notice, -1)
	for i, at := range all {
		path, licence, end := notice[at[2]:at[3]], notice[at[4]:at[5]], len(notice)
		if i+1 < len(all) {
			end = all[i+1][0]
		}
		m, is := modules[path]
		if named[path] = true; !is {
			add(path, "is named, and not linked")
		} else if licence != m.licence {
			add(path, "%s is named, its licence is %s", licence, m.licence)
		}
		for _, line := range slices.Concat(m.copyrights, strings.Split(m.notice, "\n")) {
			if line = strings.TrimSpace(line); !strings.Contains(notice[at[1]:end], line) {
				add(path, "%q is missing", line)
			}
		}
	}
	for _, path := range slices.Sorted(maps.Keys(modules)) {
		if !named[path] {
			add(path, "is not named")
		}
	}
	return wrong
}

// linked are the modules that the program was built of, as it says itself, and Go.
func linked(t *testing.T) map[string]component {
	t.Helper()
	info, err := buildinfo.ReadFile(program)
	must(t, err)
	args := []string{"list", "-m", "-f", "{{.Path}}\t{{.Dir}}"}
	for _, m := range info.Deps {
		args = append(args, m.Path)
	}
	out, err := exec.Command("go", args...).Output() // from the module cache
	must(t, err)
	root, err := exec.Command("go", "env", "GOROOT").Output()
	must(t, err)
	modules := map[string]component{"Go": componentIn(t, strings.TrimSpace(string(root)))}
	for line := range strings.Lines(string(out)) {
		path, dir, _ := strings.Cut(strings.TrimSpace(line), "\t")
		modules[path] = componentIn(t, dir)
	}
	return modules
}

var copyright = regexp.MustCompile(`(?im)^[/# ]*((?:© )?copyright (\(c\)|©|\d).*)$`)

// componentIn reads what a module's folder says of its licence.
func componentIn(t *testing.T, dir string) (m component) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "[Ll][Ii][Cc][Ee][Nn][Ss][Ee]*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: no file LICENSE, %v", dir, err)
	}
	text := ""
	for _, file := range files {
		text += string(readFile(t, file))
	}
	if m.licence = licenceOf(text); m.licence == "" {
		t.Errorf("%s: not known which licence this is", files[0])
	}
	for _, line := range copyright.FindAllStringSubmatch(text, -1) {
		m.copyrights = append(m.copyrights, line[1])
	}
	notice, err := os.ReadFile(filepath.Join(dir, "NOTICE"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	m.notice = string(notice)
	return m
}

// licences are texts that only one licence has, with its SPDX identifier.
var licences = map[string]string{
	"Apache License Version 2.0, January 2004":                                     "Apache-2.0",
	"Mozilla Public License, version 2.0":                                          "MPL-2.0",
	"CC0 1.0 Universal":                                                            "CC0-1.0",
	"Redistribution and use in source and binary forms":                            "BSD-2-Clause",
	"Permission is hereby granted, free of charge, to any person obtaining a copy": "MIT",
}

// endorse is the third clause, which makes BSD-3-Clause of BSD-2-Clause.
const endorse = "to endorse or promote products derived"

// licenceOf is the SPDX expression of a licence file, with the licences in the order in
// which they stand there; "": none that is known.
func licenceOf(text string) string {
	text = strings.Join(strings.Fields(strings.ReplaceAll(text, "//", "")), " ")
	at := map[int]string{}
	for says, id := range licences {
		if id == "BSD-2-Clause" && strings.Contains(text, endorse) {
			id = "BSD-3-Clause"
		}
		if i := strings.Index(text, says); i >= 0 {
			at[i] = id
		}
	}
	var all []string
	for _, i := range slices.Sorted(maps.Keys(at)) {
		all = append(all, at[i])
	}
	return strings.Join(all, " AND ")
}
