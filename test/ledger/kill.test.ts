/** kill -9 of the real server in the middle of a stream of bets: what was acknowledged is there, once; all else never was. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ServerProcess } from '../browser/server-process.ts';

let server: ServerProcess;
beforeAll(async () => {
	server = await ServerProcess.create();
});
afterAll(() => server.dispose());

/** Slow enough that the market stays open, fast enough that a match is in play. */
const OPTIONS = ['--sim-speed', '1', '--rate-limit-factor', '1000', '--log-level', 'error'];

/** The others of the sixteen streams are on their way at that moment. */
const BETS_UNTIL_KILL = 300;

async function ask<T>(path: string, token: string, body?: object): Promise<T> {
	const response = await fetch(`${server.url}${path}`, {
		method: body ? 'POST' : 'GET',
		headers: { Authorization: `Bearer ${token}`, ...(body ? { 'Content-Type': 'application/json' } : {}) },
		...(body ? { body: JSON.stringify(body) } : {}),
	});
	const { result, error } = (await response.json()) as { result: T; error: { code: string } | null };
	if (error) throw new Error(error.code);
	return result;
}

/** Bets one after another until the line breaks; what was acknowledged, and what was asked last without an answer. */
async function betUntilKilled(token: string, market: { id: string; runnerId: string }, onPlaced: () => void) {
	const placed: string[] = [];
	for (;;) {
		const body = {
			marketId: market.id,
			runnerId: market.runnerId,
			side: 'BACK',
			price: 1000,
			stake: 10,
			persistence: 'PERSIST',
			clientRequestId: randomUUID(),
		};
		try {
			const { betId } = await ask<{ betId: string }>('/Bet/PlaceBetV2', token, body);
			placed.push(betId);
			onPlaced();
		} catch (failure) {
			if (failure instanceof Error && failure.message === 'INSUFFICIENT_FUNDS') return { placed, unanswered: null };
			return { placed, unanswered: body };
		}
	}
}

it('loses nothing acknowledged and doubles nothing repeated, three kills in a row', async () => {
	await server.start(OPTIONS);
	const events = await ask<{ mainMarket: { marketId: string; runners: { runnerId: string }[] } }[]>(
		'/Event/Closest',
		'',
	);
	// The one that starts last is still open when the third kill is over.
	const { mainMarket } = events.at(-1) ?? events[0] ?? expect.unreachable('no match is listed');
	const market = { id: mainMarket.marketId, runnerId: mainMarket.runners[0]?.runnerId ?? '' };
	const tokens: string[] = [];
	for (let at = 0; at < 16; at++) {
		tokens.push((await ask<{ accessToken: string }>('/Account/LoginAsDemoUser', '')).accessToken);
	}
	const acknowledged = new Map<string, Set<string>>(tokens.map((token) => [token, new Set()]));
	for (let kill = 0; kill < 3; kill++) {
		let answers = 0;
		const enough = Promise.withResolvers<void>();
		const onPlaced = () => {
			answers += 1;
			if (answers === BETS_UNTIL_KILL) enough.resolve();
		};
		const streams = tokens.map(async (token) => ({ token, ...(await betUntilKilled(token, market, onPlaced)) }));
		await enough.promise;
		await server.kill();
		const outcomes = await Promise.all(streams);
		await server.start(OPTIONS);
		for (const { token, placed, unanswered } of outcomes) {
			const own = acknowledged.get(token);
			for (const betId of placed) own?.add(betId);
			if (unanswered) own?.add((await ask<{ betId: string }>('/Bet/PlaceBetV2', token, unanswered)).betId);
			const { openBets, balance, exposure } = await ask<{
				openBets: { betId: string; stake: number }[];
				balance: number;
				exposure: number;
			}>('/Bet/GetUserOpenBets', token);
			expect(new Set(openBets.map(({ betId }) => betId))).toEqual(own);
			expect(exposure).toBe(10 * openBets.length);
			expect(balance + exposure).toBe(20_000);
		}
	}
	const { code, stdout } = await server.run('tools/audit.ts');
	expect(stdout).not.toContain('"ok":false');
	expect(code).toBe(0);
});
