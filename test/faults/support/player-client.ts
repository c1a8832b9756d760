/** A player on a faulty server: logs in, finds a market, bets. Every call has a time limit of its own. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { vi } from 'vitest';
import type { FaultyServer } from './faulty-server.ts';

/** A server in a process of its own. */
type Answering = Pick<FaultyServer, 'url'>;

/** Longer than any call may take; a server that hangs fails the test instead of holding it up. */
const PATIENCE_MS = 60_000;

/** The server refused, with a code of the catalogue. */
export class RefusedCall extends Error {
	readonly code: string;

	constructor(code: string) {
		super(code);
		this.code = code;
	}
}

/**
 * GET without a body, POST with one.
 * @throws RefusedCall when the answer is a refusal, fetch's own error when there is no answer
 */
export async function ask<Result>(
	server: Answering,
	path: string,
	{ token, body, patienceMs = PATIENCE_MS }: { token?: string; body?: object; patienceMs?: number } = {},
): Promise<Result> {
	const response = await fetch(`${server.url}${path}`, {
		method: body ? 'POST' : 'GET',
		headers: {
			...(token ? { Authorization: `Bearer ${token}` } : {}),
			...(body ? { 'Content-Type': 'application/json' } : {}),
		},
		...(body ? { body: JSON.stringify(body) } : {}),
		signal: AbortSignal.timeout(patienceMs),
	});
	const { result, error } = (await response.json()) as { result: Result; error: { code: string } | null };
	if (error) throw new RefusedCall(error.code);
	return result;
}

/** A new demo player with ₹20,000. @returns the access token */
export async function demoPlayer(server: Answering): Promise<string> {
	return (await ask<{ accessToken: string }>(server, '/Account/LoginAsDemoUser')).accessToken;
}

export interface Market {
	marketId: string;
	runnerId: string;
}

interface ListedMatch {
	/** Null until its markets are open. */
	mainMarket: { marketId: string; runners: { runnerId: string }[] } | null;
}

/**
 * The main market of the match that starts last, which stays open for a long time. Needs the simulated sports, whose
 * first markets open when the server already answers.
 */
export async function lastMarket(server: Answering): Promise<Market> {
	return await vi.waitFor(
		async () => {
			const matches = await ask<ListedMatch[]>(server, '/Event/Closest?take=50');
			const { marketId, runners } = matches.findLast(({ mainMarket }) => mainMarket)?.mainMarket ?? {};
			const runnerId = runners?.[0]?.runnerId;
			if (!marketId || !runnerId) throw new Error('No match has a market.');
			return { marketId, runnerId };
		},
		{ timeout: PATIENCE_MS },
	);
}

export interface Bet extends Market {
	side: 'BACK' | 'LAY';
	price: number;
	stake: number;
	persistence: 'PERSIST' | 'LAPSE';
	clientRequestId: string;
}

/** ₹10 at 10.00, which rests in the book until the market is over, under a new request id. */
export function restingBet(market: Market): Bet {
	return { ...market, side: 'BACK', price: 1000, stake: 10, persistence: 'PERSIST', clientRequestId: randomUUID() };
}

/** Places it and returns the bet's id; asked again with the same bet, the server answers with the same id. */
export async function placeBet(server: Answering, token: string, bet: Bet, patienceMs = PATIENCE_MS): Promise<string> {
	return (await ask<{ betId: string }>(server, '/Bet/PlaceBetV2', { token, body: bet, patienceMs })).betId;
}

/** Nothing of the call was done, or its outcome is unknown: the same request tells. */
const AGAIN = new Set(['DEADLINE_PASSED', 'STARTING', 'OVERLOADED', 'THROTTLED', 'OUTCOME_UNKNOWN']);
const ASK_AGAIN_MS = 50;

/**
 * Sends the same bet until the outcome is known.
 * @returns its id, or null when the market is suspended
 * @throws RefusedCall for any other refusal, and when the time is over
 */
export async function placeForCertain(
	server: Answering,
	token: string,
	bet: Bet,
	withinMs: number,
): Promise<string | null> {
	const untilMs = performance.now() + withinMs;
	for (;;) {
		try {
			return await placeBet(server, token, bet);
		} catch (error) {
			const { code } = error as RefusedCall;
			if (code === 'MARKET_SUSPENDED') return null;
			if (!AGAIN.has(code) || performance.now() > untilMs) throw error;
			await delay(ASK_AGAIN_MS);
		}
	}
}

/** The ids of the player's bets that rest or wait. */
export async function openBetIds(server: Answering, token: string): Promise<string[]> {
	const { openBets } = await ask<{ openBets: { betId: string }[] }>(server, '/Bet/GetUserOpenBets', { token });
	return openBets.map(({ betId }) => betId);
}
