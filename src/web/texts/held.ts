/**
 * The texts of the chosen language, as far as they are loaded. A language is two files of the build, which the page
 * names: `begin.ts` puts the first screen's here before any other file runs, and `loadMoreTexts` puts the others here
 * before a file that needs them is loaded. The language of a page does not change: choosing another reloads the page.
 */

import type * as First from '#web/texts/en/first.ts';
import type * as More from '#web/texts/en/more.ts';

export type FirstTexts = typeof First;
export type MoreTexts = typeof More;

declare global {
	/** By the names that the files export. */
	var siteTexts: Partial<FirstTexts & MoreTexts> | undefined;
}

let loading: Promise<unknown> | null = null;

/** Resolves once `texts/more.ts` may be imported. */
export async function loadMoreTexts(): Promise<void> {
	const link = document.querySelector<HTMLLinkElement>('link[data-texts="more"]');
	// Under `vite` and in tests the English texts are imported where they are used.
	if (!link || globalThis.siteTexts?.SCREEN_TEXTS) return;
	loading ??= import(/* @vite-ignore */ link.href);
	try {
		globalThis.siteTexts = { ...globalThis.siteTexts, ...((await loading) as MoreTexts) };
	} catch (failure) {
		loading = null;
		throw failure;
	}
}

/** Loads a file whose texts are not the first screen's. */
export async function withTexts<Module>(load: () => Promise<Module>): Promise<Module> {
	await loadMoreTexts();
	return load();
}
