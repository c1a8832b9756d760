/** What holds for every screen: nothing scrolls sideways, nothing is too small to touch or to type in, the Tab key gets everywhere, axe is content. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type Axe from 'axe-core';
import type { RunOptions } from 'axe-core';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { IS_WHOLE } from '../support/whole-run.ts';
import type { Width } from './browser.ts';
import { faintTexts } from './contrast.ts';

const LEAST_TARGET_PX = 44;
/** Text links inside a sentence and what only a screen reader sees are no targets. */
const TARGETS = 'button, a[href], summary, select, input:not([type="checkbox"]):not([type="radio"])';

/** A phone zooms into fields whose letters are smaller, and out of the page. */
const LEAST_LETTERS_PX = 16;
/** Letters of a drawing, such as a crest's, are sized with the drawing. */
const LEAST_TEXT_PX = 12;

/** What is wrong with the sizes of a page's parts. */
interface Misfits {
	/** By how much it scrolls. */
	sideways: number;
	smallText: string[];
	/** Visible targets lower or narrower than a finger, with their words. */
	smallTargets: string[];
	/** Fields into which a phone zooms. */
	zoomed: string[];
}

/** All of them in one look: each answer of a page costs it and the test more than its own look. */
async function misfitsOf(page: Page): Promise<Misfits> {
	return await page.evaluate(
		({ targets, leastTarget, leastLetters, leastText }) => {
			const { scrollWidth, clientWidth } = document.documentElement;
			const sizeOf = (element: Element) => Number.parseFloat(getComputedStyle(element).fontSize);
			const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
			const smallText: string[] = [];
			for (let node = walk.nextNode(); node; node = walk.nextNode()) {
				const element = node.parentElement;
				if (!node.textContent?.trim() || !element || element.closest('svg, script, style, noscript')) continue;
				if (sizeOf(element) < leastText) smallText.push(node.textContent);
			}
			const smallTargets = [...document.querySelectorAll<HTMLElement>(targets)]
				.filter((target) => target.checkVisibility({ visibilityProperty: true }))
				.filter((target) => !target.closest('.field-box') && !target.matches('.skip-link, .tree-link'))
				.map((target) => ({ target, box: target.getBoundingClientRect() }))
				.filter(({ box }) => box.width > 1 && (box.height < leastTarget || box.width < leastTarget))
				.map(({ target, box }) => `${target.ariaLabel ?? target.textContent} ${box.width}×${box.height}`);
			const zoomed = [...document.querySelectorAll<HTMLElement>('input, select, textarea')]
				.filter((field) => sizeOf(field) < leastLetters)
				.map((field) => field.outerHTML.slice(0, 120));
			return { sideways: scrollWidth - clientWidth, smallText, smallTargets, zoomed };
		},
		{
			targets: TARGETS,
			leastTarget: LEAST_TARGET_PX,
			leastLetters: LEAST_LETTERS_PX,
			leastText: LEAST_TEXT_PX,
		},
	);
}

/** Without its comments, which every page would be sent and read. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export const CONTRAST = 'color-contrast';

/** What axe looks at. */
export interface Look {
	/** A selector; all of the page without one. */
	part?: string;
	/** Rules; all without them. */
	rules?: readonly string[] | null;
	/** Rules that are left out of all. */
	without?: readonly string[];
}

/** What axe finds in a page, each rule with the place. */
export async function findings(page: Page, { part, rules, without = [] }: Look = {}): Promise<string[]> {
	// To read axe takes as long as many of its looks, so a page that has it is not given it again.
	if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
	const options: RunOptions = {
		resultTypes: ['violations'],
		reporter: 'no-passes',
		preload: SEES_EVERY_STATE,
		...(rules ? { runOnly: { type: 'rule', values: [...rules] } } : {}),
		rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])),
	};
	return await page.evaluate(
		async ({ within, asked }) => {
			const { axe } = globalThis as unknown as { axe: typeof Axe };
			const { violations } = await axe.run(within ? { include: [within] } : document, asked);
			return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
		},
		{ within: part, asked: options },
	);
}

async function expectFits(page: Page, width: Width): Promise<void> {
	const { sideways, smallText, smallTargets, zoomed } = await misfitsOf(page);
	expect(sideways, page.url()).toBeLessThanOrEqual(0);
	expect(smallText, page.url()).toEqual([]);
	if (width === 'phone') expect([...smallTargets, ...zoomed], page.url()).toEqual([]);
}

/**
 * A look of axe costs as much CPU as loading the page, so `npm test` gives it to each screen once and to what opens over
 * one. With the thorough tests it is given to every state that a test comes to.
 */
export const SEES_EVERY_STATE = IS_WHOLE;

/**
 * All of a screen, which its own test looks at.
 * @param rules of axe; all, unless the same screen was looked at in other colours already
 */
export async function expectFineScreen(page: Page, width: Width, rules: string[] | null = null): Promise<void> {
	await expectFits(page, width);
	expect(await findings(page, { rules }), page.url()).toEqual([]);
}

/** A state of a screen that another test comes to. @param rules of axe */
export async function expectFine(page: Page, width: Width, rules: string[] | null = null): Promise<void> {
	if (SEES_EVERY_STATE) await expectFineScreen(page, width, rules);
	else await expectFits(page, width);
}

/**
 * What is wrong in a part of a screen whose rest was looked at already. `npm test` compares the colours by itself, in both
 * themes, because that is two fifths of axe's look.
 * @param part a selector
 */
