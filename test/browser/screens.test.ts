/** Every screen at both widths and in both themes; `fine-screen.ts` has the requirements. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SIMULATED_SPORTS } from '#sports/all-sports.ts';
import type { SimulatedSport } from '#sports/play.ts';
import { LANGUAGE_COOKIE } from '#values/languages.ts';
import * as firstBengali from '#web/texts/bn/first.ts';
import * as moreBengali from '#web/texts/bn/more.ts';
import * as first from '#web/texts/en/first.ts';
import * as more from '#web/texts/en/more.ts';
import * as firstHindi from '#web/texts/hi/first.ts';
import * as moreHindi from '#web/texts/hi/more.ts';
import { ensureFont } from '../../tools/script-font.ts';
import { scoreCard } from '../support/score-card.ts';
import { goTo, mainlyOn, type Width } from './browser.ts';
import { faintTexts } from './contrast.ts';
import {
	CONTRAST,
	cutTexts,
	expectFine,
	expectFineContent,
	expectFineScreen,
	expectReachable,
	SEES_EVERY_STATE,
	shownTexts,
	wear,
} from './fine-screen.ts';
import { openPanel } from './match-panel.ts';
import { Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
	scene = await Scene.share();
	await openMatches();
});
afterAll(() => scene?.close());
afterEach(({ task }) => (task.result?.state === 'fail' ? leave() : undefined));

/** One in play with a score and a fancy beside its odds, and others in each state of the lists. */
async function openMatches(): Promise<void> {
	const inPlay = await scene.match({ title: 'India v Nepal', status: 'IN_PLAY', scoreLine: '7/1' });
	const { fixtures } = scene.server.running;
	await fixtures.setScore(Number(inPlay.eventId), scoreCard(inPlay.eventId), '7/1');
	await scene.openFancy(inPlay);
	for (const sportId of [1, 2, 3]) await scene.match({ sportId, title: 'Kerala v Goa' });
	await scene.match({ title: 'Delhi v Pune', status: 'FINISHED' });
}

/** A match whose score is that of a simulated one in play, and the name of its tracker. */
async function inPlayOf({ sportId, key, headStartSteps, begin }: SimulatedSport) {
	const play = begin(1, 1);
	while (play.steps < headStartSteps) play.step();
	while (!play.state().inPlay) play.step();
	const { score, scoreLine } = play.state();
	const { eventId } = await scene.match({ sportId, title: key, status: 'IN_PLAY', scoreLine });
	await scene.server.running.fixtures.setScore(Number(eventId), { ...score, eventId }, scoreLine);
	return { eventId, tracker: more.MARKET_WORDS.trackerLabel[score.sport] };
}

/**
 * What makes a phone show fewer than ten prices below each other: a first price after the upper quarter, or a head or a
 * row that is taller than a finger.
 */
const tooTall = (page: Page): Promise<string[]> =>
	page.locator('.scoreboard, .market-top, .market-row').evaluateAll((parts) => {
		const finger = 46;
		const tallest = (part: Element) => (part.matches('.scoreboard') ? 60 : finger);
		const tall = parts.filter((part) => part.getBoundingClientRect().height > tallest(part));
		const [first] = document.querySelectorAll('.market .price');
		const panel = document.querySelector('.match-panel')?.getBoundingClientRect().height ?? 0;
		if ((first?.getBoundingClientRect().top ?? 0) - panel > 211) tall.push(document.body);
		return tall.map((part) => `${part.className || part.tagName} ${part.getBoundingClientRect().height}`);
	});

let page: Page;
let openAt: Width | null = null;
async function leave(): Promise<void> {
	openAt = null;
	await scene.leave();
}

/** A demo player on the list of matches: one for each width, who goes from screen to screen as players do. */
async function player(width: Width): Promise<Page> {
	if (openAt !== width) {
		await leave();
		({ page } = await scene.player(width));
		await page.goto('/matchlist/3');
		openAt = width;
	}
	await wear(page, 'dark');
	return page;
}

