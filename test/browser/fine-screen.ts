/** What holds for every screen: nothing scrolls sideways, nothing is too small to touch, axe is content. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
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

async function findings(page: Page, rules: string[] | null): Promise<string[]> {
	const axe = new AxeBuilder({ page });
	const { violations } = await (rules ? axe.withRules(rules) : axe).analyze();
	return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

/** @param rules of axe; all, unless the same screen was looked at in other colours already */
export async function expectFine(page: Page, width: Width, rules: string[] | null = null): Promise<void> {
	expect(await sidewaysBy(page), page.url()).toBeLessThanOrEqual(0);
	if (width === 'phone') expect(await tooSmall(page)).toEqual([]);
	expect(await findings(page, rules)).toEqual([]);
}
