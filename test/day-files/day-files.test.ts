/** A day’s files: what they prove by themselves, what a changed file fails, and that they are whole or not there. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { attachMonth, detachMonth } from '../../src/server/exchange/ledger/detached-months.ts';
import { monthOf, partitionOf } from '../../src/server/platform/postgres/months.ts';
import { DAY_MS, HOUR_MS } from '../../src/values/time.ts';
import { dayName, dayOf, dayStart, HOME_ZONE } from '../../src/values/zoned-calendar.ts';
import { sealKeys } from '../../tools/audit-seals.ts';
import { auditDays } from '../../tools/day-files/audit-days.ts';
import { filePath, MANIFEST } from '../../tools/day-files/day-folder.ts';
import { BALANCE_COLUMNS, BALANCE_FILE, DAY_TABLES } from '../../tools/day-files/day-tables.ts';
import { type Row, rowsIn, writeTable } from '../../tools/day-files/parquet-table.ts';
import { type WrittenDay, writeDays } from '../../tools/day-files/write-days.ts';
import { SmallDisk } from '../faults/support/small-disk.ts';
import { PaymentDesk, QUIET_PAYMENTS } from '../funds/payment-desk.ts';
import { betOn, freshRequestId, openTestMatch } from '../support/match.ts';
import { runTool } from '../support/run-tool.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { LEDGER_KEY, TestServer, TOKEN_KEY } from '../support/server.ts';
import { signUp } from '../support/sign-up.ts';

const KEYS = sealKeys([LEDGER_KEY]);
let server: TestServer;
/** The day of the first posting, and the days that were written. */
let day: number;
let written: string;
let days: WrittenDay[];

function folder(): string {
	const made = mkdtempSync(join(scratchFolder(), 'day-files-'));
	onTestFinished(() => rmSync(made, { recursive: true, force: true }));
	return made;
}

/** As if it were the early morning after the next day. */
async function write(into: string, zone = HOME_ZONE): Promise<WrittenDay[]> {
	const client = await server.database.db.connect();
	try {
		return await Array.fromAsync(
			writeDays(client, into, { from: null, nowMs: dayStart(day + 2, zone) + 2 * HOUR_MS, zone }),
		);
	} finally {
		client.release(true);
	}
}

/** The names of the checks that were made, and the first that fails. */
async function audited(into: string, keys = KEYS as typeof KEYS | null) {
	const asked = await Array.fromAsync(auditDays(into, keys));
	return {
		days: [...new Set(asked.map(({ day: name }) => name))],
		failed: asked.find(({ wrong }) => wrong)?.check ?? null,
	};
}

beforeAll(async () => {
	server = await TestServer.start(undefined, { payments: QUIET_PAYMENTS });
	const desk = new PaymentDesk(() => server);
	const player = await signUp(server);
	const receipt = await desk.receipt(player, desk.freshUtr());
	await desk.decide('DEPOSIT', receipt.id, 'approve');
	const [backer, layer, gambler] = [await server.playPlayer(), await server.playPlayer(), await server.demoGambler()];
	for (const winner of [0, 1]) {
		const match = await openTestMatch(server);
		for (const [price, stake] of [
			[2.02, 101.01],
			[3.35, 77.77],
		] as const) {
			await server.result('placeBetV2', betOn(match, { side: 'BACK', price, stake }), backer.token);
			await server.result('placeBetV2', betOn(match, { side: 'LAY', price, stake }), layer.token);
		}
		await match.settle(winner);
	}
	const round = { game: 'dice', bets: [{ bet: 'under-5000', stake: 10 }], clientRequestId: freshRequestId() };
	await server.result('playRound', round, gambler.token);
	await server.stop();
	day = dayOf(Date.now(), HOME_ZONE);
	written = mkdtempSync(join(scratchFolder(), 'day-files-'));
	days = await write(written);
});
afterAll(async () => {
	rmSync(written, { recursive: true, force: true });
	await server.dispose();
});

it('has every posting, bet, settlement and step of a day, and proves it without the database', async () => {
	expect(days.map(({ day: name }) => name)).toEqual([dayName(day), dayName(day + 1)]);
	const { db } = server.database;
	const { rows } = await db.query<Record<string, number>>(
		`select (select count(*)::int from posting) as posting, (select count(*)::int from bet_match) as bet_match,
		   (select count(*)::int from bet where result is not null) as bet, (select count(*)::int from player) as player,
		   (select count(*)::int from player_settlement) as player_settlement,
		   (select count(*)::int from workflow_step) as workflow_step`,
	);
	expect(days[0]?.rows).toMatchObject(rows[0] ?? {});
	expect(rows[0]?.['bet']).toBeGreaterThan(4);
	expect(await audited(written)).toEqual({ days: [dayName(day), dayName(day + 1)], failed: null });
});