/** By kind: path, heading, and the title after the brand's. */
const SCREENS: [string, [string, string, string][]][] = [
	[
		'matches',
		[
			['/', 'Cricket', 'Match List'],
			['/matchlist/0', 'All sports', 'Match List'],
			['/matchlist/1', 'Football', 'Match List'],
			['/index', 'Highlights', 'Index'],
			['/inplay', 'In-Play', 'Inplay'],
			['/favorites', 'Favourites', 'Favourites'],
		],
	],
	[
		'bets and account',
		[
			['/open-bets', 'Open bets', 'Unselected Bets'],
			['/un-selected-bet', 'Open bets', 'Unselected Bets'],
			['/bet-history', 'Bet history', 'Bet History'],
			['/current-bet', 'Bet history', 'Bet History'],
			['/ProfitLoss', 'Profit and loss', 'Profit and Loss'],
			['/account-cash-statement', 'Cash statement', 'Cash Statement'],
			['/your-money', 'Your money', 'Your Money'],
			['/proof', 'Proof of your money', 'Proof'],
			['/settings', 'Settings', 'Settings'],
			['/change-button-values', 'Stake buttons', 'Stake Buttons'],
			['/change-password', 'Change password', 'Change Password'],
			['/contact', 'Mail address', 'Mail Address'],
			['/login-attempts', 'Login attempts', 'Login Attempts'],
			['/activity', 'Activity', 'Activity'],
			['/api-access', 'API access', 'API Access'],
			['/protection', 'Limits and protection', 'Limits and Protection'],
			['/identity', 'Verify your identity', 'Verify Identity'],
			['/messages', 'Messages', 'Messages'],
			['/rules', 'Rules', 'Rules'],
		],
	],
	[
		'casino and money',
		[
			['/casino', 'Casino', 'Casino'],
			['/lobby', 'Casino', 'Casino'],
			['/lobby-page/tables', 'Casino', 'Lobby'],
			['/casino/dice', 'Dice', 'Casino'],
			['/casino/roulette', 'Roulette', 'Casino'],
			['/casino/crash', 'Crash', 'Casino'],
			['/casino-rounds', 'My rounds', 'My Rounds'],
			['/fairness', 'Verify a round', 'Fairness'],
			['/fairness-figures', 'Fairness in figures', 'Fairness'],
			['/deposit', 'Deposit and withdrawal', 'Deposit Withdrawal'],
			['/withdrawal', 'Deposit and withdrawal', 'Deposit Withdrawal'],
			['/dwrequests', 'Deposit and withdrawal requests', 'Deposit Withdrawal Requests'],
			['/referral', 'Referral list', 'Referral List'],
			['/bonus', 'Bonuses', 'Bonuses'],
		],
	],
	[
		'what is not there',
		[
			['/comingsoon', 'Coming soon', 'Coming Soon'],
			['/underConstruction', 'Under construction', 'Under Construction'],
			['/test', 'Test page', 'Test'],
			['/error-404', 'Page Not Found', 'Page Not Found'],
			['/nowhere/at/all', 'Page Not Found', 'Page Not Found'],
			['/matchlist/999', 'Page Not Found', 'Page Not Found'],
			['/lobby-page/slots', 'Page Not Found', 'Page Not Found'],
			['/not-authorized', 'Not Authorized', 'Not Authorized'],
			['/error-500', 'Server Error 500', 'Server Error 500'],
			['/under-maintenance', 'Cricket', 'Match List'],
		],
	],
];

/** Second paths to a screen that another path in the list shows: they lead there, and it is looked at once. */
const SECOND_PATHS = new Set([
	'/matchlist/999',
	'/lobby-page/slots',
	'/un-selected-bet',
	'/current-bet',
	'/lobby',
	'/nowhere/at/all',
	'/under-maintenance',
]);

