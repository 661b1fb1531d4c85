package owner

import (
	"fmt"
	"strings"
	"testing"

	"dustbuster/operators/publish/ledger"
)

// owned makes an owner from a log.
func owned(t *testing.T, member string, generation int64, log []ledger.Record) (*Owner, []ledger.Record) {
	t.Helper()
	o := &Owner{}
	for i, r := range log {
		must(t, o.Read(int64(i), r))
	}
	log = append(log, o.Claim(member, generation, int64(len(log))))
	if err := o.Read(int64(len(log)-1), log[len(log)-1]); err != nil || !o.Sure() || !o.Claimed() {
		t.Fatal(err)
	}
	return o, log
}

// A member that was paused between reading the log's end and appending its claim finds
// another claim before its own and gives up. The other member continues and covers the late
// claim.
func TestLateClaim(t *testing.T) {
	_, log := owned(t, "first", 4, nil)
	late := &Owner{}
	must(t, late.Read(0, log[0]))
	claim := late.Claim("late", 5, 1)
	o, log := owned(t, "next", 6, log)
	log = append(log, claim)
	for i, r := range log[1:] {
		must(t, late.Read(int64(i+1), r))
	}
	if late.Sure() || !late.Lost() {
		t.Error("who claims late is the owner")
	}
	if err := o.Read(2, claim); err != nil || !o.Sure() || !o.Covered() {
		t.Errorf("the owner has lost to who claims late: %v", err)
	}
	again := late.Claim("late", 7, 3) // the late member has joined again and becomes the owner
	if err := late.Read(3, again); err != nil || !late.Sure() {
		t.Error("who has given up cannot claim again")
	}
	if err := o.Read(3, again); err != nil || !o.Lost() {
		t.Error("an owner does not see the next")
	}
}

// Two members claim at the same end, in equal generations of two groups of one name. The
// two never write under the same tuple, even if compaction hides the claim of one member
// from the other.
func TestClaimsAtOneEnd(t *testing.T) {
	a, b := &Owner{}, &Owner{}
	claims := []ledger.Record{a.Claim("a", 1, 0), b.Claim("b", 1, 0)}
	_ = a.Read(0, claims[0])
	_ = b.Read(1, claims[1])
	if x, y := a.Next(), b.Next(); !a.Sure() || !b.Sure() || x.Compare(y) >= 0 {
		t.Errorf("%v and %v", x, y)
	}
	if _ = a.Read(2, ledger.Record{Key: "fetch", Tuple: b.Next()}); !a.Lost() {
		t.Error("the first does not see the second")
	}
}

// In a copied log, offsets are smaller than epochs. Epochs then grow by one.
func TestCopiedLog(t *testing.T) {
	log := []ledger.Record{{Key: "fetch", Tuple: ledger.Tuple{Epoch: 500, Generation: 3, Sequence: 9}}}
	for n := range int64(3) {
		var o *Owner
		o, log = owned(t, fmt.Sprint(n), 1, log)
		if at := o.Next(); at.Epoch != 501+n {
			t.Errorf("owner %d writes under %v", n, at)
		}
		log = append(log, ledger.Record{Key: "fetch", Tuple: o.Next()})
	}
}

// An owner that reads its own records late has nothing to mend, unless an older record
// stands behind a newer record. This happens when a write that was given up succeeds later.
func TestOwnRecords(t *testing.T) {
	o, log := owned(t, "m", 1, nil)
	var written []ledger.Record
	for i := range 3 {
		for _, b := range o.Write(nil, fmt.Append(nil, i)) {
			written = append(written, b...)
		}
	}
	for i, r := range append(written, written[2], written[0]) {
		if err := o.Read(int64(len(log)+i), r); err != nil || o.Covered() != (i == 4) {
			t.Errorf("record %d: covered %v, %v", i, o.Covered(), err)
		}
	}
	if b := o.Mend(); len(b) != 1 || len(b[0]) != 1 || string(b[0][0].Value) != "2" {
		t.Errorf("mends %v", b)
	}
}

// A log with the claim of another version is not to be claimed. Other claims are no reason.
func TestOtherVersion(t *testing.T) {
	const older, newer = "an older version of this program wrote the topic (schema 1, this program knows 2): read the logs again",
		"a newer version of this program wrote the topic (schema 3, this program knows 2): run the newer version"
	for _, c := range []struct{ claim, want string }{{"", ""}, {"x", ""}, {`{"schema":1,"member":"m"}`, older}, {`{"schema":2,"member":"m"}`, ""}, {`{"schema":3}`, newer}} {
		o := &Owner{}
		if c.claim != "" {
			must(t, o.Read(0, ledger.Record{Key: "owner", Value: []byte(c.claim), Tuple: ledger.Tuple{Epoch: 0, Generation: 1}}))
		}
		if err := o.OtherVersion(); (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.claim, err)
		}
	}
}
