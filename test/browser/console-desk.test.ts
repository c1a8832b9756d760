/** The trader's desk in the console: results, limits that tighten, a market's past, and the floor by keyboard. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { betOn, openTestMatch, type TestMatch } from '../support/match.ts';
import { TestServer } from '../support/server.ts';
import { goTo } from './browser.ts';
import { CONSOLE_HOST, Desk } from './desk.ts';
import { findings, flaws, SEES_EVERY_STATE } from './fine-screen.ts';

let server: TestServer;
let desk: Desk;
beforeAll(async () => {
	server = await TestServer.start(undefined, { consoleHost: CONSOLE_HOST });
	desk = await Desk.open(server);
});
afterAll(async () => {
	await desk?.close();
	await server?.dispose();
});

/** Goes from screen to screen and from test to test: to log in again costs as much as most tests. */
let owner: Page | null = null;
// A test that failed leaves its page anywhere.
afterEach(({ task }) => {
	if (task.result?.state === 'fail') owner = null;
});
async function ownerAt(path: string): Promise<Page> {
	owner ??= await desk.member('asha', ['owner'], 1440);
	await goTo(owner, path);
	return owner;
}

async function playedMatch(title: string): Promise<TestMatch> {
	const match = await openTestMatch(server, { title });
	for (const side of ['LAY', 'BACK'] as const)
		await server.call('placeBetV2', betOn(match, { side, price: 3 }), (await server.demoPlayer()).token);
	return match;
}
/** What axe finds; what stands around the screens is the same for all, and `console.test.ts` looks at it. */
const found = (page: Page, part = '#content') => (SEES_EVERY_STATE ? findings(page) : flaws(page, part));
const statusOf = ({ marketId }: TestMatch) => server.running.exchange.market(Number(marketId))?.status;

// `test/operator/result-desk.test.ts` and `test/operator/replay.test.ts` show the rules, `console.test.ts` the screens.
it('proposes a result where it shows who gains by it, and another member confirms it there', {
	tags: 'thorough',
}, async () => {
	const match = await playedMatch('Reds v Blues');
	await server.act('close', { marketId: match.marketId });
	const [maker, checker] = [
		await desk.member('maker', ['trader'], 1440),
		await desk.member('checker', ['trader'], 390),
	];
	await goTo(maker, '/desk');
	await maker.getByRole('row', { name: /Reds v Blues/ }).click();
	await maker.getByRole('heading', { name: 'Who gains and who loses' }).waitFor();
	expect(await found(maker)).toEqual([]);
	await maker.getByRole('button', { name: 'Propose Nepal: win' }).click();
	await maker.getByRole('button', { name: 'Show what moves' }).click();
	await maker.getByLabel('Reason').fill('Seen on the screen.');
	await maker.getByRole('button', { name: 'Propose', exact: true }).click();
	await maker.getByRole('dialog').waitFor({ state: 'detached' });
	await goTo(checker, `/desk/${match.marketId}`);
	await checker.getByRole('button', { name: 'settle …' }).click();
	await checker.getByRole('button', { name: 'Confirm' }).click();
	await expect.poll(() => statusOf(match)).toBe('SETTLED');
	await checker.keyboard.press('Escape');
	await checker.getByText('Nepal: win, paid').waitFor();
	if (SEES_EVERY_STATE) expect(await found(checker)).toEqual([]);
});

it('shows a market as it was, by the slider, and saves its sealed export', { tags: 'thorough' }, async () => {
	const match = await playedMatch('Past v Present');
	const page = await ownerAt(`/markets/${match.eventId}/${match.marketId}/replay`);
	await page.getByRole('slider', { name: 'Instant of the market' }).waitFor();
	const bets = page.getByRole('table', { name: 'Bets by then' });
	await expect.poll(() => bets.getByRole('row').count()).toBe(3);
	await page.getByRole('button', { name: 'One step back' }).click();
	await expect.poll(() => bets.getByRole('row').count()).toBe(2);
	expect(await found(page)).toEqual([]);
	const [saved] = await Promise.all([
		page.waitForEvent('download'),
		page.getByRole('button', { name: 'Sealed export' }).click(),
	]);
	expect(saved.suggestedFilename()).toBe(`market-${match.marketId}.txt`);
	await page.getByText(/^SHA-256 [0-9a-f]{64}$/).waitFor();
});

