/** The site of a brand in euros and of one in yen: every page has the sign of its currency, and no other one's. */
import type { Browser, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { HOME_POOLS, POOLS } from '#values/pools.ts';
import { BrandDoor } from '../support/brand-door.ts';
import { betOn, freshRequestId, openTestMatch, type TestMatch } from '../support/match.ts';
import { type Player, TestServer } from '../support/server.ts';
import { PATIENCE_MS } from '../support/whole-run.ts';
import { closeContexts, goTo, openBrowser, openContext, storedLogin, type Width } from './browser.ts';

const BRANDS = [
	{
		currency: 'EUR',
		host: 'euro.localhost',
		sign: '€',
		name: 'euros',
		deposit: 400,
		stake: 12.5,
		chip: 1,
		firstDeposit: '€5',
	},
	{
		currency: 'JPY',
		host: 'yen.localhost',
		sign: '¥',
		name: 'yen',
		deposit: 40_000,
		stake: 1_200,
		chip: 100,
		firstDeposit: '¥1,000',
	},
] as const;
type ForeignBrand = (typeof BRANDS)[number];

let server: TestServer;
let browser: Browser;
let match: TestMatch;
const players = new Map<string, Player>();

async function addPlayer({ currency, host, deposit, stake, chip }: ForeignBrand): Promise<void> {
	await server.act('brand-add', { host, currency });
	const door = new BrandDoor(server, host);
	const [player, rival] = [await door.player(), await door.player()];
	for (const { token, userId } of [player, rival]) {
		await door.result('generatePayment', { amount: deposit, clientRequestId: freshRequestId() }, token);
		const money = () => server.running.exchange.wallet(userId)?.cash;
		await vi.waitFor(() => expect(money()).toBe(deposit * 100), { timeout: PATIENCE_MS });
	}
	const { next } = await door.result('getSeeds', {}, player.token);
	await door.result('rotateSeeds', { clientSeed: 'a-seed-to-look-at', commitment: next.commitment }, player.token);
	const bets = [{ bet: 'heads', stake: chip }];
	await door.result('playRound', { game: 'coin-flip', bets, clientRequestId: freshRequestId() }, player.token);
	await door.result('placeBetV2', betOn(match, { side: 'LAY', price: 3, stake: stake * 2 }), rival.token);
	await door.result('placeBetV2', betOn(match, { side: 'BACK', price: 3, stake }), player.token);
	await door.result('placeBetV2', betOn(match, { side: 'BACK', price: 5, stake }), player.token);
	players.set(host, player);
}

beforeAll(async () => {
	server = await TestServer.start(undefined, {
		payments: { orderMs: 60_000, simulatedDelayMs: 10, pollMs: 20, webhookKeys: {} },
		pools: [...HOME_POOLS, ...POOLS.filter((pool) => /-(EUR|JPY)$/.test(pool))],
	});
	browser = await openBrowser();
	match = await openTestMatch(server);
	for (const brand of BRANDS) await addPlayer(brand);
});
afterAll(async () => {
	await closeContexts(browser);
	await server?.dispose();
});

/** The page of a brand's player at a width, on the list of matches: it goes from screen to screen and from test to test. */
const pages = new Map<string, Promise<Page>>();
function pageOf(brand: ForeignBrand, width: Width): Promise<Page> {
	const name = `${brand.host} ${width}`;
	const page = pages.get(name) ?? openPage(brand, width);
	pages.set(name, page);
	return page;
}

async function openPage({ host }: ForeignBrand, width: Width): Promise<Page> {
	const url = server.url.replace('localhost', host);
	const player = players.get(host) as Player;
	const user = await new BrandDoor(server, host).result('getUserInfo', {}, player.token);
	const storageState = storedLogin(url, { ...player, accessToken: player.token, user });
	const context = await openContext(browser, width, url, { storageState });
	const page = await context.newPage();
	watchRequests(page);
	await page.goto('/matchlist/0');
	await page.locator('.match-row').first().waitFor();
	return page;
}

/** Each has an amount of the player's. */
const PATHS = [
	'/deposit',
	'/open-bets',
	'/withdrawal',
	'/dwrequests',
	'/account-cash-statement',
	'/your-money',
	'/protection',
	'/casino',
	'/casino/coin-flip',
	'/casino-rounds',
	'/settings',
	'/rules',
	'/referral',
	'/bonus',
] as const;

const FOREIGN = /[₹£]|R\$|rupee|\bINR\b|lakh|crore|Crore/i;

/** Of each page: what it has asked the server for and not got yet. */
const unanswered = new WeakMap<Page, Set<Request>>();

function watchRequests(page: Page): void {
	const requests = new Set<Request>();
	unanswered.set(page, requests);
	page.on('request', (request) => requests.add(request));
	page.on('requestfinished', (request) => requests.delete(request));
	page.on('requestfailed', (request) => requests.delete(request));
}

/** Resolves when the page has all that it asked for, and has drawn it without asking for more. */
async function untilDrawn(page: Page): Promise<void> {
	do {
		await expect.poll(() => unanswered.get(page)?.size, { interval: 20 }).toBe(0);
		await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
	} while (unanswered.get(page)?.size !== 0);
}

/** Switches to the screen, as players do: to load the page for each costs ten times as much. */
async function look(page: Page, { sign }: ForeignBrand, path: string): Promise<void> {
	const heading = page.getByRole('main').getByRole('heading', { level: 1 });
	await heading.evaluate((former) => former.setAttribute('data-former', ''));
	await goTo(page, path);
	await page.locator('[data-former]').waitFor({ state: 'detached' });
	await heading.waitFor();
	await untilDrawn(page);
	await expect.poll(() => page.locator('body').innerText()).toContain(sign);
	const placeholders = () =>
		page.locator('input').evaluateAll((inputs) => inputs.map((input) => `${input.getAttribute('placeholder') ?? ''}`));
	const shown = `${await page.locator('body').innerText()}\n${(await placeholders()).join('\n')}`;
	expect([path, FOREIGN.exec(shown)?.[0] ?? null, shown.includes('NaN')]).toEqual([path, null, false]);
	const widest = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
	expect([path, widest]).toEqual([path, 0]);
}

async function lookAtAll(brand: ForeignBrand, width: Width): Promise<void> {
	const page = await pageOf(brand, width);
	// Another test may have left it at one of the paths.
	await goTo(page, '/matchlist/0');
	await page.locator('.match-row').first().waitFor();
	for (const path of [...PATHS, `/markets/${match.eventId}`]) await look(page, brand, path);
}

const [EURO, YEN] = BRANDS;

it('each page of a brand in yen has its sign alone', { tags: 'thorough' }, async () => {
	await lookAtAll(YEN, 'desktop');
});

/** Nothing of the field depends on which brand it is, so `npm test` asks that of the page it has. */
const RUPEES = 'a field for $name reads no rupees, and offers deposits of its own sizes';

async function expectNoRupees(brand: ForeignBrand): Promise<void> {
	const page = await pageOf(brand, 'desktop');
	await goTo(page, '/deposit');
	const field = page.getByLabel(`Amount in ${brand.name}`);
	expect(await page.locator('.amount-chips button').first().innerText()).toBe(brand.firstDeposit);
	await field.fill(`${brand.sign}1,00,000`);
	await page.getByText(`${brand.sign}100,000 · From`).waitFor();
	for (const text of ['₹500', '2.5L']) {
		await field.fill(text);
		await page.getByRole('button', { name: 'Generate payment' }).click();
		await page.getByText('Enter an amount such as').waitFor();
	}
}

it.each([YEN])(RUPEES, expectNoRupees);
it.each([EURO])(RUPEES, { tags: 'thorough' }, expectNoRupees);

it.each([
	[EURO, 'desktop'],
	[EURO, 'phone'],
	[YEN, 'phone'],
] as const)('so has each page of another brand or width (%#)', { tags: 'thorough' }, async (brand, width) => {
	await lookAtAll(brand, width);
});
