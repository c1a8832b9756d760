/** Brands of real money: what they need, the two owners who make them, and what keeps a simulator away from them. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SPORT_FIELDS } from '#contract/operators/brands.ts';
import { quicknetAt } from '#server/money/casino/beacon/drand-beacon.ts';
import { hashPassword } from '#server/people/players/passwords.ts';
import { startServer } from '#server/process/start.ts';
import { freshDatabase } from '../support/database.ts';
import { TestServer, testConfig } from '../support/server.ts';
import { ConsoleClient } from './console-client.ts';

const PASSWORD = 'Correct-horse-9';
const HOST = 'real.example';
/** What a server of real money is configured with. */
const REAL_MONEY = {
	hyperswitch: { url: 'http://127.0.0.1:9', apiKey: 'key', webhookKeys: ['key'], orderTag: 'test', profileId: '' },
	sms: { url: 'http://127.0.0.1:9', key: '', sender: 'BACKLAY' },
	dataKeys: ['a key of its own for the data of persons'],
	ledgerKey: 'a key of its own that seals the ledger',
	drand: quicknetAt(['http://127.0.0.1:9']),
};
/** All that the setting of a brand can give. */
const SETTING = {
	'realMoney.licence': 'LIC-1',
	'realMoney.countries': '["GB"]',
	'realMoney.identity': 'OPERATOR',
	'realMoney.location': 'PROXY',
	'realMoney.terms': 'https://real.example/terms',
	'realMoney.leastAge': '21',
	'funds.payeeUpiId': 'real@bank',
	'playerProtection.lossLimitDay': '5000',
};
/** The server has play money, too, so that real money has no market there. */
const NO_SPORTS = SPORT_FIELDS.map((sport) => [sport, 'false'] as const);

let server: TestServer;
let maker: ConsoleClient;
let checker: ConsoleClient;
beforeAll(async () => {
	server = await TestServer.start(undefined, REAL_MONEY);
	for (const name of ['maker', 'checker']) await addMember(name, 'owner');
	await addMember('trader', 'trader');
	maker = await logIn('maker');
	checker = await logIn('checker');
	await server.act('brand-add', { host: HOST });
});
afterAll(() => server.dispose());

async function addMember(name: string, role: string): Promise<void> {
	const by = { actor: 'test', address: null };
	const passwordHash = await hashPassword(PASSWORD);
	await server.running.staff.directory.add({ name, passwordHash, roles: [role], brands: null }, by);
}

async function logIn(name: string): Promise<ConsoleClient> {
	const client = new ConsoleClient(server.url);
	await client.result('log-in', { name, password: PASSWORD });
	return client;
}

interface Readiness {
	pool: string;
	isReady: boolean;
	items: { item: string; isSet: boolean; needs: string; field: string | null }[];
}
const readiness = () => maker.result<Readiness>('real-money-readiness', { host: HOST });
const missing = async () => (await readiness()).items.filter(({ isSet }) => !isSet).map(({ item }) => item);
const set = (field: string, value: string) => server.act('brand-set', { host: HOST, field, value });
const asked = (host = HOST) => ({ act: 'brand-make-real', input: { host }, reason: 'the licence came' });
const propose = () => maker.result<{ proposalId: string }>('propose', asked());

it('lists what is missing, with the field that sets it, and is refused while anything is', async () => {
	const lacking = ['markets', ...Object.keys(SETTING)];
	expect(await missing()).toEqual(lacking);
	const first = (await readiness()).items.find(({ isSet, field }) => !isSet && field !== null);
	expect(first).toMatchObject({ field: 'realMoney.licence', needs: 'The regulator’s reference is named.' });
	const refused = await maker.call('propose', asked());
	expect(refused.body.error).toMatchObject({
		code: 'REAL_MONEY_NOT_READY',
		details: { missing: lacking },
	});
	for (const [field, value] of Object.entries(SETTING)) {
		expect((await readiness()).isReady).toBe(false);
		await set(field, value);
	}
	const [last] = NO_SPORTS;
	for (const [field, value] of NO_SPORTS) {
		expect(await missing()).toEqual(['markets']);
		expect((await maker.call('propose', asked())).body.error).toMatchObject({ code: 'REAL_MONEY_NOT_READY' });
		await set(field, value);
	}
	expect((await readiness()).isReady).toBe(true);
	await set(last?.[0] ?? '', 'true');
	expect(await missing()).toEqual(['markets']);
	await set(last?.[0] ?? '', 'false');
	expect(await readiness()).toMatchObject({ isReady: true, pool: 'PLAY' });
});

it('is made by two owners: not by one in two sessions, by another role, by the key, or after a change', async () => {
	const { proposalId: changed } = await propose();
	await set('realMoney.licence', 'LIC-2');
	expect(await checker.code('confirm', { proposalId: changed })).toBe('WRONG_STATE');
	const { proposalId } = await propose();
	const again = await logIn('maker');
	expect(await again.code('confirm', { proposalId })).toBe('SAME_PERSON');
	const trader = await logIn('trader');
	expect(await trader.code('confirm', { proposalId })).toBe('FORBIDDEN');
	expect(await trader.code('propose', asked())).toBe('FORBIDDEN');
	expect((await server.operator('brand-make-real', { host: HOST })).status).toBe(404);
	expect((await server.operator('brand-set', { host: HOST, field: 'pool', value: 'REAL' })).code).toBe(
		'VALIDATION_FAILED',
	);
	expect((await readiness()).pool).toBe('PLAY');
	expect(await checker.result('confirm', { proposalId })).toMatchObject({ state: 'APPLIED' });
	expect((await readiness()).pool).toBe('REAL');
	expect(await maker.code('propose', asked())).toBe('WRONG_STATE');
});

