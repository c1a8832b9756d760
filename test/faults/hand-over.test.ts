/**
 * Planned hand-overs of real processes under load that a fault interrupts: at a step that chance picks, chance kills or
 * stops the process that hands over or its heir, cuts one off from the database, or kills or freezes the database. Players
 * ask at the processes and at gateways by turns, operators, bots and providers at the processes. `npm run test:all` kills
 * the old process when its heir has the lease; `npm run endurance` makes INTERRUPTIONS of them by chance, and SEED repeats a run.
 *
 * @module-tag thorough
 */
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { pick, randomFrom } from '#sports/random.ts';
import { findNatsServer } from '../../tools/nats-server.ts';
import { startGatewayProcess } from '../hub/gateway-process.ts';
import { startNatsServer } from '../hub/nats-server.ts';
import { expectSound } from '../support/audit.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { type BreakableDatabase, breakableDatabase } from './support/breakable-database.ts';
import { ExchangePair, type Member } from './support/exchange-pair.ts';
import { byForm } from './support/form.ts';
import { OtherSenders } from './support/other-senders.ts';
import { TakeoverCrowd } from './support/takeover-crowd.ts';

const INTERRUPTIONS = Number(process.env['INTERRUPTIONS'] ?? 1);
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
/**
 * A kill is seen sooner, by the connections that are gone. On a machine that starts other processes, one that lives is silent
 * for a second.
 */
const SILENCE_MS = Number(process.env['STANDBY_SILENCE_MS'] ?? (INTERRUPTIONS > 1 ? 1_000 : 4_000));
const PLAYERS = 6;
const BETS = byForm(25, 50);
/** Of each other sender, after the interruption. */
const REQUESTS = byForm(1, 3);
const LOOK_EVERY_MS = 2;
/** Of one interruption alone, which is no matter of chance. */
const ONE = { step: 'taken', fault: 'the old process killed' };
/** Without any, players ask at the processes: that gateways find the next one is shown by gateways.test.ts. */
const GATEWAYS = byForm([], ['east', 'west']);
const natsProgram = GATEWAYS.length > 0 ? findNatsServer() : null;

type StruckDatabase = FreshDatabase & Partial<BreakableDatabase>;

interface Struck {
	serving: Member;
	following: Member;
	database: StruckDatabase;
	draw: () => number;
}

/** What can be waited for of a hand-over that has begun; `epoch` is that of the exchange before. */
const STEPS: readonly { name: string; reached: (struck: Struck, epoch: number) => Promise<unknown> }[] = [
	{ name: 'begun', reached: ({ draw }) => delay(draw() * 1_100) },
	{ name: 'released', reached: ({ database }, epoch) => untilLease(database, `released or epoch > ${epoch}`) },
	{ name: 'taken', reached: ({ database }, epoch) => untilLease(database, `epoch > ${epoch}`) },
	{ name: 'taken, and a moment later', reached: (struck, epoch) => momentAfterTaking(struck, epoch) },
	{ name: 'handed over', reached: ({ serving }) => serving.says('has handed over') },
];

const FAULTS: readonly { name: string; strike: (struck: Struck) => unknown }[] = [
	{ name: 'the old process killed', strike: ({ serving }) => serving.signal('SIGKILL') },
	{ name: 'the heir killed', strike: ({ following }) => following.signal('SIGKILL') },
	{ name: 'the old process stopped', strike: ({ serving }) => stop(serving) },
	{ name: 'the heir stopped', strike: ({ following }) => stop(following) },
	{ name: 'the old process cut off', strike: ({ serving }) => cutOff(serving) },
	{ name: 'the heir cut off', strike: ({ following }) => cutOff(following) },
	{ name: 'the database killed', strike: ({ database }) => database.processes?.kill() },
	{ name: 'the database frozen', strike: freeze },
];

async function untilLease({ db }: StruckDatabase, condition: string): Promise<void> {
	while ((await db.query(`select from lease where ${condition}`)).rowCount === 0) await delay(LOOK_EVERY_MS);
}

