/** The operations of the bots' interface: the service's shapes, and our own calls' meaning, on the same state. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type TestMatch } from '../support/match.ts';
import type { TestServer } from '../support/server.ts';
import { restartShared, sharedServer } from '../support/shared-server.ts';
import { PASSWORD } from '../support/sign-up.ts';
import { type Bot, limit, openBot, post, result, rpc, type Wire } from './bot.ts';
import { openTestMatch } from './numbered-match.ts';
import { differences, hasVectors, vector } from './shapes.ts';

let server: TestServer;
let bot: Bot;
let rival: Bot;
let match: TestMatch;
let marketId: string;
beforeAll(async () => {
	server = await sharedServer();
	[bot, rival] = [await openBot(server), await openBot(server)];
	match = await openTestMatch(server);
	marketId = `1.${match.marketId}`;
});

const place = (of: Bot, instructions: object[], changes: object = {}): Promise<Wire> =>
	result(server, of, 'placeOrders', { marketId, instructions, ...changes });
const recorded = (name: string) => (vector(name) as { result: unknown }).result;

describe.skipIf(!hasVectors)('shapes are those of the recorded answers', () => {
	/** Fields that the service documents as optional: some markets have them. */
	const OPTIONAL: Record<string, string[]> = {
		listEvents: ['[].event.countryCode', '[].event.venue'],
		listMarketBook: [
			'[].betDelayModels',
			'[].keyLineDescription',
			'[].runners[].sp',
			'[].runners[].adjustmentFactor',
			'[].runners[].removalDate',
		],
		listRunnerBook: ['[].betDelayModels'],
		listMarketCatalogue: [
			'[].description.lineRangeInfo',
			'[].description.clarifications',
			'[].event.countryCode',
			'[].event.venue',
			'[].description.raceType',
		],
		listCurrentOrders: ['.currentOrders[].matchedDate'],
		placeOrders: ['.instructionReports[].orderStatus'],
		replaceOrders: ['.instructionReports[].placeInstructionReport.orderStatus'],
	};
	it.each([
		['listEventTypes', 'list_event_types', {}],
		['listCompetitions', 'list_competitions', {}],
		['listTimeRanges', 'list_time_ranges', { granularity: 'DAYS' }],
		['listEvents', 'list_events', {}],
		['listMarketTypes', 'list_market_types', {}],
		[
			'listMarketCatalogue',
			'list_market_catalogue',
			{
				maxResults: 10,
				marketProjection: [
					'COMPETITION',
					'EVENT',
					'EVENT_TYPE',
					'MARKET_DESCRIPTION',
					'RUNNER_DESCRIPTION',
					'RUNNER_METADATA',
					'MARKET_START_TIME',
				],
			},
		],
	] as const)('%s', async (operation, name, params) => {
		const answer = await result(server, bot, operation, { filter: { marketIds: [marketId] }, ...params });
		expect(answer).toHaveLength(1);
		expect(differences(answer, recorded(name), OPTIONAL[operation] ?? [])).toEqual([]);
	});

	it('placeOrders, listCurrentOrders, listMarketBook, listRunnerBook, listMarketProfitAndLoss, replaceOrders, updateOrders, cancelOrders', async () => {
		const placed = await place(bot, [limit(1, 'BACK', 3, 200), limit(2, 'LAY', 2, 100)]);
		expect(differences(placed, recorded('place_orders'), OPTIONAL['placeOrders'] ?? [])).toEqual([]);
		await place(rival, [limit(1, 'LAY', 3, 100)]);
		const orders = await result(server, bot, 'listCurrentOrders', {});
		expect(differences(orders, recorded('list_current_orders'), OPTIONAL['listCurrentOrders'] ?? [])).toEqual([]);
		const priceProjection = { priceData: ['EX_BEST_OFFERS', 'EX_TRADED'] };
		const projections = { orderProjection: 'ALL', matchProjection: 'NO_ROLLUP' };
		const books = await result(server, bot, 'listMarketBook', {
			marketIds: [marketId],
			priceProjection,
			...projections,
		});
		expect(differences(books, recorded('list_market_book'), OPTIONAL['listMarketBook'] ?? [])).toEqual([]);
		const runner = await result(server, bot, 'listRunnerBook', { marketId, selectionId: 1 });
		expect(differences(runner, recorded('list_runner_book'), OPTIONAL['listRunnerBook'] ?? [])).toEqual([]);
		const profits = await result(server, bot, 'listMarketProfitAndLoss', { marketIds: [marketId] });
		expect(differences(profits, recorded('list_market_profit_and_loss'), [])).toEqual([]);
		const betId = placed.instructionReports[0].betId;
		const replaced = await result(server, bot, 'replaceOrders', { marketId, instructions: [{ betId, newPrice: 3.5 }] });
		expect(differences(replaced, recorded('replace_orders'), OPTIONAL['replaceOrders'] ?? [])).toEqual([]);
		const newBet = replaced.instructionReports[0].placeInstructionReport.betId;
		const update = { marketId, instructions: [{ betId: newBet, newPersistenceType: 'PERSIST' }] };
		const updated = await result(server, bot, 'updateOrders', update);
		expect(differences(updated, recorded('update_orders'), [])).toEqual([]);
		const cancelled = await result(server, bot, 'cancelOrders', { marketId, instructions: [{ betId: newBet }] });
		expect(differences(cancelled, recorded('cancel_orders'), [])).toEqual([]);
		await result(server, bot, 'cancelOrders', {});
		await result(server, rival, 'cancelOrders', {});
	});

	it('listClearedOrders, and its sums agree with the site’s profit and loss', async () => {
		const own = await openTestMatch(server);
		const of = { marketId: `1.${own.marketId}` };
		await place(bot, [limit(1, 'BACK', 3, 200)], of);
		await place(rival, [limit(1, 'LAY', 3, 200)], of);
		await own.settle(0);
		const cleared = await result(server, bot, 'listClearedOrders', { betStatus: 'SETTLED', marketIds: [of.marketId] });
		expect(differences(cleared, recorded('list_cleared_orders'), [])).toEqual([]);
		expect(cleared.clearedOrders).toMatchObject([
			{ betOutcome: 'WON', profit: 400, priceMatched: 3, sizeSettled: 200 },
		]);
		const grouped = await result(server, bot, 'listClearedOrders', {
			betStatus: 'SETTLED',
			groupBy: 'MARKET',
			marketIds: [of.marketId],
		});
		const site = await server.result('getUserProfitLoss', {}, bot.siteToken);
		const settled = site.items.find((item) => item.marketId === own.marketId);
		expect(grouped.clearedOrders).toMatchObject([{ betCount: 1, profit: 400, commission: settled?.commission }]);
		const filtered = { betStatus: 'SETTLED', eventTypeIds: ['4'], eventIds: [own.eventId], side: 'LAY' };
		expect((await result(server, rival, 'listClearedOrders', filtered)).clearedOrders).toHaveLength(1);
		expect((await result(server, bot, 'listClearedOrders', filtered)).clearedOrders).toHaveLength(0);
	});

	it('account operations and the navigation file name what the service documents', async () => {
		const funds = await result(server, bot, 'getAccountFunds', {});
		const wallet = await server.result('getUserOpenBets', {}, bot.siteToken);
		expect(funds).toMatchObject({ availableToBetBalance: wallet.balance, retainedCommission: 0, wallet: 'UK' });
		expect(await result(server, bot, 'getAccountDetails', {})).toMatchObject({
			currencyCode: 'INR',
			firstName: bot.userName,
		});
		const { accountStatement } = await result(server, bot, 'getAccountStatement', { recordCount: 5 });
		expect(accountStatement[0]).toMatchObject({ itemClass: 'UNKNOWN', refId: expect.any(String) });
		const keys = await result(server, bot, 'getDeveloperAppKeys', {});
		expect(keys[0].appVersions[0].applicationKey).toBe(bot.appKey);
		const response = await fetch(`${server.url}/exchange/betting/rest/v1/en/navigation/menu.json`, {
			headers: bot.headers,
		});
		const menu = (await response.json()) as Wire;
		expect(menu).toMatchObject({ id: 0, name: 'ROOT', type: 'GROUP' });
		const markets = menu.children.flatMap((sport: Wire) => sport.children.flatMap((event: Wire) => event.children));
		expect(markets.map(({ id }: Wire) => id)).toContain(marketId);
	});
});

