/**
 * `npm run bench -- cases`: how long the rules of cases take to look once at 100,000 players with a million postings and
 * 200,000 matches of the last month, without the pauses between their steps. `longestStepMs` is how long a step keeps a
 * connection, `blockedMs` the longest time for which the process did nothing else. Prints one JSON line.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { CaseSweep } from '#server/operators/cases/case-sweep.ts';
import { Cases } from '#server/operators/cases/cases.ts';
import { Journal } from '#server/platform/postgres/journal.ts';
import { DAY_MS, HOUR_MS } from '#values/time.ts';
import { PlantedLedger } from '../test/support/planted-ledger.ts';
import { print, round } from './support/figures.ts';
import { withCluster, withLedger } from './support/scratch.ts';

const FIRST_PLAYER = 10_000;
const PLAYERS = 100_000;
const PLAYERS_AT_ONCE = 5_000;
const MARKETS = 2_000;
const MATCHES_OF_MARKET = 100;
const POSTINGS = 1_000_000;
const NS_PER_MS = 1_000_000;
const MUST = { seconds: 60, longestStepMs: 500, blockedMs: 50 };

const daysAgo = (days: number): number => Date.now() - days * DAY_MS;

/** Each player deposits, plays and withdraws; every tenth shares a payout account with the next one. */
function plantPlayer(ledger: PlantedLedger, playerId: number): void {
	const day = 3 + (playerId % 25);
	const rupees = 100 + ((playerId * 7_919) % 60_000);
	ledger.deposit(playerId, rupees, daysAgo(day));
	ledger.play(playerId, rupees, daysAgo(day) + HOUR_MS);
	const account = playerId % 10 < 2 ? `shared ${Math.floor(playerId / 10)}` : undefined;
	ledger.withdrawal(playerId, Math.ceil(rupees / 2), daysAgo(day - 1), account);
}

function plantMarket(ledger: PlantedLedger, market: number): void {
	const fair = 150 + (market % 300);
	const atMs = daysAgo(1 + (market % 28));
	ledger.market(
		Array.from({ length: MATCHES_OF_MARKET }, (_, at) => {
			const backer = FIRST_PLAYER + ((market * 104_729 + at * 1_299_709) % PLAYERS);
			const layer = FIRST_PLAYER + ((backer + 1 + at * 15_485_863) % PLAYERS);
			return { backer, layer, stake: 100 + at, price: (fair + (at % 5)) / 100, isWon: market % 2 === 0, atMs };
		}),
	);
}

await withCluster(async (cluster) => {
	await withLedger(cluster, 'cases', async (db) => {
		const ledger = new PlantedLedger();
		for (let first = 0; first < PLAYERS; first += PLAYERS_AT_ONCE) {
			for (let at = 0; at < PLAYERS_AT_ONCE; at++) plantPlayer(ledger, FIRST_PLAYER + first + at);
			await ledger.write(db);
		}
		for (let market = 0; market < MARKETS; market++) {
			plantMarket(ledger, market);
			if (market % 100 === 99) await ledger.write(db);
		}
		// What bets hold and release is most of a ledger.
		await db.query(
			`insert into posting select at, 0, $1, 'BET_RESERVED', at, 0, 'PLAY', 'cash', wallet, 'exposure', wallet, 1, wallet, 0, 0
			 from generate_series(10000000, 10000000 + $2 - (select count(*) from posting)) as at,
			   lateral (select $3 + at % $4 as wallet) as its`,
			[daysAgo(5), POSTINGS, FIRST_PLAYER, PLAYERS],
		);
		await db.query('analyze');
		const cases = new Cases({
			db,
			journal: new Journal({ db, ledgerKey: 'a key for benchmarks', epoch: 0 }),
			clock: Date.now,
			decideDaysOf: () => 14,
			onChanged: () => undefined,
		});
		const sweep = new CaseSweep({
			reads: db,
			cases,
			log: console,
			clock: Date.now,
			personOf: (playerId) => playerId,
			restMs: () => 0,
		});
		const delays = monitorEventLoopDelay({ resolution: 1 });
		delays.enable();
		const fromMs = performance.now();
		const first = await sweep.look();
		const seconds = (performance.now() - fromMs) / 1_000;
		delays.disable();
		const { rows } = await db.query<Record<string, number>>(
			`select (select count(*)::int from player) as players, (select count(*)::int from posting) as postings,
			   (select count(*)::int from bet_match) as matches`,
		);
		print({
			...rows[0],
			steps: first.steps,
			cases: first.opened,
			seconds: round(seconds, 1),
			longestStepMs: Math.round(first.longestStepMs),
			blockedMs: Math.round(delays.max / NS_PER_MS),
			must: MUST,
		});
	});
});
