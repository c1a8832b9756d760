/** The audit finds every kind of wrong row by itself: nothing of the engine or the server is asked. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { casesHaveTheirFacts } from '../../tools/audit-cases.ts';
import { LIABILITY_CHECKS } from '../../tools/audit-liabilities.ts';
import { outcomesAreEntered } from '../../tools/audit-outcomes.ts';
import { treesAreLogged } from '../../tools/audit-public-log.ts';
import { audit, wrongChecks } from '../support/audit.ts';
import { mainlyEach } from '../support/main-rows.ts';
import { betOn, freshRequestId, openTestMatch } from '../support/match.ts';
import { TestServer } from '../support/server.ts';
import { firstRound } from '../support/tables.ts';
import { writeUnpaidCashOut } from '../support/unpaid-cash-out.ts';

/** Of Crash; the server comes to none like it. */
const FAR_ROUND = 1_000_000;

let server: TestServer;
beforeAll(async () => {
	server = await TestServer.start(undefined, { tableSpeed: 10 });
	// Rounds are announced in the public log once it has their chain.
	await firstRound(server);
	const [settled, open] = [await openTestMatch(server), await openTestMatch(server)];
	const [backer, layer] = [await server.demoPlayer(), await server.demoPlayer()];
	for (const match of [settled, open]) {
		await server.result('placeBetV2', betOn(match, { price: 3 }), backer.token);
		await server.result('placeBetV2', betOn(match, { side: 'LAY', price: 3, stake: 60 }), layer.token);
	}
	await settled.settle(0);
	await server.running.exchange.submit({
		kind: 'transfer',
		walletId: backer.userId,
		pool: 'DEMO',
		steps: [
			{
				workflow: 'COINS',
				from: null,
				to: 'GIVEN',
				isOpen: false,
				actor: 'server',
				claims: [`coins:${backer.userId}`],
				moves: [{ debit: 'mint', credit: 'cash', amount: 100 }],
			},
		],
	});
	const coin = { game: 'coin-flip', bets: [{ bet: 'heads', stake: 10 }], clientRequestId: freshRequestId() };
	// One is reached at once, one never.
	for (const at of [100, 1.01]) {
		const trigger = { ...betOn(open, { price: 4 }), moves: 'FALLS', at } as never;
		await server.result('placeTrigger', trigger, backer.token);
	}
	// Plans stand with their bets, one of them closing what is matched.
	for (const plan of [
		{ kind: 'PEG' },
		{ kind: 'ICEBERG', visible: 40 },
		{ kind: 'BRACKET', profitTicks: 2, stopTicks: 2 },
	])
		await server.result(
			'placePlan',
			{ ...betOn(open, { price: 3, side: 'LAY', stake: 100 }), plan } as never,
			backer.token,
		);
	await server.beginSeeds(backer);
	await server.result('playRound', coin, backer.token);
	await writeUnpaidCashOut(server, backer.userId, { game: 'crash', round: FAR_ROUND });
	await server.database.db.query(
		`insert into table_round (game, round, chain, position, phase, opened_at)
		values ('crash', $1::int, 1, $1::int, 'LOCKED', 0), ('crash', $2::int, 1, $2::int, 'VOID', 0)`,
		[FAR_ROUND, FAR_ROUND - 1],
	);
	await server.database.db.query(`insert into receipt_root (id, size, root, at) values ('a root', 1, sha256(''), 0)`);
	await server.act('staff-role', { name: 'night shift', permissions: ['today.read'] });
	await server.stop();
});
afterAll(() => server.database.drop());

const TABLES = [
	'wallet',
	'posting',
	'bet',
	'bet_end',
	'bet_match',
	'bet_trigger',
	'player_settlement',
	'money_at_risk',
	'market_state',
	'workflow',
	'workflow_step',
	'workflow_claim',
	'request_key',
	'batch_seal',
	'lease',
	'table_decision',
	'table_round',
];

/** All but those that the database works out itself. */
async function storedColumns(table: string): Promise<string> {
	const { rows } = await server.database.db.query<{ name: string }>(
		`select column_name as name from information_schema.columns where table_name = $1 and is_generated = 'NEVER'`,
		[table],
	);
	return rows.map(({ name }) => name).join(', ');
}

/** Asks about a ledger that was changed, and puts the tables back that the change names. */
async function after<Found>(tampering: string, ask: (databaseUrl: string) => Promise<Found>): Promise<Found> {
	const { db } = server.database;
	const changed = TABLES.filter((table) => tampering.includes(table));
	for (const table of changed) await db.query(`create table kept_${table} as table ${table}`);
	await db.query(tampering);
	const found = await ask(server.database.url);
	for (const table of changed) {
		await db.query(`delete from ${table}`);
		const columns = await storedColumns(table);
		await db.query(`insert into ${table} (${columns}) select ${columns} from kept_${table}`);
		await db.query(`drop table kept_${table}`);
	}
	return found;
}

