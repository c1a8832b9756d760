/**
 * Takeovers of real processes under load, each started again by a supervisor: one by SIGKILL and one by SIGSTOP. `npm run
 * endurance` makes TAKEOVERS of them by every fault in turn, and prints how long each took from the fault to the first
 * acknowledged bet; and HAND_OVERS by command, with the longest call of each.
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

/** Acts of an operator who knows one process alone. @returns the first code that one is refused with */
async function actsUntilRefused(member: Member, epoch: number): Promise<string> {
	for (let count = 0; ; count++) {
		const code = await member.operate('create-player', {
			userName: `waits-${epoch}-${count}`,
			password: 'a long enough Passw0rd!',
		});
		if (code !== null) return code;
	}
}

it(
	'loses and doubles nothing that was acknowledged when processes are killed, stopped or cut off under load',
	async () => {
		const running = await ExchangePair.start(SILENCE_MS, CLOCK_SHIFT_MS);
		pair = running;
		await running.settled();
		const crowd = new TakeoverCrowd(running);
		const took: { fault: string; ms: number }[] = [];
		for (let count = 0; count < TAKEOVERS; count++) {
			const { name, takesOver, strike } = FAULTS[count % FAULTS.length] ?? expect.unreachable();
			await crowd.open(PLAYERS);
			crowd.work();
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
			await crowd.placeMore(50);
			await crowd.rest();
			await crowd.expectNothingLost();
		}
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
		const longestCallsMs: number[] = [];
		for (let count = 0; count < HAND_OVERS; count++) {
			const { serving, following } = await running.settled();
			const epoch = await running.epoch();
			await crowd.open(PLAYERS);
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
			const errors = serving.errorsUntilEnd();
			const refusals = actsUntilRefused(serving, epoch);
			await serving.says('has handed over');
			expect(['DRAINING', 'OUTCOME_UNKNOWN']).toContain(await refusals);
			await crowd.placeMore(50);
			await crowd.rest();
			expect(await errors).toEqual([]);
			longestCallsMs.push(Math.round(crowd.longestCallMs));
			expect(await running.epoch()).toBe(epoch + 1);
			expect(crowd.unanswered).toEqual([]);
			crowd.askAll();
			await crowd.expectNothingLost();
		}
		await expectSound(running.database.url);
		console.log(JSON.stringify({ longestCallsMs }));
	},
	60_000 + HAND_OVERS * 30_000,
);