it('has the days of the books’ zone, and no folder has those of two', async () => {
	const into = folder();
	const [first] = await write(into, 'America/Sao_Paulo');
	const { zone, from } = JSON.parse(readFileSync(join(into, first?.day ?? '', MANIFEST), 'utf8'));
	expect([zone, from]).toEqual(['America/Sao_Paulo', `${first?.day}T03:00:00.000Z`]);
	expect((await audited(into)).failed).toBeNull();
	await expect(write(into)).rejects.toThrow('days of America/Sao_Paulo');
});

it('is the same to the byte when it is written again, also after a run that was killed', async () => {
	const again = folder();
	mkdirSync(join(again, '.partial'));
	writeFileSync(join(again, '.partial', 'posting.parquet'), 'half a file');
	await write(again);
	const bytesIn = (into: string) =>
		readdirSync(into, { recursive: true, encoding: 'utf8' })
			.filter((name) => /\.(parquet|json)$/.test(name))
			.sort()
			.map((name) => [name, readFileSync(join(into, name)).toString('base64')]);
	expect(bytesIn(again)).toEqual(bytesIn(written));
	expect(await write(again)).toEqual([]);
});

it('goes over midnight: the second day begins with what the first one left', async () => {
	const { db } = server.database;
	const half = '(select percentile_disc(0.5) within group (order by batch) from posting)';
	// Half of the postings happened a day earlier. They no longer fit their seals.
	await db.query(`update posting set at = at - ${DAY_MS} where batch <= ${half}`);
	const moved = `(select market_id from posting where kind = 'MARKET_SETTLED' and batch <= ${half})`;
	await db.query(`update player_settlement set at = at - ${DAY_MS} where market_id in ${moved}`);
	onTestFinished(async () => {
		for (const table of ['posting', 'player_settlement'])
			await db.query(`update ${table} set at = at + ${DAY_MS} where at < $1`, [Date.now() - DAY_MS / 2]);
	});
	const into = folder();
	const split = await write(into);
	expect(split.map(({ day: name }) => name)).toEqual([dayName(day - 1), dayName(day), dayName(day + 1)]);
	expect(Math.min(...split.slice(0, 2).map(({ rows }) => rows['posting'] ?? 0))).toBeGreaterThan(3);
	const asked = await Array.fromAsync(auditDays(into, null));
	expect(asked.filter(({ wrong }) => wrong).map(({ check }) => check)).toEqual([]);
	const [, opened] = asked.filter(({ check }) => check === 'the day begins as the one before ended');
	expect(opened?.rows).toBeGreaterThan(0);
});

/** The month of the bets, as if it were long ago. */
const detach = () => detachMonth(server.database.db, monthOf(Date.now()), LEDGER_KEY, Date.now() + 365 * DAY_MS);

it('has the rows of a month that was detached, and is not written when they are gone', async () => {
	const { db } = server.database;
	const month = monthOf(Date.now());
	await detach();
	onTestFinished(() => attachMonth(db, month));
	const into = folder();
	expect(await write(into)).toEqual(days);
	expect(await audited(into)).toMatchObject({ failed: null });
	for (const table of ['bet', 'bet_match']) {
		const archived = partitionOf(table, month);
		const lacking = folder();
		await db.query(`alter table archive.${archived} rename to elsewhere`);
		await expect(write(lacking)).rejects.toThrow(`its rows of ${table} in ${month} were detached`);
		expect(existsSync(join(lacking, dayName(day)))).toBe(false);
		await db.query(`alter table archive.elsewhere rename to ${archived}`);
		// A table that lacks rows is none of them either.
		await db.query(`create table kept as select * from archive.${archived}; delete from archive.${archived}`);
		await expect(write(lacking)).rejects.toThrow('were detached');
		await db.query(`insert into archive.${archived} select * from kept; drop table kept`);
	}
});