it('proposes a rule of limits, and lists the market that it holds down', async () => {
	await server.act('limit-rule-set', { pool: 'DEMO', watches: 'PLAYER', steps: [{ from: 150, maxStake: 40 }] });
	await playedMatch('Tight v Loose');
	const page = await ownerAt('/limits');
	await page.getByRole('link', { name: /Tight v Loose/ }).waitFor();
	expect(await found(page)).toEqual([]);
	await page.getByRole('button', { name: 'Propose a rule …' }).click();
	await page.getByLabel('Pool').selectOption('PLAY-JPY');
	await page.getByLabel(/^Steps, one a line, in JPY/).waitFor();
	await page.getByLabel('Pool').selectOption('REAL');
	await page.getByLabel(/^Steps, one a line, in INR/).fill('100000 5000 20000\n250000 1000');
	await page.getByRole('button', { name: 'Show the rule' }).click();
	await page.getByText(/a bet stakes ₹5,000 at most, a player risks ₹20,000 at most/).waitFor();
	await page.getByLabel('Reason').fill('The desk decided so.');
	expect(await found(page, 'dialog[open]')).toEqual([]);
	await page.getByRole('button', { name: 'Propose', exact: true }).click();
	await page.getByRole('dialog').waitFor({ state: 'detached' });
	const { rows } = await server.database.db.query("select state from proposal where act = 'limit-rule-set'");
	expect(rows).toEqual([{ state: 'OPEN' }]);
	await server.act('limit-rule-set', { pool: 'DEMO', watches: 'PLAYER', steps: [] });
});

it.each([390, 1440])(
	'has room for long names of matches and for its heads at %i px',
	{
		tags: 'thorough',
	},
	async (width) => {
		await playedMatch('Wolverhampton Wanderers v Brighton & Hove Albion');
		const page = await desk.member(`floor-${width}`, ['owner'], width);
		await goTo(page, '/floor');
		const grid = page.getByRole('grid', { name: 'Matches' });
		await grid
			.getByRole('link', { name: /^Wolverhampton/ })
			.first()
			.waitFor();
		const cut = await grid
			.locator('th > button, td')
			.evaluateAll((parts) =>
				parts
					.filter((part) => part.scrollWidth > part.clientWidth || part.scrollHeight > part.clientHeight)
					.map((part) => part.textContent),
			);
		expect(cut).toEqual([]);
		expect(await found(page)).toEqual([]);
	},
);

it('is worked by keyboard: a match is chosen, stopped and resumed, and everything stops by two presses alone', async () => {
	const [first, second] = [await playedMatch('First v Other'), await playedMatch('Second v Other')];
	const page = await ownerAt('/floor');
	const row = (name: string) =>
		page.getByRole('grid', { name: 'Matches' }).getByRole('row', { name: new RegExp(name) });
	await row('Second v Other').first().waitFor();
	await page.keyboard.press('s');
	await page.getByText('Choose a match with ↑ ↓ first.').waitFor();
	expect(statusOf(first)).toBe('OPEN');
	// The filter leaves one match, and takes the keys while it is typed.
	await page.keyboard.press('/');
	await page.keyboard.type('second');
	await row('First v Other').first().waitFor({ state: 'detached' });
	await page.getByRole('heading', { name: 'Trading floor' }).click();
	await page.keyboard.press('d');
	await page.keyboard.press('s');
	await page.getByText('Second v Other: 1 suspended.').waitFor();
	expect([statusOf(first), statusOf(second)]).toEqual(['OPEN', 'SUSPENDED']);
	await page.getByRole('button', { name: 'Resume all 1' }).waitFor();
	await page.keyboard.press('r');
	await page.getByText('Second v Other: 1 resumed.').waitFor();
	expect(statusOf(second)).toBe('OPEN');
	// One press only warns, and another key takes it back.
	await page.keyboard.press('p');
	await page.getByRole('alert').waitFor();
	expect(await found(page)).toEqual([]);
	await page.keyboard.press('d');
	await page.getByRole('alert').waitFor({ state: 'detached' });
	await page.keyboard.press('p');
	await page.getByRole('alert').waitFor();
	expect([statusOf(first), statusOf(second)]).toEqual(['OPEN', 'OPEN']);
	await page.keyboard.press('p');
	await page.getByText(/^Everything: \d+ suspended/).waitFor();
	expect([statusOf(first), statusOf(second)]).toEqual(['SUSPENDED', 'SUSPENDED']);
	await page.keyboard.press('?');
	await page.getByRole('region', { name: 'On the trading floor' }).waitFor();
	await page.keyboard.press('Escape');
	await page.keyboard.press('f');
	await page.getByRole('heading', { name: /Second v Other/ }).waitFor();
});
