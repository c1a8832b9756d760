/** What holds for every screen: nothing scrolls sideways, nothing is too small to touch or to type in, the Tab key gets everywhere, axe is content. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { AxeBuilder } from '@axe-core/playwright';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Width } from './browser.ts';

const LEAST_TARGET_PX = 44;
/** Text links inside a sentence and what only a screen reader sees are no targets. */
const TARGETS = 'button, a[href], summary, select, input:not([type="checkbox"]):not([type="radio"])';

async function sidewaysBy(page: Page): Promise<number> {
	return await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** Visible targets lower or narrower than a finger, with their words. */
async function tooSmall(page: Page): Promise<string[]> {
	return await page.evaluate(
		({ selector, least }) =>
			[...document.querySelectorAll<HTMLElement>(selector)]
				.filter((target) => target.checkVisibility({ visibilityProperty: true }))
				.filter((target) => !target.closest('.field-box') && !target.matches('.skip-link, .tree-link'))
				.map((target) => ({ target, box: target.getBoundingClientRect() }))
				.filter(({ box }) => box.width > 1 && (box.height < least || box.width < least))
				.map(({ target, box }) => `${target.ariaLabel ?? target.textContent} ${box.width}×${box.height}`),
		{ selector: TARGETS, least: LEAST_TARGET_PX },
	);
}

/** A phone zooms into fields whose letters are smaller, and out of the page. */
const LEAST_LETTERS_PX = 16;

async function zoomedInto(page: Page): Promise<string[]> {
	return await page.evaluate(
		(least) =>
			[...document.querySelectorAll<HTMLElement>('input, select, textarea')]
				.filter((field) => Number.parseFloat(getComputedStyle(field).fontSize) < least)
				.map((field) => field.outerHTML.slice(0, 120)),
		LEAST_LETTERS_PX,
	);
}

/** Letters of a drawing, such as a crest's, are sized with the drawing. */
const LEAST_TEXT_PX = 12;

async function smallText(page: Page): Promise<string[]> {
	return await page.evaluate((least) => {
		const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		const small: string[] = [];
		for (let node = walk.nextNode(); node; node = walk.nextNode()) {
			const element = node.parentElement;
			if (!node.textContent?.trim() || !element || element.closest('svg, script, style, noscript')) continue;
			if (Number.parseFloat(getComputedStyle(element).fontSize) < least) small.push(node.textContent);
		}
		return small;
	}, LEAST_TEXT_PX);
}

/** The builder's own axe has its comments, which every page would be sent and read. */
const BUILDER = createRequire(import.meta.url).resolve('@axe-core/playwright');
const AXE = readFileSync(createRequire(BUILDER).resolve('axe-core/axe.min.js'), 'utf8');

export const CONTRAST = 'color-contrast';

/** What axe finds in a page, each rule with the place. */
export async function findings(page: Page, narrow: (axe: AxeBuilder) => AxeBuilder = (axe) => axe): Promise<string[]> {
	// To read axe takes as long as many of its looks, so a page that has it is not given it again.
	const has = await page.evaluate(() => 'axe' in globalThis);
	// Without other origins' frames there is nothing to be put together from many pages; and only findings are looked at.
	const axe = new AxeBuilder({ page, axeSource: has ? 'void 0' : AXE })
		.setLegacyMode()
		.options({ resultTypes: ['violations'], preload: SEES_EVERY_STATE });
	const { violations } = await narrow(axe).analyze();
	return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

async function expectFits(page: Page, width: Width): Promise<void> {
	expect(await sidewaysBy(page), page.url()).toBeLessThanOrEqual(0);
	expect(await smallText(page), page.url()).toEqual([]);
	if (width === 'phone') expect([...(await tooSmall(page)), ...(await zoomedInto(page))]).toEqual([]);
}

/**
 * A look of axe costs as much CPU as loading the page, so `npm test` gives it to each screen once and to what opens over
 * one. With the thorough tests it is given to every state that a test comes to.
 */
export const SEES_EVERY_STATE = process.env['TESTS'] === 'all';

/**
 * All of a screen, which its own test looks at.
 * @param rules of axe; all, unless the same screen was looked at in other colours already
 */
export async function expectFineScreen(page: Page, width: Width, rules: string[] | null = null): Promise<void> {
	await expectFits(page, width);
	expect(await findings(page, (axe) => (rules ? axe.withRules(rules) : axe)), page.url()).toEqual([]);
}

/** A state of a screen that another test comes to. @param rules of axe */
export async function expectFine(page: Page, width: Width, rules: string[] | null = null): Promise<void> {
	if (SEES_EVERY_STATE) await expectFineScreen(page, width, rules);
	else await expectFits(page, width);
}

/** A screen in a frame that was looked at already: `npm test` looks at its content alone, which costs a fraction of all of it. */
export async function expectFineContent(page: Page, width: Width): Promise<void> {
	if (SEES_EVERY_STATE) await expectFineScreen(page, width);
	else await expectFinePart(page, width, 'main');
}

/** @param part a selector: what opened on a screen whose rest was looked at already, which costs a fraction of all of it */
export async function expectFinePart(page: Page, width: Width, part: string): Promise<void> {
	await expectFits(page, width);
	expect(await findings(page, (axe) => axe.include(part)), page.url()).toEqual([]);
}

/** Words of the site that do not fit where they stand; names of sides and matches may be cut. */
export async function cutTexts(page: Page, script: RegExp): Promise<string[]> {
	const cut = await page.evaluate(() =>
		[...document.querySelectorAll<HTMLElement>('body *')]
			.filter((element) => element.childElementCount === 0 && element.clientWidth > 1)
			.filter((element) => element.checkVisibility({ visibilityProperty: true }))
			.filter((element) => getComputedStyle(element).overflowX !== 'visible')
			.filter((element) => element.scrollWidth > element.clientWidth + 1)
			.map((element) => element.textContent.trim()),
	);
	return cut.filter((text) => script.test(text) && !/[A-Za-z]{3}/.test(text));
}

/** The texts that a page shows, and the names that it gives to its elements. */
export async function shownTexts(page: Page): Promise<string[]> {
	return await page.evaluate(() => {
		const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		const texts: string[] = [];
		for (let node = walk.nextNode(); node; node = walk.nextNode()) {
			if (!node.parentElement?.closest('script, style, noscript')) texts.push(node.textContent ?? '');
		}
		for (const named of document.querySelectorAll<HTMLElement>('[aria-label], [placeholder], [title]')) {
			texts.push(...['aria-label', 'placeholder', 'title'].map((name) => named.getAttribute(name) ?? ''));
		}
		return texts.map((text) => text.trim()).filter((text) => text !== '');
	});
}

/** The same of one screen among many, in both themes: in light, the frame around it has its colours from every other. */
export async function expectFineInBothThemes(page: Page, width: Width): Promise<void> {
	await wear(page, 'dark');
	await expectFine(page, width);
	if (!SEES_EVERY_STATE) return;
	await wear(page, 'light');
	expect(await findings(page, (axe) => axe.include('main').withRules([CONTRAST])), page.url()).toEqual([]);
}

/** A theme's colours on the screen that stands; how a theme is chosen is another test's. */
export async function wear(page: Page, theme: 'dark' | 'light'): Promise<void> {
	await page.evaluate((worn) => {
		document.documentElement.classList.remove('dark', 'light');
		document.documentElement.classList.add(worn);
	}, theme);
}

/** What can be used by keyboard; of radio buttons one stands for its group. */
const STOPS = 'a[href], button, input:not([type="radio"]), select, textarea, summary, [tabindex="0"]';
const MOST_STOPS = 300;

/** The findings of a walk, as the page keeps them. */
interface Walk {
	unseen: string[];
	left: boolean;
}

/**
 * The Tab key reaches all of a screen's content, or of the dialog above it, and the focus is visible. A market may close during the walk: a
 * control that is disabled for a moment need not be reached.
 */
export async function expectReachable(page: Page): Promise<void> {
	const shown = page.locator('main, dialog:modal .modal').last();
	const content = await shown.evaluate((main: HTMLElement, stops) => {
		const isUsable = (stop: HTMLElement): boolean =>
			!stop.matches(':disabled') && stop.tabIndex >= 0 && stop.checkVisibility({ visibilityProperty: true });
		for (const stop of main.querySelectorAll<HTMLElement>(stops)) if (isUsable(stop)) stop.dataset['unreached'] = '';
		const excuse = (stop: HTMLElement): void => {
			if (!isUsable(stop)) delete stop.dataset['unreached'];
		};
		const closed = new MutationObserver((changes) => {
			for (const { target } of changes) excuse(target as HTMLElement);
		});
		closed.observe(main, { subtree: true, attributeFilter: ['disabled', 'tabindex', 'hidden'] });
		const walk: Walk = { unseen: [], left: false };
		document.addEventListener('focusin', ({ target }) => {
			const element = target as HTMLElement;
			walk.left ||= !main.contains(element);
			if (walk.left) {
				for (const stop of main.querySelectorAll<HTMLElement>('[data-unreached]')) excuse(stop);
				return;
			}
			delete element.dataset['unreached'];
			const marks = [element, element.closest('.field-box')].map((marked) => marked && getComputedStyle(marked));
			const seen = marks.some((style) => style && (style.outlineStyle !== 'none' || style.boxShadow !== 'none'));
			if (!seen) walk.unseen.push(element.outerHTML.slice(0, 120));
		});
		main.tabIndex = -1;
		main.focus();
		walk.unseen = [];
		Object.assign(globalThis, { walk });
		return main.querySelectorAll('[data-unreached]').length;
	}, STOPS);
	const walked = () =>
		page.evaluate(() => {
			const { walk } = globalThis as unknown as { walk: Walk };
			// From a page without a frame around its content the focus goes to the browser, from a dialog nowhere.
			const isWalked = document.activeElement === document.body || !document.querySelector('[data-unreached]');
			return { ...walk, left: walk.left || isWalked };
		});
	const press = (times: number) => Promise.all(Array.from({ length: times }, () => page.keyboard.press('Tab')));
	// As many as the content has stops, at once: each look between two presses costs as much as a press.
	await press(Math.min(content, MOST_STOPS));
	for (let stop = content; stop < MOST_STOPS && !(await walked()).left; stop++) await press(1);
	const unreached = await page
		.locator('[data-unreached]')
		.evaluateAll((stops) => stops.map((stop) => stop.outerHTML.slice(0, 120)));
	expect({ unseen: (await walked()).unseen, unreached }, page.url()).toEqual({ unseen: [], unreached: [] });
}

/** Lines of the tree that a screen reader walks, in their order; others may stand between them. */
export async function expectTree(part: Locator, lines: string[]): Promise<void> {
	const tree = (await part.ariaSnapshot()).split('\n').map((line) => line.trim());
	let from = 0;
	const missing = lines.filter((line) => {
		const at = tree.indexOf(line, from);
		if (at >= 0) from = at + 1;
		return at < 0;
	});
	expect(missing, tree.join('\n')).toEqual([]);
}
