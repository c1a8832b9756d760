/**
 * The main job in Chromium, Firefox and WebKit: a player logs in, bets and plays a round. With the thorough tests, at both
 * widths, also one story from signing up to logging in again, with the line lost on the way. What each screen does
 * otherwise is shown in Chromium by the other files of this folder.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { feedParts } from '../support/feed-parts.ts';
import { openTestMatch, type TestMatch } from '../support/match.ts';
import { TestServer } from '../support/server.ts';
import { type BreakableLine, openBreakableLine } from './engines/breakable-line.ts';
import { type Engine, SCHEMES, type Scheme, SIZES } from './engines/engine-driver.ts';
import { button, EnginePage, inDialog, type Target } from './engines/engine-page.ts';
import { greatestDifference } from './engines/pictures.ts';
import { CHROMIUM, FIREFOX } from './engines/puppeteer-driver.ts';
import { WEBKIT } from './engines/webkit-driver.ts';

const ENGINES: readonly Engine[] = [CHROMIUM, FIREFOX, WEBKIT];
/** Of 255; a logo in another colour differs by far more. */
const SMOOTHED_EDGES = 24;
const PASSWORD = 'kingfisher#7';

/** Each in the theme that the system would not choose. */
const STORIES = [
	['desktop', 'light', 'dark'],
	['phone', 'dark', 'light'],
] as const;
/** The width at which the main job is done. */
const MAIN: Record<Engine['name'], keyof typeof SIZES> = { Chromium: 'phone', Firefox: 'desktop', WebKit: 'phone' };

let server: TestServer;
beforeAll(async () => {
	server = await TestServer.start();
	await feedParts(server);
});
afterAll(() => server?.dispose());

const LOST: Target = { css: '.connection-strip', words: /^Connection lost/ };
/** One to type into: the chart has a choice of the name Odds, too. */
const field = (label: string): Target => ({ css: 'input:not([type=radio])', words: label });
const result = (words: string): Target => ({ css: '.slip-card b', words });
const toast = (words: string): Target => ({ css: '.Toastify__toast', words });
const bet = (part: 'matched' | 'unmatched', words?: RegExp): Target => ({ css: `main [data-part="${part}"]`, words });
const figure = (name: 'Balance' | 'Bets held', words: string): Target => ({ css: `[data-figure="${name}"]`, words });

/** A browser with a page, and its line to the server. */
interface Device {
	page: EnginePage;
	line: BreakableLine;
}

/** A player, who is told apart from those of the other stories. */
interface Story extends Device {
	userName: string;
	match: TestMatch;
	title: string;
}

/** What backers and layers of India are offered; nothing on Nepal. */
async function quote({ market }: TestMatch, back: number | null, lay: number): Promise<void> {
	const at = (price: number | null) => (price === null ? [] : [{ price: Math.round(price * 100), size: 10_000_000 }]);
	await market.quote([
		{ back: at(back), lay: at(lay) },
		{ back: [], lay: [] },
	]);
}

async function codeTo(mobile: string): Promise<string | null> {
	const { rows } = await server.database.db.query<{ text: string }>('select text from outbox where mobile = $1', [
		`+91${mobile}`,
	]);
	return /\d{6}/.exec(rows[0]?.text ?? '')?.[0] ?? null;
}

let count = 0;

async function signUp({ page, userName }: Story): Promise<void> {
	count += 1;
	const grantId = 6_000_000_000 + count;
	const mobile = `97${String(count).padStart(8, '0')}`;
	await page.click(button('Log in'));
	await page.click({ css: '[role="tab"]', words: 'Sign Up' });
	await page.fill(field('Username'), userName);
	await page.fill(field('Mobile number'), mobile);
	await page.fill(field('Password'), PASSWORD);
	await page.fill(field('Confirm password'), PASSWORD);
	await page.click({ css: 'dialog[open] button[type="submit"]' });
	await page.fill(field('OTP code'), await page.waitFor('a code is sent', () => codeTo(mobile)));
	await page.driver.pressKey('Enter');
	// A new account has coins to play with; what an operator adds is shown at once.
	await page.see(figure('Balance', '₹20,000'));
	await server.act('add-money', { userName, host: 'localhost', amount: 5_000, grantId });
	await page.see(figure('Balance', '₹25,000'));
}

