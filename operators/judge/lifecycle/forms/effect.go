package forms

import (
	"dustbuster/operators/rule"
	"dustbuster/operators/window/waste"
)

// family returns the mask of the families of clients that asked for a page.
func (w *Window) family(page int) uint32 {
	if w.Families == nil {
		return 0
	}
	return w.Families[page]
}

// Effects returns the effects of the rules of L, by place. They are computed at most once. O(bytes of all URLs).
func (w *View) Effects() []waste.Effect {
	if w.effects == nil {
		w.effects = make([]waste.Effect, len(w.List))
		class := waste.CommonClass(w.Window.Pages)
		for page := range w.Window.Pages {
			for _, place := range ChainOf(w.Canonizer, w.Window.Pages[page].URL) {
				w.effects[place].Add(&w.Window.Pages[page], w.Window.family(page), class)
			}
		}
	}
	return w.effects
}

// EffectsOf returns the effects that rules outside L would have, each alone, on the forms. O(URLs + forms that
// the rules may change).
func (w *View) EffectsOf(rules []*rule.Rule) []waste.Effect {
	effects := make([]waste.Effect, len(rules))
	edited := map[int32][]int{} // by form, the places of the rules that edit it
	var url, buf []byte
	for i, r := range rules {
		among, _ := w.Index.MayChange(r)
		for form := range among {
			changed := false
			url = append(url[:0], w.Forms.Texts[form]...)
			if buf, changed = r.Apply(buf[:0], url); changed {
				edited[form] = append(edited[form], i)
			}
		}
	}
	if len(edited) == 0 {
		return effects
	}
	class := waste.CommonClass(w.Window.Pages)
	for page, form := range w.Forms.Of {
		for _, i := range edited[form] {
			effects[i].Add(&w.Window.Pages[page], w.Window.family(page), class)
		}
	}
	return effects
}
