/**
 * A trader plays a match by hand in the console, from the keyboard, while a player bets on it.
 *
 * @module-tag thorough
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ResultOf } from '#console/api/operate.ts';
import { betOn, freshRequestId, openTestMatch } from '../support/match.ts';
import { TestServer } from '../support/server.ts';
import { goTo } from './browser.ts';
import { CONSOLE_HOST, Desk, pressWhen } from './desk.ts';
import { findings } from './fine-screen.ts';

type OwnEvent = ResultOf<'event-show'>;
type Standing = ResultOf<'suspend'>;

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

it('creates, prices, starts, scores and ends a match', { tags: 'thorough' }, async () => {
	const page = await desk.member('asha', ['trader']);
	await page.goto('/markets');
	await page.getByRole('button', { name: 'New event by hand' }).click();
	const dialog = page.getByRole('dialog', { name: 'New event by hand' });
	await dialog.getByLabel('Sport').selectOption('football');
	await dialog.getByLabel('Competition').fill('City League');
	await dialog.getByLabel('First side').fill('Reds');
	await dialog.getByLabel('Second side').fill('<b>Blues</b>');
	await dialog.getByLabel('Starts at').fill('2031-03-01T14:00');
	await dialog.getByRole('button', { name: 'Create' }).click();
	await page.getByRole('heading', { name: 'Reds v <b>Blues</b>' }).waitFor();

	await page.getByRole('checkbox', { name: /^Match bets across runners/ }).check();
	await page.getByRole('button', { name: 'Match Odds' }).click();
	const prices = page.getByLabel('Prices of Match Odds');
	await prices.waitFor();
	await page.locator('h1').click();
	await page.keyboard.press('p');
	await page.keyboard.type('50 25 25');
	await page.keyboard.press('Enter');
	const [fixture] = server.running.fixtures.all();
	const [market] = server.running.fixtures.markets(fixture?.id ?? 0);
	const marketId = String(market?.id);
	expect(server.running.exchange.market(Number(marketId))?.crossMatching).toBe(true);
	const player = await server.demoPlayer();
	const best = async () =>
		(await server.result('getUserOdds', { marketId }, player.token)).runners[0]?.back[0]?.price ?? null;
	// 2 % below the fair price of 2.
	await expect.poll(best).toBe(1.96);
	const body = { marketId, runnerId: '1', side: 'BACK' as const, price: 1.96, stake: 100 };
	const placed = await server.call('placeBetV2', { ...body, clientRequestId: freshRequestId() }, player.token);
	expect(placed.body.result).toMatchObject({ matchedStake: 100 });

	await page.getByRole('button', { name: 'Start play' }).click();
	await page.getByRole('heading', { name: 'Score', exact: true }).waitFor();
	await page.locator('h1').click();
	await page.keyboard.press('a');
	await page.getByText(/^1 – 0/).waitFor();
	await page.getByRole('row', { name: /Match Odds.*suspended/ }).waitFor();
	expect(await findings(page)).toEqual([]);

	await page.getByRole('button', { name: 'End the match …' }).click();
	await page.getByRole('button', { name: 'End and propose results' }).click();
	await page.getByText('finished').waitFor();
	const { rows } = await server.database.db.query('select act, state from proposal');
	expect(rows).toEqual([{ act: 'settle', state: 'OPEN' }]);
});

/** What the desks say to a key that was meant for what stood there before. */
const MOVED_ON = 'It was suspended since you looked';

it('takes no prices and no score by a key that was on its way when another trader changed what it was meant for', {
	tags: 'thorough',
}, async () => {
	const about = { sport: 'football', competition: 'City League', firstSide: 'Lions', secondSide: 'Tigers' };
	const { eventId } = await server.act<{ eventId: string }>('event-add', {
		...about,
		startsAt: '2031-03-01T14:00:00.000Z',
	});
	const { marketId, version } = await server.act<Standing>('event-open-market', { eventId, template: 'Match Odds' });
	await server.act('price-market', { marketId, seenVersion: version, chances: [50, 25, 25] });
	const status = () => server.running.exchange.market(Number(marketId))?.status;
	const page = await desk.member('bela', ['trader']);
	await goTo(page, `/play/${eventId}`);
	const row = page.getByRole('row', { name: /Match Odds/ });
	const prices = page.getByLabel('Prices of Match Odds');
	await prices.fill('40 30 30');
	const late = await pressWhen(row, 'suspended', 'Enter');
	await server.act('suspend', { marketId });
	await late();
	await page.getByText(MOVED_ON, { exact: false }).waitFor();
	expect(status()).toBe('SUSPENDED');
	const enter = async () => {
		await prices.press('Enter');
		return status();
	};
	await expect.poll(enter).toBe('OPEN');
	// The trader's own suspension is known to the trader.
	await expect.poll(() => row.innerText()).not.toContain('suspended');
	const own = await pressWhen(row, 'suspended', 'Enter');
	await prices.press('Escape');
	await own();
	await expect.poll(status).toBe('OPEN');

	const begun = await server.act<OwnEvent>('event-start', { eventId });
	await page.getByRole('heading', { name: 'Score', exact: true }).waitFor();
	await page.locator('h1').click();
	const twice = await pressWhen(page.locator('#content'), '1 – 0', 'a');
	await server.act('event-score', { eventId, act: 'GOAL', side: 0, seenVersion: begun.version });
	await twice();
	await page.getByText('This has moved on meanwhile.', { exact: false }).waitFor();
	expect((await server.act<OwnEvent>('event-show', { eventId })).score).toMatch(/^1 – 0/);
});