async function openFromList({ page, title }: Story): Promise<void> {
	// No engine sets the heads of the prices so wide that one is cut short.
	expect(
		await page.driver.read(
			() =>
				[...document.querySelectorAll('.match-pair-head > *')].filter((head) => head.scrollWidth > head.clientWidth)
					.length,
		),
	).toBe(0);
	await page.click({ css: '.match-link', words: new RegExp(title) });
	await page.see({ css: 'h1', words: title });
}

async function place({ page }: Story, balance: string): Promise<void> {
	await page.click(button(/^Back India 2\.00, /));
	await page.fill(field('Stake'), '100');
	await page.click(button('Back India 2.00 · risk ₹100'));
	await page.see(result('Matched: ₹100 at 2.00'));
	await page.see(figure('Balance', balance));
	await page.see(figure('Bets held', '₹100'));
	await page.click(button('Done'));
}

/** A bet at odds of the player's own waits, and is taken back. */
async function takeBack({ page, line }: Story): Promise<void> {
	await page.click(button(/^Back India 2\.00, /));
	await page.fill(field('Odds'), '3');
	await page.fill(field('Stake'), '50');
	await page.click(button('Back India 3.00 · risk ₹50'));
	await page.see(result('Unmatched: ₹50 at 3.00'));
	await page.driver.open(`${line.url}/open-bets`);
	await page.see(bet('matched', /₹100 at 2\.00/));
	await page.see(bet('unmatched', /₹50 at 3\.00/));
	await page.click(button('Cancel Back India, ₹50 at 3.00'));
	await page.see(toast('₹50 cancelled.'));
	await page.seeNoMore(bet('unmatched'));
	await page.see(figure('Balance', '₹24,900'));
}

async function loseTheLine({ page, line, match, title }: Story): Promise<void> {
	await page.click({ css: 'main h3 a', words: title });
	await page.see(button(/^Back India 2\.00, /));
	await line.cutDuring(async () => {
		await page.see(LOST);
		await page.see({ css: 'button:disabled', words: /^Back India 2\.00, / });
		await quote(match, null, 1.6);
	});
	// A browser says so itself when the network returns; without its word the site's next try is seconds away.
	await page.driver.read(() => dispatchEvent(new Event('online')));
	await page.see(button(/^Lay India 1\.60, /));
	await page.seeNoMore(LOST);
	// By now the toast has left by itself.
	await page.seeNoMore(toast('₹50 cancelled.'));
}

async function cashOut({ page }: Story): Promise<void> {
	// 100 at 2 against 125 at 1.6 leaves 25 in either case.
	await page.click({ css: '.own-strip-button', words: 'Cash out +25' });
	await page.click(inDialog('Cash out +25'));
	const done = toast('Cashed out: the same for every outcome, +25');
	await page.see(done);
	await page.click({ css: '.Toastify__toast button' });
	await page.seeNoMore(done);
	await page.see(figure('Balance', '₹25,000'));
	await page.see(figure('Bets held', '₹0'));
}

async function logOutAndIn({ page, line, userName }: Story): Promise<void> {
	await page.driver.open(`${line.url}/auth/logout`);
	await page.fill(field('Username'), userName);
	await page.fill(field('Password'), PASSWORD);
	await page.click(button('Login'));
	await page.see(button(`Account: ${userName}`));
	await page.see(figure('Balance', '₹25,000'));
}

/** Dice at the odds that a page begins with. */
async function playRound({ page, line }: Story): Promise<void> {
	await page.driver.open(`${line.url}/casino/dice`);
	await page.fill(field('Stake'), '200');
	await page.click(button('Bet ₹200'));
	const said = await page.see({ css: '.game-result', words: / · (You win ₹388|₹200 lost)$/ });
	await page.see(figure('Balance', said.endsWith('lost') ? '₹19,700' : '₹20,088'));
}

/** The page opens from what the browser keeps, says what is missing, and goes on when the line is back. */
async function openWithoutLine({ page, line, title }: Story): Promise<void> {
	await page.waitFor('the service worker has the page', () =>
		page.driver.read(() => navigator.serviceWorker.controller !== null),
	);
	await line.cutDuring(async () => {
		await page.driver.open(`${line.url}/matchlist/3`);
		await page.see({ css: 'main', words: /Please Check Your Network Connection/ });
	});
	await page.see({ css: '.match-link', words: new RegExp(title) });
}

