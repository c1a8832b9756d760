/**
 * The trees of what the house owes: one for each day and pool, whatever makes them, with exactly what the postings say up
 * to a batch, and nothing of one that was killed.
 */
import pino from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LONGEST_BATCH_MS } from '#server/money/liabilities/day-end.ts';
import { makeTrees } from '#server/money/liabilities/make-trees.ts';
import { SumTrees } from '#server/money/liabilities/trees.ts';
import type { Leaf, LeafSource } from '#server/platform/public-log/leaf-source.ts';
import { PublicLog } from '#server/platform/public-log/public-log.ts';
import { HOME_POOLS, type Pool } from '#values/pools.ts';
import { DAY_MS, HOUR_MS } from '#values/time.ts';
import { dayName, dayOf, dayStart, HOME_ZONE } from '#values/zoned-calendar.ts';
import type { Check } from '../../tools/audit-check.ts';
import { LIABILITY_CHECKS } from '../../tools/audit-liabilities.ts';
import { treesAreLogged } from '../../tools/audit-public-log.ts';
import { sealKeys } from '../../tools/audit-seals.ts';
import { verifyLog } from '../../tools/log-verify.ts';
import { expectSound } from '../support/audit.ts';
import { betOn, openTestMatch, type TestMatch } from '../support/match.ts';
import { runTool } from '../support/run-tool.ts';
import { LEDGER_KEY, type Player, TestServer } from '../support/server.ts';

let server: TestServer;
let match: TestMatch;
let [backer, layer]: Player[] = [];
/** The first day whose end is no test's yet. */
let day: number;

beforeAll(async () => {
	server = await TestServer.start();
	match = await openTestMatch(server);
	[backer, layer] = [await server.playPlayer(), await server.playPlayer()];
	await server.demoGambler();
	const settled = await openTestMatch(server);
	for (const side of SIDES) await Promise.all(Array.from({ length: WALKED }, () => bet(side, settled)));
	for (const side of SIDES) await bet(side);
	await settled.settle(0);
	for (const side of SIDES) await bet(side);
	day = dayOf(Date.now(), HOME_ZONE);
});
afterAll(() => server.dispose());

/** Bets of each side: above a hundred together a walk settles the market, the loser in one batch, the winner in a later one. */
const WALKED = 60;
const SIDES = ['BACK', 'LAY'] as const;
const bet = (side: 'BACK' | 'LAY', on = match, by = side === 'BACK' ? backer : layer) =>
	server.result('placeBetV2', betOn(on, { side, price: 3 }), by?.token ?? null);
const db = () => server.database.db;
/** The night after that many days more, which no later test has again. */
function nextNight(days = 1): number {
	day += days;
	return dayStart(day, HOME_ZONE) + 2 * HOUR_MS;
}
const make = (nowMs: number, pools: readonly Pool[] = HOME_POOLS) =>
	Array.fromAsync(makeTrees(db(), { pools, zone: HOME_ZONE, nowMs }));

interface Row {
	pool: Pool;
	day: number;
	batch: number;
	cash: number;
	held: number;
	bonus: number;
	shortfall: number;
	pots: number;
	hasNodes: boolean;
}

async function trees(): Promise<Row[]> {
	const { rows } = await db().query<Row>(
		`select pool, day, batch, cash, held, bonus, shortfall, pots, secret is not null
			and exists (select from sum_tree_tile where (sum_tree_tile.pool, sum_tree_tile.day) = (sum_tree.pool, sum_tree.day)) as "hasNodes"
		from sum_tree order by day, pool`,
	);
	return rows;
}

/** What the postings up to a batch say that players have, and what some owe. */
async function posted({ pool, batch }: Pick<Row, 'pool' | 'batch'>) {
	const { rows } = await db().query<Record<string, string | number>>(
		'select debit, debit_owner, credit, credit_owner, amount from posting where pool = $1 and batch <= $2',
		[pool, batch],
	);
	const balances = new Map<string, number>();
	const add = (account: unknown, owner: unknown, amount: number) => {
		if (Number(owner) < 1000 && account !== 'pot') return;
		const name = `${account} ${owner}`;
		balances.set(name, (balances.get(name) ?? 0) + amount);
	};
	for (const { debit, debit_owner, credit, credit_owner, amount } of rows) {
		add(debit, debit_owner, -Number(amount));
		add(credit, credit_owner, Number(amount));
	}
	const sumOf = (...accounts: string[]) =>
		[...balances].reduce((sum, [name, held]) => sum + (accounts.includes(name.split(' ')[0] ?? '') ? held : 0), 0);
	return { cash: sumOf('cash'), held: sumOf('exposure', 'hold'), bonus: sumOf('bonus'), pots: sumOf('pot') };
}

/** When a posting was made, milliseconds since 1970. */
interface Placed {
	batch: number;
	line: number;
	at: number;
}

const place = (postings: readonly Placed[]) =>
	db().query(
		`update posting set at = placed.at from unnest($1::bigint[], $2::int[], $3::bigint[]) as placed (batch, line, at)
		where (posting.batch, posting.line) = (placed.batch, placed.line)`,
		[postings.map(({ batch }) => batch), postings.map(({ line }) => line), postings.map(({ at }) => at)],
	);