it('opens no sport for real money in an engine that has no market for it', async () => {
	const [sport = ''] = SPORT_FIELDS;
	const { body } = await server.operator('brand-set', { host: HOST, field: sport, value: 'true' });
	expect(body.error).toMatchObject({ code: 'REAL_MONEY_NOT_READY', details: { missing: ['markets'] } });
	expect(server.running.brands.byHost(HOST)?.setting).toMatchObject({ [sport]: false });
	await set('domainTitle', 'Still changed');
	expect((await readiness()).pool).toBe('REAL');
});

it('has players of real money, who are old enough for the brand', async () => {
	const player = { userName: 'asha', password: PASSWORD, host: HOST };
	expect(await server.act('create-player', player)).toMatchObject({ pool: 'REAL' });
	const verify = (age: number) => server.operator('verify-identity', { userName: 'asha', host: HOST, age });
	expect((await verify(20)).code).toBe('VALIDATION_FAILED');
	expect((await verify(21)).status).toBe(200);
});

it('is no brand with players of play money', async () => {
	await server.act('brand-add', { host: 'play.example' });
	await server.act('create-player', { userName: 'bala', password: PASSWORD, host: 'play.example' });
	for (const [field, value] of [...Object.entries(SETTING), ...NO_SPORTS])
		await server.act('brand-set', { host: 'play.example', field, value });
	const { body } = await maker.call('propose', asked('play.example'));
	expect(body.error).toMatchObject({ code: 'REAL_MONEY_NOT_READY', details: { missing: ['players'] } });
	// The database keeps them apart, too, when a player registers at the moment of the confirmation.
	await expect(server.running.brands.makeReal('play.example')).rejects.toMatchObject({ code: 'WRONG_STATE' });
});

it('waits for two owners in an engine of real money alone, too: until then it takes none', async () => {
	const alone = await TestServer.start(undefined, { ...REAL_MONEY, pools: ['REAL'] });
	try {
		await alone.act('brand-add', { host: HOST });
		for (const [field, value] of Object.entries(SETTING)) await alone.act('brand-set', { host: HOST, field, value });
		const opened = { host: HOST, field: 'awaitsOwners', value: 'false' };
		expect((await alone.operator('brand-set', opened)).code).toBe('VALIDATION_FAILED');
		expect(await alone.act('real-money-readiness', { host: HOST })).toMatchObject({ isOpen: false, isReady: true });
		const { playerId } = await alone.act<{ playerId: string }>('create-player', {
			userName: 'asha',
			password: PASSWORD,
			host: HOST,
		});
		await alone.act('verify-identity', { userName: 'asha', host: HOST, age: 30 });
		const admit = () => alone.running.funds.realMoney.admit(Number(playerId), 'GB');
		expect(admit).toThrow(expect.objectContaining({ code: 'REAL_MONEY_CLOSED', details: { gate: 'OWNERS' } }));
		await alone.running.brands.makeReal(HOST);
		expect(admit).not.toThrow();
		expect(await alone.act('real-money-readiness', { host: HOST })).toMatchObject({ isOpen: true, isReady: false });
	} finally {
		await alone.dispose();
	}
});

it('needs what the server is configured with, too', async () => {
	const bare = await TestServer.start();
	try {
		const { items } = await bare.act<Readiness>('real-money-readiness', { host: 'localhost' });
		const ofServer = items.filter(({ isSet, field }) => !isSet && field === null).map(({ item }) => item);
		expect(ofServer).toEqual(['provider', 'data-keys', 'ledger-key', 'messages', 'beacon', 'markets']);
	} finally {
		await bare.dispose();
	}
});

/** A payment of real money in the simulator's books. */
const SIMULATED = `insert into workflow (kind, id, wallet_id, pool, state, step, postings, is_open, opened_at, at, data)
	values ('PAYMENT', 900001, 1000, 'REAL', 'FAILED', 1, 0, false, 0, 0,
	  '{"amount": 1, "provider": "SIMULATOR", "expiresAtMs": 1, "payee": {"name": "", "upiId": ""}, "attempts": 1}')`;

it('the database refuses real money of the simulator, and a server that finds some does not start', async () => {
	await expect(server.database.db.query(SIMULATED)).rejects.toThrow('workflow_simulator_moves_no_real_money');
	const database = await freshDatabase();
	try {
		const first = await TestServer.start(database);
		await first.stop();
		await database.db.query('alter table workflow drop constraint workflow_simulator_moves_no_real_money');
		await database.db.query(SIMULATED);
		await expect(startServer(testConfig(database.url), () => {})).rejects.toThrow(
			'The payment simulator has PAYMENT 900001 of real money.',
		);
	} finally {
		await database.drop();
	}
});
