/**
 * kill -9 of the real server amid orders that live on it: icebergs, pegs, brackets, groups, and bets that end with a time or
 * with what others match. Each acknowledged order exists once; what the bets of a plan come to is what it was placed with,
 * none is lost and none doubled; and what was reached before the kill is carried out. `npm run order-kills` is the long form.
 *
 * @module-tag thorough
 */
import { writeFile } from 'node:fs/promises';
import { expect, it, onTestFinished } from 'vitest';
import { type Draw, pick, randomFrom } from '#sports/random.ts';
import { ServerProcess } from '../browser/server-process.ts';
import { EVENT_ID, listMatch } from '../faults/support/listed-match.ts';
import { ask, demoPlayer, RefusedCall } from '../faults/support/player-client.ts';
import { Asking } from './asking.ts';
import { BROKEN, DUE, LAST_ID, LIVE } from './order-rules.ts';

const KILLS = Number(process.env['ORDER_KILLS'] ?? 3);
const OPTIONS = ['--no-feeds', '--rate-limit-factor', '1000', '--log-level', 'error'];
/** One for icebergs, one for pegs, one for brackets, one for bets that end. */
const RUNNERS = ['Ash', 'Birch', 'Cedar', 'Dogwood'];
const PEGS = 1;
const PRICES = [1.95, 1.97, 2, 2.02, 2.04];
/** At once; each player has one plan of each kind. */
const OWNERS = 3;
/** Matches until the kill: from the least on, at most `MORE_MATCHES` above it. */
const LEAST_MATCHES = 40;
const MORE_MATCHES = 120;
/** Of the audit, which reads the whole ledger. */
const KILLS_BETWEEN_AUDITS = 100;

/** A kill takes seconds, on a machine that does nothing else. */
const PATIENCE_MS = KILLS * 80_000;

let server: ServerProcess;
let market: { marketId: string; runners: string[] };

const count = async (sql: string): Promise<number> =>
	Number((await server.database.db.query<{ count: string }>(`select count(*) from ${sql}`)).rows[0]?.count);

const some = async (sql: string, after: number): Promise<object[]> =>
	(await server.database.db.query<object>(`select * from ${sql} limit 3`, [after])).rows;
const lastId = async (): Promise<number> =>
	Number((await server.database.db.query<{ id: string }>(LAST_ID)).rows[0]?.id);

/** A server that refuses to start on its tables leaves them to be looked at. */
async function keepTables(failure: Error): Promise<never> {
	// The folder for temporary files goes with the test run.
	const file = `/var/tmp/order-kill-tables-${Date.now()}.json`;
	const tables: Record<string, object[]> = {};
	for (const table of [
		'lease',
		'bet_trigger',
		'order_group',
		'bet',
		'bet_terms',
		'bet_match',
		'posting',
		'wallet',
		'market',
	])
		tables[table] = await server.database.db.query(`select * from ${table}`).then(
			({ rows }) => rows,
			(refused: Error) => [{ refused: refused.message }],
		);
	await writeFile(file, JSON.stringify(tables));
	throw new Error(`The tables are in ${file}.`, { cause: failure });
}

/** A player with one order of each kind, in any order. */
class Owner {
	readonly asking: Asking;
	readonly plans: string[] = [];
	readonly bets: string[] = [];
	readonly #draw: Draw;

	constructor(token: string, draw: Draw) {
		this.asking = new Asking(server, token);
		this.#draw = draw;
	}

	/** @returns false when no answer came */
	async placeAll(): Promise<boolean> {
		const { token } = this.asking;
		const group = { name: 'quotes', most: 15 };
		const opened = await ask(server, '/Bet/SetOrderGroup', { token, body: group }).catch(noAnswer);
		if (opened === null) return false;
		// One side: bets of a player that would meet are refused.
		const side = this.#side();
		const turns = [
			() => this.#plan(0, { kind: 'ICEBERG', visible: 10 }),
			() => this.#plan(PEGS, { kind: 'PEG', follows: pick(['OWN', 'OPPOSITE'], this.#draw), ticks: 1 }),
			() => this.#plan(2, { kind: 'BRACKET', profitTicks: 1 + Math.floor(this.#draw() * 3), stopTicks: 2 }),
			() => this.#bet({ price: pick(PRICES, this.#draw), side, group: 'quotes' }),
			() => this.#bet({ price: pick(PRICES, this.#draw), side, group: 'quotes' }),
			() => this.#bet({ price: 900, side: 'BACK', goodUntilMatched: 10 + Math.floor(this.#draw() * 200) }),
			() => this.#bet({ price: 900, side: 'BACK', goodForSeconds: 1 }),
		];
		while (turns.length > 0) {
			const [turn] = turns.splice(Math.floor(this.#draw() * turns.length), 1);
			if (!(await turn?.())) return false;
		}
		return true;
	}

	#side(): 'BACK' | 'LAY' {
		return this.#draw() < 0.5 ? 'BACK' : 'LAY';
	}

	async #plan(runner: number, plan: object): Promise<boolean> {
		const { marketId, runners } = market;
		const body = {
			marketId,
			runnerId: runners[runner],
			side: this.#side(),
			price: pick(PRICES, this.#draw),
			stake: 40,
		};
		return await this.asking.send<{ triggerId: string }>('/Trigger/PlacePlan', { ...body, plan }, ({ triggerId }) =>
			this.plans.push(triggerId),
		);
	}

	async #bet(terms: object): Promise<boolean> {
		const { marketId, runners } = market;
		const body = { marketId, runnerId: runners[3], stake: 10, ...terms };
		try {
			return await this.asking.send<{ betId: string }>('/Bet/PlaceBetV2', body, ({ betId }) => this.bets.push(betId));
		} catch (failure) {
			if ((failure as RefusedCall).code === 'ORDER_GROUP_CLOSED') return true;
			throw failure;
		}
	}
}