const poolsOf = async (ended: number) => (await trees()).filter(({ day: of }) => of === ended).map(({ pool }) => pool);

const saysThat = ({ cash, held, bonus, shortfall, pots }: Row) => ({ cash: cash - shortfall, held, bonus, pots });

it('has the end of the day, however late it is made: a batch over midnight counts to the next day', async () => {
	const { rows: kept } = await db().query<Placed>(
		`select batch, line, at from posting where batch >= (
			select max(batch) - 1 from posting where kind = 'MARKET_SETTLED'
		) order by batch, line`,
	);
	const [before = 0, over = 0] = [...new Set(kept.map(({ batch }) => batch))];
	expect(over).toBe(before + 1);
	const { line: first } = kept.find(({ batch }) => batch === over) as Placed;
	const ending = day;
	const night = nextNight();
	const untilMs = dayStart(ending + 1, HOME_ZONE);
	// The batch before is as near to midnight as the one that goes over it is long, and nothing but midnight tells that one.
	const moved = ({ batch, line, at }: Placed) => {
		if (batch === before || (batch === over && line === first)) return untilMs - LONGEST_BATCH_MS;
		return batch === over ? untilMs : at + DAY_MS;
	};
	await place(kept.map((row) => ({ ...row, at: moved(row) })));
	try {
		await make(night, ['PLAY']);
		const [tree] = await trees();
		expect(tree?.batch).toBe(before);
		expect(tree && saysThat(tree)).toEqual(await posted({ pool: 'PLAY', batch: before }));
		// The walk has taken from the loser, and not paid the winner.
		expect(tree?.pots).toBe(WALKED * 100_00 * 2);
		for (const batch of [before - 1, over])
			expect(await posted({ pool: 'PLAY', batch })).not.toEqual(await posted({ pool: 'PLAY', batch: before }));
	} finally {
		await place(kept);
	}
});

it('has what the postings say up to a batch, while players bet, and passes the audit', async () => {
	const done = new AbortController();
	const betting = (async () => {
		// Each player backs and lays as much, so none runs out of money.
		while (!done.signal.aborted)
			for (const by of [backer, layer])
				await Promise.all([bet('BACK', match, by), bet('LAY', match, by === backer ? layer : backer)]);
	})();
	const ending = day;
	const made = await server.running.sumTrees.makeDue(nextNight());
	done.abort();
	await betting;
	expect(made.map(({ pool, day: of }) => [pool, of])).toEqual([
		['DEMO', dayName(ending)],
		['PLAY', dayName(ending)],
	]);
	for (const tree of await trees()) expect(saysThat(tree)).toEqual(await posted(tree));
	expect((await trees()).at(-1)?.held).toBeGreaterThan(0);
	await expectSound(server.database.db);
});

it('is made once, by whichever of many makes it, and stands in the log once', async () => {
	const environment = { ...process.env, DATABASE_URL: server.database.url };
	const ending = dayName(day);
	const night = nextNight();
	const made = await Promise.all([make(night), make(night), make(night)]);
	expect(
		made
			.flat()
			.map(({ pool }) => pool)
			.sort(),
	).toEqual(['DEMO', 'PLAY']);
	expect(await make(night)).toEqual([]);
	expect(await server.running.sumTrees.makeDue(night)).toEqual([]);
	// The day is not closed by the clock of this machine.
	expect(await runTool('tools/liabilities.ts', [], environment)).toMatchObject({ code: 0, stdout: '' });
	await Promise.all([server.running.publicLog.append(), server.running.publicLog.append()]);
	const logged = await db().query<{ ref: string; root: string }>(
		`select ref, leaf::jsonb ->> 'root' as root from public_log_entry
		where type = 'liabilities' and ref like $1 order by ref`,
		[`% ${ending}`],
	);
	expect(logged.rows).toEqual(
		made
			.flat()
			.map(({ pool, day: of, root }) => ({ ref: `${pool} ${of}`, root }))
			.sort((one, other) => one.ref.localeCompare(other.ref)),
	);
});

it('leaves nothing when it is killed before its commit, and is made by the next look', async () => {
	const holder = await db().connect();
	await holder.query('begin');
	await holder.query(
		`insert into sum_tree (pool, day, batch, size, root, cash, held, bonus, shortfall, pots)
		values ('PLAY', $1, 0, 4, '', 0, 0, 0, 0, 0)`,
		[day],
	);
	const ending = day;
	const night = nextNight();
	const making = server.running.sumTrees.makeDue(night);
	await expect
		.poll(
			async () =>
				(
					await db().query(
						`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like 'insert into sum_tree %'`,
					)
				).rowCount,
			{ timeout: 30_000 },
		)
		.toBe(1);
	const [killed] = await Promise.allSettled([making, server.running.sumTrees.stop()]);
	expect(killed).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('killed') } });
	await holder.query('rollback');
	holder.release();
	expect(await poolsOf(ending)).toEqual(['DEMO']);
	expect((await server.running.sumTrees.makeDue(night)).map(({ pool }) => pool)).toEqual(['PLAY']);
});