describe('orders mean what the site’s calls mean', () => {
	it('books, orders and profits agree with the site on the same state', async () => {
		const own = await openTestMatch(server);
		const of = { marketId: `1.${own.marketId}` };
		await place(bot, [limit(1, 'BACK', 3, 200), limit(1, 'BACK', 3.05, 50), limit(2, 'LAY', 1.5, 70)], of);
		await place(rival, [limit(1, 'LAY', 3, 120)], of);
		const books = await result(server, bot, 'listMarketBook', {
			marketIds: [of.marketId],
			priceProjection: { priceData: ['EX_BEST_OFFERS'] },
		});
		const [site] = await server
			.result('getUserOddsV2', { marketIds: [own.marketId] } as never, bot.siteToken)
			.then((odds: Wire) => odds.markets ?? odds);
		expect(books[0].runners.map(({ ex }: Wire) => [ex.availableToBack, ex.availableToLay])).toEqual(
			site.runners.map(({ back, lay }: Wire) => [back, lay]),
		);
		const { openBets } = await server.result('getUserOpenBets', {}, bot.siteToken);
		const mine = openBets.filter((bet) => bet.marketId === own.marketId);
		const { currentOrders } = await result(server, bot, 'listCurrentOrders', {
			marketIds: [of.marketId],
			sortDir: 'LATEST_TO_EARLIEST',
		});
		expect(
			currentOrders.map(({ betId, sizeMatched, sizeRemaining }: Wire) => [betId, sizeMatched, sizeRemaining]),
		).toEqual(mine.map(({ betId, matchedStake, remainingStake }) => [betId, matchedStake, remainingStake]));
		const [expected] = await server.result('getUserExpectedProfitLoss', { eventId: own.eventId }, bot.siteToken);
		const [profit] = await result(server, bot, 'listMarketProfitAndLoss', { marketIds: [of.marketId] });
		expect(profit.profitAndLosses.map(({ ifWin }: Wire) => ifWin)).toEqual(
			expected?.runners.map(({ profitLoss }) => profitLoss),
		);
	});

	it('fill or kill, what a bet pays, versions and kinds without a counterpart', async () => {
		const own = await openTestMatch(server);
		const of = { marketId: `1.${own.marketId}` };
		await place(rival, [limit(1, 'LAY', 3, 40)], of);
		const killed = await place(bot, [limit(1, 'BACK', 3, 100, { timeInForce: 'FILL_OR_KILL' })], of);
		expect(killed.instructionReports[0]).toMatchObject({ status: 'SUCCESS', orderStatus: 'EXPIRED', sizeMatched: 0 });
		const filled = await place(bot, [limit(1, 'BACK', 3, 100, { timeInForce: 'FILL_OR_KILL', minFillSize: 30 })], of);
		expect(filled.instructionReports[0]).toMatchObject({ orderStatus: 'EXECUTION_COMPLETE', sizeMatched: 40 });
		const paying = await place(bot, [limit(1, 'BACK', 4, 0, { betTargetType: 'PAYOUT', betTargetSize: 400 })], of);
		const { currentOrders } = await result(server, bot, 'listCurrentOrders', {
			betIds: [paying.instructionReports[0].betId],
		});
		expect(currentOrders[0].priceSize).toEqual({ price: 4, size: 100 });
		const onClose = {
			orderType: 'MARKET_ON_CLOSE',
			selectionId: 1,
			side: 'BACK',
			marketOnCloseOrder: { liability: 10 },
		};
		expect((await place(bot, [onClose], of)).instructionReports[0].errorCode).toBe('INVALID_ORDER_TYPE');
		await own.market.suspend('INCIDENT' as never);
		const suspended = await place(bot, [limit(1, 'BACK', 3, 100)], of);
		expect(suspended).toMatchObject({ status: 'FAILURE', errorCode: 'MARKET_SUSPENDED' });
	});

	it('post-only orders and orders that end at a time or with the volume of others, which the service has not', async () => {
		const own = await openTestMatch(server);
		const of = { marketId: `1.${own.marketId}` };
		await place(rival, [limit(1, 'LAY', 3, 40)], of);
		const goodTill = new Date(server.running.exchange.now() + 600_000).toISOString();
		const { instructionReports } = await place(
			bot,
			[
				limit(1, 'BACK', 3, 20, { postOnly: 'REFUSE' }),
				limit(1, 'BACK', 2, 20, { postOnly: 'REPRICE', goodTill }),
				limit(1, 'BACK', 3.5, 20, { goodForSeconds: 600, goodUntilMatched: 500.5 }),
				limit(1, 'BACK', 4, 20, { goodTill: '2020-01-01T00:00:00.000Z' }),
				limit(1, 'BACK', 4, 20, { goodUntilMatched: 0 }),
			],
			of,
		);
		expect(instructionReports.map(({ errorCode, price }: Wire) => errorCode ?? price)).toEqual([
			'BET_TAKEN_OR_LAPSED',
			3.05,
			undefined,
			'ERROR_IN_ORDER',
			'INVALID_BET_SIZE',
		]);
		const { currentOrders } = await result(server, bot, 'listCurrentOrders', { marketIds: [of.marketId] });
		expect(currentOrders).toMatchObject([
			{ priceSize: { price: 3.05, size: 20 }, postOnly: 'REPRICE', goodTill },
			{ priceSize: { price: 3.5, size: 20 }, goodUntilMatched: 500.5 },
		]);
		const laterMs = Date.parse(currentOrders[1].goodTill) - Date.parse(goodTill);
		expect(laterMs).toBeGreaterThanOrEqual(0);
		expect(laterMs).toBeLessThan(60_000);
	});

	it('orders that choose what becomes of their own player’s', async () => {
		const own = await openTestMatch(server);
		const of = { marketId: `1.${own.marketId}` };
		await place(bot, [limit(1, 'LAY', 3, 40)], of);
		const orders = [limit(1, 'BACK', 3, 20), limit(1, 'BACK', 3, 30, { selfMatch: 'LAPSE_RESTING' })];
		const { instructionReports } = await place(bot, orders, of);
		expect(instructionReports.map(({ errorCode }: Wire) => errorCode)).toEqual([
			'INVALID_BACK_LAY_COMBINATION',
			undefined,
		]);
		const { currentOrders } = await result(server, bot, 'listCurrentOrders', { marketIds: [of.marketId] });
		expect(currentOrders).toMatchObject([{ side: 'BACK', sizeRemaining: 30, selfMatch: 'LAPSE_RESTING' }]);
	});

	it('orders that are placed when a price is reached, on the server', async () => {
		const own = await openTestMatch(server);
		const of = { marketId: `1.${own.marketId}` };
		const trigger = (asked: object) => limit(1, 'BACK', 4, 20, { trigger: { moves: 'FALLS', ...asked } });
		const { instructionReports } = await place(bot, [trigger({ at: 3 }), trigger({ trail: 2 }), trigger({})], of);
		expect(instructionReports.map(({ orderStatus, errorCode }: Wire) => orderStatus ?? errorCode)).toEqual([
			'PENDING',
			'PENDING',
			'ERROR_IN_ORDER',
		]);
		const [first, second] = instructionReports.map(({ betId }: Wire) => betId);
		const list = async () => await result(server, bot, 'listCurrentOrders', { marketIds: [of.marketId] });
		expect((await list()).currentTriggers).toMatchObject([
			{ betId: first, trigger: { moves: 'FALLS', at: 3, status: 'WAITING' } },
			{ betId: second, trigger: { trail: 2, at: null } },
		]);
		const cancelled = await result(server, bot, 'cancelOrders', { ...of, instructions: [{ betId: second }] });
		expect(cancelled.instructionReports).toMatchObject([{ status: 'SUCCESS', sizeCancelled: 20 }]);
		// The bot's own lay is the one that the rival meets.
		await place(bot, [limit(1, 'LAY', 3, 10)], of);
		await place(rival, [limit(1, 'BACK', 3, 10)], of);
		const open = async () => (await list()).currentOrders.map(({ priceSize }: Wire) => priceSize);
		await expect.poll(open).toContainEqual({ price: 4, size: 20 });
		expect((await list()).currentTriggers).toBeUndefined();
	});

	it('orders that the exchange keeps in the book by a plan', async () => {
		const own = await openTestMatch(server);
		const of = { marketId: `1.${own.marketId}` };
		const plan = (asked: object) => limit(1, 'BACK', 4, 20, { plan: asked });
		const orders = [
			plan({ kind: 'ICEBERG', visible: 10 }),
			plan({ kind: 'BRACKET', profitTicks: 2, stopTicks: 2 }),
			plan({ kind: 'ICEBERG', visible: 20 }),
			limit(1, 'BACK', 4, 20, { plan: { kind: 'PEG' }, trigger: { moves: 'FALLS', at: 3 } }),
			limit(1, 'BACK', 4, 20, { plan: { kind: 'PEG' }, postOnly: 'REFUSE' }),
		];
		const { instructionReports } = await place(bot, orders, of);
		expect(instructionReports.map(({ orderStatus, errorCode }: Wire) => orderStatus ?? errorCode)).toEqual([
			'PENDING',
			'PENDING',
			'INVALID_BET_SIZE',
			'INVALID_ORDER_TYPE',
			'INVALID_ORDER_TYPE',
		]);
		const list = async () => await result(server, bot, 'listCurrentOrders', { marketIds: [of.marketId] });
		await expect.poll(async () => (await list()).currentOrders).toHaveLength(2);
		const { currentTriggers, currentOrders } = await list();
		const [shown, whole] = currentOrders.map(({ betId, priceSize }: Wire) => [betId, priceSize.size]);
		expect([shown[1], whole[1]]).toEqual([10, 20]);
		expect(currentTriggers).toMatchObject([
			{ plan: { kind: 'ICEBERG', visible: 10, size: 20 }, placedBetId: shown[0], priceSize: { size: 10 } },
			{ plan: { kind: 'BRACKET', profitTicks: 2, stopTicks: 2, size: 20 }, placedBetId: whole[0] },
		]);
		const instructions = currentTriggers.map(({ betId }: Wire) => ({ betId }));
		const cancelled = await result(server, bot, 'cancelOrders', { ...of, instructions });
		expect(cancelled.instructionReports).toMatchObject([{ status: 'SUCCESS' }, { status: 'SUCCESS' }]);
		expect((await list()).currentOrders).toEqual([]);
	});

	it('updates what becomes of orders at the turn in-play, in their places in the queue, over JSON-RPC and REST', async () => {
		const own = await openTestMatch(server);
		const of = { marketId: `1.${own.marketId}` };
		const { instructionReports } = await place(bot, [limit(1, 'BACK', 3, 20), limit(1, 'BACK', 3, 30)], of);
		const [first, second] = instructionReports.map(({ betId }: Wire) => betId);
		const foreign = (await place(rival, [limit(2, 'BACK', 4, 20)], of)).instructionReports[0].betId;
		const asked = (betId: string, newPersistenceType: string) => ({ betId, newPersistenceType });
		const call = {
			...of,
			customerRef: 'stay',
			instructions: [
				asked(first, 'PERSIST'),
				asked(second, 'LAPSE'),
				asked(foreign, 'PERSIST'),
				asked('1', 'PERSIST'),
				asked(first, 'MARKET_ON_CLOSE'),
			],
		};
		const report = await result(server, bot, 'updateOrders', call);
		expect(report.status).toBe('PROCESSED_WITH_ERRORS');
		expect(report.instructionReports.map(({ status, errorCode }: Wire) => errorCode ?? status)).toEqual([
			'SUCCESS',
			'NO_ACTION_REQUIRED',
			'INVALID_BET_ID',
			'INVALID_BET_ID',
			'INVALID_PERSISTENCE_TYPE',
		]);
		// The same call over the other protocol gets the first answer.
		const path = '/exchange/betting/rest/v1.0/updateOrders/';
		expect(await post(server, bot, path, JSON.stringify(call))).toEqual(report);
		const [first2] = (await result(server, bot, 'listCurrentOrders', { betIds: [first] })).currentOrders;
		expect(first2.persistenceType).toBe('PERSIST');
		// The older order is matched before the younger one, as before the update.
		await place(rival, [limit(1, 'LAY', 3, 15)], of);
		await own.market.turnInPlay();
		const { currentOrders } = await result(server, bot, 'listCurrentOrders', { marketIds: [of.marketId] });
		expect(
			currentOrders.map(({ betId, sizeMatched, sizeRemaining }: Wire) => [betId, sizeMatched, sizeRemaining]),
		).toEqual([[first, 15, 5]]);
		const late = await result(server, bot, 'updateOrders', { ...of, instructions: [asked(second, 'PERSIST')] });
		expect(late).toMatchObject({ status: 'FAILURE', instructionReports: [{ errorCode: 'BET_TAKEN_OR_LAPSED' }] });
		const none = await rpc(server, bot, 'updateOrders', { ...of, instructions: [] });
		expect(none.error.data.APINGException.errorCode).toBe('INVALID_INPUT_DATA');
	});

	it('references travel with the order, over replacements and a restart', async () => {
		const own = await openTestMatch(server);
		const of = { marketId: `1.${own.marketId}` };
		const instruction = { ...limit(1, 'BACK', 5, 60), customerOrderRef: 'ref-1' };
		const placed = await place(bot, [instruction], { ...of, customerStrategyRef: 'night' });
		const { betId } = placed.instructionReports[0];
		await result(server, bot, 'replaceOrders', { ...of, instructions: [{ betId, newPrice: 6 }] });
		server = await restartShared();
		const { currentOrders } = await result(server, bot, 'listCurrentOrders', { customerStrategyRefs: ['night'] });
		expect(currentOrders).toMatchObject([{ customerOrderRef: 'ref-1', priceSize: { price: 6, size: 60 } }]);
		expect((await result(server, bot, 'listCurrentOrders', { customerOrderRefs: ['other'] })).currentOrders).toEqual(
			[],
		);
	});
});

