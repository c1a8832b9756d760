/** What the doctor finds, and whom an alarm reaches. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { BeaconWatch } from '#server/money/casino/beacon/beacon-watch.ts';
import { DrandBeacon } from '#server/money/casino/beacon/drand-beacon.ts';
import { LocalBeacon } from '#server/money/casino/beacon/local-beacon.ts';
import { connect } from '#server/platform/postgres/connect.ts';
import { Journal } from '#server/platform/postgres/journal.ts';
import { webhookChannel } from '#server/process/health/alarm-channels.ts';
import { Alarms } from '#server/process/health/alarms.ts';
import { type HealthCheck, type HealthState } from '#server/process/health/check.ts';
import { ClockWatch } from '#server/process/health/clock-watch.ts';
import { Health } from '#server/process/health/health.ts';
import { certificateCheck, diskCheck, keysCheck } from '#server/process/health/machine-checks.ts';
import { Records } from '#server/process/health/records.ts';
import { beaconCheck } from '#server/process/health/work-checks.ts';
import { DAY_MS, HOUR_MS } from '#values/time.ts';
import { BeaconRelay, TEST_BEACON } from '../support/beacon-relay.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { LEDGER_KEY, TestServer, TOKEN_KEY } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
	server = await TestServer.start(undefined, { commandRows: true });
});
afterAll(() => server.dispose());

type Doctor = { name: string; state: HealthState; words: string; todo: string }[];
const doctor = async (): Promise<Record<string, Doctor[number]>> =>
	Object.fromEntries((await server.act<Doctor>('doctor', {})).map((check) => [check.name, check]));

describe('the doctor', () => {
	it('finds a process well, and says what to do where it is not', async () => {
		const found = await doctor();
		for (const name of [
			'exchange',
			'database',
			'clock',
			'disk',
			'keys',
			'certificate',
			'games',
			'returns',
			'payouts',
			'messages',
		])
			expect(found[name]).toMatchObject({ state: 'ok', todo: '' });
		expect(found['standbys']).toMatchObject({ state: 'failing', words: 'No standby follows.' });
		const unwell = Object.values(found).filter(({ state }) => state !== 'ok');
		expect(unwell.filter(({ todo }) => todo === '')).toEqual([]);
	});

	it('asks for drills until each is noted', async () => {
		for (const drill of ['audit', 'backup', 'restore']) await server.act('note-drill', { drill });
		expect((await doctor())['drills']).toMatchObject({ state: 'warning', words: 'Not noted in time: takeover.' });
		await server.act('note-drill', { drill: 'takeover' });
		expect((await doctor())['drills']).toMatchObject({ state: 'ok' });
		// The files of days are asked for once they were written, and then missed.
		await server.act('note-drill', { drill: 'day-files' });
		const { db } = server.database;
		await db.query(`update journal set at = at - 3 * 86400000::bigint where details ->> 'drill' = 'day-files'`);
		expect((await doctor())['drills']).toMatchObject({ state: 'warning', words: 'Not noted in time: day-files.' });
	});

	it('answers while a table is locked: what cannot be checked fails by name, and nothing else', async () => {
		const locking = await server.database.db.connect();
		await locking.query('begin; lock table follower in access exclusive mode');
		const found = await doctor().finally(() => locking.release(true));
		expect(found['standbys']).toMatchObject({
			state: 'failing',
			words: expect.stringContaining('could not be checked'),
		});
		expect(found['clock']).toMatchObject({ state: 'ok' });
		const unmade = Object.values(found).filter(({ words }) => words.includes('could not be checked'));
		expect(unmade.map(({ name }) => name)).toEqual(['standbys']);
	});

	it('asks everything by a few connections: PostgreSQL starts a process for each, which bets beside wait for', async () => {
		const db = connect(server.database.url, { max: 20 });
		onTestFinished(() => db.end());
		const beacon = new BeaconWatch(new LocalBeacon(TOKEN_KEY, 1));
		const health = new Health({
			config: {
				production: false,
				dataDir: tmpdir(),
				databaseUrl: server.database.url,
				namedKeys: { ledger: true, data: true },
				booksZone: 'Asia/Kolkata',
			},
			reach: { commandRows: true, sms: {}, stream: null },
			db,
			exchange: server.running.exchange,
			clock: new ClockWatch({ db, timeSource: null, records: { add: () => undefined } }),
			deviatingBets: () => ({ rounds: 0, deviating: [] }),
			failedGames: () => [],
			files: null,
			release: null,
			beacon,
			smtp: null,
			signOn: null,
			brandPools: () => ['DEMO'],
		});
		const found = await health.checks(DAY_MS);
		expect(found.filter(({ words }) => words.includes('could not be checked'))).toEqual([]);
		// Two for what is asked of tables, and one for the clock, whose answer must not wait.
		expect(db.totalCount).toBeLessThanOrEqual(3);
	});

	it('sees that a closed day has no proof of what the house owes', async () => {
		const { db } = server.database;
		const state = async () => (await doctor())['liabilities']?.state;
		expect(await state()).toBe('ok');
		const provenTo = (day: number) =>
			db.query(
				`insert into sum_tree (pool, day, batch, size, root, cash, held, bonus, shortfall, pots)
				values ('PLAY', $1, 1, 4, '', 0, 0, 0, 0, 0)`,
				[day],
			);
		onTestFinished(async () => void (await db.query('delete from sum_tree')));
		const today = Math.floor((Date.now() + 5.5 * HOUR_MS) / DAY_MS);
		await provenTo(today - 3);
		expect(await state()).toBe('failing');
		await provenTo(today - 1);
		expect(await state()).toBe('ok');
	});

	it('sees a payout whose outcome is unknown for a day', async () => {
		const { db } = server.database;
		const dayAgo = Date.now() - 1.5 * DAY_MS;
		await db.query(
			`insert into workflow (kind, id, wallet_id, pool, state, step, postings, is_open, opened_at, at, data)
			 values ('WITHDRAWAL', 987654, 1000, 'PLAY', 'UNKNOWN', 3, 1, true, $1, $1, '{}')`,
			[dayAgo],
		);
		onTestFinished(async () => void (await db.query('delete from workflow where id = 987654')));
		expect((await doctor())['payouts']).toMatchObject({ state: 'failing', words: expect.stringContaining('36 hours') });
	});
});

describe('a server without a public beacon', () => {
	const LACK = 'Crash and the tables take no bets of REAL: no public beacon is configured (BEACON_RELAYS).';

	it('says in words that its tables are closed to real money', async () => {
		const ready = await (await fetch(`${server.url}/ready`)).json();
		expect(ready).toMatchObject({ status: 'ok', lacks: [LACK] });
		expect((await doctor())['beacon']).toEqual({ name: 'beacon', state: 'ok', words: LACK, todo: '' });
	});

	it('needs one as soon as it has a brand of real money', async () => {
		const local = new BeaconWatch(new LocalBeacon(TOKEN_KEY, 1));
		expect(await beaconCheck(local, ['DEMO', 'PLAY'])).toMatchObject({ state: 'ok' });
		expect(await beaconCheck(local, ['PLAY', 'REAL'])).toMatchObject({ state: 'failing', words: LACK });
	});

	it('has one whose relays are watched', async () => {
		const relay = await BeaconRelay.start();
		onTestFinished(() => relay.stop());
		const config = { chain: TEST_BEACON, chainHash: 'ab'.repeat(32), relays: [relay.url] };
		const beacon = new DrandBeacon(config, { warn: () => undefined });
		onTestFinished(() => beacon.stop());
		const watch = new BeaconWatch(beacon);
		expect(await beaconCheck(watch, ['REAL'])).toMatchObject({ state: 'ok' });
		relay.way = 'broken';
		await expect.poll(() => beaconCheck(watch, ['REAL'])).toMatchObject({ state: 'failing' });
	});
});

describe('a machine', () => {
	const folder = mkdtempSync(join(tmpdir(), 'backlay-health-'));
	afterAll(() => rmSync(folder, { recursive: true, force: true }));

	it('has room, or a disk that is watched elsewhere', async () => {
		expect(await diskCheck(folder)).toMatchObject({ name: 'disk', words: expect.stringContaining('GB') });
		expect(await diskCheck(null)).toMatchObject({ state: 'ok' });
		await expect(diskCheck(join(folder, 'missing'))).rejects.toThrow('ENOENT');
	});

	it('names the keys that are derived in production, and is content elsewhere', () => {
		const derived = keysCheck({ ledger: true, data: false }, true);
		expect(derived).toMatchObject({ state: 'warning', words: expect.stringContaining('DATA_KEYS is derived') });
		expect(keysCheck({ ledger: true, data: true }, true).state).toBe('ok');
		expect(keysCheck({ ledger: false, data: false }, false).state).toBe('ok');
	});

	it('says when the certificate of the bots’ stream expires', () => {
		const [key, file] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
		const subject = ['-subj', '/CN=bots.example'];
		execFileSync(
			'openssl',
			['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'].concat(
				['-days', '90', '-keyout', key, '-out', file],
				subject,
			),
			{ stdio: 'ignore' },
		);
		const certificate = readFileSync(file, 'utf8');
		const stateAfter = (days: number): HealthState => certificateCheck(certificate, Date.now() + days * DAY_MS).state;
		expect([0, 59, 61, 82, 84, 100].map(stateAfter)).toEqual(['ok', 'ok', 'warning', 'warning', 'failing', 'failing']);
		expect(certificateCheck(certificate, Date.now() + 100 * DAY_MS).words).toContain('expired');
	});
});

/** A webhook that takes messages, or refuses them. */
async function webhook(): Promise<{ url: string; taken: string[]; refuses: boolean }> {
	const hook = { url: '', taken: [] as string[], refuses: false };
	const http = createServer((request, response) => {
		let text = '';
		request.on('data', (part: Buffer) => (text += part.toString()));
		request.on('end', () => {
			if (!hook.refuses) hook.taken.push(JSON.parse(text).text);
			response.writeHead(hook.refuses ? 500 : 200).end();
		});
	});
	http.listen(0, '127.0.0.1');
	await once(http, 'listening');
	onTestFinished(async () => void (await new Promise((resolve) => http.close(resolve))));
	hook.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/secret`;
	return hook;
}

const check = (state: HealthState, words: string): HealthCheck => ({ name: 'disk', state, words, todo: 'Make room.' });

describe('an alarm', () => {
	const log = pino({ level: 'silent' });
	const unwritten = {
		add: () => undefined,
		write: async () => undefined,
		unended: async () => new Map<string, number>(),
	};
	const opened = (
		url: string | null,
		found: { now: HealthCheck },
		changes: string[] = [],
		records: Records | typeof unwritten = unwritten,
	) =>
		new Alarms({
			health: { checks: async () => [found.now] },
			channels: url === null ? [] : [webhookChannel(url)],
			process: 'east',
			log,
			records,
			onChanged: () => changes.push('changed'),
		});

	const recordsIn = ({ db }: Pick<FreshDatabase, 'db'>, process = 'east') =>
		new Records({ db, journal: new Journal({ db, ledgerKey: LEDGER_KEY, epoch: 0 }), process, log });

	it('is raised by the second look in a row, told once, and ended when all is well', async () => {
		const hook = await webhook();
		const found = { now: check('failing', 'Full.') };
		const changes: string[] = [];
		const alarms = opened(hook.url, found, changes);
		await alarms.look();
		expect(alarms.current()).toEqual([]);
		await alarms.look();
		await alarms.look();
		expect(alarms.current()).toMatchObject([{ name: 'disk', words: 'Full.', todo: 'Make room.' }]);
		expect(hook.taken).toEqual(['Backlay east, disk: Full. Make room.']);
		found.now = check('warning', 'Half full.');
		await alarms.look();
		expect(alarms.current()).toEqual([]);
		expect(hook.taken[1]).toBe('Backlay east, disk: Well again: Half full.');
		expect(changes).toHaveLength(2);
		found.now = check('failing', 'Full.');
		await alarms.look();
		found.now = check('ok', 'Room.');
		await alarms.look();
		expect(hook.taken).toHaveLength(2);
	});

	it('is sent again to a webhook that refuses, the newest of a check alone', async () => {
		const hook = await webhook();
		hook.refuses = true;
		const found = { now: check('failing', 'Full.') };
		const alarms = opened(hook.url, found);
		await alarms.look();
		await alarms.look();
		found.now = check('ok', 'Room.');
		await alarms.look();
		expect(hook.taken).toEqual([]);
		hook.refuses = false;
		await alarms.look();
		await alarms.look();
		expect(hook.taken).toEqual(['Backlay east, disk: Well again: Room.']);
	});

	it('is in the journal with its beginning and its end, in order, also when the journal was away meanwhile', async () => {
		const database = await freshDatabase();
		onTestFinished(() => database.drop());
		const found = { now: check('failing', 'Full.') };
		const alarms = opened(null, found, [], recordsIn(database));
		await database.db.query('alter table journal rename to journal_away');
		for (let look = 0; look < 3; look++) await alarms.look();
		found.now = check('ok', 'Room.');
		await alarms.look();
		await database.db.query('alter table journal_away rename to journal');
		for (let look = 0; look < 2; look++) await alarms.look();
		const { rows } = await database.db.query('select actor, act, subject, details from journal order by seq');
		const at = expect.stringMatching(/^\d{4}-.*Z$/);
		const row = { actor: 'east', subject: 'check disk' };
		expect(rows).toEqual([
			{ ...row, act: 'alarm-began', details: { words: 'Full.', foundAt: at } },
			{ ...row, act: 'alarm-ended', details: { words: 'Room.', since: at, foundAt: at } },
		]);
	});

	it('has one beginning and one end in the journal, and is told well again, also when the process starts again meanwhile', async () => {
		const database = await freshDatabase();
		onTestFinished(() => database.drop());
		const hook = await webhook();
		const found = { now: check('failing', 'Full.') };
		const look = async (times: number, process = 'east') => {
			const alarms = opened(hook.url, found, [], recordsIn(database, process));
			for (let made = 0; made < times; made++) await alarms.look();
		};
		await look(2);
		// It fails still after a restart, and is well after the next one.
		await look(2);
		found.now = check('ok', 'Room.');
		await look(1, 'west');
		await look(1);
		await look(1);
		const told = 'Backlay east, disk: Full. Make room.';
		expect(hook.taken).toEqual([told, told, 'Backlay east, disk: Well again: Room.']);
		const { rows } = await database.db.query(
			`select act, details ->> 'since' <= (select details ->> 'foundAt' from journal where act = 'alarm-began') as "isSince"
			 from journal where act <> 'ROWS_ENTERED' order by seq`,
		);
		expect(rows).toEqual([
			{ act: 'alarm-began', isSince: null },
			{ act: 'alarm-ended', isSince: true },
		]);
	});

	it('does not wait for a journal that is locked, which has its row afterwards', async () => {
		const database = await freshDatabase();
		onTestFinished(() => database.drop());
		const alarms = opened(null, { now: check('failing', 'Full.') }, [], recordsIn(database));
		const locking = await database.db.connect();
		await locking.query('begin; lock table journal in access exclusive mode');
		for (let look = 0; look < 2; look++) await alarms.look();
		expect(alarms.current()).toHaveLength(1);
		await locking.query('rollback');
		locking.release();
		await alarms.look();
		const { rows } = await database.db.query(`select distinct act from journal where act <> 'ROWS_ENTERED'`);
		expect(rows).toEqual([{ act: 'alarm-began' }]);
	});

	it('is sent before a stop goes on, and a channel that does not answer holds up no stop', async () => {
		const sendingBy = async (sent: Promise<void>) => {
			const begun = Promise.withResolvers<void>();
			const send = () => {
				begun.resolve();
				return sent;
			};
			const alarms = new Alarms({
				health: { checks: async () => [check('failing', 'Full.')] },
				channels: [{ name: 'slow', send }],
				process: 'east',
				log,
				records: unwritten,
				onChanged: () => undefined,
				lookEveryMs: 1,
			});
			alarms.start();
			await begun.promise;
			return alarms;
		};
		const sent = Promise.withResolvers<void>();
		const order: string[] = [];
		const stopping = (await sendingBy(sent.promise)).stop().then(() => order.push('stopped'));
		await turn();
		order.push('sent');
		sent.resolve();
		await stopping;
		expect(order).toEqual(['sent', 'stopped']);
		await (await sendingBy(new Promise(() => undefined))).stop();
	}, 10_000);

	it('does not wait for a webhook that is away', async () => {
		const found = { now: check('failing', 'Full.') };
		const alarms = opened('http://127.0.0.1:1/secret', found);
		await alarms.look();
		await alarms.look();
		expect(alarms.current()).toHaveLength(1);
	});
});
