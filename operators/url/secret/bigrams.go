package secret

// bigrams holds for each pair of letters how much more often it stands in words than in random
// text: the logarithm to base 2 of the ratio, limited to the range from -5 to 3, plus 5. Rows
// are first letters, columns second. The greatest value of twelve languages counts: Czech,
// Dutch, English, French, German, Indonesian, Italian, Polish, Portuguese, Spanish, Swedish and
// Turkish, each without accents, counted over the words of a dictionary.
const bigrams = "" +
	"87884677778888774888877486" + // a
	"75218232832613600643702053" + // b
	"80708008857525802636631178" + // c
	"84358333844535840663744057" + // d
	"76778576877888674887767577" + // e
	"62047531732511710646521033" + // f
	"73048365826635620674732042" + // g
	"73118231734655710656635053" + // h
	"85878685248888867888576388" + // i
	"81335000603135520272601002" + // j
	"83527324725736820667754072" + // k
	"85478446855776842366752064" + // l
	"87348333823664870454622052" + // m
	"85788586856766733478654286" + // n
	"56677575657878773887788457" + // o
	"82227537712623870855621042" + // p
	"00000000000000000000800000" + // q
	"86578565826776853777755068" + // r
	"85848557858665763478664058" + // s
	"85438447845655830878755076" + // t
	"66658665767778452876555566" + // u
	"82328232704425610552440083" + // v
	"81427004804315620371400083" + // w
	"40303001400100330003200230" + // x
	"84657353656556750565536205" + // y
	"84568143735756740434744087" // z

func bigram(a, b byte) int { return int(bigrams[26*int(a-'a')+int(b-'a')]-'0') - 5 }
