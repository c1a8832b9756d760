/**
 * Nothing English stands in a page of another language but proper names: the screens of simulated sports are walked, and
 * each word in Latin letters has to be of a name. `npm test` shows it by `test/web/named.test.ts`, and the market's page by
 * `screens`.
 *
 * @module-tag thorough
 */
import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ResultOf } from '#contract/call.ts';
import { CALLS, type Calls } from '#contract/registry.ts';
import { GAMES } from '#games/all-games.ts';
import type { Language } from '#values/languages.ts';
import { demoLogin, goTo } from './browser.ts';
import { SimulatedSite, SPORTS } from './simulated-site.ts';

let site: SimulatedSite;
beforeAll(async () => {
	site = await SimulatedSite.open();
});
afterAll(() => site?.close());

/** What people write in Latin letters in every language: units, abbreviations, and the brand. */
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
	's',
	'x',
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
	for (const { name } of GAMES) add(name);
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

/** Goes to another screen and waits for what it says: until then the words are those of the one before. */
async function show(page: Page, address: string, underWay: ReadonlySet<Request>): Promise<void> {
	const heading = page.getByRole('heading', { level: 1 });
	const before = await heading.first().innerText();
	await goTo(page, address);
	await expect.poll(() => heading.first().innerText(), { message: address }).not.toBe(before);
	const waiting = async () => [underWay.size, await page.locator('main .skeleton').count()];
	await expect.poll(waiting, { message: address }).toEqual([0, 0]);
}

/** Walks the screens of a demo player in a language. @returns what has an English word, with its address */
async function englishSeen(language: Language, screensOf: (markets: readonly string[]) => string[]): Promise<string[]> {
	const { login, storageState } = await demoLogin(site.url);
	const page = await site.page('phone', { storageState });
	const host = new URL(site.url).hostname;
	await page.context().addCookies([{ name: 'language', value: language, domain: host, path: '/' }]);
	const markets: string[] = [];
	for (const sport of SPORTS) markets.push((await site.match(sport, ({ status }) => status !== 'FINISHED')).address);
	const known = await properNames();
	const unknownIn = (text: string): string[] =>
		wordsOf(text).filter(
			// Crests and pictures of persons have initials.
			(word) =>
				!/^\p{Lu}{2,3}$/u.test(word) &&
				!known.has(word) &&
				!USUAL.has(word) &&
				!TOURNAMENTS.has(word) &&
				word !== login.user.userName,
		);
	const found = new Map<string, string>();
	const underWay = new Set<Request>();
	page.on('request', (request) => underWay.add(request));
	page.on('requestfinished', (request) => underWay.delete(request));
	page.on('requestfailed', (request) => underWay.delete(request));
	await page.goto('/matchlist/3');
	await page.locator(`html[lang^="${language}"]`).waitFor();
	for (const address of screensOf(markets)) {
		await show(page, address, underWay);
		if (markets.includes(address)) await page.locator('.market-row, .fancy-row').first().waitFor();
		const strange = (await seenWords(page)).filter((text) => unknownIn(text).length > 0);
		// The matches go on: who raided or came in to bat since the names were asked for is in later answers alone.
		if (strange.length > 0) for (const name of await properNames()) known.add(name);
		for (const text of strange) if (unknownIn(text).length > 0) found.set(text.trim(), address);
	}
	return [...found].map(([text, address]) => `${address}: ${text}`);
}

const allScreens = (markets: readonly string[]): string[] => [
	'/matchlist/1',
	'/inplay',
	...markets,
	'/settings',
	'/rules',
	'/open-bets',
	'/bet-history',
	'/casino',
	'/bonus',
	'/account-cash-statement',
	'/your-money',
];

it('shows markets, runners, fancies, competitions and screens without an English word in Hindi', async () => {
	expect(await englishSeen('hi', allScreens)).toEqual([]);
});

it('shows a market, the bonuses and the casino without an English word in Bengali', async () => {
	expect(await englishSeen('bn', (markets) => [...markets.slice(0, 1), '/bonus', '/casino'])).toEqual([]);
});

it('shows every one of them without an English word in Bengali', { tags: 'thorough' }, async () => {
	expect(await englishSeen('bn', allScreens)).toEqual([]);
});
