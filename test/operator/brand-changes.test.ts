/** Changes of several fields of a brand: now, at an instant, back to a version, and over from another brand. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DomainSetting } from '#contract/domain-setting.ts';
import { BrandSchedules } from '#server/operators/brand-schedules.ts';
import { hashPassword } from '#server/people/players/passwords.ts';
import { LocalBus } from '#server/platform/bus/bus.ts';
import { Journal } from '#server/platform/postgres/journal.ts';
import { openBrands } from '#server/world/brands/open-brands.ts';
import { HOME_POOLS } from '#values/pools.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { expectSound } from '../support/audit.ts';
import { onSeeds } from '../support/seeds.ts';
import { LEDGER_KEY, TestServer } from '../support/server.ts';
import { underWayTogether } from '../support/under-way.ts';
import { ConsoleClient } from './console-client.ts';

const PASSWORD = 'Correct-horse-9';
const HOST = 'royal.localhost';
const HOUR_MS = 3_600_000;

let server: TestServer;
let maker: ConsoleClient;
let checker: ConsoleClient;
let again: ConsoleClient;
let local: ConsoleClient;
beforeAll(async () => {
	server = await TestServer.start();
	await addMember('maker', null);
	await addMember('checker', null);
	await addMember('local', [HOST]);
	[maker, checker, again, local] = [
		await logIn('maker'),
		await logIn('checker'),
		await logIn('maker'),
		await logIn('local'),
	];
});
afterAll(() => server.dispose());

async function addMember(name: string, brands: string[] | null): Promise<void> {
	const about = { name, passwordHash: await hashPassword(PASSWORD), roles: ['owner'], brands };
	await server.running.staff.directory.add(about, { actor: 'test', address: null });
}

async function logIn(name: string): Promise<ConsoleClient> {
	const client = new ConsoleClient(server.url);
	await client.result('log-in', { name, password: PASSWORD });
	return client;
}

const setting = (host = HOST): DomainSetting => {
	const found = server.running.brands.byHost(host)?.setting;
	if (!found) throw new Error(`there is no brand ${host}`);
	return found;
};
const seen = () => setting().version;
const words = (description: string) => [{ field: 'description', value: description }];

interface Differences {
	version: number;
	differences: {
		field: string;
		here: unknown;
		there: unknown;
		text: string;
		isAlone: boolean;
		problem: string | null;
	}[];
}
const differences = (asked: object) => maker.result<Differences>('brand-differences', { host: HOST, ...asked });

describe('a change of several fields', () => {
	it('is made as one version, or not at all', async () => {
		const before = setting();
		const changes = [...words('Two at once.'), { field: 'news', value: '["One."]' }];
		await maker.result('brand-change', { host: HOST, seen: before.version, changes });
		expect(setting()).toMatchObject({ description: 'Two at once.', news: ['One.'], version: before.version + 1 });
		const wrong = [...words('Not made.'), { field: 'theme', value: 'pink' }];
		expect(await maker.code('brand-change', { host: HOST, seen: seen(), changes: wrong })).toBe('VALIDATION_FAILED');
		expect(setting().description).toBe('Two at once.');
	});

	it('is refused when the setting has moved on since it was seen, also to all but one of many at once', async () => {
		const at = seen();
		const tried = ['a', 'b', 'c', 'd'].map((text) =>
			maker.code('brand-change', { host: HOST, seen: at, changes: words(text) }),
		);
		const codes = await Promise.all(tried);
		expect(codes.filter((code) => code === '')).toHaveLength(1);
		expect(codes.filter((code) => code === 'WRONG_STATE')).toHaveLength(3);
		expect(seen()).toBe(at + 1);
	});

	it('with a field that concerns money takes two persons, and two sessions of one are one', async () => {
		const changes = [
			...words('With coins.'),
			{ field: 'signUpCoins', value: '77' },
			{ field: 'funds.minDeposit', value: '150' },
		];
		expect(await maker.code('brand-change', { host: HOST, seen: seen(), changes })).toBe('SAME_PERSON');
		const before = setting();
		const asked = { act: 'brand-change-guarded', input: { host: HOST, seen: seen(), changes }, reason: 'a test' };
		const { proposalId } = await maker.result<{ proposalId: string }>('propose', asked);
		expect(await again.code('confirm', { proposalId })).toBe('SAME_PERSON');
		expect(setting()).toEqual(before);
		await checker.result('confirm', { proposalId });
		expect(setting()).toMatchObject({ description: 'With coins.', signUpCoins: 77, funds: { minDeposit: 150 } });
		const stale = await maker.result<{ proposalId: string }>('propose', {
			...asked,
			input: { host: HOST, seen: seen(), changes },
		});
		await maker.result('brand-set', { host: HOST, field: 'description', value: 'Moved on.' });
		expect(await checker.code('confirm', { proposalId: stale.proposalId })).toBe('WRONG_STATE');
	});
});

describe('an earlier version', () => {
	onSeeds([1, 2], 'is what every change at that version left, however many come at once (seed %i)', async (seed) => {
		const random = new SeededNumbers(seed);
		const { brands } = server.running;
		const left = new Map([[seen(), setting()]]);
		for (let turn = 0; turn < 10; turn++) {
			const atOnce = Array.from({ length: 1 + random.below(4) }, () => {
				const [field, value] = [
					['description', `Text ${random.below(5)}`],
					['news', JSON.stringify([`News ${random.below(5)}`])],
					['funds.minDeposit', String(100 + random.below(5))],
					['theme', 'pink'],
				][random.below(4)] as [string, string];
				return brands.change(HOST, [{ field, value }]).catch(() => null);
			});
			for (const made of await Promise.all(atOnce)) if (made) left.set(made.setting.version, made.setting);
		}
		const last = seen();
		expect([...left.keys()].sort((one, other) => one - other)).toEqual(
			Array.from({ length: left.size }, (_, at) => last - left.size + 1 + at),
		);
		for (const [version, made] of left) expect(await brands.settingAt(HOST, version)).toEqual(made);
	});

	it('shows field by field what has changed since, and is taken over by field', async () => {
		const start = setting();
		await maker.result('brand-set', { host: HOST, field: 'domainTitle', value: 'A feast' });
		await maker.result('brand-set', { host: HOST, field: 'news', value: '["A feast."]' });
		await maker.result('brand-set', { host: HOST, field: 'domainTitle', value: 'After it' });
		const shown = await differences({ version: start.version });
		expect(shown.differences).toEqual([
			{
				field: 'domainTitle',
				here: 'After it',
				there: start.domainTitle,
				text: start.domainTitle,
				isAlone: true,
				problem: null,
			},
			{
				field: 'news',
				here: ['A feast.'],
				there: start.news,
				text: JSON.stringify(start.news),
				isAlone: true,
				problem: null,
			},
		]);
		const [title] = shown.differences;
		const changes = [{ field: 'domainTitle', value: title?.text ?? '' }];
		await maker.result('brand-change', { host: HOST, seen: shown.version, changes });
		expect(setting()).toMatchObject({ domainTitle: start.domainTitle, news: ['A feast.'] });
		const { version, former } = await maker.result<{ version: number; former: { version: number }[] }>(
			'brand-versions',
			{ host: HOST },
		);
		expect(version).toBe(start.version + 4);
		expect(former.slice(0, 4).map((each) => each.version)).toEqual([3, 2, 1, 0].map((more) => start.version + more));
	});

	it('is refused field by field where a later change is built upon it', async () => {
		await maker.result('brand-set', { host: HOST, field: 'domainTitle', value: 'First' });
		const { history } = await maker.result<{ history: { seq: number }[] }>('brand-show', { host: HOST });
		const back = { host: HOST, seq: history[0]?.seq, field: 'domainTitle' };
		await maker.result('brand-set', { host: HOST, field: 'domainTitle', value: 'Second' });
		expect(await maker.code('brand-roll-back', back)).toBe('WRONG_STATE');
		expect(setting().domainTitle).toBe('Second');
	});

	it('is what the history says that a change replaced, also beside another change at the same time', async () => {
		const titles = ['Of maker', 'Of checker'];
		const codes = await underWayTogether(server.database.db, HOST, async (begun) => {
			const asked = titles.map((value, at) =>
				(at === 0 ? maker : checker).code('brand-set', { host: HOST, field: 'domainTitle', value }),
			);
			await begun('brand-set', 2);
			return asked;
		});
		expect(codes).toEqual(['', '']);
		const { history } = await maker.result<{ history: { seq: number; before: unknown; after: unknown }[] }>(
			'brand-show',
			{ host: HOST },
		);
		const isLast = ({ after }: { after: unknown }) => after === setting().domainTitle;
		const both = history.slice(0, 2);
		const [first, second] = [both.find((one) => !isLast(one)), both.find(isLast)];
		expect([first?.after, second?.after].sort()).toEqual(titles.toSorted());
		expect(second?.before).toBe(first?.after);
		await maker.result('brand-roll-back', { host: HOST, seq: second?.seq, field: 'domainTitle' });
		expect(setting().domainTitle).toBe(first?.after);
	});

	it('that was not kept is not there', async () => {
		expect(await maker.code('brand-differences', { host: HOST, version: 9_999 })).toBe('NOT_FOUND');
		expect(await maker.code('brand-differences', { host: HOST })).toBe('VALIDATION_FAILED');
	});
});

describe('another brand', () => {
	it('is compared by its members alone, and what it cannot give says why', async () => {
		const otherHost = 'harbour.localhost';
		const { differences: found } = await differences({ otherHost });
		expect(found.find(({ field }) => field === 'siteSuspended')).toMatchObject({
			here: false,
			there: true,
			isAlone: true,
		});
		expect(await local.code('brand-differences', { host: HOST, otherHost })).toBe('FORBIDDEN');
		expect(await local.code('brand-differences', { host: otherHost, otherHost: HOST })).toBe('FORBIDDEN');
	});

	it('gives its chosen settings to a new brand, with its languages and sports', async () => {
		const host = 'new.example';
		await server.act('brand-set', { host: HOST, field: 'funds.payeeUpiId', value: 'royal@bank' });
		const asked = { host, title: 'New <b>', languages: ['hi', 'en'], sports: ['cricket'], rulesOf: HOST };
		expect(await maker.code('brand-add', asked)).toBe('VALIDATION_FAILED');
		expect(server.running.brands.byHost(host)).toBeNull();
		await maker.result('brand-add', { ...asked, title: 'New' });
		expect(setting(host)).toMatchObject({
			domainTitle: 'New',
			languages: ['hi', 'en'],
			defaultLanguage: 'hi',
			cricket: true,
			tennis: false,
			pool: 'PLAY',
			signUpCoins: setting().signUpCoins,
			// The account of one brand is no payee of another.
			funds: { ...setting().funds, payeeUpiId: 'backlay@simulated' },
			campaigns: [],
		});
		expect(await maker.code('brand-add', { ...asked, title: 'New' })).toBe('NAME_TAKEN');
		expect(await local.code('brand-add', { host: 'more.example' })).toBe('FORBIDDEN');
	});
});

describe('a scheduled change', () => {
	const scheduled = (atMs: number, changes: object[], host = HOST) =>
		maker.result<{ scheduleId: string }>('brand-schedule', { host, at: new Date(atMs).toISOString(), changes });
	const stateOf = async (scheduleId: string) => {
		const rows = await maker.result<
			{ scheduleId: string; state: string; outcome: string | null; reason: string | null }[]
		>('brand-schedules', { host: HOST });
		return rows.find((row) => row.scheduleId === scheduleId);
	};
	/** Lets the instant of a change pass. */
	const pass = (scheduleId: string) =>
		server.database.db.query('update brand_schedule set at = 0 where schedule_id = $1', [Number(scheduleId)]);

	/** Another process of the same database, from before or after this one. */
	async function otherProcess(epoch: number): Promise<BrandSchedules> {
		const { db } = server.database;
		const journal = new Journal({ db, ledgerKey: LEDGER_KEY, epoch });
		const brands = await openBrands({ db, bus: new LocalBus(), pools: HOME_POOLS, marketPools: HOME_POOLS });
		return new BrandSchedules({ db, journal, brands, log: { error: () => undefined } });
	}

	it('is made at its instant by the running server, once, with its row in the history', async () => {
		const before = setting();
		const { scheduleId } = await scheduled(Date.now() + 1_500, words('In the evening.'));
		expect(setting().description).toBe(before.description);
		await expect.poll(() => setting().description, { timeout: 20_000 }).toBe('In the evening.');
		expect(setting().version).toBe(before.version + 1);
		expect(await stateOf(scheduleId)).toMatchObject({ state: 'DONE', outcome: null });
		const { history } = await maker.result<{ history: object[] }>('brand-show', { host: HOST });
		expect(history[0]).toMatchObject({ actor: 'maker', field: 'description', after: 'In the evening.' });
	});

	it('whose instant passed without a server is made at the start, and not again at the next one', async () => {
		const { scheduleId } = await scheduled(Date.now() + HOUR_MS, words('While nobody served.'));
		const { version } = setting();
		await server.stop();
		await pass(scheduleId);
		server = await TestServer.start(server.database);
		await expect.poll(() => setting().description, { timeout: 20_000 }).toBe('While nobody served.');
		await server.stop();
		server = await TestServer.start(server.database);
		[maker, checker] = [await logIn('maker'), await logIn('checker')];
		expect(await stateOf(scheduleId)).toMatchObject({ state: 'DONE' });
		expect(setting().version).toBe(version + 1);
	});

	it('is made once by processes that find it at the same moment, and never by one that was deposed', async () => {
		const { scheduleId } = await scheduled(Date.now() + HOUR_MS, words('Once.'));
		const { version } = setting();
		const { db } = server.database;
		await server.stop();
		await pass(scheduleId);
		const { rows } = await db.query<{ epoch: number }>('select epoch from journal_fence');
		const epoch = Number(rows[0]?.epoch);
		const stateNow = async () =>
			(await db.query<{ state: string }>('select state from brand_schedule where schedule_id = $1', [scheduleId])).rows;
		const [deposed, one, other] = [await otherProcess(epoch - 1), await otherProcess(epoch), await otherProcess(epoch)];
		await expect(deposed.makeDue()).rejects.toMatchObject({ code: 'DRAINING' });
		expect(await stateNow()).toEqual([{ state: 'WAITING' }]);
		await Promise.all([one.makeDue(), other.makeDue()]);
		expect(await stateNow()).toEqual([{ state: 'DONE' }]);
		const { rows: held } = await db.query('select version from brand where host = $1', [HOST]);
		expect(held).toEqual([{ version: version + 1 }]);
		server = await TestServer.start(server.database);
		[maker, checker] = [await logIn('maker'), await logIn('checker')];
	});

	it('that the setting does not take by then is refused, and changes nothing', async () => {
		await maker.result('brand-set', { host: HOST, field: 'languages', value: '["en","hi"]' });
		const { scheduleId } = await scheduled(Date.now() + 1_500, [{ field: 'defaultLanguage', value: 'hi' }]);
		await maker.result('brand-set', { host: HOST, field: 'languages', value: '["en"]' });
		const { version } = setting();
		await expect.poll(async () => (await stateOf(scheduleId))?.state, { timeout: 20_000 }).toBe('REFUSED');
		const reason = expect.stringContaining('default language');
		expect(await stateOf(scheduleId)).toMatchObject({ outcome: 'VALIDATION_FAILED', reason });
		expect(setting()).toMatchObject({ version, defaultLanguage: 'en' });
	});

	it('is withdrawn once, and is not scheduled for the past, by one person where it concerns money, or with an invalid value', async () => {
		const at = new Date(Date.now() + HOUR_MS).toISOString();
		const { scheduleId } = await scheduled(Date.now() + HOUR_MS, words('Never.'));
		const withdraw = { host: HOST, scheduleId };
		expect(await maker.code('brand-schedule-withdraw', { ...withdraw, host: 'dune.localhost' })).toBe('NOT_FOUND');
		await maker.result('brand-schedule-withdraw', withdraw);
		expect(await maker.code('brand-schedule-withdraw', withdraw)).toBe('WRONG_STATE');
		const past = { host: HOST, at: '2020-01-01T00:00:00Z', changes: words('Late.') };
		expect(await maker.code('brand-schedule', past)).toBe('VALIDATION_FAILED');
		const coins = { host: HOST, at, changes: [{ field: 'dailyCoins', value: '9' }] };
		expect(await maker.code('brand-schedule', coins)).toBe('SAME_PERSON');
		expect(await maker.code('brand-schedule', { host: HOST, at, changes: [{ field: 'theme', value: 'pink' }] })).toBe(
			'VALIDATION_FAILED',
		);
		const asked = { act: 'brand-schedule-guarded', input: coins, reason: 'a test' };
		const { proposalId } = await maker.result<{ proposalId: string }>('propose', asked);
		const { result } = await checker.result<{ result: { scheduleId: string } }>('confirm', { proposalId });
		expect(await stateOf(result.scheduleId)).toMatchObject({ state: 'WAITING' });
		await expectSound(server.database.db);
	});
});

