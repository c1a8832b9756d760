/**
 * What the console asks of a large database is answered by indexes: the figures of a day, the search of players, and the
 * bets of a settled market.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SEARCHES, searchStatement } from '#server/operator/player-page.ts';
import { SETTLED_BETS } from '#server/operator/reopen-market.ts';
import { SETTLED_SINCE } from '#server/operator/today-acts.ts';
import { hashPassword } from '#server/players/passwords.ts';
import { TestServer } from '../support/server.ts';
import { ConsoleClient } from './console-client.ts';

const PASSWORD = 'Correct-horse-9';
/** `FAULTS=long` fills the tables as the measures ask for. */
const ROWS = process.env['FAULTS'] === 'long' ? 1_000_000 : 30_000;
const DAY_MS = 86_400_000;

let server: TestServer;
let owner: ConsoleClient;

/** Rows that the console only reads: players of all brands, and their results over a year. */
async function fill(): Promise<void> {
	const { db } = server.database;
	await db.query(
		`insert into player (player_id, brand, user_name, name_key, is_demo, pool, created_at, mobile)
		 select 5000000 + n, 'localhost', 'generated ' || n, 'generated ' || n, false, 'PLAY', $2::bigint,
		   '+9170' || lpad(n::text, 8, '0')
		 from generate_series(1, $1::int) as n`,
		[ROWS, Date.now()],
	);
	await db.query(
		`insert into player_settlement (market_id, wallet_id, net, commission, profit, at)
		 select n % 1000, 5000000 + n, 100, 2, 98, $2::bigint - (n::bigint * 365 * ${DAY_MS} / $1::int)
		 from generate_series(1, $1::int) as n`,
		[ROWS, Date.now()],
	);
	await db.query(
		`insert into bet (bet_id, wallet_id, market_id, pool, runner, side, price, stake, persist, placed_at, matched,
		   matched_value, remaining, cancelled, lapsed, voided, result, profit_exact, ended_at)
		 select 9000000 + n, 5000000 + n, 7000000 + n % 1000, 'PLAY', 0, n % 2, 200, 1000, false, n, 1000, 200000, 0, 0, 0, 0,
		   case n % 2 when 0 then 'WON' else 'LOST' end, 0, n
		 from generate_series(1, $1::int) as n`,
		[ROWS],
	);
	await db.query('analyze player, player_settlement, bet');
}

beforeAll(async () => {
	server = await TestServer.start();
	const passwordHash = await hashPassword(PASSWORD);
	const by = { actor: 'test', address: null };
	await server.running.staff.directory.add({ name: 'owner', passwordHash, roles: ['owner'], brands: null }, by);
	owner = new ConsoleClient(server.url);
	await owner.result('log-in', { name: 'owner', password: PASSWORD });
	await fill();
});
afterAll(() => server.dispose());

/** How PostgreSQL reads for a statement. */
async function planOf(statement: string, values: unknown[]): Promise<string> {
	const { rows } = await server.database.db.query<{ 'QUERY PLAN': string }>(`explain ${statement}`, values);
	return rows.map((row) => row['QUERY PLAN']).join('\n');
}

it('Today reads the results of a day, and not those of the year', async () => {
	const plan = await planOf(SETTLED_SINCE, [Date.now() - DAY_MS, ['localhost']]);
	expect(plan).toContain('player_settlement_by_time');
	expect(plan).not.toMatch(/Seq Scan on (player|player_settlement)\b/);
	const { brands } = await owner.result<{ brands: { host: string; players: number }[] }>('today', {});
	const ofDay = Math.floor(ROWS / 365);
	const { players = 0 } = brands.find(({ host }) => host === 'localhost') ?? {};
	expect(Math.abs(players - ofDay)).toBeLessThan(ofDay / 10);
});

it.each([
	['the beginning of a name', 'generated 2999'],
	['a mobile', '7000002999'],
	['an id', '5002999'],
])('finds players by %s without reading them all', async (_, query) => {
	const found = await owner.result<{ userName: string }[]>('player-search', { query });
	expect(found).toContainEqual(expect.objectContaining({ userName: 'generated 2999' }));
	for (const { takes, where, value } of SEARCHES) {
		if (!takes.test(query)) continue;
		expect(await planOf(searchStatement(where), [value(query), null])).not.toContain('Seq Scan on player ');
	}
});

it('the bets of a settled market are found without reading those of others', async () => {
	const plan = await planOf(SETTLED_BETS, [7_000_001]);
	expect(plan).toContain('bet_of_settled_market');
	expect(plan).not.toMatch(/Seq Scan on bet\b/);
});

it('a bet enters the index of settled bets with its result, and not when it is placed', async () => {
	const { rows } = await server.database.db.query<{ predicate: string }>(
		`select pg_get_expr(indpred, indrelid) as predicate from pg_index
		 where indexrelid = 'bet_of_settled_market'::regclass`,
	);
	expect(rows[0]?.predicate).toBe('(result IS NOT NULL)');
});
