/**
 * Habits of public clients, written from the protocol and from what these programs send: paths, headers, numbers in quotes,
 * ids as numbers, fields that are null, and what their typed results need to be there.
 */
import { request } from 'node:http';
import { beforeAll, expect, it } from 'vitest';
import { type TestMatch } from '../support/match.ts';
import type { TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { PASSWORD } from '../support/sign-up.ts';
import { type Bot, limit, openBot, result, type Wire } from './bot.ts';
import { openTestMatch } from './numbered-match.ts';
import { StreamClient } from './stream-client.ts';
import { ANSWERS, faultsOf, MESSAGES } from './typed-clients.ts';

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

/** Sends exactly these headers and nothing of fetch's own. */
async function send(path: string, headers: Record<string, string>, body: string, method = 'POST'): Promise<Wire> {
	return await new Promise((resolve, reject) => {
		const sent = request(`${server.url}${path}`, { method, headers }, async (answer) => {
			let text = '';
			for await (const chunk of answer) text += chunk;
			resolve({ status: answer.statusCode, type: answer.headers['content-type'], body: JSON.parse(text) });
		});
		sent.on('error', reject).end(body);
	});
}

it('log in as scripts do, interactively and by certificate, keep alive and log out, by POST and by GET', async () => {
	const form = new URLSearchParams({
		username: bot.userName,
		password: PASSWORD,
		login: 'true',
		redirectMethod: 'POST',
		product: 'home.betfair.int',
		url: 'https://www.betfair.com/',
	}).toString();
	const headers = {
		accept: 'application/json',
		'x-application': bot.appKey,
		'content-type': 'application/x-www-form-urlencoded',
		'accept-encoding': 'gzip, deflate',
		'user-agent': 'client/1.0',
	};
	const { status, type, body } = await send('/api/login', headers, form);
	// Clients compare the whole header.
	expect([status, type, body.status]).toEqual([200, 'application/json', 'SUCCESS']);
	expect((await send('/api/certlogin/', headers, form)).body.loginStatus).toBe('SUCCESS');
	const withToken = { ...headers, 'x-authentication': body.token };
	const closing = 'product=home.betfair.int&url=https%3A%2F%2Fwww.betfair.com%2F';
	expect((await send('/api/keepAlive', withToken, closing)).body).toMatchObject({
		token: body.token,
		status: 'SUCCESS',
	});
	expect((await send('/api/keepAlive', { accept: '*/*', 'x-authentication': body.token }, '', 'GET')).body.status).toBe(
		'SUCCESS',
	);
	expect((await send('/api/logout', { 'x-authentication': body.token }, '', 'GET')).body.status).toBe('SUCCESS');
	expect((await send('/api/keepAlive', withToken, '')).body.error).toBe('NO_SESSION');
});

it('call with and without a slash at the end, without a content type, in batches, with ids of both kinds and with null fields', async () => {
	const call = (id: unknown, filter: object) => ({
		jsonrpc: '2.0',
		method: 'SportsAPING/v1.0/listMarketCatalogue',
		params: { filter, maxResults: '200', marketProjection: ['MARKET_START_TIME'], sort: null, locale: null },
		id,
	});
	const { 'Content-Type': _type, ...untyped } = bot.headers;
	for (const path of ['/exchange/betting/json-rpc/v1', '/exchange/betting/json-rpc/v1/']) {
		const { body } = await send(path, untyped, JSON.stringify([call(1, {}), call('two', { marketIds: [marketId] })]));
		expect(body.map(({ id }: Wire) => id)).toEqual([1, 'two']);
		expect(body[1].result).toMatchObject([
			{ marketId, marketStartTime: expect.stringMatching(/^[\d-]+T[\d:]+\.\d{3}Z$/) },
		]);
	}
	const rest = '/exchange/betting/rest/v1.0/listMarketCatalogue';
	const filter = {
		eventTypeIds: [4],
		eventIds: [match.eventId],
		inPlayOnly: 'false',
		textQuery: null,
		marketStartTime: { from: '2020-01-01T00:00:00Z', to: '2999-01-01T00:00:00.0000000+00:00' },
	};
	const asked = JSON.stringify({ filter, maxResults: 5, marketProjection: null });
	for (const path of [rest, `${rest}/`]) {
		const { body } = await send(path, { ...bot.headers, 'Content-Type': 'application/json; charset=utf-8' }, asked);
		expect(body.map((one: Wire) => one.marketId)).toContain(marketId);
	}
});

it('write prices, sizes and ids in quotes, as the service’s own examples do, and read numbers in the reports', async () => {
	const instruction = {
		selectionId: '1',
		handicap: '0',
		side: 'BACK',
		orderType: 'LIMIT',
		limitOrder: { size: '20', price: '3.05', persistenceType: 'LAPSE' },
		limitOnCloseOrder: null,
		customerOrderRef: null,
	};
	const placed = await result(server, bot, 'placeOrders', {
		marketId,
		instructions: [instruction],
		customerRef: null,
		marketVersion: { version: null },
		async: false,
	});
	const [report] = placed.instructionReports;
	expect(report).toMatchObject({
		status: 'SUCCESS',
		instruction: { selectionId: 1, handicap: 0, limitOrder: { size: 20, price: 3.05 } },
	});
	for (const wrong of ['', 'three', '1e2', '0x10', ' 3', '3,5', '9'.repeat(400)]) {
		const order = { ...instruction, limitOrder: { ...instruction.limitOrder, price: wrong } };
		const call = {
			jsonrpc: '2.0',
			method: 'SportsAPING/v1.0/placeOrders',
			params: { marketId, instructions: [order] },
			id: 1,
		};
		const { body } = await send('/exchange/betting/json-rpc/v1', bot.headers, JSON.stringify(call));
		expect(body.error?.message, wrong).toBe('DSC-0018');
	}
	const cancelled = await result(server, bot, 'cancelOrders', {
		marketId,
		instructions: [{ betId: Number(report.betId), sizeReduction: '5.00' }],
	});
	expect(cancelled.instructionReports[0]).toMatchObject({ status: 'SUCCESS', sizeCancelled: 5 });
	await result(server, bot, 'cancelOrders', { marketId: null, instructions: null });
});

it('read both reports of a replacement, also of one that is refused: which half failed, and which because of it', async () => {
	const [mine, foreign] = [
		(await result(server, bot, 'placeOrders', { marketId, instructions: [limit(1, 'BACK', 3, 20)] }))
			.instructionReports[0],
		(await result(server, rival, 'placeOrders', { marketId, instructions: [limit(1, 'BACK', 3, 20)] }))
			.instructionReports[0],
	];
	const { instructionReports } = await result(server, bot, 'replaceOrders', {
		marketId,
		instructions: [
			{ betId: mine.betId, newPrice: 3.001 },
			{ betId: foreign.betId, newPrice: 4 },
		],
	});
	const codes = instructionReports.map(({ cancelInstructionReport: cancel, placeInstructionReport: made }: Wire) => [
		cancel.errorCode,
		made.errorCode,
		made.instruction?.selectionId,
	]);
	expect(codes).toEqual([
		['RELATED_ACTION_FAILED', 'INVALID_ODDS', 1],
		['INVALID_BET_ID', 'RELATED_ACTION_FAILED', 0],
	]);
	for (const of of [bot, rival]) await result(server, of, 'cancelOrders', {});
});

it('follow the stream without ids, in one packet, and positions by strategy', async () => {
	const own = await openTestMatch(server);
	const client = await StreamClient.open(server);
	try {
		const messages = [
			{ op: 'authentication', appKey: bot.appKey, session: bot.token },
			{
				op: 'orderSubscription',
				orderFilter: {
					includeOverallPosition: false,
					customerStrategyRefs: ['night'],
					partitionMatchedByStrategyRef: true,
				},
				segmentationEnabled: true,
				initialClk: null,
				clk: null,
				conflateMs: null,
			},
		];
		client.socket.write(messages.map((message) => `${JSON.stringify(message)}\r\n`).join(''));
		const image = await client.line(({ op, ct }) => op === 'ocm' && ct === 'SUB_IMAGE');
		expect('id' in image).toBe(false);
		const of = { marketId: `1.${own.marketId}` };
		await result(server, rival, 'placeOrders', { ...of, instructions: [limit(1, 'LAY', 3, 30)] });
		const back = (size: number, changes: object) =>
			result(server, bot, 'placeOrders', { ...of, instructions: [limit(1, 'BACK', 3, size)], ...changes });
		await back(10, {});
		await back(20, { customerStrategyRef: 'night' });
		const { oc } = await client.line((line) => line.oc?.[0]?.orc?.[0]?.smc);
		const [runner] = oc[0].orc;
		expect(runner.smc).toEqual({ night: { mb: [[3, 20]] } });
		expect([runner.mb, runner.ml]).toEqual([undefined, undefined]);
	} finally {
		client.close();
	}
});

it('build their typed objects of every answer: nothing that they need is missing, nothing unknown is there', async () => {
	const own = await openTestMatch(server);
	const of = { marketId: `1.${own.marketId}` };
	const filter = { marketIds: [of.marketId] };
	const answers: [operation: string, answer: Wire][] = [];
	const ask = async (operation: string, params: object): Promise<Wire> => {
		const answer = await result(server, bot, operation, params);
		answers.push([operation, answer]);
		return answer;
	};
	await result(server, rival, 'placeOrders', { ...of, instructions: [limit(1, 'LAY', 3, 30)] });
	const instructions = [limit(1, 'BACK', 3, 20), limit(2, 'BACK', 5, 20), limit(2, 'BACK', 5.01, 20)];
	const { instructionReports } = await ask('placeOrders', { ...of, instructions });
	expect(instructionReports.map(({ status }: Wire) => status)).toEqual(['SUCCESS', 'SUCCESS', 'FAILURE']);
	for (const projection of [{}, { orderProjection: 'ALL', matchProjection: 'NO_ROLLUP' }]) {
		const priceProjection = { priceData: ['EX_BEST_OFFERS'] };
		await ask('listMarketBook', { ...filter, priceProjection, ...projection });
		await ask('listRunnerBook', { ...of, selectionId: 1, priceProjection, ...projection });
	}
	const { betId } = instructionReports[1];
	for (const newPersistenceType of ['PERSIST', 'LAPSE'])
		await ask('updateOrders', { ...of, instructions: [{ betId, newPersistenceType }] });
	await ask('listCurrentOrders', filter);
	const replaced = await ask('replaceOrders', {
		...of,
		instructions: [
			{ betId, newPrice: 6 },
			{ betId, newPrice: 6.01 },
		],
	});
	const { betId: last } = replaced.instructionReports[0].placeInstructionReport;
	await ask('cancelOrders', { ...of, instructions: [{ betId: last }, { betId: '1' }] });
	await ask('listMarketProfitAndLoss', filter);
	const marketProjection = ['COMPETITION', 'EVENT', 'EVENT_TYPE', 'MARKET_DESCRIPTION', 'RUNNER_METADATA'];
	await ask('listMarketCatalogue', { filter, maxResults: 10, marketProjection });
	for (const operation of ['listEventTypes', 'listCompetitions', 'listEvents', 'listMarketTypes'])
		await ask(operation, { filter });
	await ask('listTimeRanges', { filter, granularity: 'DAYS' });
	await own.settle(0);
	await ask('listClearedOrders', { betStatus: 'SETTLED', marketIds: filter.marketIds, includeItemDescription: true });
	const unlike = answers.flatMap(([operation, answer]) =>
		faultsOf(answer, ANSWERS[operation] ?? { needs: '' }, operation),
	);
	expect([...new Set(unlike)]).toEqual([]);
	expect(Object.keys(ANSWERS).filter((operation) => !answers.some(([asked]) => asked === operation))).toEqual([]);
});

it('build them of every message of the stream: markets and orders, with references and without', async () => {
	const own = await openTestMatch(server);
	const of = { marketId: `1.${own.marketId}` };
	const client = await StreamClient.subscribed(server, bot, {
		op: 'marketSubscription',
		marketFilter: { marketIds: [of.marketId] },
		// As the client in Python writes what it does not have.
		initialClk: null,
		clk: null,
		conflateMs: null,
		heartbeatMs: null,
		segmentationEnabled: true,
	});
	try {
		client.say({ op: 'orderSubscription', id: 3, orderFilter: null, initialClk: null, clk: null });
		await client.line(({ id, ct }) => id === 3 && ct);
		await result(server, rival, 'placeOrders', { ...of, instructions: [limit(1, 'LAY', 3, 30)] });
		const named = { ...limit(1, 'BACK', 3, 20), customerOrderRef: 'one' };
		await result(server, bot, 'placeOrders', {
			...of,
			instructions: [named, limit(2, 'BACK', 5, 20)],
			customerStrategyRef: 'night',
		});
		const { instructionReports } = await result(server, bot, 'placeOrders', {
			...of,
			instructions: [limit(2, 'BACK', 5, 20)],
		});
		await result(server, bot, 'cancelOrders', { ...of, instructions: [{ betId: instructionReports[0].betId }] });
		const isCancelled = ({ oc }: Wire) =>
			oc?.some(({ orc }: Wire) =>
				orc?.some(({ uo }: Wire) => uo?.some(({ id, sc }: Wire) => id === instructionReports[0].betId && sc === 20)),
			);
		await client.line(isCancelled);
		await own.settle(0);
		await client.line(({ mc }) => mc?.some(({ marketDefinition }: Wire) => marketDefinition?.status === 'CLOSED'));
		await client.line(({ oc }) => oc?.some(({ closed }: Wire) => closed === true));
		const said = client.lines.filter(({ mc, oc }) => mc || oc);
		const unlike = said.flatMap((line) => faultsOf(line, MESSAGES[line.op as 'mcm' | 'ocm'], line.op));
		expect([...new Set(unlike)]).toEqual([]);
	} finally {
		client.close();
	}
});

it('in Go send orders without a handicap, with an empty reference and figures in quotes, and read their fixed types', async () => {
	const own = await openTestMatch(server);
	const instruction = {
		orderType: 'LIMIT',
		selectionId: 1,
		side: 'BACK',
		limitOrder: { size: '20.00', price: '3.00', persistenceType: 'LAPSE' },
		customerOrderRef: '',
	};
	const rest = async (operation: string, params: object) =>
		(await send(`/exchange/betting/rest/v1.0/${operation}/`, bot.headers, JSON.stringify(params))).body;
	const marketId = `1.${own.marketId}`;
	const placed = await rest('placeOrders', { marketId, instructions: [instruction] });
	const [{ betId, ...report }] = placed.instructionReports;
	expect([typeof betId, typeof report.sizeMatched, typeof report.averagePriceMatched]).toEqual([
		'string',
		'number',
		'number',
	]);
	expect(report).toMatchObject({ status: 'SUCCESS', instruction: { limitOrder: { size: 20, price: 3 } } });
	const cancelled = await rest('cancelOrders', { marketId, instructions: [{ betId, sizeReduction: null }] });
	expect(cancelled.instructionReports[0]).toMatchObject({ status: 'SUCCESS', sizeCancelled: 20 });
	// Absent codes are empty texts there, so a code is a text or is not there.
	expect([placed, cancelled].flatMap(({ errorCode }) => errorCode ?? [])).toEqual([]);
	const fault = await rest('listMarketBook', { marketIds: 'none' });
	expect([typeof fault.faultcode, typeof fault.faultstring, typeof fault.detail]).toEqual([
		'string',
		'string',
		'object',
	]);
});
