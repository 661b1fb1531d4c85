package secret

import "strings"

// form describes the keys of a service: the prefix, and the least number and the kind of
// the bytes that follow.
type form struct {
	prefix string
	least  int
	body   body
}

// body is the kind of the bytes that follow a prefix.
type body uint8

const (
	word   body = iota // letters and digits
	dashes             // and - and _
	dotted             // and - and _ and .
	upper              // upper-case letters and digits
)

// forms lists the keys that secret scanners recognize by their beginning. Prefixes and
// lengths are facts from gitleaks (config/gitleaks.toml), from GitHub's list of supported
// secret scanning patterns, and from the services' own pages. Keys without a prefix of
// their own are left to random.
var forms = []form{
	{"AKIA", 16, upper}, {"ASIA", 16, upper}, {"ABIA", 16, upper}, {"ACCA", 16, upper}, {"A3T", 17, upper}, // AWS
	{"ghp_", 36, word}, {"gho_", 36, word}, {"ghu_", 36, word}, {"ghs_", 36, word}, {"ghr_", 36, word}, {"github_pat_", 22, word}, // GitHub
	{"glpat-", 20, dashes}, {"glptt-", 20, dashes}, {"gldt-", 20, dashes}, {"glrt-", 20, dashes}, {"glcbt-", 20, dashes}, {"glimt-", 20, dashes}, // GitLab
	{"glagent-", 20, dashes}, {"gloas-", 20, dashes}, {"glsoat-", 20, dashes}, {"glffct-", 20, dashes}, {"glft-", 20, dashes},
	{"xoxb-", 10, dashes}, {"xoxp-", 10, dashes}, {"xoxa-", 8, dashes}, {"xoxr-", 8, dashes}, {"xoxs-", 8, dashes}, {"xoxo-", 8, dashes}, // Slack
	{"xoxe-", 10, dashes}, {"xoxe.xox", 10, dashes}, {"xapp-", 10, dashes},
	{"sk_live_", 16, word}, {"rk_live_", 16, word}, {"pk_live_", 16, word}, {"sk_test_", 16, word}, {"rk_test_", 16, word}, {"pk_test_", 16, word}, // Stripe
	{"sk_prod_", 16, word}, {"rk_prod_", 16, word}, {"whsec_", 32, word},
	{"AIza", 35, dashes}, {"GOCSPX-", 28, dashes}, {"ya29.", 20, dashes}, // Google
	{"eyJ", 17, dashes},                           // JSON in base64, as in a JSON Web Token
	{"SG.", 66, dotted}, {"xkeysib-", 64, dashes}, // SendGrid, Brevo
	{"npm_", 36, word}, {"pypi-", 50, dashes}, {"rubygems_", 48, word}, {"CLOJARS_", 60, word}, // registries
	{"dckr_pat_", 27, dashes}, {"dckr_oat_", 27, dashes}, // Docker
	{"sk-ant-", 24, dashes}, {"sk-proj-", 40, dashes}, {"sk-svcacct-", 40, dashes}, {"sk-admin-", 40, dashes}, {"sk-", 40, word}, // Anthropic, OpenAI
	{"hf_", 34, word}, {"api_org_", 34, word}, {"pplx-", 48, word}, // Hugging Face, Perplexity
	{"dop_v1_", 64, word}, {"doo_v1_", 64, word}, {"dor_v1_", 64, word}, // DigitalOcean
	{"shpat_", 32, word}, {"shpca_", 32, word}, {"shppa_", 32, word}, {"shpss_", 32, word}, // Shopify
	{"sq0atp-", 22, dashes}, {"sq0csp-", 22, dashes}, {"EAAA", 22, dashes}, {"EAAC", 60, word}, {"EAAM", 60, word}, // Square, Facebook
	{"hvs.", 24, dashes}, {"hvb.", 24, dashes}, {"dp.pt.", 40, word}, {"PMAK-", 24, word}, {"pul-", 40, word}, // Vault, Doppler, Postman, Pulumi
	{"glsa_", 32, word}, {"glc_", 32, word}, {"dapi", 32, word}, {"dt0c01.", 24, word}, {"NRAK-", 27, word}, // Grafana, Databricks, Dynatrace, New Relic
	{"NRII-", 32, dashes}, {"NRJS-", 19, word}, {"sntrys_", 40, dashes}, {"sntryu_", 64, word}, // Sentry
	{"ATATT3", 60, dashes}, {"lin_api_", 40, word}, {"ntn_", 46, word}, {"secret_", 43, word}, {"tfp_", 40, dashes}, // Atlassian, Linear, Notion, Typeform
	{"pscale_tkn_", 32, dotted}, {"pscale_oauth_", 32, dotted}, {"pscale_pw_", 32, dotted}, {"pnu_", 36, word}, {"rdme_", 70, word}, // PlanetScale, Prefect, ReadMe
	{"shippo_live_", 40, word}, {"shippo_test_", 40, word}, {"duffel_live_", 43, dashes}, {"duffel_test_", 43, dashes}, {"EZAK", 54, word}, {"EZTK", 54, word}, // Shippo, Duffel, EasyPost
	{"fo1_", 43, dashes}, {"sgp_", 40, word}, {"AKCp", 69, word}, {"LTAI", 20, word}, {"p8e-", 32, word}, {"API-", 26, upper}, // Fly.io, Sourcegraph, Artifactory, Alibaba, Adobe, Octopus
	{"FLWSECK_TEST-", 12, word}, {"sm_aat_", 16, word}, {"sm_pat_", 16, word}, {"sm_sat_", 16, word}, {"fio-u-", 60, dashes}, {"tk-us-", 48, dashes}, // Flutterwave, Settlemint, Frame.io, Scalingo
	{"AGE-SECRET-KEY-1", 40, upper}, {"ops_eyJ", 60, word}, // age, 1Password
}

// byFirst holds the forms by the first byte of their prefix.
var byFirst = func() (all [256][]form) {
	for _, f := range forms {
		all[f.prefix[0]] = append(all[f.prefix[0]], f)
	}
	return all
}()

// hasPrefix reports whether a text begins with a key of a known form.
func hasPrefix(text string) bool {
	for _, f := range byFirst[text[0]] {
		if len(text) > 1 && text[1] == f.prefix[1] && strings.HasPrefix(text, f.prefix) && f.body.fills(text[len(f.prefix):], f.least) {
			return true
		}
	}
	return false
}

// fills reports whether the first n bytes of a text are of the kind.
func (b body) fills(text string, n int) bool {
	if len(text) < n {
		return false
	}
	for i := range n {
		if !b.has(text[i]) {
			return false
		}
	}
	return true
}

func (b body) has(c byte) bool {
	switch {
	case b == upper:
		return kind(c) == digit || 'A' <= c && c <= 'Z'
	case kind(c) != other:
		return true
	case c == '.':
		return b == dotted
	}
	return (c == '-' || c == '_') && b != word
}

// privateKey is in the first line of a private key in PEM. A query has + for a space.
const privateKey = "PRIVATE KEY"

// hasKey reports whether a text holds the beginning of a private key: BEGIN, perhaps an
// algorithm, and PRIVATE KEY.
func hasKey(text string) bool {
	_, rest, found := strings.Cut(text, "BEGIN")
	if !found {
		return false
	}
	rest = strings.ReplaceAll(rest[:min(len(rest), 100)], "+", " ")
	return strings.Contains(rest, privateKey)
}
