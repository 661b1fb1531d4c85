// Buttons that copy a text or save a table. Without this script the buttons are not shown.
(function () {
	"use strict";
	document.documentElement.classList.add("scripts");

	// A text that a spreadsheet would take for a formula begins with an apostrophe.
	function cell(c) {
		var text = c.textContent.replace(/\s+/g, " ").trim();
		if (/^[=+\-@]/.test(text)) text = "'" + text;
		return '"' + text.replace(/"/g, '""') + '"';
	}

	function save(name, table) {
		var rows = Array.from(table.rows, function (r) { return Array.from(r.cells, cell).join(","); });
		var link = document.createElement("a");
		link.href = URL.createObjectURL(new Blob(["\ufeff" + rows.join("\r\n") + "\r\n"], { type: "text/csv" }));
		link.download = name + ".csv";
		link.click();
		setTimeout(function () { URL.revokeObjectURL(link.href); }, 60000);
	}

	function copy(button, pre) {
		function done() {
			button.textContent = "Copied";
			setTimeout(function () { button.textContent = "Copy"; }, 2000);
		}
		function select() { // where the browser has no clipboard for the page
			document.getSelection().selectAllChildren(pre);
			if (document.execCommand("copy")) done();
		}
		if (navigator.clipboard) navigator.clipboard.writeText(pre.textContent).then(done, select);
		else select();
	}

	document.addEventListener("click", function (e) {
		var button = e.target.closest && e.target.closest("button.tool");
		if (!button) return;
		var next = button.nextElementSibling;
		if (button.dataset.csv) save(button.dataset.csv, next.querySelector("table"));
		else copy(button, next);
	});

	// A link into what is folded opens it.
	function unfold() {
		var part = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
		if (part && part.tagName === "DETAILS") { part.open = true; part.scrollIntoView(); }
	}
	window.addEventListener("hashchange", unfold);
	unfold();
})();