/** While the heir starts, and calls wait at it. */
async function momentAfterTaking({ database, draw }: Struck, epoch: number): Promise<void> {
	await untilLease(database, `epoch > ${epoch}`);
	await delay(draw() * 250);
}

async function freeze({ database, draw }: Struck): Promise<void> {
	database.processes?.freeze();
	await delay(200 + draw() * 2 * SILENCE_MS);
	database.processes?.thaw();
}

/** For longer than the silence that a standby takes for death. */
async function stop(member: Member): Promise<void> {
	member.signal('SIGSTOP');
	await delay(1.5 * SILENCE_MS);
	member.signal('SIGCONT');
}

async function cutOff({ gate }: Member): Promise<void> {
	gate.cut();
	await delay(1.5 * SILENCE_MS);
	gate.mend();
}

function chosen(draw: () => number) {
	if (INTERRUPTIONS > 1) return [pick(STEPS, draw), pick(FAULTS, draw)] as const;
	const [step, fault] = [STEPS.find(({ name }) => name === ONE.step), FAULTS.find(({ name }) => name === ONE.fault)];
	return step && fault ? ([step, fault] as const) : expect.unreachable();
}

/** A pair of processes on a database that breaks, and gateways where there is a NATS server. */
async function startAll() {
	const started = new AsyncDisposableStack();
	onTestFinished(() => started.disposeAsync());
	// That one leaves the database alone.
	const database: StruckDatabase = INTERRUPTIONS > 1 ? await breakableDatabase() : await freshDatabase();
	const nats = natsProgram ? await startNatsServer(natsProgram) : null;
	started.defer(async () => await nats?.stop());
	const others = await OtherSenders.open();
	started.defer(() => others.close());
	const { environment } = others;
	const pair = await ExchangePair.start(SILENCE_MS, 0, {
		database,
		environment,
		...(nats ? { natsUrl: nats.url } : {}),
	});
	started.defer(() => pair.dispose());
	const gateways = nats
		? await Promise.all(GATEWAYS.map((nodeId) => startGatewayProcess({ natsUrl: nats.url, nodeId })))
		: [];
	for (const gateway of gateways) started.defer(() => gateway.kill());
	return { database, pair, gateways, others };
}

it(
	'has one writer and loses and doubles nothing when a hand-over is interrupted at any of its steps',
	async () => {
		const { database, pair, gateways, others } = await startAll();
		const draw = randomFrom(SEED);
		others.askAt((await pair.settled()).serving);
		await others.logIn();
		others.askAt(...pair.members);
		const crowd = new TakeoverCrowd(pair);
		onTestFinished(() => crowd.close());
		for (let count = 0; count < INTERRUPTIONS; count++) {
			crowd.askAt(gateways.length > 0 && count % 2 === 0 ? gateways : pair.members);
			await crowd.open(PLAYERS);
			crowd.work();
			others.work();
			const settle = await crowd.matched();
			const { serving, following } = await pair.settled();
			const epoch = await pair.epoch();
			const [step, fault] = chosen(draw);
			console.log(JSON.stringify({ seed: SEED, interrupted: `${step.name}: ${fault.name}` }));
			await expect.poll(() => serving.handOver(), { timeout: 30_000 }).toBeNull();
			const struck = { serving, following, database, draw };
			await step.reached(struck, epoch);
			await Promise.all([fault.strike(struck), settle()]);
			await Promise.all([crowd.placeMore(BETS), others.sendMore(REQUESTS)]);
			// How one joins under load, the long form and standby-joins.test.ts show.
			if (INTERRUPTIONS === 1) await Promise.all([crowd.rest(), others.rest()]);
			await pair.settled();
			const ready = await Promise.all(pair.members.map((member) => member.isReady()));
			expect(ready.filter(Boolean)).toHaveLength(1);
			await Promise.all([crowd.rest(), others.rest()]);
			await crowd.expectNothingLost();
			await others.expectEverythingDone(database.db);
		}
		expect(pair.members.filter((member) => member.differs())).toEqual([]);
		await expectSound(database.url);
	},
	120_000 + INTERRUPTIONS * 60_000,
);
