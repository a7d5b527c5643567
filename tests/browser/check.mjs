// SPDX-License-Identifier: GPL-2.0-or-later
// check.mjs - drives a Chromium through a report page: node check.mjs PAGE.html FOLDER HOSTILE.html
//
// No console error, no request leaves the page, sorting, theme, links, values of points and keys
// work, and at a phone's width nothing sticks out. Screenshots are kept in FOLDER. A finding is one
// line; the exit status is 1 if there is any.
import { existsSync, mkdirSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const [page_file, folder, hostile_file] = process.argv.slice(2);
const browser_file = process.env.CHROMIUM ?? PLACES.find(existsSync);
const findings = [];
let checks = 0;

if (!hostile_file || !browser_file) {
	console.error(hostile_file ? "check.mjs: no chromium: install the Debian package chromium"
		: "usage: node check.mjs PAGE.html FOLDER HOSTILE.html");
	process.exit(2);
}

function check(good, what) {
	checks++;
	if (!good)
		findings.push(what);
}

// A page whose errors and requests are findings.
async function open(browser, file, options) {
	const context = await browser.newContext(options);
	const page = await context.newPage();
	const url = pathToFileURL(file).href;
	page.on("console", (message) => ["error", "warning"].includes(message.type()) &&
		findings.push(`${file}: console: ${message.text()}`));
	page.on("pageerror", (error) => findings.push(`${file}: ${error.message}`));
	page.on("dialog", (dialog) => { findings.push(`${file}: a dialog`); dialog.dismiss(); });
	page.on("request", (request) => request.url().split("#")[0] === url ||
		request.url().startsWith("data:") || findings.push(`${file}: asks for ${request.url()}`));
	await page.goto(url);
	return page;
}

async function check_sort(page) {
	const table = page.locator("table.sortable").first();
	const heads = await table.locator("thead th").allTextContents();
	const at = heads.findIndex((head) => head.trim() === "ops/s");
	const values = () => table.locator("tbody tr").evaluateAll((rows, column) =>
		rows.map((row) => Number(row.cells[column].dataset.v)), at);
	const is_sorted = (list, sign) => list.every((value, i) => !i || sign * (value - list[i - 1]) >= 0);
	const before = await values();

	check(at > 0 && before.length > 3 && !is_sorted(before, 1), "the table is sorted already");
	await table.locator("thead th button").nth(at).click();
	check(is_sorted(await values(), 1), "a click does not sort upwards");
	check(await table.locator("thead th").nth(at).getAttribute("aria-sort") === "ascending",
		"the head does not tell that it is sorted");
	await table.locator("thead th button").nth(at).press("Enter");
	check(is_sorted(await values(), -1), "the Enter key does not sort downwards");
	check((await values()).length === before.length, "sorting loses rows");
	await table.locator("thead th button").first().click();
	const names = await table.locator("tbody th").allTextContents();
	check(names.join() === [...names].sort((a, b) =>
		a.localeCompare(b, undefined, { numeric: true })).join(), "text is not sorted");
	const other = page.locator("table.sortable", { hasText: "bound" }).first();
	const bound = (await other.locator("thead th").allTextContents())
		.findIndex((head) => head.trim() === "bound");
	for (const way of ["ascending", "descending"]) {
		await other.locator("thead th button").nth(bound).click();
		check(await other.locator("thead th").nth(bound).getAttribute("aria-sort") === way &&
			await other.locator("tbody tr").last().locator("td").nth(bound - 1)
				.textContent() === "", `empty cells do not come last when ${way}`);
	}
}

async function check_theme(page) {
	const back = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
	const light = await back();

	await page.locator("#theme").click();
	const dark = await back();
	check(light === "rgb(255, 255, 255)" && dark !== light, `the theme does not change: ${dark}`);
	check(await page.locator("#theme").textContent() === "Light theme", "the button does not follow");
	await page.screenshot({ path: `${folder}/report-dark.png`, fullPage: true });
	await page.reload();
	check(await back() === dark, "the theme is forgotten");
	await page.locator("#theme").press("Space");
	check(await back() === light, "the theme does not change back by key");
}

async function check_links(page) {
	const broken = await page.evaluate(() => [...document.querySelectorAll('a[href^="#"]')]
		.map((link) => link.getAttribute("href").slice(1))
		.filter((id) => document.querySelectorAll(`[id="${id}"]`).length !== 1));
	check(!broken.length, `links that lead nowhere: ${broken.slice(0, 5)}`);
	const twice = await page.evaluate(() => {
		const ids = [...document.querySelectorAll("[id]")].map((item) => item.id);
		return ids.filter((id, i) => ids.indexOf(id) !== i);
	});
	check(!twice.length, `ids that are there twice: ${twice.slice(0, 5)}`);
	const entry = page.locator('figure[data-kind="scaling"] .legend li[data-s]').nth(1);
	const series = await entry.getAttribute("data-s");
	await entry.locator("a").click();
	const row = page.locator(`tr[id="${series}"]`);
	check(await row.evaluate((item) => {
		const box = item.getBoundingClientRect();
		return box.top >= 0 && box.bottom <= innerHeight;
	}), "a legend's entry does not show its rows");
	check(await row.locator("th").textContent() === (await entry.textContent()).trim(),
		"the row is another series");
	const marked = page.locator(".chart .s.on");
	check(await marked.count() >= 3, "the series is not marked in all charts");
	await page.keyboard.press("Escape");
	check(await marked.count() === 0, "Escape does not end the marks");
	await row.locator("a").click();
	check(await marked.count() >= 3, "a row does not mark its series");
	check(await page.evaluate(() => scrollY) > 0 &&
		await page.locator("figure").first().isVisible(), "a row does not lead to the charts");
	await page.keyboard.press("Escape");
}

async function check_points(page) {
	const chart = page.locator('figure[data-kind="tradeoff"] .chart').first();
	const tip = page.locator("#tip");

	await chart.scrollIntoViewIfNeeded();
	await chart.locator(".v").first().hover();
	const told = await tip.textContent();
	check(await tip.isVisible() && /ops\/s/.test(told), `a point tells nothing: ${told}`);
	await chart.focus();
	await page.keyboard.press("ArrowRight");
	const first = await tip.textContent();
	await page.keyboard.press("ArrowDown");
	const other = await tip.textContent();
	check(await tip.isVisible() && first !== other, "arrow keys do not go through points");
	const box = await tip.boundingBox(), view = page.viewportSize();
	check(box.x >= 0 && box.y >= 0 && box.x + box.width <= view.width + 1, "a value is off the screen");
	await page.keyboard.press("Escape");
	check(!await tip.isVisible(), "Escape does not end a value");
	check(await page.locator(".chart").count() >= 8, "charts are missing");
	// Text of a chart stays inside it.
	const outside = await page.evaluate(() => [...document.querySelectorAll(".chart")].flatMap((svg) => {
		const view = svg.viewBox.baseVal;
		return [...svg.querySelectorAll("text")].filter((text) => {
			const box = svg.getScreenCTM().inverse();
			const rect = text.getBoundingClientRect();
			const left = rect.left * box.a + box.e, right = rect.right * box.a + box.e;
			return left < -2 || right > view.width + 2;
		}).map((text) => text.textContent);
	}));
	check(!outside.length, `text sticks out of charts: ${outside.slice(0, 5)}`);
}

async function check_keyboard(page) {
	await page.evaluate(() => { scrollTo(0, 0); document.activeElement.blur(); });
	const seen = [];
	for (let i = 0; i < 4; i++) {
		await page.keyboard.press("Tab");
		seen.push(await page.evaluate(() => document.activeElement.id ||
			document.activeElement.className || document.activeElement.tagName));
	}
	check(seen[0] === "skip" && seen[1] === "theme", `Tab goes another way: ${seen}`);
}

async function check_phone(browser) {
	const page = await open(browser, page_file, { viewport: { width: 360, height: 740 },
		deviceScaleFactor: 2, hasTouch: true, isMobile: true });
	const width = () => page.evaluate(() => document.documentElement.scrollWidth);

	check(await width() <= 360, `at 360 px the page is ${await width()} px wide`);
	await page.evaluate(() => document.querySelectorAll("details").forEach((item) => { item.open = true; }));
	check(await width() <= 360, `with all opened the page is ${await width()} px wide`);
	await page.screenshot({ path: `${folder}/report-phone.png`,
		clip: { x: 0, y: 0, width: 360, height: 4000 }, fullPage: true });
	await page.context().close();
}

// Markup and script in names of a result file stay words.
async function check_hostile(browser) {
	for (const viewport of [{ width: 1280, height: 900 }, { width: 360, height: 740 }]) {
		const page = await open(browser, hostile_file, { viewport });

		check(await page.title() !== "PWNED", "a name ran as script");
		check(await page.locator("img, iframe, object, main script").count() === 0, "a name is markup");
		check((await page.locator("main").textContent()).includes("<script>"), "a name is not shown");
		check(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
			`hostile names make the page wider than ${viewport.width} px`);
		await page.context().close();
	}
}

mkdirSync(folder, { recursive: true });
// A browser has no sandbox for root.
const browser = await chromium.launch({ executablePath: browser_file,
	args: process.getuid() === 0 ? ["--no-sandbox"] : [] });
try {
	const page = await open(browser, page_file, { viewport: { width: 1280, height: 900 },
		colorScheme: "light" });
	await page.screenshot({ path: `${folder}/report-light.png`, fullPage: true });
	for (const step of [check_keyboard, check_sort, check_links, check_points, check_theme])
		await step(page);
	check(await (await open(browser, page_file, { colorScheme: "dark" })).evaluate(() =>
		getComputedStyle(document.body).backgroundColor) !== "rgb(255, 255, 255)",
		"a dark system does not get the dark theme");
	await check_phone(browser);
	await check_hostile(browser);
} finally {
	await browser.close();
}
for (const finding of findings)
	console.error(`check.mjs: ${finding}`);
console.log(`${checks} checks, ${findings.length} findings; screenshots in ${folder}`);
process.exit(findings.length ? 1 : 0);
