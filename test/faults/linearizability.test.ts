/**
 * Bets, cancellations and transfers take effect once each, in one order that explains every answer, whatever the database
 * does meanwhile: players record what they called and saw while it stands still and loses its connections, and a search
 * finds that order or says that there is none. The thorough form kills the database and the server, too.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SeededNumbers } from '../reference/random-commands.ts';
import { expectSound } from '../support/audit.ts';
import { openTestMatch } from '../support/match.ts';
import { TestServer } from '../support/server.ts';
import { FaultyServer } from './support/faulty-server.ts';
import { byForm } from './support/form.ts';
import { linearize, type Operation } from './support/linearizability.ts';
import { CASH, RecordedPlayers } from './support/recorded-players.ts';
import { type Answer, type Call, smallExchange } from './support/small-exchange.ts';

function expectLinearizable({ operations, sides }: RecordedPlayers): void {
	const { isLinearizable, order, state } = linearize(smallExchange(sides, CASH), operations);
	const rest = operations
		.filter((operation) => operation.answer !== null && !order.includes(operation))
		.toSorted((one, other) => one.calledAt - other.calledAt);
	expect(isLinearizable, `after ${JSON.stringify(state)} nothing explains ${JSON.stringify(rest.slice(0, 8))}`).toBe(
		true,
	);
}

/** Of one player who backs, and one who lays. */
const history = (...operations: (readonly [calledAt: number, answeredAt: number, Call, Answer | null])[]) =>
	operations.map(
		([calledAt, answeredAt, call, answer]): Operation<Call, Answer> => ({ calledAt, answeredAt, call, answer }),
	);
const placed: Call = { kind: 'place', account: 0, stake: 100 };
const rests: Answer = { balance: 900, exposure: 100, matched: 0, remaining: 100 };
const look: Call = { kind: 'look', account: 0 };
const nothing: Answer = { balance: 1000, exposure: 0, bets: [] };
const once: Answer = { balance: 900, exposure: 100, bets: [[100, 0, 100]] };
const isExplained = (operations: Operation<Call, Answer>[]) =>
	linearize(smallExchange(['BACK', 'LAY'], 1000), operations).isLinearizable;

describe('an order', () => {
	it('is found for looks before and after a bet that they overlap, and not for one that sees it gone again', () => {
		const [before, after] = [history([2, 3, look, nothing]), history([4, 5, look, once])];
		const bet = history([1, 6, placed, rests]);
		expect(isExplained([...bet, ...before, ...after])).toBe(true);
		expect(isExplained([...bet, ...history([2, 3, look, once]), ...history([4, 5, look, nothing])])).toBe(false);
		expect(isExplained([...history([1, 2, placed, rests]), ...history([3, 4, look, nothing])])).toBe(false);
	});

	it('lets an unknown outcome happen once, late or never', () => {
		const unknown = history([1, Number.POSITIVE_INFINITY, placed, null]);
		const twice: Answer = {
			balance: 800,
			exposure: 200,
			bets: [
				[100, 0, 100],
				[100, 0, 100],
			],
		};
		expect(isExplained([...unknown, ...history([2, 3, look, nothing])])).toBe(true);
		expect(isExplained([...unknown, ...history([2, 3, look, nothing], [4, 5, look, once])])).toBe(true);
		expect(isExplained([...unknown, ...history([2, 3, look, once], [4, 5, look, nothing])])).toBe(false);
		expect(isExplained([...unknown, ...history([2, 3, look, twice])])).toBe(false);
	});

	it('has to match bets in the order in which they came', () => {
		const lay: Call = { kind: 'place', account: 1, stake: 60 };
		const taken = history([3, 4, lay, { balance: 940, exposure: 60, matched: 60, remaining: 0 }]);
		const all = [...history([1, 2, placed, rests]), ...taken];
		const seen = (matched: number) =>
			history([5, 6, look, { balance: 900, exposure: 100, bets: [[100, matched, 100 - matched]] }]);
		expect(isExplained([...all, ...seen(60)])).toBe(true);
		expect(isExplained([...all, ...seen(0)])).toBe(false);
	});
});

describe('answers come as if calls were made one after the other', () => {
	const DEADLINE_MS = 2_000;
	/** Longer than the deadline: the exchange gives the batch up and recovers. */
	const FROZEN_MS = DEADLINE_MS + 300;
	const CALLS = 40;
	/** So that players may withdraw as often as they like. */
	const WITHDRAWALS = { host: 'localhost', field: 'funds.withdrawalsPerDay', value: '100' };

	it('while the database stands still and breaks all connections', { tags: 'thorough' }, async () => {
		const server = await TestServer.start(undefined, { callDeadlineMs: DEADLINE_MS });
		onTestFinished(() => server.dispose());
		await server.act('brand-set', WITHDRAWALS);
		const { db } = server.database;
		const { marketId, runnerIds } = await openTestMatch(server);
		const site = { url: server.url, operator: server.operatorHeaders['Authorization'] ?? '' };
		const players = await RecordedPlayers.open(site, { marketId, runnerId: runnerIds[0] }, new SeededNumbers(1));
		players.play();
		await players.answered(CALLS);
		await db.query(
			`select pg_terminate_backend(pid) from pg_stat_activity
			 where datname = current_database() and pid <> pg_backend_pid()`,
		);
		await players.answered(CALLS);
		const epoch = server.running.exchange.epoch();
		const client = await db.connect();
		await client.query('begin; select from lease for update');
		await delay(FROZEN_MS);
		await client.query('commit');
		client.release();
		await players.answered(CALLS);
		await players.leave();
		expect(server.running.exchange.epoch()).toBeGreaterThan(epoch);
		expect(players.unknown).toBeGreaterThan(0);
		expectLinearizable(players);
		await server.stop();
		await expectSound(server.database.url);
	});

	const SEEDS = byForm(3, 20);
	const thorough = { tags: 'thorough', timeout: 60_000 + SEEDS * 60_000 };
	it('while database and server are stopped and killed', thorough, async () => {
		const environment = { CALL_DEADLINE_MS: String(DEADLINE_MS) };
		const server = await FaultyServer.start({ args: ['--no-feeds'], environment });
		onTestFinished(() => server.dispose());
		await server.operate('brand-set', WITHDRAWALS);
		const faults = [
			async (numbers: SeededNumbers) => {
				server.postgres.freeze();
				await delay(numbers.below(2 * FROZEN_MS));
				server.postgres.thaw();
			},
			async () => server.postgres.kill(),
			async () => {
				await server.kill();
				await server.start();
			},
		];
		for (let seed = 1; seed <= SEEDS; seed++) {
			const numbers = new SeededNumbers(seed);
			const players = await RecordedPlayers.open(server, await server.openMarket(`Winner ${seed}`), numbers);
			players.play();
			for (const strike of faults) {
				await players.answered(CALLS);
				await strike(numbers);
			}
			await players.answered(CALLS);
			await players.leave();
			expect(players.unknown).toBeGreaterThan(0);
			expectLinearizable(players);
		}
		expect(await server.failedAuditChecks()).toEqual([]);
	});
});
