/**
 * Takeovers of real processes under load, each started again by a supervisor: one by SIGKILL and one by SIGSTOP. `npm run
 * endurance` makes TAKEOVERS of them by every fault in turn, and prints how long each took from the fault to the first
 * acknowledged bet; HAND_OVERS by command, with the longest call of each; and STRUCK_HAND_OVERS, which meet a fault at one
 * of their steps.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { afterEach, expect, it } from 'vitest';
import { expectSound } from '../support/audit.ts';
import { ExchangePair, type Member } from './support/exchange-pair.ts';
import { TakeoverCrowd } from './support/takeover-crowd.ts';

const TAKEOVERS = Number(process.env['TAKEOVERS'] ?? 2);
const LIMIT_MS = 60_000 + TAKEOVERS * 60_000;
const SILENCE_MS = Number(process.env['STANDBY_SILENCE_MS'] ?? 1_000);
const HAND_OVERS = Number(process.env['HAND_OVERS'] ?? 1);
const STRUCK_HAND_OVERS = Number(process.env['STRUCK_HAND_OVERS'] ?? 2);
/** A hand-over begins its steps a second after its command, and has passed them half a second later. */
const FIRST_STEP_MS = 950;
const STEPS_TAKE_MS = 600;
const PLAYERS = 6;
/** One of the two machines has a wrong clock. */
const CLOCK_SHIFT_MS = 20 * 60_000;

let pair: ExchangePair | undefined;
afterEach(async () => {
	await pair?.dispose();
	pair = undefined;
});

interface Struck {
	pair: ExchangePair;
	serving: Member;
	following: Member;
}

/** Of what strikes the process that serves, the other one has to take over; of the rest, nothing may be lost. */
const FAULTS: readonly { name: string; takesOver?: boolean; strike: (struck: Struck) => unknown }[] = [
	{ name: 'killed', takesOver: true, strike: ({ serving }) => serving.signal('SIGKILL') },
	{ name: 'stopped', takesOver: true, strike: ({ serving }) => serving.signal('SIGSTOP') },
	{ name: 'cut off from its database', takesOver: true, strike: ({ serving }) => serving.gate.cut() },
	{ name: 'the standby cut off from the database', strike: ({ following }) => following.gate.cut() },
	{ name: 'the standby stopped', strike: ({ following }) => following.signal('SIGSTOP') },
	{ name: 'commits stalled', strike: ({ pair: { database } }) => stallCommits(database.db) },
];

/** No batch is confirmed for longer than the silence that a standby takes for death. */
async function stallCommits(db: pg.Pool): Promise<void> {
	const client = await db.connect();
	await client.query('begin; select from lease for update');
	await delay(1.5 * SILENCE_MS);
	await client.query('commit');
	client.release();
}

/** A process that was not killed finds itself deposed, and ends, or goes on. */
function heal(member: Member): void {
	member.signal('SIGCONT');
	member.gate.mend();
}

it(
	'loses and doubles nothing that was acknowledged when processes are killed, stopped or cut off under load',
	async () => {
		const running = await ExchangePair.start(SILENCE_MS, CLOCK_SHIFT_MS);
		pair = running;
		await running.settled();
		const crowd = new TakeoverCrowd(running);
		await crowd.open(PLAYERS);
		crowd.work();
		const took: { fault: string; ms: number }[] = [];
		for (let count = 0; count < TAKEOVERS; count++) {
			const { name, takesOver, strike } = FAULTS[count % FAULTS.length] ?? expect.unreachable();
			const settle = await crowd.matched();
			const { serving, following } = await running.settled();
			const epoch = await running.epoch();
			const firstBet = crowd.firstBetOf(following);
			const settling = settle();
			const atMs = performance.now();
			const striking = strike({ pair: running, serving, following });
			if (takesOver) took.push({ fault: name, ms: Math.round((await firstBet) - atMs) });
			await Promise.all([striking, settling]);
			for (const member of running.members) heal(member);
			if (takesOver) expect(await running.epoch()).toBeGreaterThan(epoch);
		}
		await crowd.placeMore(50);
		await crowd.rest();
		await crowd.expectNothingLost();
		expect(running.members.filter((member) => member.differs())).toEqual([]);
		await expectSound(running.database.url);
		console.log(JSON.stringify({ silenceMs: SILENCE_MS, takeovers: took }));
	},
	LIMIT_MS,
);

it(
	'hands over under load without a refused call, and goes on itself when the standby is stopped',
	async () => {
		const running = await ExchangePair.start(SILENCE_MS, CLOCK_SHIFT_MS);
		pair = running;
		await running.settled();
		const crowd = new TakeoverCrowd(running, 20_000);
		await crowd.open(PLAYERS);
		const longestCallsMs: number[] = [];
		for (let count = 0; count < HAND_OVERS; count++) {
			const { serving, following } = await running.settled();
			const epoch = await running.epoch();
			crowd.askOnly(serving);
			crowd.work();
			await crowd.placeMore(50);
			// The second command finds the first one under way.
			const codes = await Promise.all([serving.handOver(), serving.handOver()]);
			expect(codes.toSorted()).toEqual(['WRONG_STATE', null]);
			following.signal('SIGSTOP');
			await serving.says('was not handed over and goes on');
			following.signal('SIGCONT');
			await crowd.placeMore(10);
			expect(await running.epoch()).toBe(epoch);
			crowd.askOnly(serving);
			await expect.poll(() => serving.handOver(), { timeout: 30_000 }).toBeNull();
			await serving.says('has handed over');
			await crowd.placeMore(50);
			await crowd.rest();
			longestCallsMs.push(Math.round(crowd.longestCallMs));
			expect(await running.epoch()).toBe(epoch + 1);
			expect(crowd.unanswered).toEqual([]);
			crowd.askAll();
		}
		await crowd.expectNothingLost();
		await expectSound(running.database.url);
		console.log(JSON.stringify({ longestCallsMs }));
	},
	60_000 + HAND_OVERS * 30_000,
);

it(
	'loses and doubles nothing when a fault strikes a hand-over at any of its steps',
	async () => {
		const running = await ExchangePair.start(SILENCE_MS, CLOCK_SHIFT_MS);
		pair = running;
		await running.settled();
		const crowd = new TakeoverCrowd(running);
		await crowd.open(PLAYERS);
		crowd.work();
		const ends: Record<string, number> = {};
		for (let count = 0; count < STRUCK_HAND_OVERS; count++) {
			const { name, strike } = FAULTS[count % FAULTS.length] ?? expect.unreachable();
			const { serving, following } = await running.settled();
			const epoch = await running.epoch();
			await expect.poll(() => serving.handOver(), { timeout: 30_000 }).toBeNull();
			await delay(FIRST_STEP_MS + Math.random() * STEPS_TAKE_MS);
			const striking = strike({ pair: running, serving, following });
			await Promise.all([striking, crowd.placeMore(20)]);
			for (const member of running.members) heal(member);
			const end = `${name}: ${(await running.epoch()) > epoch ? 'the other serves' : 'the same serves'}`;
			ends[end] = (ends[end] ?? 0) + 1;
		}
		await running.settled();
		await crowd.placeMore(20);
		await crowd.rest();
		await crowd.expectNothingLost();
		await expectSound(running.database.url);
		console.log(JSON.stringify({ ends }));
	},
	60_000 + STRUCK_HAND_OVERS * 60_000,
);
