/** Details that the service documents and real clients rely on, one by one. */
import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import * as v from 'valibot';
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { TimeRange } from '#server/doors/bots-api/operation.ts';
import { Gate } from '#server/process/hand-over/gate.ts';
import { Refused } from '#values/error-catalogue.ts';
import { openMarketOf } from '../support/match.ts';
import type { TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { type Bot, limit, openBot, post, result, type Wire } from './bot.ts';
import { openTestMatch } from './numbered-match.ts';
import { StreamClient } from './stream-client.ts';

let server: TestServer;
let bot: Bot;
let rival: Bot;
beforeAll(async () => {
	server = await sharedServer();
	[bot, rival] = [await openBot(server), await openBot(server)];
});

const place = (of: Bot, marketId: string, ...instructions: object[]) =>
	result(server, of, 'placeOrders', { marketId: `1.${marketId}`, instructions });
const found = async (filter: object): Promise<string[]> =>
	(await result(server, bot, 'listMarketCatalogue', { filter, maxResults: 1_000 })).map(
		({ marketId }: Wire) => marketId,
	);

it('finds markets by any text of theirs, with wildcards, in any case, and races by their type', async () => {
	const match = await openTestMatch(server, { title: 'Zürich v Bern', competition: 'Alpine League' });
	const id = `1.${match.marketId}`;
	for (const textQuery of [
		'zürich',
		'ZÜRICH V BERN',
		'zür*bern',
		'alpine',
		'match odds',
		'm*odds',
		'Cricket',
		'*bern',
		'',
	])
		expect(await found({ textQuery, eventIds: [match.eventId] }), textQuery).toEqual([id]);
	for (const textQuery of ['basel', 'bern*zür', 'zür.*bern', 'odds match'])
		expect(await found({ textQuery, eventIds: [match.eventId] }), textQuery).toEqual([]);
	// Many wildcards cost no more than few.
	const startedAt = performance.now();
	await found({ textQuery: 'a*'.repeat(100) });
	expect(performance.now() - startedAt).toBeLessThan(2_000);
	expect(await found({ raceTypes: ['NO_VALUE'], eventIds: [match.eventId] })).toEqual([id]);
	expect(await found({ raceTypes: ['Flat', 'Hurdle'], eventIds: [match.eventId] })).toEqual([]);
});

it('caps depths instead of refusing them, over calls and the stream', async () => {
	const match = await openTestMatch(server);
	const prices = Array.from({ length: 12 }, (_, at) => limit(1, 'BACK', 3 + at / 20, 10));
	await place(rival, match.marketId, ...prices);
	const levels = async (bestPricesDepth: number) => {
		const priceProjection = { priceData: ['EX_BEST_OFFERS'], exBestOffersOverrides: { bestPricesDepth } };
		const [book] = await result(server, bot, 'listMarketBook', { marketIds: [`1.${match.marketId}`], priceProjection });
		return book.runners[0].ex.availableToLay.length;
	};
	expect([await levels(2), await levels(10), await levels(50)]).toEqual([2, 10, 10]);
	const client = await StreamClient.subscribed(server, bot, {
		op: 'marketSubscription',
		marketFilter: { marketIds: [`1.${match.marketId}`] },
		marketDataFilter: { fields: ['EX_BEST_OFFERS'], ladderLevels: 25 },
	});
	expect(client.ladder(`1.${match.marketId}`, 1, 'batl')).toHaveLength(10);
	client.close();
});

it('has no scores, races and in-play data: lists are empty, and their streams are silent', async () => {
	for (const operation of ['listRaceDetails', 'listAvailableEvents', 'listScores', 'listIncidents'])
		expect(await result(server, bot, operation, {}), operation).toEqual([]);
	for (const path of [
		'inplayservice/v1/scores?eventIds=1',
		'inplayservice/v1/eventTimeline?eventId=1',
		'rest/v2/raceCard',
	])
		expect(await (await fetch(`${server.url}/${path}`, { headers: bot.headers })).json(), path).toEqual([]);
	for (const [op, answer] of [
		['raceSubscription', 'rcm'],
		['cricketSubscription', 'ccm'],
	]) {
		const client = await StreamClient.subscribed(server, bot, { op, heartbeatMs: 500 });
		expect(client.lines.at(-1)).toMatchObject({ op: answer, ct: 'SUB_IMAGE', clk: expect.any(String) });
		await client.line((line) => line.op === answer && line.ct === 'HEARTBEAT');
		client.close();
	}
});

it('compresses long answers for clients that take gzip, and no others', async () => {
	await openTestMatch(server);
	const body = JSON.stringify({
		filter: {},
		maxResults: 100,
		marketProjection: ['EVENT', 'EVENT_TYPE', 'MARKET_DESCRIPTION', 'RUNNER_METADATA'],
	});
	const answer = async (encoding: string | null, path = 'listMarketCatalogue', sent = body) =>
		await new Promise<{ encoding: string | undefined; type: string | undefined; bytes: Buffer }>((resolve, reject) => {
			const headers = { ...bot.headers, ...(encoding === null ? {} : { 'accept-encoding': encoding }) };
			const options = { method: 'POST', headers };
			request(`${server.url}/exchange/betting/rest/v1.0/${path}/`, options, async (response) => {
				const pieces: Buffer[] = [];
				for await (const piece of response) pieces.push(piece);
				const { 'content-encoding': used, 'content-type': type } = response.headers;
				resolve({ encoding: used, type, bytes: Buffer.concat(pieces) });
			})
				.on('error', reject)
				.end(sent);
		});
	const plain = await answer(null);
	expect(plain.encoding).toBeUndefined();
	for (const accepted of ['gzip', 'gzip, deflate', 'br;q=1.0, gzip;q=0.8', 'GZIP']) {
		const packed = await answer(accepted);
		expect([packed.encoding, packed.type, gunzipSync(packed.bytes).toString()], accepted).toEqual([
			'gzip',
			'application/json',
			plain.bytes.toString(),
		]);
	}
	for (const refused of ['identity', 'br', 'gzip;q=0', 'x-gzipped'])
		expect((await answer(refused)).encoding, refused).toBeUndefined();
	expect((await answer('gzip', 'listVenues', '{"filter":{}}')).encoding).toBeUndefined();
});

it('refuses calls that a hand-over held for too long in the shape of their route, each under its id', async () => {
	const late = vi.spyOn(Gate.prototype, 'do').mockRejectedValue(new Refused('DEADLINE_PASSED'));
	onTestFinished(() => late.mockRestore());
	const call = (method: string, id: number | string) => ({ jsonrpc: '2.0', method, params: {}, id });
	const sent = (path: string, body: object) => post(server, bot, path, JSON.stringify(body));
	const refusal = (number: string, exceptionname: string) => ({
		code: -32_099,
		message: number,
		data: { exceptionname },
	});
	const ofBetting = refusal('ANGX-0010', 'APINGException');
	const one = call('SportsAPING/v1.0/placeOrders', 'mine');
	expect(await sent('/exchange/betting/json-rpc/v1', one)).toMatchObject({
		jsonrpc: '2.0',
		error: ofBetting,
		id: 'mine',
	});
	const funds = call('AccountAPING/v1.0/getAccountFunds', 7);
	const ofAccount = refusal('AANGX-0010', 'AccountAPINGException');
	expect(await sent('/exchange/account/json-rpc/v1', funds)).toMatchObject({ error: ofAccount, id: 7 });
	expect(await sent('/exchange/betting/json-rpc/v1', [one, call('SportsAPING/v1.0/cancelOrders', 2)])).toMatchObject([
		{ error: ofBetting, id: 'mine' },
		{ error: ofBetting, id: 2 },
	]);
	expect(await sent('/exchange/betting/rest/v1.0/placeOrders/', {})).toMatchObject({
		faultcode: 'Server',
		faultstring: 'ANGX-0010',
	});
});

it('repeats an order that was asked for by what it pays as it was asked for, with the size that it got', async () => {
	const match = await openTestMatch(server);
	const asked = { price: 4, persistenceType: 'LAPSE', betTargetType: 'PAYOUT', betTargetSize: 400 };
	const instruction = { orderType: 'LIMIT', selectionId: 1, side: 'BACK', limitOrder: asked };
	const { instructionReports } = await place(bot, match.marketId, instruction, {
		...instruction,
		limitOrder: { ...asked, price: 4.001 },
	});
	expect(instructionReports.map(({ instruction: { limitOrder } }: Wire) => limitOrder)).toEqual([
		{ ...asked, size: 100 },
		{ ...asked, price: 4.001, size: 0 },
	]);
	await result(server, bot, 'cancelOrders', {});
});

it('reads an order of the common fields alone as any other, and repeats what was given in one order', async () => {
	const match = await openTestMatch(server);
	const marketId = `1.${match.marketId}`;
	const sent = async (...orders: string[]): Promise<Wire> => {
		const instructions = orders.map(
			(order) => `{"orderType":"LIMIT","selectionId":1,"side":"BACK","limitOrder":${order}}`,
		);
		const params = `{"marketId":"${marketId}","instructions":[${instructions.join(',')}]}`;
		const call = `{"jsonrpc":"2.0","method":"SportsAPING/v1.0/placeOrders","params":${params},"id":1}`;
		return await post(server, bot, '/exchange/betting/json-rpc/v1', call);
	};
	const plain = '{"size":20,"price":3}';
	const repeated = [
		['{"price":3,"size":20}', plain],
		['{"pr\\u0069ce":"3","size":"20.0","persistenceType":null,"timeInForce":null}', plain],
		['{"price":3,"size":20,"__proto__":{"size":1}}', plain],
		['{"price":3,"size":20,"toString":1,"minFillSize":null,"trigger":null}', plain],
		['{"timeInForce":"FILL_OR_KILL","price":3,"size":20}', '{"size":20,"price":3,"timeInForce":"FILL_OR_KILL"}'],
		[
			'{"betTargetSize":60,"betTargetType":"PAYOUT","price":3,"size":null}',
			'{"size":20,"price":3,"betTargetType":"PAYOUT","betTargetSize":60}',
		],
	] as const;
	const { instructionReports } = (await sent(...repeated.map(([order]) => order))).result;
	expect(instructionReports.map(({ status }: Wire) => status)).toEqual(repeated.map(() => 'SUCCESS'));
	expect(instructionReports.map(({ instruction }: Wire) => JSON.stringify(instruction.limitOrder))).toEqual(
		repeated.map(([, echo]) => echo),
	);
	expect((await sent('null')).result.instructionReports[0].errorCode).toBe('ERROR_IN_ORDER');
	for (const order of [
		'[]',
		'5',
		'{"size":20}',
		'{"size":20,"other":1}',
		'{"price":3,"size":"x"}',
		'{"price":3,"size":20,"persistenceType":"x"}',
		'{"price":3,"size":20,"goodForSeconds":0}',
		'{"price":3,"size":20,"__proto__":{},"selfMatch":"x"}',
	])
		expect((await sent(order)).error?.message, order).toBe('DSC-0018');
	await result(server, bot, 'cancelOrders', {});
});

it('gives the fields of a report in one order, with its batch where that is asked for', async () => {
	const match = await openTestMatch(server);
	const marketId = `1.${match.marketId}`;
	const instruction = { ...limit(1, 'BACK', 3, 20), customerOrderRef: 'mine' };
	const namesOf = (part: object) => Object.keys(part).join(' ');
	const fields = async (operation: string, params: object) => {
		const answer = await result(server, bot, operation, { marketId, ...params });
		const [report] = answer.instructionReports;
		return [answer, report, report.instruction].map(namesOf);
	};
	const placed = (changes: object, asked: object = instruction) =>
		fields('placeOrders', { instructions: [asked], ...changes });
	const call = 'marketId status instructionReports';
	const report = 'status instruction betId placedDate averagePriceMatched sizeMatched orderStatus';
	const echo = 'selectionId handicap limitOrder customerOrderRef orderType side';
	expect(await placed({})).toEqual([call, report, echo]);
	expect(await placed({ withCommit: true })).toEqual([call, `${report} commit`, echo]);
	expect(await placed({ customerRef: 'one-order' })).toEqual([`customerRef ${call}`, report, echo]);
	const again = { customerRef: 'one-order', withCommit: true };
	expect(await placed(again)).toEqual([`customerRef ${call}`, `${report} commit`, echo]);
	const refused = ['marketId status errorCode instructionReports', 'status errorCode instruction'];
	expect(await placed({}, limit(9, 'BACK', 3, 20))).toEqual([
		...refused,
		'selectionId handicap limitOrder orderType side',
	]);
	const { currentOrders } = await result(server, bot, 'listCurrentOrders', { marketIds: [marketId] });
	const [{ betId }, other] = currentOrders;
	const cut = { instructions: [{ betId, sizeReduction: null }] };
	const cancelled = 'status instruction sizeCancelled cancelledDate';
	expect(await fields('cancelOrders', cut)).toEqual([call, cancelled, 'betId']);
	const update = { instructions: [{ betId: other.betId, newPersistenceType: 'PERSIST' }], withCommit: true };
	const updated = 'status instruction commit';
	expect(await fields('updateOrders', update)).toEqual([call, updated, 'betId newPersistenceType']);
	const moved = { marketId, instructions: [{ betId: other.betId, newPrice: 4 }] };
	const [replaced] = (await result(server, bot, 'replaceOrders', moved)).instructionReports;
	expect(namesOf(replaced)).toBe('status cancelInstructionReport placeInstructionReport');
	expect(namesOf(replaced.cancelInstructionReport)).toBe(cancelled);
	expect(namesOf(replaced.placeInstructionReport)).toBe(report);
	const all = await result(server, bot, 'cancelOrders', { customerRef: 'all', withCommit: true });
	expect(namesOf(all)).toBe('customerRef status instructionReports commit');
	expect(namesOf(await result(server, bot, 'cancelOrders', {}))).toBe('status instructionReports');
});

it('gives an order by profit or payout the whole size that makes it, and rounds down what none makes', async () => {
	const match = await openTestMatch(server);
	const sizeOf = async (betTargetType: string, betTargetSize: number, price: number) => {
		const limitOrder = { price, persistenceType: 'LAPSE', betTargetType, betTargetSize };
		const { instructionReports } = await place(bot, match.marketId, {
			orderType: 'LIMIT',
			selectionId: 1,
			side: 'BACK',
			limitOrder,
		});
		const { betIds, size } = {
			betIds: [instructionReports[0].betId],
			size: instructionReports[0].instruction.limitOrder.size,
		};
		const { currentOrders } = await result(server, bot, 'listCurrentOrders', { betIds });
		expect(currentOrders[0].priceSize).toEqual({ price, size });
		return size;
	};
	expect([
		await sizeOf('BACKERS_PROFIT', 10, 1.1),
		await sizeOf('PAYOUT', 33, 1.1),
		await sizeOf('BACKERS_PROFIT', 60.06, 1.6),
		await sizeOf('PAYOUT', 100, 3),
		await sizeOf('BACKERS_PROFIT', 100, 2.5),
	]).toEqual([100, 30, 100.1, 33.33, 66.66]);
	await result(server, bot, 'cancelOrders', {});
});

it('keeps the references of a bet whose market was settled and opened again', async () => {
	const match = await openTestMatch(server);
	await place(rival, match.marketId, limit(1, 'LAY', 3, 40));
	const instructions = [{ ...limit(1, 'BACK', 3, 40), customerOrderRef: 'ref-2' }];
	await result(server, bot, 'placeOrders', {
		marketId: `1.${match.marketId}`,
		instructions,
		customerStrategyRef: 'day',
	});
	const named = async () =>
		(await result(server, bot, 'listCurrentOrders', { customerStrategyRefs: ['day'] })).currentOrders;
	const before = await named();
	expect(before).toMatchObject([{ customerOrderRef: 'ref-2', customerStrategyRef: 'day', sizeMatched: 40 }]);
	await match.settle(0);
	await server.act('reopen', { marketId: match.marketId });
	expect(await named()).toEqual(before);
	await server.act('settle', { marketId: match.marketId, winners: ['Nepal'] });
	const asked = { betStatus: 'SETTLED', customerStrategyRefs: ['day'] };
	expect((await result(server, bot, 'listClearedOrders', asked)).clearedOrders).toMatchObject([
		{ customerOrderRef: 'ref-2', profit: -40 },
	]);
});

it('answers a filter that names an event type beyond all numbers with nothing', async () => {
	const eventTypeIds = ['9007199254740000'];
	const asked = { betStatus: 'SETTLED', eventTypeIds, eventIds: eventTypeIds, betIds: eventTypeIds };
	expect(await result(server, bot, 'listClearedOrders', asked)).toEqual({ clearedOrders: [], moreAvailable: false });
	expect(await result(server, bot, 'listEvents', { filter: { eventTypeIds } })).toEqual([]);
});

it('reads a time without a zone as UTC, wherever the server runs', () => {
	vi.stubEnv('TZ', 'Asia/Kolkata');
	onTestFinished(() => void vi.unstubAllEnvs());
	const noon = Date.UTC(2026, 5, 1, 12);
	for (const from of [
		'2026-06-01T12:00:00.000Z',
		'2026-06-01T12:00:00',
		'2026-06-01T12:00',
		'2026-06-01 12:00:00.000',
		'2026-06-01T17:30:00+05:30',
	])
		expect(v.parse(TimeRange, { from }), from).toMatchObject({ from: noon });
	expect(v.parse(TimeRange, { to: '2026-06-01' })).toMatchObject({ to: Date.UTC(2026, 5, 1) });
	expect(v.safeParse(TimeRange, { to: 'noon' }).success).toBe(false);
});

it('sums up settled bets alone: cancelled, lapsed and void ones are listed bet by bet', async () => {
	const match = await openTestMatch(server);
	const { instructionReports } = await place(bot, match.marketId, limit(1, 'BACK', 3, 20), limit(1, 'BACK', 3.05, 30));
	await result(server, bot, 'cancelOrders', { marketId: `1.${match.marketId}` });
	for (const groupBy of ['MARKET', 'SIDE', 'EVENT', 'BET']) {
		const asked = { betStatus: 'CANCELLED', groupBy, marketIds: [`1.${match.marketId}`] };
		const { clearedOrders } = await result(server, bot, 'listClearedOrders', asked);
		expect(clearedOrders.map(({ betId, sizeCancelled }: Wire) => [betId, sizeCancelled]).sort(), groupBy).toEqual(
			[
				[instructionReports[0].betId, 20],
				[instructionReports[1].betId, 30],
			].sort(),
		);
	}
});

it('says the profit of odds markets alone, and of one that was settled where settled bets are asked for', async () => {
	const match = await openTestMatch(server);
	const line = await openMarketOf(server, match, {
		name: 'Innings runs',
		type: 'LINE',
		runners: [{ id: 'R', name: 'Runs' }],
		lineRange: { min: 5_000, max: 20_000, interval: 100 },
		betDelaySeconds: 0,
		rules: 'Runs of the innings.',
	});
	await place(rival, match.marketId, limit(1, 'LAY', 3, 100));
	await place(bot, match.marketId, limit(1, 'BACK', 3, 100));
	const marketIds = [`1.${match.marketId}`, `1.${line.listing.id}`];
	const profits = async (changes: object) => {
		const answers = await result(server, bot, 'listMarketProfitAndLoss', { marketIds, ...changes });
		return answers.map(({ marketId, commissionApplied, profitAndLosses }: Wire) => [
			marketId,
			commissionApplied ?? null,
			...profitAndLosses.map(({ ifWin }: Wire) => ifWin),
		]);
	};
	const open = [[marketIds[0], null, 200, -100]];
	expect([await profits({}), await profits({ includeSettledBets: true })]).toEqual([open, open]);
	await match.settle(0);
	expect(await profits({})).toEqual([]);
	expect(await profits({ includeSettledBets: true })).toEqual([[marketIds[0], null, 200, 200]]);
	const [[, rate, net]] = await profits({ includeSettledBets: true, netOfCommission: true });
	expect(net).toBeCloseTo(200 * (1 - rate / 100), 2);
});

it('leaves markets with lines of a thousand or more out unless they are asked for by id or type', async () => {
	const match = await openTestMatch(server);
	const fancy = async (name: string, lines: number[]) => {
		const opened = await openMarketOf(server, match, {
			name,
			type: 'SESSION_RUNS',
			runners: lines.map((runs) => ({ id: `L${runs}`, name: `${runs} runs` })),
			lines,
			betDelaySeconds: 0,
			rules: 'Runs.',
		} as never);
		return `1.${opened.listing.id}`;
	};
	const [short, long] = [await fancy('Over', [8, 9]), await fancy('Match runs', [999, 1_001])];
	const ids = await found({ eventIds: [match.eventId] });
	expect([ids.includes(short), ids.includes(long)]).toEqual([true, false]);
	expect(await found({ marketIds: [long] })).toEqual([long]);
	expect(await found({ eventIds: [match.eventId], marketTypeCodes: ['SESSION_RUNS'] })).toEqual([short, long]);
});