it.each([
	['Fancies', 'Prices of Runs in over 1', '8'],
	['Bookmaker', 'Rates of India, Bookmaker', '42 44'],
])(
	'opens nothing among its %s by a key that was on its way when it was suspended',
	{
		tags: 'thorough',
	},
	async (name, label, typed) => {
		const { eventId } = await openTestMatch(server, { title: `${name}, India v Nepal` });
		const { marketId } =
			name === 'Fancies'
				? await server.act<Standing>('open-fancy', {
						eventId,
						name: 'Runs in over 1',
						type: 'OVER_RUNS',
						from: 0,
						to: 20,
					})
				: await server.act<Standing>('open-bookmaker', { eventId, name: 'Bookmaker', runners: ['India', 'Nepal'] });
		const status = () => server.running.exchange.market(Number(marketId))?.status;
		const page = await desk.member('bela', ['trader']);
		await goTo(page, `/markets/${eventId}`);
		const part = page.getByRole('region', { name });
		await page.getByLabel(label).fill(typed);
		const priced = page.waitForResponse(/\/api\/price-/);
		await page.getByLabel(label).press('Enter');
		expect((await priced).status()).toBe(200);
		await expect.poll(status).toBe('OPEN');
		await expect.poll(() => part.innerText()).not.toContain('suspended');
		const late = await pressWhen(part, 'suspended', 'Enter');
		await server.act('suspend', { marketId });
		await late();
		await page.getByText(MOVED_ON, { exact: false }).waitFor();
		expect(status()).toBe('SUSPENDED');
	},
);

it('stops a match on the floor by one press, resumes exactly that, and proposes to void a bet of the list', async () => {
	const page = await desk.member('asha', ['trader'], 1440);
	const match = await openTestMatch(server, { title: 'India v Nepal' });
	const players = [await server.demoPlayer(), await server.demoPlayer()];
	for (const [at, side] of (['LAY', 'BACK'] as const).entries())
		await server.call('placeBetV2', betOn(match, { side }), players[at]?.token ?? '');
	const status = () => server.running.exchange.market(Number(match.marketId))?.status;
	await page.goto('/floor');
	await page.getByRole('region', { name: 'Bets as they come' }).getByRole('row').nth(2).waitFor();
	await page.getByRole('button', { name: 'Suspend India v Nepal' }).click();
	await page.getByRole('button', { name: 'Resume all 1' }).waitFor();
	expect(status()).toBe('SUSPENDED');
	expect(await findings(page)).toEqual([]);
	await page.getByRole('button', { name: 'Resume all 1' }).click();
	await page.getByText(/^Resumed 1/).waitFor();
	expect(status()).toBe('OPEN');

	await page.getByRole('button', { name: 'Suspend India v Nepal' }).click();
	await page.getByRole('button', { name: 'Resume all 1' }).waitFor();
	await page.goto(`/markets/${match.eventId}/${match.marketId}/bets`);
	await page
		.getByRole('checkbox', { name: /^Choose bet/ })
		.first()
		.check();
	await page.getByRole('button', { name: 'Propose to void 1 bet …' }).click();
	await page.getByRole('button', { name: 'Show what moves' }).click();
	await page.getByLabel('Reason').fill('The price was wrong.');
	expect(await findings(page)).toEqual([]);
	await page.getByRole('button', { name: 'Propose', exact: true }).click();
	await page.getByRole('dialog').waitFor({ state: 'detached' });
	const { rows } = await server.database.db.query("select state from proposal where act = 'void-bets'");
	expect(rows).toEqual([{ state: 'OPEN' }]);
});
