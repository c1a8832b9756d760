/**
 * Nothing English stands in a Hindi page but proper names: the screens of simulated sports are walked, and each word in
 * Latin letters has to be of a name. `npm test` shows it by `test/web/named.test.ts`, and the market's page by `screens`.
 *
 * @module-tag thorough
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ResultOf } from '#contract/call.ts';
import { CALLS, type Calls } from '#contract/registry.ts';
import { demoLogin, goTo } from './browser.ts';
import { SimulatedSite, SPORTS } from './simulated-site.ts';

let site: SimulatedSite;
beforeAll(async () => {
	site = await SimulatedSite.open();
});
afterAll(() => site?.close());

/** What people write in Latin letters in Hindi, too: units, abbreviations, and the brand. */
const USUAL = new Set([
	'UPI',
	'OTP',
	'PIN',
	'API',
	'CSV',
	'IP',
	'ID',
	'TV',
	'k',
	'L',
	'Cr',
	'm',
	'f',
	'v',
	'W',
	'X',
	'Backlay',
]);
const LATIN = /\p{Script=Latin}+/gu;
const wordsOf = (text: string): string[] => text.match(LATIN) ?? [];

/** The words of all names in English answers: of events, persons, sides, horses, courses and games. */
async function properNames(): Promise<Set<string>> {
	type EventMarkets = ResultOf<Calls['getMarketsByEventId']>;
	type Tree = { events: { id: string; title: string }[] }[];
	const tree = await site.answer<Tree>('/Event/TreeSportWithEvent');
	const names = new Set<string>();
	const add = (text: string) => {
		for (const word of wordsOf(text)) names.add(word);
	};
	for (const { events } of tree) {
		for (const { id, title } of events) {
			// The kind of a race and the number of a round are no names.
			add(title.replace(/ · .*$/, '').replace(/, round \d+$/, ''));
			const card = await site.answer<unknown>(`/${CALLS.getScoreCard.path}?eventId=${id}`).catch(() => null);
			const { markets } = await site.answer<EventMarkets>(`/${CALLS.getMarketsByEventId.path}?eventId=${id}`);
			// Horses and their jockeys, and players in the names of fancies.
			for (const { type, runners } of markets)
				if (type === 'WIN') for (const { name, jockey = '' } of runners) add(`${name} ${jockey}`);
			JSON.stringify(card, (key, value: unknown) => {
				if (typeof value === 'string' && ['name', 'jockey', 'player', 'raider'].includes(key)) add(value);
				return value;
			});
		}
	}
	return names;
}

/** Words in Latin letters that are seen, with the place of each. */
const seenWords = (page: Page): Promise<string[]> =>
	page.evaluate(() => {
		const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		const seen: string[] = [];
		for (let node = walk.nextNode(); node; node = walk.nextNode()) {
			const element = node.parentElement;
			if (!element || element.closest('script, style, noscript, svg, [translate="no"], [data-crest], .crest')) continue;
			if (element.checkVisibility()) seen.push(node.textContent ?? '');
		}
		return seen;
	});

const TOURNAMENTS = new Set([
	'Lisbon',
	'Open',
	'Chennai',
	'Masters',
	'Bergen',
	'Indoor',
	'Nile',
	'Classic',
	'Queensbridge',
	'Championships',
]);

it('shows markets, runners, fancies, competitions and screens without an English word', async () => {
	const { login, storageState } = await demoLogin(site.url);
	const page = await site.page('phone', { storageState });
	const host = new URL(site.url).hostname;
	await page.context().addCookies([{ name: 'language', value: 'hi', domain: host, path: '/' }]);
	const markets: string[] = [];
	for (const sport of SPORTS) markets.push((await site.match(sport, ({ status }) => status !== 'FINISHED')).address);
	const known = await properNames();
	const found = new Map<string, string>();
	const first = '/matchlist/3';
	await page.goto(first);
	await page.locator('html[lang^="hi"]').waitFor();
	const screens = [
		'/matchlist/1',
		'/inplay',
		...markets,
		'/settings',
		'/rules',
		'/open-bets',
		'/bet-history',
		'/casino',
	];
	for (const address of screens) {
		await goTo(page, address);
		if (markets.includes(address)) await page.locator('.market-row, .fancy-row').first().waitFor();
		else await page.locator('main').waitFor();
		for (const text of await seenWords(page)) {
			const unknown = wordsOf(text).filter(
				// Crests and pictures of persons have initials.
				(word) =>
					!/^\p{Lu}{2,3}$/u.test(word) &&
					!known.has(word) &&
					!USUAL.has(word) &&
					!TOURNAMENTS.has(word) &&
					word !== login.user.userName,
			);
			if (unknown.length > 0) found.set(text.trim(), address);
		}
	}
	expect([...found].map(([text, address]) => `${address}: ${text}`)).toEqual([]);
});