describe('a call with many instructions', () => {
	it('keeps their order and reports each: 200, of which every tenth is refused', async () => {
		const own = await openTestMatch(server);
		const instructions = Array.from({ length: 200 }, (_, at) => limit(1, 'BACK', at % 10 === 9 ? 3.001 : 3, 10, {}));
		const report = await place(bot, instructions, { marketId: `1.${own.marketId}` });
		expect(report).toMatchObject({ status: 'PROCESSED_WITH_ERRORS', errorCode: 'PROCESSED_WITH_ERRORS' });
		const reports: Wire[] = report.instructionReports;
		expect(reports.map(({ errorCode }) => errorCode ?? null)).toEqual(
			instructions.map((_, at) => (at % 10 === 9 ? 'INVALID_ODDS' : null)),
		);
		const ids = reports.flatMap(({ betId }) => (betId ? [Number(betId)] : []));
		expect(ids).toEqual([...ids].sort((one, other) => one - other));
		const tooMany = await rpc(server, bot, 'placeOrders', {
			marketId,
			instructions: [...instructions, instructions[0]],
		});
		expect(tooMany.error.data.APINGException.errorCode).toBe('INVALID_INPUT_DATA');
	});

	it('gives its first answer to repetitions with the same customerRef, parallel, refused, and after a restart', async () => {
		const own = await openTestMatch(server);
		const call = {
			marketId: `1.${own.marketId}`,
			customerRef: 'once',
			instructions: [limit(1, 'BACK', 3, 70), limit(9, 'BACK', 3, 70)],
		};
		const answers = await Promise.all(Array.from({ length: 6 }, () => result(server, bot, 'placeOrders', call)));
		for (const answer of answers) expect(answer).toEqual(answers[0]);
		expect(answers[0].instructionReports.map(({ status }: Wire) => status)).toEqual(['SUCCESS', 'FAILURE']);
		const whole = { ...call, customerRef: 'all-good', instructions: [limit(1, 'BACK', 3.1, 20)] };
		const good = await result(server, bot, 'placeOrders', whole);
		server = await restartShared();
		expect(await result(server, bot, 'placeOrders', call)).toEqual(answers[0]);
		expect(await result(server, bot, 'placeOrders', whole)).toEqual(good);
		const { currentOrders } = await result(server, bot, 'listCurrentOrders', { marketIds: [call.marketId] });
		expect(currentOrders).toHaveLength(2);
		const other = { ...call, instructions: [limit(1, 'BACK', 3, 71)] };
		expect(await result(server, bot, 'placeOrders', other)).toMatchObject({
			status: 'FAILURE',
			errorCode: 'DUPLICATE_TRANSACTION',
		});
	});

	it('gives its first answer also where what it named has ended since, or its market has moved or closed', async () => {
		const own = await openTestMatch(server);
		const of = { marketId: `1.${own.marketId}` };
		const trigger = limit(2, 'BACK', 4, 20, { trigger: { moves: 'FALLS', at: 3 } });
		const plan = limit(2, 'BACK', 4, 20, { plan: { kind: 'ICEBERG', visible: 10 } });
		const placed = await place(bot, [limit(2, 'LAY', 2, 100), trigger, plan, limit(2, 'LAY', 1.9, 50)], of);
		const [replaced, first, second, left] = placed.instructionReports.map(({ betId }: Wire) => betId);
		const [{ version }] = await result(server, bot, 'listMarketBook', { marketIds: [of.marketId] });
		const calls: [string, object][] = [
			['cancelOrders', { ...of, customerRef: 'ended', instructions: [{ betId: first }, { betId: second }] }],
			[
				'replaceOrders',
				{
					...of,
					customerRef: 'moved',
					marketVersion: { version },
					instructions: [{ betId: replaced, newPrice: 1.5 }],
				},
			],
			['updateOrders', { ...of, customerRef: 'kept', instructions: [{ betId: left, newPersistenceType: 'PERSIST' }] }],
			['placeOrders', { ...of, customerRef: 'closed', instructions: [limit(1, 'BACK', 3, 10), trigger] }],
		];
		const answers: Wire[] = [];
		for (const [operation, call] of calls) answers.push(await result(server, bot, operation, call));
		expect(answers.map(({ status }) => status)).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS', 'SUCCESS']);
		expect(answers[0].instructionReports[0].sizeCancelled).toBe(20);
		expect(answers[1].instructionReports[0].placeInstructionReport.instruction).toMatchObject({
			selectionId: 2,
			side: 'LAY',
		});
		await own.market.turnInPlay();
		const again = async () => {
			const repeated: Wire[] = [];
			for (const [operation, call] of calls) repeated.push(await result(server, bot, operation, call));
			return repeated;
		};
		expect(await again()).toEqual(answers);
		await own.settle(0);
		expect(await again()).toEqual(answers);
	});
});

