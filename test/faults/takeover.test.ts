/**
 * Takeovers of real processes under load, each started again by a supervisor: one by SIGSTOP, after which two processes
 * believe that they lead; one by SIGKILL is in gateways.test.ts. `npm run endurance` makes TAKEOVERS of them by every
 * fault in turn, and prints how long each took from the fault to the first acknowledged bet; and HAND_OVERS by command,
 * with the longest call and the longest other request of each.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { expectSound } from '../support/audit.ts';
import { ExchangePair, type Member } from './support/exchange-pair.ts';
import { byForm } from './support/form.ts';
import { OtherSenders } from './support/other-senders.ts';
import { TakeoverCrowd } from './support/takeover-crowd.ts';

const TAKEOVERS = Number(process.env['TAKEOVERS'] ?? 1);
const LIMIT_MS = 120_000 + TAKEOVERS * 60_000;
const SILENCE_MS = Number(process.env['STANDBY_SILENCE_MS'] ?? 300);
const HAND_OVERS = Number(process.env['HAND_OVERS'] ?? 1);
const PLAYERS = byForm(3, 6);
/** One of the two machines has a wrong clock. */
const CLOCK_SHIFT_MS = 20 * 60_000;
/** Signed requests of providers are not older than five minutes. */
const SMALL_CLOCK_SHIFT_MS = 2 * 60_000;
/** Requests of each sender before, while and after the exchange is handed over. */
const REQUESTS = byForm(2, 5);
/** Of players, before and after. */
const BETS = byForm(25, 50);

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
	{ name: 'stopped', takesOver: true, strike: ({ serving }) => serving.signal('SIGSTOP') },
	{ name: 'killed', takesOver: true, strike: ({ serving }) => serving.signal('SIGKILL') },
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
		onTestFinished(() => crowd.close());
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
			await crowd.placeMore(BETS);
			await crowd.rest();
			await crowd.expectNothingLost();
		}
		expect(running.members.filter((member) => member.differs())).toEqual([]);
		await expectSound(running.database.url);
		console.log(JSON.stringify({ silenceMs: SILENCE_MS, takeovers: took }));
	},
	LIMIT_MS,
);

it('hands over under load without a refused call or request, and goes on itself when the standby is stopped', {
	tags: 'thorough',
	timeout: 120_000 + HAND_OVERS * 60_000,
}, async () => {
	const others = await OtherSenders.open();
	onTestFinished(() => others.close());
	const running = await ExchangePair.start(SILENCE_MS, SMALL_CLOCK_SHIFT_MS, { environment: others.environment });
	pair = running;
	others.askAt((await running.settled()).serving);
	await others.logIn();
	const crowd = new TakeoverCrowd(running, 20_000);
	onTestFinished(() => crowd.close());
	const longestMs: Record<string, number>[] = [];
	for (let count = 0; count < HAND_OVERS; count++) {
		const { serving, following } = await running.settled();
		const epoch = await running.epoch();
		await crowd.open(PLAYERS);
		crowd.askOnly(serving);
		crowd.work();
		others.askAt(serving);
		others.work();
		await crowd.placeMore(BETS);
		// The second command finds the first one under way.
		const codes = await Promise.all([serving.handOver(), serving.handOver()]);
		expect(codes.toSorted()).toEqual(['WRONG_STATE', null]);
		following.signal('SIGSTOP');
		await serving.says('was not handed over and goes on');
		following.signal('SIGCONT');
		await crowd.placeMore(BETS / 5);
		await others.sendMore(REQUESTS);
		expect(await running.epoch()).toBe(epoch);
		crowd.askOnly(serving);
		others.forgetTimes();
		await expect.poll(() => serving.handOver(), { timeout: 30_000 }).toBeNull();
		const errors = serving.errorsUntilEnd();
		const [changes, orders] = [await others.changes(), await others.orders(serving)];
		await serving.says('has handed over');
		// The command line asks the old process how it went; screens of the console and bots look for the new one.
		expect(await others.operator('standby-status', {})).toMatchObject({ handOver: { state: 'handed over' } });
		await Promise.all([changes.ended, orders.end()]);
		expect(orders.lines.at(-1)).toMatchObject({ errorCode: 'CONNECTION_FAILED', connectionClosed: true });
		const again = await others.orders(following, orders);
		expect(again.lines.find(({ id, ct }) => id === 2 && ct).ct).toBe('RESUB_DELTA');
		again.close();
		await Promise.all([crowd.placeMore(BETS), others.sendMore(REQUESTS)]);
		await Promise.all([crowd.rest(), others.rest()]);
		longestMs.push({ call: Math.round(crowd.longestCallMs), ...others.longestMs });
		expect(await errors).toEqual([]);
		expect(await running.epoch()).toBeGreaterThan(epoch);
		expect(crowd.unanswered).toEqual([]);
		crowd.askAll();
		await crowd.expectNothingLost();
		others.askAt(following);
		await others.expectEverythingDone(running.database.db);
	}
	await expectSound(running.database.url);
	console.log(JSON.stringify({ longestMs }));
});
