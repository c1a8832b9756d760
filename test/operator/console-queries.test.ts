/** What the console asks of a large database is answered by indexes: the figures of a day, and the search of players. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SEARCHES, searchStatement } from '#server/operator/player-page.ts';
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
	await db.query('analyze player, player_settlement');
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