function noAnswer(failure: unknown): null {
	if (failure instanceof RefusedCall) throw failure;
	return null;
}

/** One player with orders after the other, until no answer comes any more. */
async function placeOrders(owners: Owner[], draw: Draw): Promise<void> {
	for (;;) {
		const token = await demoPlayer(server).catch(noAnswer);
		if (token === null) return;
		const owner = new Owner(token, draw);
		owners.push(owner);
		if (!(await owner.placeAll())) return;
	}
}

/** Whole smallest stakes meet pegs: one of which less is left ends when it has to move. */
const stakeOf = (runner: number, bets: number): number => (runner === PEGS ? 10 * (1 + (bets % 2)) : 10 + (bets % 7));

/** Two players bet on a runner at prices near each other until no answer comes any more, or they have no more to bet. */
async function trade(runner: number, askings: Asking[], draw: Draw): Promise<void> {
	const { marketId, runners } = market;
	for (;;) {
		const tokens = [await demoPlayer(server).catch(noAnswer), await demoPlayer(server).catch(noAnswer)];
		const pair = tokens.flatMap((token) => (token === null ? [] : [new Asking(server, token)]));
		askings.push(...pair);
		if (pair.length < 2) return;
		for (let bets = 0; bets < 200; bets++) {
			const side = draw() < 0.5 ? 'LAY' : 'BACK';
			const body = {
				marketId,
				runnerId: runners[runner],
				side,
				price: pick(PRICES, draw),
				stake: stakeOf(runner, bets),
			};
			const isAnswered = await pair[side === 'LAY' ? 0 : 1]?.send('/Bet/PlaceBetV2', body);
			if (!isAnswered) return;
		}
	}
}

it(
	'loses no order that lives on the server and doubles none, through kills amid the matches that reach them',
	async () => {
		server = await ServerProcess.create();
		onTestFinished(() => server.dispose());
		await listMatch(server.database.db);
		await server.start(OPTIONS);
		const terms = { eventId: String(EVENT_ID), name: 'Winner', type: 'MATCH_ODDS', runners: RUNNERS };
		const opened = await server.operator<{ marketId: string; runners: { id: string }[] }>('open-market', terms);
		market = { marketId: opened.marketId, runners: opened.runners.map(({ id }) => id) };
		const reached = { plans: 0, placed: 0, closedGroups: 0, untilMatched: 0 };
		let acknowledged = 0;
		for (let kill = 0; kill < KILLS; kill++) {
			const draw = randomFrom(kill + 1);
			const owners: Owner[] = [];
			const traders: Asking[] = [];
			const before = await lastId();
			const matches = (await count('bet_match')) + LEAST_MATCHES + Math.floor(draw() * MORE_MATCHES);
			const streams = [
				...Array.from({ length: OWNERS }, () => placeOrders(owners, draw)),
				...RUNNERS.map((_, runner) => trade(runner, traders, draw)),
			];
			await expect.poll(() => count('bet_match'), { timeout: PATIENCE_MS, interval: 5 }).toBeGreaterThan(matches);
			await server.kill();
			await Promise.all(streams);
			await server.start(OPTIONS).catch(keepTables);
			for (const { asking } of owners) expect(await asking.again().catch(closedMeanwhile)).toBe(true);
			for (const asking of traders) expect(await asking.again()).toBe(true);
			// What was due, or has run out, is done as the server is back.
			await expect.poll(() => count(DUE), { timeout: 60_000, interval: 20 }).toBe(0);
			for (const [rule, orders] of Object.entries(BROKEN))
				expect(await some(orders, before), `kill ${kill}: ${rule}`).toEqual([]);
			const plans = owners.flatMap((owner) => owner.plans);
			const bets = owners.flatMap((owner) => owner.bets);
			acknowledged += plans.length;
			expect(await count(`bet_trigger where trigger_id = any('{${plans.join()}}')`)).toBe(plans.length);
			expect(await count('bet_trigger')).toBe(acknowledged);
			expect(await count(`bet where bet_id = any('{${bets.join()}}')`)).toBe(bets.length);
			// Nothing is left for the next kill: all of it can be cancelled, plans with their bets.
			for (const { token } of [...owners.map(({ asking }) => asking), ...traders])
				await ask(server, '/Bet/CancelAll', { token, body: { clientRequestId: `cancel-all-${kill}` } });
			expect(await count(LIVE)).toBe(0);
			if (kill % KILLS_BETWEEN_AUDITS === KILLS_BETWEEN_AUDITS - 1)
				expect(await server.failedAuditChecks()).toEqual([]);
		}
		reached.plans = await count('bet_trigger where bet_id is not null');
		reached.placed = await count(`bet_trigger where status = 'PLACED'`);
		reached.closedGroups = await count('order_group where closed_at is not null');
		reached.untilMatched = await count(
			'bet join bet_terms using (bet_id) where until_matched is not null and lapsed > 0',
		);
		for (const [what, times] of Object.entries(reached)) expect(times, what).toBeGreaterThan(KILLS);
		expect(await server.failedAuditChecks()).toEqual([]);
	},
	PATIENCE_MS,
);

/** The bet of a group that was closed before the kill is refused when it is asked again. */
function closedMeanwhile(failure: RefusedCall): boolean {
	if (failure.code === 'ORDER_GROUP_CLOSED') return true;
	throw failure;
}
