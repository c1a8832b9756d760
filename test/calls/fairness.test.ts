/** The public figures of the games, and what a visitor's browser computes from the public log. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { previousHash as hashBefore } from '#games/crash/crash-result.ts';
import { bundleOf, leavesOf } from '#public-log/tiles.ts';
import type { ReadFile } from '#public-log/verify-log.ts';
import { RoundTallies } from '#server/money/casino/round-tallies.ts';
import { checkRounds } from '#web/features/casino/fairness/round-checks.ts';
import { overHttp } from '../public-log/log-reader.ts';
import { type Player, TestServer } from '../support/server.ts';
import { provenOutcome, Table } from '../support/tables.ts';

const GAME = 'dragon-tiger';
const ROUNDS = 3;
/** Windows of half a second. */
const SPEED = 24;

let server: TestServer;
let player: Player;
let table: Table;
beforeAll(async () => {
	server = await TestServer.start(undefined, { tableSpeed: SPEED });
	player = await server.demoGambler();
	table = new Table(server, GAME);
	await table.reached('BETTING', ROUNDS);
});
afterAll(() => server.dispose());

/** As of now, past what is kept for visitors. */
async function figures() {
	await server.running.publicLog.append();
	await server.running.casino.tallies.count();
	const { log, games } = await server.result('getFairness', {});
	const of = (game: string) => games.find((each) => each.game === game);
	return { log, of };
}

async function leavesToCheck() {
	for (;;) {
		const { log, of } = await figures();
		const game = of(GAME);
		if (log && game && game.newest.length >= ROUNDS)
			return { log: log.log, newest: game.newest, announced: game.announced, chains: game.chains };
		await table.reached('BETTING', Number((await table.view()).state.round));
	}
}

const read = (): ReadFile => overHttp(`${server.url}/public-log`);

it('getFairness: success counts each round once, whichever process counts, as its results say', async () => {
	const { db } = server.database;
	await server.running.casino.tallies.count();
	const counters = [1, 2, 3].map(() => new RoundTallies({ db, log: { warn: () => undefined } }));
	await Promise.all(counters.flatMap((counter) => [counter.count(), counter.count()]));
	const { rows } = await db.query<{ after: number; tallies: Record<string, { rounds: number; bets: object }> }>(
		'select after, tallies from round_tally where source = $1',
		[GAME],
	);
	const after = rows[0]?.after ?? 0;
	const results = await db.query<{ result: unknown }>(
		'select result from table_round where game = $1 and round <= $2 order by round',
		[GAME, after],
	);
	expect(results.rows.length).toBeGreaterThanOrEqual(ROUNDS);
	const expected = table.game.bets.map((bet) => {
		const prizes = results.rows.map(({ result }) => bet.prizeOf(result));
		return [
			bet.code,
			{ rounds: prizes.length, wins: bet.prizes.map((_, prize) => prizes.filter((paid) => paid === prize).length) },
		];
	});
	expect(rows[0]?.tallies[GAME]).toMatchObject({
		rounds: results.rows.length,
		voids: {},
		bets: Object.fromEntries(expected),
	});
});

it('getFairness: success counts a round with turns when it has ended, and rounds that ended after it before', async () => {
	const { tallies } = server.running.casino;
	await server.beginSeeds(player);
	const ask = (clientRequestId: string) => ({ game: 'mines', bets: [{ bet: '2', stake: 10 }], clientRequestId });
	const { round } = await server.result('playRound', ask('mines-of-tally-01'), player.token);
	const flip = { game: 'dice', bets: [{ bet: 'under-4850', stake: 10 }], clientRequestId: 'dice-of-tally-0001' };
	await server.result('playRound', flip, player.token);
	await tallies.count();
	const counted = async () => {
		const { rows } = await server.database.db.query<{ tallies: Record<string, { rounds: number }> }>(
			`select tallies from round_tally where source = 'own'`,
		);
		return [rows[0]?.tallies['mines']?.rounds ?? 0, rows[0]?.tallies['dice']?.rounds ?? 0];
	};
	expect(await counted()).toEqual([0, 1]);
	let { next, roundId } = round;
	for (let turn = 0; next.length > 0; turn++) {
		const action = next.includes('cash-out') ? 'cash-out' : (next[0] ?? '');
		const asked = { roundId, action, clientRequestId: `mines-of-tally-1${turn}` };
		({ next, roundId } = (await server.result('actInRound', asked, player.token)).round);
	}
	await tallies.count();
	expect(await counted()).toEqual([1, 1]);
	await tallies.count();
	expect(await counted()).toEqual([1, 1]);
});