it('passes on what the server wrote, with rows for each check', async () => {
	const { code, checks } = await audit(server.database.url);
	expect(checks.filter(({ ok }) => !ok)).toEqual([]);
	// Cases, the trees of closed days and shared rounds are audited by tests of their own, which have some.
	const elsewhere = [casesHaveTheirFacts, treesAreLogged, outcomesAreEntered, ...LIABILITY_CHECKS];
	const without = checks.filter(({ rows }) => rows === 0).map(({ check }) => check);
	expect(without.filter((check) => !elsewhere.some(({ name }) => name === check))).toEqual([]);
	expect(code).toBe(0);
});

const OUT_OF_NOTHING = 'update wallet set cash = cash + 1';

it('as a command, ends with the first wrong row and with 1', async () => {
	const { code, checks } = await after(OUT_OF_NOTHING, audit);
	expect([code, checks.at(-1)]).toMatchObject([1, { ok: false, check: 'every pool sums to zero' }]);
});

/** With the thorough tests alone: `npm test` has a wrong row of another column of the same table, or of a table like it. */
const THOROUGH = new Set([
	'a statement’s line',
	'a trigger',
	'whose bet was matched',
	'what was at risk in a market',
	'a workflow that is gone with its steps',
	'a bet that was forgotten when its round ended',
]);

mainlyEach<[string, string, string]>(
	[
		['money out of nothing', OUT_OF_NOTHING, 'every pool sums to zero'],
		[
			'money moved from one player to another',
			`update wallet set cash = cash + case when wallet_id = (select max(wallet_id) from wallet) then 1 else -1 end
			where wallet_id in (select wallet_id from wallet where pool = 'DEMO' and cash > 0 order by wallet_id desc limit 2)`,
			'every balance is the sum of its postings',
		],
		[
			'a statement’s line',
			'update posting set cash_after = cash_after + 5 where wallet_id >= 1000',
			'every posting says what it left of the free cash',
		],
		[
			'an open bet',
			'update bet set remaining = remaining - 1, cancelled = cancelled + 1 where remaining > 0',
			'every wallet holds exactly what its open bets and triggers can lose',
		],
		[
			'a trigger',
			`update bet_trigger set stake = stake + 1 where status = 'WAITING'`,
			'every wallet holds exactly what its open bets and triggers can lose',
		],
		[
			'when bets ended',
			'update bet_end set ended_at = ended_at + 1',
			'every ended bet of a player is found by its end',
		],
		['a match', 'update bet_match set stake = stake - 1', 'every matched stake is the sum of its matches'],
		[
			'whose bet was matched',
			'update bet set wallet_id = (select min(wallet_id) from bet) where ended_at is not null',
			'every match joins two players’ bets on one runner at a price both asked for or better',
		],
		[
			'a payment',
			'update player_settlement set net = net + 1, profit = profit + 1',
			'every player’s net in a settled market is the sum of his bets, rounded once',
		],
		[
			'what was at risk in a market',
			`update money_at_risk set amount = amount + 1 where what = 'market'`,
			'what players had at risk in settled markets is what their bets could lose',
		],
		[
			'what was at risk in a round',
			`delete from money_at_risk where what <> 'market'`,
			'what players had at risk in rounds of the casino is what their bets could lose',
		],
		['a state that no step leads to', `update workflow set state = 'TAKEN'`, 'every workflow is where its steps lead'],
		[
			'a workflow that is gone with its steps',
			'with step as (delete from workflow_step) delete from workflow',
			'every posting that is not about bets belongs to a workflow, and none of them is missing',
		],
		[
			'a cash-out of a bet that is not there',
			`update table_decision set decisions = '[{ "bet": 1, "payout": 100, "outcome": {} }]'`,
			'every cash-out that was written down is paid as it says, or is still to be paid',
		],
		[
			'a bet that was forgotten when its round ended',
			`update table_round set phase = 'ENDED'`,
			'no bet is open on a round of everybody’s that has ended',
		],
		['a posting’s time', 'update posting set at = at + 1', 'every covered row is the one that was sealed'],
	],
	([what]) => !THOROUGH.has(what),
)('finds %s', async (_, tampering, check) => {
	expect(await after(tampering, wrongChecks)).toEqual([check]);
});
