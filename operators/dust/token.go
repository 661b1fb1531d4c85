package dust

// IsAlnum tells whether a byte belongs to a run that is one token.
func IsAlnum(c byte) bool { return alnum[c] }

var alnum = func() (is [256]bool) {
	for c := range is {
		is[c] = '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
	}
	return is
}()

// AppendCuts appends the byte offsets between the tokens of a URL, ^ and $
// included, which have no bytes: token k is url[cuts[k]:cuts[k+1]]. So the
// first two cuts are 0, the last two len(url), and a URL of n tokens has n+1
// cuts; the empty URL has n = 2. O(len(url)).
func AppendCuts(cuts []int32, url []byte) []int32 {
	cuts = append(cuts, 0)
	inRun := false
	for i, c := range url {
		run := IsAlnum(c)
		if !run || !inRun {
			cuts = append(cuts, int32(i))
		}
		inRun = run
	}
	return append(cuts, int32(len(url)), int32(len(url)))
}

// CountTokens is the number of tokens of a URL, ^ and $ included.
func CountTokens(url []byte) int {
	n, inRun := 2, false
	for _, c := range url {
		run := IsAlnum(c)
		if !run || !inRun {
			n++
		}
		inRun = run
	}
	return n
}

// Boundary tells whether no token of s reaches across offset i.
func Boundary[S ~string | ~[]byte](s S, i int) bool {
	return i == 0 || i == len(s) || !IsAlnum(s[i-1]) || !IsAlnum(s[i])
}