it('begins no round of a chain before the public log has the chain', { tags: 'thorough' }, async () => {
	const other = new Table(server, 'lucky-7');
	const { db } = server.database;
	const chain = async () => (await db.query(`select from game_chain where game = 'lucky-7'`)).rowCount;
	const held = await db.connect();
	await held.query('begin');
	await held.query('select from public_log for update');
	while ((await chain()) === 0) await other.view();
	// Rounds of a chain that is logged go on.
	await table.opening();
	await other.view();
	expect((await db.query(`select from table_round where game = 'lucky-7'`)).rowCount).toBe(0);
	await held.query('rollback');
	held.release();
	await other.reached('BETTING');
	const [newest] = (await figures()).of('lucky-7')?.chains ?? [];
	expect(newest).toMatchObject({ firstRound: 1, leaf: { log: 1 } });
});

it('lets a browser compute the last rounds from the files of the log', async () => {
	const checks = await checkRounds(GAME, await leavesToCheck(), read());
	expect(checks.length).toBeGreaterThanOrEqual(ROUNDS);
	for (const check of checks)
		expect(check).toMatchObject({ isLogged: true, isOfChain: true, isOfBeacon: true, isResult: true });
});

it('shows a browser which round was changed, and in what', async () => {
	const leaves = await leavesToCheck();
	const change = async (edit: (leaf: Record<string, unknown>) => void, entry = leaves.newest[1] ?? 0) => {
		const forged: ReadFile = async (path) => {
			const bytes = await read()(path);
			if (!path.includes('tile/entries')) return bytes;
			const bundle = leavesOf(bytes).map((leaf) => Buffer.from(leaf).toString());
			const texts = bundle.map((text, at) => {
				if (at !== entry % 256) return text;
				const leaf = JSON.parse(text) as Record<string, unknown>;
				edit(leaf);
				return JSON.stringify(leaf);
			});
			return bundleOf(texts.map((text) => Buffer.from(text)));
		};
		const checks = await checkRounds(GAME, leaves, forged);
		return checks.filter(
			({ isLogged, isOfChain, isOfBeacon, isResult }) => !(isLogged && isOfChain && isOfBeacon && isResult),
		);
	};
	expect(await change((leaf) => Object.assign(leaf, { result: { dragon: 0, tiger: 1 } }))).toEqual([
		expect.objectContaining({ isLogged: false, isOfChain: true, isResult: false }),
	]);
	// A value that the beacon gave in another round, and an announcement that was made up afterwards.
	const { round } = (await server.result('getTable', { game: GAME })).state.beacon ?? { round: 0 };
	const wrong = expect.objectContaining({ isOfChain: true, isOfBeacon: false });
	expect(await change((leaf) => Object.assign(leaf, { beacon: { ...(leaf['beacon'] as object), round } }))).toEqual([
		wrong,
	]);
	const announced = leaves.announced[0] ?? 0;
	expect(await change((leaf) => Object.assign(leaf, { beaconRound: round + 1 }), announced)).toEqual([wrong]);
	const hash = 'cd'.repeat(32);
	expect(await change((leaf) => Object.assign(leaf, { hash }))).toEqual([
		expect.objectContaining({ isLogged: false, isOfChain: false, isResult: false }),
	]);
});

/** Stops the server while a round with a bet takes bets. @returns that round */
async function voidedRound(): Promise<string> {
	for (;;) {
		const bets = [{ bet: 'dragon', stake: 10 }];
		const bet = await table.whileBetting(async () => {
			const asked = { game: GAME, bets, clientRequestId: randomUUID() };
			return (await server.result('placeTableBet', asked, player.token)).bet;
		});
		await server.stop();
		server = await TestServer.start(server.database, { tableSpeed: SPEED });
		table = new Table(server, GAME);
		await table.reached('BETTING', Number(bet.round));
		if ((await server.result('getTableRound', { game: GAME, round: bet.round })).isVoid) return bet.round;
	}
}

it('getFairness: success publishes seeds, reason and would-be result of a void round', {
	tags: 'thorough',
}, async () => {
	const round = await voidedRound();
	const proof = await server.result('getTableRound', { game: GAME, round });
	const { hash, previousHash, voided } = proof;
	const outcome = provenOutcome(proof);
	expect(hashBefore(hash ?? '')).toBe(previousHash);
	expect(voided).toEqual({ reason: 'RESTART', outcome });
	const { rowCount: rounds } = await server.database.db.query(
		`select from table_round where game = $1 and phase = 'VOID'`,
		[GAME],
	);
	expect((await figures()).of(GAME)?.voids).toEqual([{ reason: 'RESTART', rounds }]);
	const checks = await checkRounds(GAME, await leavesToCheck(), read());
	expect(checks.find((check) => check.round === Number(round))).toEqual({
		round: Number(round),
		isVoid: true,
		isLogged: true,
		isOfChain: true,
		isOfBeacon: true,
		isResult: true,
	});
});

it('getFairness: refusal on a suspended site', async () => {
	const suspend = (value: string) => server.operator('brand-set', { host: 'localhost', field: 'siteSuspended', value });
	await suspend('true');
	expect((await server.call('getFairness', {})).code).toBe('SITE_SUSPENDED');
	await suspend('false');
});