it('is made once for each day that was missed, and keeps the nodes of the newest', async () => {
	const first = day;
	const missed = await make(nextNight(3));
	expect(missed.filter(({ pool }) => pool === 'PLAY').map(({ day: of }) => of)).toEqual(
		[0, 1, 2].map((after) => dayName(first + after)),
	);
	expect((await trees()).filter(({ hasNodes }) => hasNodes).map(({ pool, day: of }) => [pool, of])).toEqual([
		['DEMO', first + 2],
		['PLAY', first + 2],
	]);
	await expectSound(server.database.db);
});

it('is made by a running server on its own, and a look that failed is repeated', async () => {
	const ending = day;
	const night = nextNight();
	const failed: unknown[] = [];
	const log = pino({ level: 'error' }, { write: (line) => failed.push(JSON.parse(line)) });
	const trees = new SumTrees({
		zone: HOME_ZONE,
		db: db(),
		databaseUrl: server.database.url.replace(/\/test_\w+/, '/postgres'),
		pools: HOME_POOLS,
		log,
		clock: () => Promise.resolve(night),
		lookEveryMs: 10,
	});
	trees.start();
	await expect.poll(() => failed.length, { timeout: 30_000 }).toBeGreaterThan(0);
	await trees.stop();
	expect(failed[0]).toMatchObject({ msg: 'the sum trees of the last day are not made' });
	const well = new SumTrees({
		zone: HOME_ZONE,
		db: db(),
		databaseUrl: server.database.url,
		pools: HOME_POOLS,
		log,
		clock: () => Promise.resolve(night),
		lookEveryMs: 10,
	});
	well.start();
	await expect.poll(() => poolsOf(ending), { timeout: 30_000 }).toEqual(['DEMO', 'PLAY']);
	await well.stop();
});

it('is not made where wallets and house contradict each other; other pools have theirs', async () => {
	const move = (minor: number) =>
		db().query('update wallet set cash = cash + $2 where wallet_id = $1', [backer?.userId, minor]);
	const ending = day;
	const night = nextNight();
	await move(1);
	await expect(make(night)).rejects.toThrow('by the trial balance');
	expect(await poolsOf(ending)).toEqual(['DEMO']);
	await move(-1);
	expect((await make(night)).map(({ pool }) => pool)).toEqual(['PLAY']);
});

const AUDITED: readonly Check[] = [...LIABILITY_CHECKS, treesAreLogged];

it.each([
	['a total', `update sum_tree set cash = cash - 1 where pool = 'PLAY'`, 0],
	['a wallet that is left out', `delete from sum_tree_place where pool = 'PLAY'`, 1],
	[
		'a leaf',
		`update sum_tree_tile set nodes = set_byte(nodes, 39, get_byte(nodes, 39) # 1) where pool = 'PLAY' and level = 0`,
		1,
	],
	['a root', `update sum_tree set root = sha256(root) where pool = 'PLAY'`, 1],
	['the salts', `update sum_tree set secret = sha256(secret) where pool = 'PLAY'`, 1],
	['a name', `update player set user_name = user_name || 'x' where pool = 'PLAY'`, 1],
	['the log', `update public_log_entry set leaf = replace(leaf, '"pots":0', '"pots":1') where type = 'liabilities'`, 2],
	['a second leaf', `update public_log_entry set ref = 'PLAY ' || right(ref, 10) where type = 'liabilities'`, 2],
])('the audit finds a changed %s', async (_, change, check) => {
	await server.running.publicLog.append();
	const client = await db().connect();
	try {
		await client.query('begin');
		const found = async () => {
			for (const [at, { run }] of AUDITED.entries()) {
				const { wrong } = await run(client, sealKeys([LEDGER_KEY]));
				await client.query('close all');
				if (wrong) return at;
			}
			return null;
		};
		expect(await found()).toBeNull();
		await client.query(change);
		expect(await found()).toBe(check);
	} finally {
		await client.query('rollback');
		client.release();
	}
});

it('a stranger who reads the log finds a second tree of a day', { tags: 'thorough' }, async () => {
	const leaf: Leaf = {
		type: 'liabilities',
		ref: 'PLAY 2020-01-01',
		body: { pool: 'PLAY', day: '2020-01-01', root: '' },
	};
	let next = 0;
	const twice: LeafSource<null> = {
		name: 'twice',
		waiting: 'true',
		take: async () => ({ leaves: [{ ...leaf, body: { ...leaf.body, root: `${next++}` } }], cursor: null }),
	};
	const log = new PublicLog({
		db: db(),
		ledgerKey: LEDGER_KEY,
		sources: [twice],
		logger: pino({ level: 'silent' }),
		clock: Date.now,
	});
	const verified = () => verifyLog({ from: server.url, key: null, save: null, leaf: null, witnessed: [] });
	await log.append();
	expect(await verified()).toMatchObject({ witnessed: 0 });
	await log.append();
	await expect(verified()).rejects.toThrow('two trees of what is owed in PLAY for 2020-01-01');
});
