/** A bot under a loss limit of its brand: its first bets are judged, and not refused for what is not read yet. */
import { afterAll, beforeAll, expect, it } from 'vitest';
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