it('lacks no row of a month that is to be detached while it is written', async () => {
	const { db } = server.database;
	const client = await db.connect();
	const query = client.query.bind(client) as (...asked: unknown[]) => Promise<unknown>;
	let detaching: Promise<unknown> | null = null;
	// The snapshot stands when the first and the last instant are known; no bet was read yet.
	Object.assign(client, {
		query: async (...asked: unknown[]) => {
			const found = await query(...asked);
			if (String(asked[0]).includes('from lease') && !detaching) {
				detaching = detach().then(
					() => 'detached',
					({ message }: Error) => message,
				);
				await detaching;
			}
			return found;
		},
	});
	onTestFinished(async () => {
		if ((await detaching) === 'detached') await attachMonth(db, monthOf(Date.now()));
	});
	try {
		const asked = { from: null, nowMs: dayStart(day + 2, HOME_ZONE) + 2 * HOUR_MS, zone: HOME_ZONE };
		expect(await Array.fromAsync(writeDays(client, folder(), asked))).toEqual(days);
		expect(await detaching).toContain('lock timeout');
	} finally {
		client.release(true);
	}
});

/** A change of rows, with a manifest that fits it: the forger knows how the files are made, and not the key. */
async function forge(into: string, table: string, change: (rows: Row[]) => Row[]): Promise<void> {
	const columns = DAY_TABLES.find(({ name }) => name === table)?.columns ?? BALANCE_COLUMNS;
	const ofDay = join(into, dayName(day));
	const path = filePath(ofDay, table);
	const changed = change(await Array.fromAsync(rowsIn(path, columns)));
	const manifest = JSON.parse(readFileSync(join(ofDay, MANIFEST), 'utf8')) as { files: Record<string, object> };
	manifest.files[table] = await writeTable(path, columns, [changed]);
	writeFileSync(join(ofDay, MANIFEST), JSON.stringify(manifest));
}

const first =
	(field: string, by: number, is: (row: Row) => boolean = () => true) =>
	(rows: Row[]) => {
		const at = rows.findIndex(is);
		return rows.map((row, place) => (place === at ? { ...row, [field]: Number(row[field]) + by } : row));
	};
const ofPlayer = ({ wallet_id }: Row) => Number(wallet_id) >= 1000;

it.each([
	['posting', 'amount', first('amount', 1), 'every balance is what the account held and its postings'],
	['posting', 'cash_after', first('cash_after', 1, ofPlayer), 'every posting says what it left of the free cash'],
	['posting', 'ref', first('ref', 1), 'every posting is sealed, and every sealed posting is there'],
	[
		'player_settlement',
		'net',
		first('net', 1, ofPlayer),
		'every player’s net in a settled market is the sum of the bets, rounded once',
	],
	[
		'bet',
		'profit_exact',
		first('profit_exact', 10_000, ({ result }) => result === 'WON'),
		'every player’s net in a settled market is the sum of the bets, rounded once',
	],
	[BALANCE_FILE, 'closing', first('closing', 1), 'every balance is what the account held and its postings'],
	['batch_seal', 'batch', first('batch', -1), 'the chain of the seals holds'],
])('finds a changed %s.%s whose digest was corrected', async (table, _, change, check) => {
	const into = folder();
	await write(into);
	await forge(into, table, change);
	expect((await audited(into)).failed).toBe(check);
});

it('finds a file that is not the manifest’s, and a day that is not the one before’s', async () => {
	const into = folder();
	await write(into);
	await forge(join(into), BALANCE_FILE, (rows) => rows);
	expect((await audited(into)).failed).toBe(null);
	writeFileSync(filePath(join(into, dayName(day + 1)), 'posting'), 'PAR1');
	expect((await audited(into)).failed).toBe('the files are those of the manifest');
});

it('leaves no day on a full disk, and writes it when there is room', async (test) => {
	const disk = SmallDisk.mount(1);
	if (!disk) return test.skip();
	onTestFinished(() => disk.dispose());
	disk.fill();
	await expect(write(disk.folder)).rejects.toMatchObject({ code: 'ENOSPC' });
	expect(existsSync(join(disk.folder, dayName(day)))).toBe(false);
	disk.free();
	expect(await write(disk.folder)).toEqual(days);
});

it('the commands write what is closed, and prove it', { tags: 'thorough' }, async () => {
	const into = folder();
	const environment = { ...process.env, TOKEN_KEY, DATABASE_URL: server.database.url };
	expect(await runTool('tools/day-files.ts', ['--into', into], environment)).toMatchObject({ code: 0, stdout: '' });
	expect(await runTool('tools/audit.ts', ['--parquet', into], environment)).toMatchObject({
		code: 1,
		stderr: `There is no day in ${into}.\n`,
	});
	const { code, stdout } = await runTool('tools/audit.ts', ['--parquet', written], environment);
	expect([code, stdout.includes('"ok":false'), stdout.split('\n').length > 20]).toEqual([0, false, true]);
});
