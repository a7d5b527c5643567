/* SPDX-License-Identifier: GPL-2.0-or-later */
/* page.js - the report page: theme, sorting, values of points, links between series and rows.
 * Text goes into the page as text only. */
"use strict";

(() => {
	const all = (selector, from = document) => [...from.querySelectorAll(selector)];
	const root = document.documentElement;

	/* A page opened from a file may have no storage. */
	const store = (value) => {
		try {
			if (value)
				localStorage.setItem("will-it-batch-theme", value);
			return localStorage.getItem("will-it-batch-theme");
		} catch {
			return null;
		}
	};

	const isDark = () => (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches
		? "dark" : "light")) === "dark";
	const button = document.getElementById("theme");
	const setTheme = (theme) => {
		if (theme)
			root.dataset.theme = theme;
		button.textContent = isDark() ? "Light theme" : "Dark theme";
	};
	setTheme(["dark", "light"].find((theme) => theme === store()));
	button.addEventListener("click", () => {
		setTheme(isDark() ? "light" : "dark");
		store(root.dataset.theme);
	});

	/* Values: an empty cell comes last whichever way. */
	const compare = (a, b) => {
		if (a === "" || b === "")
			return 0;
		const difference = Number(a) - Number(b);
		return Number.isNaN(difference)
			? a.localeCompare(b, undefined, { numeric: true }) : difference;
	};
	const valueAt = (row, column) => row.cells[column].dataset.v ?? row.cells[column].textContent;
	const sort = (head) => {
		const table = head.closest("table");
		const up = head.getAttribute("aria-sort") !== "ascending";
		const column = head.cellIndex;
		const rows = all("tbody tr", table);
		all("th[aria-sort]", table).forEach((other) => other.removeAttribute("aria-sort"));
		head.setAttribute("aria-sort", up ? "ascending" : "descending");
		rows.sort((a, b) => {
			const x = valueAt(a, column), y = valueAt(b, column);
			return (x === "") - (y === "") || (up ? compare(x, y) : compare(y, x));
		});
		table.tBodies[0].append(...rows);
	};
	all(".sortable thead th").forEach((head) => head.querySelector("button")
		.addEventListener("click", () => sort(head)));

	/* Points: what they tell stands in a title, for pages without script. */
	const tip = document.getElementById("tip");
	const told = new Map();
	let current = null;
	all(".v").forEach((point) => {
		const title = point.querySelector("title");
		told.set(point, title.textContent);
		title.remove();
	});
	const hide = () => {
		current?.classList.remove("at");
		current = null;
		tip.hidden = true;
	};
	const show = (point) => {
		hide();
		current = point;
		point.classList.add("at");
		tip.textContent = told.get(point);
		tip.hidden = false;
		const at = point.getBoundingClientRect(), box = tip.getBoundingClientRect();
		const left = Math.max(4, Math.min(at.left + 14, innerWidth - box.width - 4));
		const over = at.top - box.height - 8;
		tip.style.left = `${left}px`;
		tip.style.top = `${over > 4 ? over : at.bottom + 8}px`;
	};
	document.addEventListener("pointerover", (event) => {
		const point = event.target.closest?.(".v");
		if (point)
			show(point);
		else if (current && !event.target.closest?.(".chart"))
			hide();
	});
	addEventListener("scroll", hide, { passive: true });

	/* Left and right along a curve, up and down between curves. */
	const step = (chart, key) => {
		const curves = all(".s", chart).map((curve) => all(".v", curve))
			.filter((points) => points.length);
		let row = curves.findIndex((points) => points.includes(current));
		if (!curves.length)
			return;
		if (row < 0) {
			show(curves[0][0]);
			return;
		}
		let column = curves[row].indexOf(current);
		column += (key === "ArrowRight") - (key === "ArrowLeft");
		row = (row + (key === "ArrowDown") - (key === "ArrowUp") + curves.length) % curves.length;
		column = Math.max(0, Math.min(column, curves[row].length - 1));
		show(curves[row][column]);
	};
	all(".chart").forEach((chart) => {
		chart.addEventListener("keydown", (event) => {
			if (event.key.startsWith("Arrow")) {
				event.preventDefault();
				step(chart, event.key);
			} else if (event.key === "Escape") {
				hide();
			}
		});
		chart.addEventListener("blur", hide);
	});

	/* A series is shown in all charts and rows of its section; Escape ends that. */
	const mark = (section, names) => {
		all(".on").forEach((item) => item.classList.remove("on"));
		all(".hot").forEach((item) => item.classList.remove("hot"));
		if (!names.length)
			return;
		all("[data-s]", section).forEach((item) => {
			if (item.dataset.s.split(" ").some((name) => names.includes(name))) {
				item.classList.add("on");
				item.closest(".chart")?.classList.add("hot");
			}
		});
	};
	document.addEventListener("click", (event) => {
		const series = event.target.closest?.("[data-s]");
		if (series && event.target.closest("a, .s"))
			mark(series.closest("section"), series.dataset.s.split(" "));
	});
	document.addEventListener("keydown", (event) => {
		if (event.key === "Escape")
			mark(document.body, []);
	});
})();