describe.each(ENGINES.map((engine) => [engine.name, engine] as const))('in %s', (name, engine) => {
	/** By the scheme of the system under them; each is started when the first test asks for it. */
	const devices = new Map<Scheme, Promise<Device>>();
	const start = async (scheme: Scheme): Promise<Device> => {
		const [driver, line] = await Promise.all([engine.start(scheme), openBreakableLine(server.url)]);
		return { page: new EnginePage(driver), line };
	};
	const opened = async (scheme: Scheme): Promise<Device> => {
		const device = await start(scheme);
		// Any page of the site: its storage is the site's.
		await device.page.driver.open(`${device.line.url}/error-404`);
		return device;
	};
	const deviceUnder = (scheme: Scheme): Promise<Device> => {
		const device = devices.get(scheme) ?? opened(scheme);
		devices.set(scheme, device);
		return device;
	};
	afterAll(async () => {
		const started = await Promise.all(devices.values());
		await Promise.all(started.map(({ page }) => page.driver.close()));
		await Promise.all(started.map(({ line }) => line.close()));
	});

	/** The page in a theme of the player's, under either system. */
	async function show(scheme: Scheme, theme: Scheme, width: keyof typeof SIZES, path: string): Promise<void> {
		const { page, line } = await deviceUnder(scheme);
		await page.driver.resize(SIZES[width]);
		await page.driver.read((worn) => localStorage.setItem('theme', worn), theme);
		await page.driver.open(`${line.url}${path}`);
		await page.see({ css: `.${theme} h1` });
	}

	it.skipIf(!engine.isInstalled).each([
		['desktop', '/rules'],
		['phone', '/auth/login'],
	] as const)(
		'all of a page on a %s follows the theme, nothing the system',
		{ tags: 'thorough' },
		async (width, path) => {
			/** Without the caret, which blinks. */
			const pictureUnder = async (scheme: Scheme): Promise<Buffer> => {
				const { driver } = (await deviceUnder(scheme)).page;
				await driver.read(() => (document.activeElement as HTMLElement).blur());
				return await driver.screenshot();
			};
			const pictures: Buffer[] = [];
			for (const theme of SCHEMES) {
				await Promise.all(SCHEMES.map((scheme) => show(scheme, theme, width, path)));
				// Parts of the screen are loaded after it.
				const { page } = await deviceUnder('dark');
				await page.waitFor(`the ${theme} page is the same under both systems`, async () => {
					const [picture, other] = await Promise.all([pictureUnder('dark'), pictureUnder('light')]);
					pictures.push(picture);
					return (await greatestDifference(picture, other)) <= SMOOTHED_EDGES;
				});
			}
			const [dark, light] = [pictures.at(0), pictures.at(-1)];
			expect(dark && light && (await greatestDifference(dark, light))).toBeGreaterThan(100);
		},
	);

	it.skipIf(!engine.isInstalled).concurrent(
		'a player logs in, bets, sees it matched and plays a round',
		async ({ onTestFinished: whenFinished }) => {
			const title = `${name} v All`;
			const match = await openTestMatch(server, { title });
			// Of its own, because the stories go on beside it.
			const device = await start('light');
			whenFinished(async () => {
				await device.page.driver.close();
				await device.line.close();
			});
			const story = { ...device, match, title, userName: 'Demo' };
			await quote(match, 2, 2.02);
			await device.page.driver.resize(SIZES[MAIN[engine.name]]);
			await device.page.driver.open(`${device.line.url}/matchlist/3`);
			await story.page.click(button('Log in'));
			await story.page.click(button('Login with Demo ID'));
			await story.page.see(figure('Balance', '₹20,000'));
			await openFromList(story);
			await place(story, '₹19,900');
			await playRound(story);
		},
	);

	for (const [width, scheme, theme] of STORIES) {
		it.skipIf(!engine.isInstalled).concurrent(
			`a player on a ${width} signs up, bets, cancels, loses the line, cashes out and logs in again`,
			{ tags: 'thorough' },
			async () => {
				const title = `${name} v ${width}`;
				const match = await openTestMatch(server, { title });
				const story = { ...(await deviceUnder(scheme)), match, title, userName: `${name}${width}`.toLowerCase() };
				await quote(match, 2, 2.02);
				await show(scheme, theme, width, '/matchlist/3');
				await signUp(story);
				await openFromList(story);
				await place(story, '₹24,900');
				await takeBack(story);
				await loseTheLine(story);
				await cashOut(story);
				await logOutAndIn(story);
				await openWithoutLine(story);
			},
		);
	}
});