it('a replacement that fails names the order that it was to place, also when the bet has left memory or is another’s', async () => {
	const own = await openTestMatch(server);
	const of = { marketId: `1.${own.marketId}` };
	const [placed, others] = [
		await place(bot, [limit(2, 'LAY', 2, 100)], of),
		await place(rival, [limit(1, 'BACK', 3, 100)], of),
	];
	const replaced = async (betId: string) => {
		const { instructionReports } = await result(server, bot, 'replaceOrders', {
			...of,
			instructions: [{ betId, newPrice: 2.5 }],
		});
		return instructionReports[0].placeInstructionReport;
	};
	const { betId } = placed.instructionReports[0];
	await own.settle(0);
	server = await restartShared();
	expect(server.running.exchange.bet(Number(betId))).toBeNull();
	expect(await replaced(betId)).toMatchObject({
		status: 'FAILURE',
		errorCode: 'RELATED_ACTION_FAILED',
		instruction: { selectionId: 2, side: 'LAY', orderType: 'LIMIT', limitOrder: { size: 0, price: 2.5 } },
	});
	// Nothing of another player's bet is told.
	const nothing = { selectionId: 0, side: 'BACK', orderType: 'LIMIT', limitOrder: { size: 0, price: 2.5 } };
	for (const unknown of [others.instructionReports[0].betId, '999999999', 'x'])
		expect((await replaced(unknown)).instruction).toMatchObject(nothing);
});