describe.each(['desktop', 'phone'] as const)('on a %s', (width) => {
	it('a visitor’s list and the login dialog are fine', mainlyOn('phone', width), async () => {
		await leave();
		page = await scene.visitor(width);
		await page.goto('/');
		await page.locator('.match-row').first().waitFor();
		await expectFineScreen(page, width);
		const logIn = page.getByRole('button', { name: 'Log in' }).first();
		await logIn.click();
		await page.getByRole('dialog').waitFor();
		await expectFineScreen(page, width);
		await page.keyboard.press('Escape');
		await page.getByRole('dialog').waitFor({ state: 'hidden' });
		// The visitor is the player of the other tests, whose page is loaded and has axe already.
		await logIn.click();
		await page.getByRole('button', { name: 'Login with Demo ID' }).click();
		await page.getByRole('button', { name: 'Account: Demo' }).waitFor();
		openAt = width;
	});

	it('the market with its slip is fine, in dark and in light', mainlyOn('desktop', width), async () => {
		await player(width);
		await goTo(page, '/matchlist/3');
		await page.locator('.match-link').first().click();
		await page.locator('.fancy-row').first().waitFor();
		await page.locator('.market-row .price:not(:disabled)').first().click();
		const slip = page.getByRole('region', { name: /^(Back|Lay) / }).first();
		await slip.getByLabel('Stake').fill('100');
		await expectFineScreen(page, width);
		await wear(page, 'light');
		if (SEES_EVERY_STATE) await expectFineScreen(page, width, [CONTRAST]);
		else expect(await faintTexts(page, 'body')).toEqual([]);
	});

	for (const sport of SIMULATED_SPORTS) {
		const isMain = width === 'phone' && sport === SIMULATED_SPORTS[0];
		it(`a market of ${sport.key} in play has no more than its score, its kinds and a head before the first price of a phone, and draws its tracker`, {
			tags: isMain ? [] : ['thorough'],
		}, async () => {
			await player(width);
			const match = await inPlayOf(sport);
			await goTo(page, `/markets/${match.eventId}`);
			await page.getByRole('heading', { level: 1, name: sport.key }).waitFor();
			if (width === 'phone') expect(await tooTall(page), sport.key).toEqual([]);
			const panel = await openPanel(page);
			const live = panel.getByRole('button', { name: 'Live' });
			await live.waitFor();
			if ((await live.getAttribute('aria-expanded')) === 'false') await live.click();
			const tracker = panel.getByRole('img', { name: match.tracker, exact: true });
			await tracker.locator('> *').first().waitFor({ state: 'attached' });
			expect(await tracker.innerHTML(), sport.key).not.toMatch(/NaN|undefined/);
			await live.click();
		});
	}

	it.each(SCREENS)(
		'every other screen has its title and is fine, by finger and by keyboard: %s',
		{ ...mainlyOn('phone', width), timeout: 240_000 },
		async (_, screens) => {
			await player(width);
			for (const [path, heading, title] of screens) {
				// Paths that lead elsewhere are also reloaded, as from a bookmark.
				if (width === 'desktop' && SECOND_PATHS.has(path)) await page.goto(path);
				else await goTo(page, path);
				await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
				await expect.poll(() => page.title(), { message: path }).toBe(`Backlay · ${title}`);
				if (SECOND_PATHS.has(path)) continue;
				await expectFineContent(page, width);
				await expectReachable(page);
			}
		},
	);

	it.each(SCREENS)(
		'every other screen has its contrast in light, too: %s',
		{ tags: 'thorough', timeout: 240_000 },
		async (_, screens) => {
			await player(width);
			for (const [path, heading] of screens) {
				await goTo(page, path);
				await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
				await wear(page, 'light');
				await expectFineScreen(page, width, [CONTRAST]);
			}
		},
	);
});

/** What axe finds in words; colours and order are those of the English screens. */
const WORD_RULES = [
	'html-has-lang',
	'html-lang-valid',
	'valid-lang',
	'button-name',
	'link-name',
	'label',
	'select-name',
];
/** Markets and sports are called so by the server. */
const SERVERS_OWN = new Set(['Match Odds', 'Horse Racing']);

