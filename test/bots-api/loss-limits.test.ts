/** What is read before a bot's stake is judged: its first bets are not refused for it, and its cancellations do not wait. */
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BotCaller, BotCallers } from '#server/doors/bots-api/caller.ts';
import type { BotParts } from '#server/doors/bots-api/operation.ts';
import { answerJsonRpc, SERVICES } from '#server/doors/bots-api/rpc-routes.ts';
import type { TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { limit, openBot, result } from './bot.ts';
import { openTestMatch } from './numbered-match.ts';

/** In coins. */
const LIMIT = 200;

let server: TestServer;
beforeAll(async () => {
	server = await sharedServer();
});
const setLimit = (value: string) =>
	server.act('brand-set', { host: 'localhost', field: 'playerProtection.lossLimitDay', value });
afterAll(() => setLimit('null'));

it('a bot that places its first bets of the day at once loses no more than the limit', async () => {
	const bot = await openBot(server);
	const match = await openTestMatch(server);
	await setLimit(String(LIMIT));
	const place = () =>
		result(server, bot, 'placeOrders', {
			marketId: `1.${match.marketId}`,
			instructions: [limit(1, 'BACK', 2, LIMIT / 2)],
		});
	const statuses = (await Promise.all([place(), place(), place()])).map(({ status, instructionReports: [report] }) =>
		`${status} ${report.errorCode ?? ''}`.trim(),
	);
	expect(statuses.filter((status) => status === 'SUCCESS')).toHaveLength(2);
	expect(statuses.filter((status) => status !== 'SUCCESS')).toEqual(['FAILURE LOSS_LIMIT_EXCEEDED']);
});

it('asks a register of exclusions before it places, and never before it cancels or a bot is heard of', async () => {
	let asked = 0;
	const isCancelled: string[] = [];
	const parts = {
		exchange: {
			fresh: () => null,
			submit: async ({ kind }: { kind: string }) => {
				isCancelled.push(kind);
				return {};
			},
		},
		heartbeats: { beat: async () => 'NONE' },
		players: {
			// The register hangs.
			freshExclusion: () => {
				asked += 1;
				return new Promise<void>(() => undefined);
			},
		},
		funds: { protection: { readLosses: () => null } },
	} as unknown as BotParts;
	const callers = { count: () => undefined } as unknown as BotCallers;
	const untilMs = performance.now() + 600_000;
	const caller = { key: { mayTrade: true }, login: { playerId: 7 }, visitor: {}, untilMs } as unknown as BotCaller;
	const call = (operation: string, params: object) => {
		const service = SERVICES.find(({ operations }) => Object.hasOwn(operations, operation));
		if (!service) throw new Error('no such operation');
		const method = `${service.name}/v1.0/${operation}`;
		const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', method, params, id: 1 }));
		return answerJsonRpc({ parts, callers, log: pino({ enabled: false }) }, service, { body }, () => caller);
	};
	expect(await call('cancelOrders', {})).toMatchObject({ result: { status: 'SUCCESS' } });
	expect(await call('heartbeat', { preferredTimeoutSeconds: 10 })).toMatchObject({
		result: { actionPerformed: 'NONE' },
	});
	expect([isCancelled, asked]).toEqual([['cancel-all'], 0]);
	const order = { marketId: '1.1', instructions: [limit(1, 'BACK', 2, 10)] };
	const isAnswered = await Promise.race([call('placeOrders', order), new Promise((resume) => setImmediate(resume))]);
	expect([isAnswered, asked]).toEqual([undefined, 1]);
});