it('answers JSON-RPC with the method in the path as without it', async () => {
	const params = { filter: { marketIds: [marketId] } };
	const call = { jsonrpc: '2.0', method: 'SportsAPING/v1.0/listEventTypes', params, id: 1 };
	const paths = ['', '/SportsAPING/v1.0/listEventTypes', '/listEventTypes', '/'];
	const answers = await Promise.all(
		paths.map((path) => post(server, bot, `/exchange/betting/json-rpc/v1${path}`, JSON.stringify(call))),
	);
	const cricket = { eventType: { id: '4', name: 'Cricket' }, marketCount: 1 };
	for (const answer of answers) expect(answer).toEqual({ jsonrpc: '2.0', result: [cricket], id: 1 });
});

describe('refusals have the service’s shape', () => {
	it('without a key, a session, a right, an address, and beyond the weights', async () => {
		const codeOf = async (
			headers: Record<string, string>,
			operation = 'listEventTypes',
			params: object = { filter: {} },
		) => (await rpc(server, { headers }, operation, params)).error?.data.APINGException.errorCode ?? null;
		const { headers } = bot;
		expect(await codeOf(headers)).toBeNull();
		expect(await codeOf({ 'X-Authentication': bot.token })).toBe('NO_APP_KEY');
		expect(await codeOf({ 'X-Application': bot.appKey })).toBe('NO_SESSION');
		expect(await codeOf({ ...headers, 'X-Application': 'none' })).toBe('INVALID_APP_KEY');
		expect(await codeOf({ ...headers, 'X-Authentication': bot.siteToken })).toBe('INVALID_SESSION_INFORMATION');
		expect(await codeOf({ ...headers, 'X-Application': rival.appKey })).toBe('INVALID_SESSION_INFORMATION');
		const reader = await openBot(server, { mayTrade: false });
		const order = { marketId, instructions: [limit(1, 'BACK', 3, 50)] };
		expect(await codeOf(reader.headers)).toBeNull();
		for (const operation of ['placeOrders', 'cancelOrders', 'updateOrders', 'replaceOrders'])
			expect(await codeOf(reader.headers, operation, order), operation).toBe('ACCESS_DENIED');
		const many = {
			marketIds: Array.from({ length: 12 }, () => marketId),
			priceProjection: { priceData: ['EX_ALL_OFFERS'] },
		};
		expect(await codeOf(headers, 'listMarketBook', many)).toBe('TOO_MUCH_DATA');
		const weighty = { filter: {}, maxResults: 201, marketProjection: ['MARKET_DESCRIPTION'] };
		expect(await codeOf(headers, 'listMarketCatalogue', weighty)).toBe('TOO_MUCH_DATA');
		await server.result('revokeApiKey', { keyId: reader.keyId }, reader.siteToken);
		expect(await codeOf(reader.headers)).toBe('INVALID_APP_KEY');
	});

	it('over REST as faults, with the same results as JSON-RPC', async () => {
		const path = '/exchange/betting/rest/v1.0/listEventTypes/';
		expect(await post(server, bot, path, '{"filter":{}}')).toEqual(
			await result(server, bot, 'listEventTypes', { filter: {} }),
		);
		const fault = await post(server, { headers: { 'X-Application': bot.appKey } }, path, '{"filter":{}}');
		expect(fault).toMatchObject({
			faultcode: 'Client',
			faultstring: 'ANGX-0005',
			detail: { exceptionname: 'APINGException', APINGException: { errorCode: 'NO_SESSION' } },
		});
	});

	it('for whatever is sent: broken, nested, repeated, huge, in batches; and the server lives', async () => {
		const url = '/exchange/betting/json-rpc/v1';
		const call = { jsonrpc: '2.0', method: 'SportsAPING/v1.0/listEventTypes', params: { filter: {} }, id: 'x' };
		const text = JSON.stringify(call);
		const errorOf = async (body: string) => (await post(server, bot, url, body)).error?.message;
		for (const body of [
			'',
			'{',
			'null1',
			'"\\ud800"',
			text.replace('"id"', '"id":1,"id"'),
			'['.repeat(9_000),
			`${text}${text}`,
		])
			expect(await errorOf(body), body.slice(0, 40)).toBe('DSC-0008');
		for (const body of ['[[]]', '[1]', '[null]'])
			expect((await post(server, bot, url, body))[0].error.message).toBe('DSC-0009');
		expect(await errorOf('[]')).toBe('ANGX-0011');
		expect(await errorOf(`[${Array.from({ length: 1_000 }, () => text).join(',')}]`)).toBe('ANGX-0011');
		expect(await errorOf(JSON.stringify({ ...call, method: 'SportsAPING/v1.0/constructor' }))).toBe('DSC-0021');
		expect(await errorOf(JSON.stringify({ ...call, params: { filter: 5 } }))).toBe('DSC-0018');
		expect(await errorOf('x'.repeat(600_000))).toBe('ANGX-0011');
		const batch = await post(server, bot, url, JSON.stringify([call, { ...call, id: 2, method: 'x' }, call]));
		expect(batch.map(({ id, error }: Wire) => [id, error?.message ?? null])).toEqual([
			['x', null],
			[2, 'DSC-0021'],
			['x', null],
		]);
	});
});

it('createDeveloperAppKeys asks for the player’s password, as the site does', async () => {
	const keys = async () => (await result(server, bot, 'getDeveloperAppKeys', {})).length;
	const before = await keys();
	const code = async (params: object) => (await rpc(server, bot, 'createDeveloperAppKeys', params)).error?.message;
	expect(await code({ appName: 'another' })).toBe('DSC-0018');
	expect(await code({ appName: 'another', password: 'not the password' })).toMatch(/^AANGX-/);
	expect(await keys()).toBe(before);
	await result(server, bot, 'createDeveloperAppKeys', { appName: 'another', password: PASSWORD });
	expect(await keys()).toBe(before + 1);
});
