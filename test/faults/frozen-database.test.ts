/**
 * PostgreSQL stands still for some time while players bet. A call is answered by its deadline. A bet that was refused is
 * never placed, one that was acknowledged is never lost, and one whose outcome was unknown is there once after it was
 * repeated.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FaultyServer } from './support/faulty-server.ts';
import { byForm, isLongForm } from './support/form.ts';
import {
	type Bet,
	demoPlayer,
	type Market,
	openBetIds,
	placeBet,
	placeForCertain,
	RefusedCall,
	restingBet,
} from './support/player-client.ts';

const DEADLINE_MS = byForm(2_000, 3_000);
/** The allowed time of an answer beyond its deadline. */
const SLACK_MS = 5_000;
/**
 * Answers are timed by a clock that stands still while this process does not run. On a machine that runs too much else,
 * an answer is late because the server had no processor, and then this process had none either.
 */
const TICK_MS = 50;
const PLAYERS = 4;
/** However long the answers take, so that calls arrive at every moment of a freeze. */
const BET_EVERY_MS = byForm(100, 40);
/** Of each player before a freeze and after it. */
const BETS = byForm(3, 20);
/** Nothing of the call was done, and nothing will be. */
const UNAVAILABLE = ['DEADLINE_PASSED', 'STARTING', 'OVERLOADED', 'THROTTLED'];
const UNKNOWN = 'OUTCOME_UNKNOWN';

/**
 * Shorter than what stops anything, shorter than the deadline, and longer: all three are met by random instants. In one that
 * is longer than the deadline, calls meet each of them.
 */
const freezes = (): number[] =>
	isLongForm ? Array.from({ length: 12 }, () => 50 + Math.random() ** 2 * 29_000) : [DEADLINE_MS + 1_000];
const RECOVERED_WITHIN_MS = 30_000;

let server: FaultyServer;
let market: Market;
let ticks = 0;
const ticking = setInterval(() => ticks++, TICK_MS);
beforeAll(async () => {
	server = await FaultyServer.start({ args: ['--no-feeds'], environment: { CALL_DEADLINE_MS: String(DEADLINE_MS) } });
	market = await server.openMarket();
});
afterAll(async () => {
	clearInterval(ticking);
	await server?.dispose();
});

interface Stream {
	token: string;
	placed: string[];
	refused: Set<string>;
	unknown: Bet[];
	longestMs: number;
}

const newStream = async (): Promise<Stream> => ({
	token: await demoPlayer(server),
	placed: [],
	refused: new Set(),
	unknown: [],
	longestMs: 0,
});

/** Bets at a steady pace until the fault is over. */
async function bet(stream: Stream, fault: { over: boolean }): Promise<void> {
	const underWay: Promise<void>[] = [];
	while (!fault.over) {
		underWay.push(betOnce(stream));
		await delay(BET_EVERY_MS);
	}
	await Promise.all(underWay);
}

/** A bet that is refused is never sent again. */
async function betOnce(stream: Stream): Promise<void> {
	const one = restingBet(market);
	const from = ticks;
	try {
		stream.placed.push(await placeBet(server, stream.token, one));
	} catch (error) {
		const { code } = error as RefusedCall;
		if (code === UNKNOWN) stream.unknown.push(one);
		else {
			expect(UNAVAILABLE).toContain(code);
			stream.refused.add(code);
		}
	}
	stream.longestMs = Math.max(stream.longestMs, (ticks - from) * TICK_MS);
}

/** Each of the players has placed some bets more. */
async function placedMore(streams: readonly Stream[]): Promise<void> {
	const before = streams.map(({ placed }) => placed.length);
	const havePlaced = () => streams.every(({ placed }, at) => placed.length >= (before[at] ?? 0) + BETS);
	await expect.poll(havePlaced, { timeout: RECOVERED_WITHIN_MS }).toBe(true);
}

/** The truth about a bet: only an answer other than 503 is one. @returns its id, or null when it is refused now */
const repeat = ({ token }: Stream, one: Bet): Promise<string | null> =>
	placeForCertain(server, token, one, RECOVERED_WITHIN_MS);

it(
	'every call is answered by its deadline, no refused bet is placed and no acknowledged bet is lost',
	async () => {
		const codes = new Set<string>();
		for (const freezeMs of freezes()) {
			const streams = await Promise.all(Array.from({ length: PLAYERS }, newStream));
			const fault = { over: false };
			const betting = streams.map((stream) => bet(stream, fault));
			try {
				await placedMore(streams);
				server.postgres.freeze();
				await delay(freezeMs);
				server.postgres.thaw();
				await placedMore(streams);
			} finally {
				fault.over = true;
			}
			await Promise.all(betting);
			for (const stream of streams) {
				for (const one of stream.unknown) {
					const betId = await repeat(stream, one);
					if (betId !== null) stream.placed.push(betId);
				}
				expect((await openBetIds(server, stream.token)).sort()).toEqual(stream.placed.sort());
				expect(stream.longestMs).toBeLessThan(DEADLINE_MS + SLACK_MS);
				for (const code of stream.refused) codes.add(code);
				if (stream.unknown.length > 0) codes.add(UNKNOWN);
			}
			// It is as before: a bet of a new player is placed.
			const after = await newStream();
			const placed = () => repeat(after, restingBet(market));
			await expect.poll(placed, { timeout: RECOVERED_WITHIN_MS }).toEqual(expect.any(String));
		}
		// The freezes were long enough for both kinds of answer.
		expect(codes).toContain(UNKNOWN);
		expect(UNAVAILABLE.some((code) => codes.has(code))).toBe(true);
		expect(await server.failedAuditChecks()).toEqual([]);
	},
	byForm(120_000, 900_000),
);