describe('a change that a kill interrupted', () => {
	interface Row {
		seq: number;
		actor: string;
		field: string;
		isInterrupted: boolean;
	}

	it('is in the history as far as it was made, and can be set back; one that was not made is not there', async () => {
		const { db } = server.database;
		const before = setting();
		const note = { host: HOST, field: 'domainTitle', value: 'Never made.' };
		await db.query(
			`insert into act_under_way (act_id, at, actor, act, subject, details, before)
			 values (gen_random_uuid(), 1, 'unmade', 'brand-set', $1, $2, $3)`,
			[`domain ${HOST}`, JSON.stringify(note), JSON.stringify({ domainTitle: before.domainTitle })],
		);
		// What a kill leaves between the act and its row of the journal.
		await db.query(`alter table journal add constraint no_more check (act <> 'brand-change') not valid`);
		const changes = [...words('Made amid a kill.'), { field: 'domainTitle', value: before.domainTitle }];
		expect((await maker.call('brand-change', { host: HOST, seen: seen(), changes })).status).toBe(500);
		await server.stop();
		await db.query('alter table journal drop constraint no_more');
		server = await TestServer.start(server.database);
		maker = await logIn('maker');
		const { history } = await maker.result<{ history: Row[] }>('brand-show', { host: HOST });
		expect(history.filter(({ actor }) => actor === 'unmade')).toEqual([]);
		const [made, ...earlier] = history;
		expect(made).toMatchObject({
			actor: 'maker',
			field: 'description',
			before: before.description,
			after: 'Made amid a kill.',
			isInterrupted: true,
		});
		expect(earlier.filter(({ isInterrupted }) => isInterrupted)).toEqual([]);
		await maker.result('brand-roll-back', { host: HOST, seq: made?.seq, field: 'description' });
		expect(setting().description).toBe(before.description);
	});
});