/** Texts by where they stand, such as `TEXTS.titles.rules`. */
function textsOf(node: object, path = ''): [path: string, text: string][] {
	return Object.entries(node).flatMap(([name, value]): [string, string][] => {
		if (typeof value === 'object' && value !== null) return textsOf(value, `${path}.${name}`);
		return typeof value === 'string' ? [[`${path}.${name}`, value]] : [];
	});
}
const ENGLISH = textsOf({ ...first, ...more });

/** Figures of any other script than ours. */
const OTHER_FIGURES = /(?![0-9])\p{Nd}/u;

const TRANSLATED = {
	hi: { texts: { ...firstHindi, ...moreHindi }, script: /\p{Script=Devanagari}/u },
	bn: { texts: { ...firstBengali, ...moreBengali }, script: /\p{Script=Bengali}/u },
} as const;

/** Whether the machine can draw each language. */
const hasFont = { hi: ensureFont('hi'), bn: ensureFont('bn') };

/** Without the second paths of a screen. */
const SCREENS_ONCE = SCREENS.flatMap(([, screens]) => screens).filter(
	([, heading, title], at, all) => all.findIndex((other) => other[1] === heading && other[2] === title) === at,
);

/** Sentences of the English site, which are on no other page. */
const SENTENCES = new Set(ENGLISH.map(([, text]) => text).filter((text) => / /.test(text) && !SERVERS_OWN.has(text)));

describe.each([
	['hi', 'desktop', 'light'],
	['hi', 'phone', 'dark'],
	['bn', 'desktop', 'light'],
	['bn', 'phone', 'dark'],
] as const)('in %s on a %s', (language, width, theme) => {
	afterEach(leave);
	const { texts, script } = TRANSLATED[language];
	const byPath = new Map(textsOf(texts));

	/** An English text in the language: one text, or several where it stands in several places. Names of games stay. */
	const inLanguage = (english: string): RegExp => {
		const found = ENGLISH.filter(([, text]) => text === english).map(([path]) => byPath.get(path) ?? '');
		return new RegExp(`^(${[english, ...found].join('|')})$`);
	};

	/** A demo player on the list of matches, in that theme. */
	async function player(): Promise<Page> {
		if (!hasFont[language]) console.warn(`This machine has no letters for ${language}: none of its words can be cut.`);
		const seat = await scene.player(width);
		await seat.page.context().addCookies([{ name: LANGUAGE_COOKIE, value: language, url: scene.server.url }]);
		await seat.page.goto('/matchlist/3');
		await wear(seat.page, theme);
		return seat.page;
	}

	it('the market with its slip has its words in its script, none of them cut', mainlyOn('phone', width), async () => {
		const page = await player();
		await page.locator('.match-link').first().click();
		await page.locator('.market-row .price:not(:disabled)').first().click();
		await page.getByLabel(texts.SLIP_WORDS.stake, { exact: true }).fill('100');
		await expectFine(page, width);
		expect(await cutTexts(page, script)).toEqual([]);
		expect((await shownTexts(page)).filter((text) => SENTENCES.has(text))).toEqual([]);
	});

	it('every screen has its words in its script, none of them cut, nothing sideways, and names for all that is pressed', {
		tags: 'thorough',
		timeout: 240_000,
	}, async () => {
		const page = await player();
		for (const [path, heading, title] of SCREENS_ONCE) {
			await goTo(page, path);
			await page.getByRole('heading', { level: 1, name: inLanguage(heading) }).waitFor();
			await expect.poll(async () => (await page.title()).split(' · ')[1], { message: path }).toMatch(inLanguage(title));
			expect(await page.title(), path).toMatch(script);
			// The elements are those of the English screens, which axe has looked at.
			await expectFine(page, width, WORD_RULES);
			expect(await cutTexts(page, script), path).toEqual([]);
			expect(
				(await shownTexts(page)).filter((text) => SENTENCES.has(text) || OTHER_FIGURES.test(text)),
				path,
			).toEqual([]);
		}
	});
});
