/**
 * The wall clock of the server jumps while bets wait out their delay.
 *
 * @module-tag thorough
 */
import { randomUUID } from 'node:crypto';
import type * as v from 'valibot';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { closest } from '#contract/calls/event.ts';
import { HOUR_MS } from '#values/time.ts';
import { FaultyServer } from './support/faulty-server.ts';
import { byForm } from './support/form.ts';
import { ask, demoPlayer, RefusedCall } from './support/player-client.ts';

const MINUTE_MS = 60_000;
/** Simulated markets delay bets by some seconds. */
const DECIDED_WITHIN_MS = 20_000;
const OPEN_WITHIN_MS = 30_000;

const JUMPS: readonly (readonly [how: string, offsetMs: number])[] = [
	['back an hour', -HOUR_MS],
	// By less than a login lasts.
	...byForm([], [['forward twenty minutes', -HOUR_MS + 20 * MINUTE_MS] as const]),
];

let server: FaultyServer;
beforeAll(async () => {
	server = await FaultyServer.start();
});
afterAll(() => server?.dispose());

type Priced = v.InferOutput<typeof closest.response>[number];
interface BetAnswer {
	betId: string;
	status: string;
}

/** A bet that would be matched and therefore waits; null where the market takes none at the moment. */
async function pendingBet(token: string, { mainMarket }: Priced): Promise<string | null> {
	const runner = mainMarket?.runners.find(({ back }) => back);
	if (!mainMarket || !runner?.back) return null;
	const terms = { side: 'BACK', price: runner.back.price, stake: 10, persistence: 'LAPSE' };
	const body = { ...terms, marketId: mainMarket.marketId, runnerId: runner.runnerId, clientRequestId: randomUUID() };
	try {
		const { betId, status } = await ask<BetAnswer>(server, '/Bet/PlaceBetV2', { token, body });
		return status === 'PENDING' ? betId : null;
	} catch (error) {
		if (error instanceof RefusedCall) return null;
		throw error;
	}
}

/** One in each fixture in play that takes it. */
async function pendingBets(token: string): Promise<string[]> {
	const fixtures = await ask<Priced[]>(server, '/Event/Closest?take=100');
	const betIds: string[] = [];
	for (const fixture of fixtures.filter(({ status }) => status === 'IN_PLAY')) {
		const betId = await pendingBet(token, fixture);
		if (betId !== null) betIds.push(betId);
	}
	return betIds;
}

it.each(JUMPS)('a clock that is set %s holds no delayed bet up, and betting goes on', async (_, offsetMs) => {
	const token = await demoPlayer(server);
	const waits = { timeout: OPEN_WITHIN_MS };
	await expect.poll(() => pendingBets(token), waits).not.toEqual([]);
	await server.shiftClock(offsetMs);
	const pending = async () => {
		const { openBets } = await ask<{ openBets: BetAnswer[] }>(server, '/Bet/GetUserOpenBets', { token });
		return openBets.filter(({ status }) => status === 'PENDING');
	};
	await expect.poll(pending, { timeout: DECIDED_WITHIN_MS }).toEqual([]);
	await expect.poll(() => pendingBets(token), waits).not.toEqual([]);
});

it('the ledger is whole afterwards', async () => {
	expect(await server.failedAuditChecks()).toEqual([]);
});
