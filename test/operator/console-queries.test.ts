/**
 * What the console asks of a large database is answered by indexes: the figures of a day, the search of players, and the
 * bets of a settled market.
 *
 * @module-tag thorough
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SETTLED_BETS } from '#server/exchange/ledger/paid-settlement.ts';
import { BONUS_COSTS } from '#server/operators/bonus-cost.ts';
import { LIFETIMES } from '#server/operators/lifetime.ts';
import { SEARCHES, searchStatement } from '#server/operators/player-page.ts';
import { POSTINGS } from '#server/operators/posting-acts.ts';
import { BET_WITH_POSTINGS } from '#server/operators/references/bet-subject.ts';
import { EVENTS, valuesOf } from '#server/operators/significant-events/significant-events.ts';
import { SUSPICIOUS_MATCHES } from '#server/operators/suspicious-matches.ts';
import { TODAYS_RESULTS } from '#server/operators/today-acts.ts';
import { hashPassword } from '#server/people/players/passwords.ts';
import { DAY_MS } from '#values/time.ts';
import { FILLED_MARKET, fillConsole } from '../../bench/support/filled-console.ts';
import { TestServer } from '../support/server.ts';
import { ConsoleClient } from './console-client.ts';

const PASSWORD = 'Correct-horse-9';
/** `FAULTS=long` fills the tables as the measures ask for. */
const ROWS = process.env['FAULTS'] === 'long' ? 1_000_000 : 30_000;

const YESTERDAY = [Date.now() - DAY_MS, Date.now()];

let server: TestServer;
let owner: ConsoleClient;

beforeAll(async () => {
	server = await TestServer.start();
	const passwordHash = await hashPassword(PASSWORD);
	const by = { actor: 'test', address: null };
	await server.running.staff.directory.add({ name: 'owner', passwordHash, roles: ['owner'], brands: null }, by);
	owner = new ConsoleClient(server.url);
	await owner.result('log-in', { name: 'owner', password: PASSWORD });
	await fillConsole(server.database.db, ROWS);
});
afterAll(() => server.dispose());

/** How PostgreSQL reads for a statement. */
async function planOf(statement: string, values: unknown[]): Promise<string> {
	const { rows } = await server.database.db.query<{ 'QUERY PLAN': string }>(`explain ${statement}`, values);
	return rows.map((row) => row['QUERY PLAN']).join('\n');
}

it('Today reads the results of a day, and not those of the year', async () => {
	const plan = await planOf(TODAYS_RESULTS, [...YESTERDAY, ['localhost'], YESTERDAY]);
	expect(plan).toContain('player_settlement_by_time');
	expect(plan).toContain('money_at_risk_pkey');
	expect(plan).not.toMatch(/Seq Scan on (player|player_settlement|money_at_risk|workflow)\b/);
	expect(plan).not.toMatch(/Scan on bet\b/);
	const { brands } = await owner.result<{ brands: { host: string; players: number; turnover: number }[] }>('today', {});
	const ofDay = Math.floor(ROWS / 365);
	const { players = 0, turnover } = brands.find(({ host }) => host === 'localhost') ?? {};
	expect(Math.abs(players - ofDay)).toBeLessThan(ofDay / 10);
	// One bet of 10 each.
	expect(turnover).toBe(players * 10);
});

it('the accounts and markets of suspicious matches are found by keys', async () => {
	const plan = await planOf(SUSPICIOUS_MATCHES, [Date.now() - DAY_MS, Date.now(), ['localhost']]);
	expect(plan).not.toMatch(/Seq Scan on (player|market_listing)\b/);
});

it('the postings of a day, of no player, are read by their blocks, and not those of the year', async () => {
	const values = [Date.now() - DAY_MS, Date.now(), null, 'PLAY', 'commission', '', 0];
	const plan = await planOf(`select sum(amount) ${POSTINGS}`, values);
	expect(plan).toContain('posting_by_time');
	expect(plan).not.toMatch(/Seq Scan on (player|posting)\b/);
	const { count } = await owner.result<{ count: number }>('postings', { pool: 'PLAY', account: 'commission' });
	// Those since midnight.
	expect(count).toBeGreaterThan(0);
	expect(count).toBeLessThanOrEqual(ROWS / 365 + 1);
});

it('the significant events of a day are read by indexes, and not from all that the ledger has', async () => {
	const day = { fromMs: Date.now() - DAY_MS, toMs: Date.now(), hosts: ['localhost'], withHouse: true };
	const asked = { ...day, kind: '' as const, playerId: null, before: null };
	const amounts = [{ host: 'localhost', fromMs: 0, untilMs: null, win: 1, transfer: 1 }];
	const plan = await planOf(EVENTS, valuesOf(asked, amounts));
	for (const index of ['player_settlement_by_time', 'posting_outside', 'workflow_win_of_quarter', 'posting_below_zero'])
		expect(plan).toContain(index);
	expect(plan).not.toMatch(/Seq Scan on (posting|workflow|player_settlement)\b/);
});

it('the cost of bonuses in a period reads their postings, and no others', async () => {
	const plan = await planOf(BONUS_COSTS, [Date.now() - 31 * DAY_MS, Date.now(), ['localhost']]);
	expect(plan).toContain('posting_of_bonuses');
	expect(plan).not.toMatch(/Seq Scan on posting\b/);
});

it('the lifetime of players reads those who signed up in the period', async () => {
	const plan = await planOf(`${LIFETIMES} select * from life`, [
		Date.now() - DAY_MS,
		Date.now() - DAY_MS / 2,
		['localhost'],
		YESTERDAY,
	]);
	expect(plan).toContain('player_by_sign_up');
	expect(plan).not.toMatch(/Seq Scan on (player|player_settlement|workflow|posting)\b/);
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

it('the answer about a bet reads neither all bets nor all postings', async () => {
	const plan = await planOf(BET_WITH_POSTINGS, [1]);
	expect(plan).toMatch(/Index Scan using posting_of_market/);
	expect(plan).not.toMatch(/Seq Scan on posting\b/);
	expect(plan).not.toMatch(/Seq Scan on bet\w* \w+ +\(cost=0\.00\.\.(?!0\.00 )/);
});

it('the bets of a settled market are found without reading those of others', async () => {
	const plan = await planOf(SETTLED_BETS, [FILLED_MARKET]);
	expect(plan).toContain('market_id_wallet_id_idx');
	// An empty month may be read as it is: it costs nothing.
	expect(plan).not.toMatch(/Seq Scan on bet\w* \w+ +\(cost=0\.00\.\.(?!0\.00 )/);
});
