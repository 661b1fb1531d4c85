// Replaces the parts of the page that carry data-live whenever the daemon's state has changed.
// Without this script the page stays as it was until it is loaded again.
(function () {
	"use strict";
	var source = null, busy = false, again = false, tag = "", here = location.pathname + location.search;

	function say(text) {
		var p = document.querySelector(".away");
		if (!text) { if (p) p.remove(); return; }
		if (!p) {
			p = document.createElement("p");
			p.className = "away";
			p.setAttribute("role", "status");
			document.body.append(p);
		}
		if (p.textContent !== text) p.textContent = text;
	}

	// A part in which the reader works stays as it is.
	function inUse(part) {
		var chosen = document.getSelection();
		return part.contains(document.activeElement) || chosen && !chosen.isCollapsed && part.contains(chosen.anchorNode);
	}

	function replace(part, next) {
		if (part.innerHTML === next.innerHTML || inUse(part)) return;
		var open = Array.from(part.querySelectorAll("details"), function (d) { return d.open; });
		part.replaceChildren.apply(part, Array.from(document.adoptNode(next).childNodes));
		part.querySelectorAll("details").forEach(function (d, i) { d.open = !!open[i]; });
	}

	function refresh() {
		if (busy) { again = true; return; }
		busy = true;
		fetch(here, { headers: { "Accept": "text/html", "If-None-Match": tag || "\"\"" }, credentials: "same-origin" }).then(function (answer) {
			if (answer.status === 304) { say(""); return null; }
			if (answer.status === 401) { say("The login has ended: load the page again."); return null; }
			if (!answer.ok) { say("The page is gone: load it again."); return null; }
			tag = answer.headers.get("ETag") || "";
			return answer.text();
		}).then(function (text) {
			if (text === null) return;
			say("");
			var next = new DOMParser().parseFromString(text, "text/html");
			document.querySelectorAll("[data-live][id]").forEach(function (part) {
				var with_ = next.getElementById(part.id);
				if (with_) replace(part, with_);
			});
			document.documentElement.dataset.refreshed = Date.now();
		}).catch(function () {
			say("The daemon does not answer. The page shows what was true before.");
		}).finally(function () {
			busy = false;
			if (again) { again = false; refresh(); }
		});
	}

	function listen() {
		if (source || document.hidden) return;
		source = new EventSource("api/v1/changes?rules=no");
		source.addEventListener("state", function () { setTimeout(refresh, 1100); }); // a page may be a second old
		source.onerror = function () {
			say("The daemon does not answer. The page shows what was true before.");
			if (source && source.readyState === EventSource.CLOSED) { // refused: too many pages are open, or the login has ended
				source = null;
				setTimeout(function () { refresh(); listen(); }, 15000);
			}
		};
	}

	// A page that nobody sees takes no connection: a browser has only six for a host.
	function watch() {
		if (document.hidden) { if (source) { source.close(); source = null; } }
		else listen();
	}

	if (!document.querySelector("[data-live]")) return;
	document.addEventListener("visibilitychange", watch);
	window.addEventListener("pagehide", function () { if (source) { source.close(); source = null; } });
	window.addEventListener("pageshow", watch);
	watch();
})();