export async function flaws(page: Page, part: string): Promise<string[]> {
	if (SEES_EVERY_STATE) return await findings(page, { part });
	return [...(await faintTexts(page, part)), ...(await findings(page, { part, without: [CONTRAST] }))];
}

/** A screen in a frame that was looked at already: `npm test` looks at its content alone, which costs a fraction of all of it. */
export async function expectFineContent(page: Page, width: Width): Promise<void> {
	if (SEES_EVERY_STATE) await expectFineScreen(page, width);
	else await expectFinePart(page, width, 'main');
}

/** @param part a selector: what opened on a screen whose rest was looked at already, which costs a fraction of all of it */
export async function expectFinePart(page: Page, width: Width, part: string): Promise<void> {
	await expectFits(page, width);
	expect(await flaws(page, part), page.url()).toEqual([]);
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
	expect(await findings(page, { part: 'main', rules: [CONTRAST] }), page.url()).toEqual([]);
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

/** What a page says of a stop, held by the page, which is passed no functions. */
const stopChecksIn = (page: Page) =>
	page.evaluateHandle(() => ({
		isUsable: (stop: HTMLElement): boolean =>
			!stop.matches(':disabled') && stop.tabIndex >= 0 && stop.checkVisibility({ visibilityProperty: true }),
		/** Of one that has the focus. */
		isSeen: (stop: HTMLElement): boolean =>
			[stop, stop.closest('.field-box')]
				.map((marked) => marked && getComputedStyle(marked))
				.some((style) => style && (style.outlineStyle !== 'none' || style.boxShadow !== 'none')),
	}));

/** What a screen shows, or the dialog above it. */
const contentOf = (page: Page): Locator => page.locator('main, dialog:modal .modal').last();

/**
 * The Tab key reaches all of a screen's content, and the focus is visible. `npm test` gives the key once, and then the
 * focus to each stop as the key would: a press costs as much as the rest of the walk.
 */
export async function expectReachable(page: Page): Promise<void> {
	await (SEES_EVERY_STATE ? expectTabWalks(page) : expectStops(page));
}

async function expectStops(page: Page): Promise<void> {
	const main = contentOf(page);
	const checks = await stopChecksIn(page);
	const had = await main.evaluate(
		(content: HTMLElement, { stops, checks: { isUsable } }) => {
			content.tabIndex = -1;
			content.focus();
			delete content.dataset['entered'];
			content.addEventListener('focusin', () => Object.assign(content.dataset, { entered: '' }), { once: true });
			return [...content.querySelectorAll<HTMLElement>(stops)].filter(isUsable).length;
		},
		{ stops: STOPS, checks },
	);
	await page.keyboard.press('Tab');
	const found = await main.evaluate(
		(content: HTMLElement, { stops, checks: { isUsable, isSeen } }) => {
			const isEntered = content.dataset['entered'] !== undefined;
			const usable = [...content.querySelectorAll<HTMLElement>(stops)].filter(isUsable);
			/** The last stop of a dialog gives the focus to its first. */
			const isGivenOn = (stop: HTMLElement): boolean =>
				content.closest('dialog') !== null && stop === usable.at(-1) && document.activeElement === usable[0];
			const wrong = usable.flatMap((stop) => {
				stop.focus({ preventScroll: true });
				const isReached = document.activeElement === stop;
				const isSeenAtIt = isSeen(stop);
				const key = new KeyboardEvent('keydown', { key: 'Tab', code: 'Tab', bubbles: true, cancelable: true });
				const is = [
					isReached ? [] : 'not reached',
					isReached && !isSeenAtIt ? 'not seen' : [],
					stop.dispatchEvent(key) || isGivenOn(stop) ? [] : 'keeps the key',
				].flat();
				return is.map((problem) => `${problem}: ${stop.outerHTML.slice(0, 120)}`);
			});
			return { isEntered, wrong };
		},
		{ stops: `${STOPS}, input[type="radio"]:checked`, checks },
	);
	expect(found, page.url()).toEqual({ isEntered: had > 0 ? true : found.isEntered, wrong: [] });
}

/** A market may close during the walk: a control that is disabled for a moment need not be reached. */
async function expectTabWalks(page: Page): Promise<void> {
	const checks = await stopChecksIn(page);
	const content = await contentOf(page).evaluate(
		(main: HTMLElement, { stops, checks: { isUsable, isSeen } }) => {
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
				if (!isSeen(element)) walk.unseen.push(element.outerHTML.slice(0, 120));
			});
			main.tabIndex = -1;
			main.focus();
			walk.unseen = [];
			Object.assign(globalThis, { walk });
			return main.querySelectorAll('[data-unreached]').length;
		},
		{ stops: STOPS, checks },
	);
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

/**
 * Resolves when the tree that a screen reader walks has these lines, in their order; others may stand between them. Parts of
 * a screen come one after the other, and what was pressed is drawn later.
 */
export async function expectTree(part: Locator, lines: string[]): Promise<void> {
	const look = async () => {
		const tree = (await part.ariaSnapshot()).split('\n').map((line) => line.trim());
		let from = 0;
		const missing = lines.filter((line) => {
			const at = tree.indexOf(line, from);
			if (at >= 0) from = at + 1;
			return at < 0;
		});
		return missing.length === 0 ? { missing } : { missing, tree };
	};
	await expect.poll(look).toEqual({ missing: [] });
}
