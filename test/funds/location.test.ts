/** Where players of real money are, by a file of addresses, under the profile of Ontario. */
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { CALLS, type CallName } from '#contract/registry.ts';
import type { ProfileName } from '#values/profile-names.ts';
import { MINUTE_MS } from '#values/time.ts';
import { betOf, StudioSite } from '../providers/studio-site.ts';
import { freshRequestId } from '../support/match.ts';
import { type MmdbValue, mmdbOf } from '../support/mmdb.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { answered, type Player } from '../support/server.ts';
import { PASSWORD } from '../support/sign-up.ts';

/** Networks that documents use: RFC 5737. */
const CANADA = '192.0.2.1';
const FRANCE = '198.51.100.1';
const HIDDEN = '203.0.113.1';
const UNKNOWN = '100.64.0.1';
const countries = (changes: Record<string, MmdbValue> = {}): Record<string, MmdbValue> => ({
	'192.0.2.0/24': { country: { iso_code: 'CA' } },
	'198.51.100.0/24': { country: { iso_code: 'FR' } },
	'203.0.113.0/24': { country: { iso_code: 'CA' }, traits: { is_anonymous_vpn: true } },
	...changes,
});

let folder: string;
let file: string;
let site: StudioSite;
let player: Player;
const server = () => site.server;
beforeAll(async () => {
	// Wall clock and monotonic clock run on, and `pass` moves both.
	vi.useFakeTimers({ toFake: ['Date', 'performance'], shouldAdvanceTime: true });
	folder = await mkdtemp(join(scratchFolder(), 'backlay-countries-'));
	file = join(folder, 'countries.mmdb');
	await replaceFile(mmdbOf(countries()));
	site = await StudioSite.open(undefined, { locationFile: file, trustedProxies: ['127.0.0.1', '::1'] });
	const { players } = server().running;
	const brand = { host: 'localhost', pool: 'REAL' as const };
	const { playerId } = await players.createPlayer({ userName: 'real-player', password: PASSWORD, brand });
	for (const [field, value] of [
		['licence', 'LIC-1'],
		['countries', '["CA"]'],
		['identity', 'OPERATOR'],
	])
		await server().act('brand-set', { host: 'localhost', field: `realMoney.${field}`, value });
	await server().act('verify-identity', { userName: 'real-player', host: 'localhost', age: 30 });
	const form = { userNameOrEmailAddress: 'real-player', password: PASSWORD };
	const { accessToken, refreshToken } = await server().result('authenticate', form);
	player = { token: accessToken, refreshToken, userId: playerId };
	await switchTo('ontario');
	await server().running.brands.announceTerms(
		'localhost',
		{ terms: '1', termsLink: '', privacy: '1', privacyLink: '', from: new Date(now() + 1_000).toISOString() },
		now(),
	);
	pass(1_001);
	await server().result('acceptTerms', { terms: '1', privacy: '1' }, player.token);
});
afterAll(async () => {
	await site.close();
	await rm(folder, { recursive: true });
	vi.useRealTimers();
});

const now = () => server().running.exchange.now();
function pass(ms: number): void {
	vi.advanceTimersByTime(ms);
	// A server that works reads its clock all the time.
	server().running.funds.ledger.now();
}
async function switchTo(profile: ProfileName): Promise<void> {
	await server().running.brands.chooseProfile('localhost', { profile, fromMs: now() + 10_000 }, now());
	pass(10_001);
}
/** As a package that updates it does: at once. */
async function replaceFile(bytes: Buffer): Promise<void> {
	await writeFile(`${file}.new`, bytes);
	await rename(`${file}.new`, file);
}

/** What a call through a proxy is refused with: the closed gate, or the code. */
async function from(address: string, name: CallName, input: object, headers: Record<string, string> = {}) {
	const { method, path } = CALLS[name];
	const { body } = await answered<unknown>(
		await fetch(`${server().url}/${path}`, {
			method,
			...(method === 'GET' ? {} : { body: JSON.stringify(input) }),
			headers: {
				'Content-Type': 'application/json',
				Authorization: `Bearer ${player.token}`,
				'X-Forwarded-For': address,
				...headers,
			},
		}),
	);
	return (body.error?.details as { gate?: string } | undefined)?.gate ?? body.error?.code ?? null;
}
const deposit = (address: string, headers = {}) =>
	from(address, 'generatePayment', { amount: 500, clientRequestId: freshRequestId() }, headers);
/** Behind all gates: the test has no provider of payments. */
const OPEN = 'PAYMENT_UNAVAILABLE';

it('lets real money in from the brand’s countries alone, and from no address that hides its country or is unknown', async () => {
	expect(await deposit(CANADA)).toBe(OPEN);
	for (const address of [FRANCE, HIDDEN, UNKNOWN])
		expect([address, await deposit(address)]).toEqual([address, 'LOCATION']);
	// The file decides, whatever a header says.
	expect(await deposit(FRANCE, { 'X-Country': 'CA' })).toBe('LOCATION');
	expect(await deposit(CANADA, { 'X-Country': 'FR' })).toBe(OPEN);
	// A profile that does not ask leaves it to the brand's own setting.
	await switchTo('malta');
	expect(await deposit(CANADA)).toBe('LOCATION');
	await server().act('brand-set', { host: 'localhost', field: 'realMoney.location', value: 'PROXY' });
	expect(await deposit(FRANCE, { 'X-Country': 'CA' })).toBe(OPEN);
	await server().act('brand-set', { host: 'localhost', field: 'realMoney.location', value: 'NONE' });
	await switchTo('ontario');
});

it('takes over a file that is replaced, and closes real money while it is missing or broken', async () => {
	const whole = mmdbOf(countries());
	const states: [Buffer | null, string, string][] = [
		[mmdbOf(countries({ '192.0.2.0/24': { country: { iso_code: 'FR' } } })), 'LOCATION', 'LOCATION'],
		[whole, OPEN, 'LOCATION'],
		[whole.subarray(0, whole.length / 2), 'LOCATION', 'LOCATION'],
		[Buffer.from('no database'), 'LOCATION', 'LOCATION'],
		[Buffer.alloc(0), 'LOCATION', 'LOCATION'],
		[whole, OPEN, 'LOCATION'],
		[null, 'LOCATION', 'LOCATION'],
		[mmdbOf(countries({ '198.51.100.0/24': { country: { iso_code: 'CA' } } })), OPEN, OPEN],
		[whole, OPEN, 'LOCATION'],
	];
	for (const [at, [bytes, inCanada, inFrance]] of states.entries()) {
		if (bytes) await replaceFile(bytes);
		else await rm(file);
		pass(10_001);
		const found = await Promise.all([deposit(CANADA), deposit(FRANCE)]);
		expect([at, ...found]).toEqual([at, inCanada, inFrance]);
	}
});

it('asks a provider’s game for the place of the player’s last request, which is old after half an hour', async () => {
	const session = await site.session(player);
	const stake = async () => (await site.ask('bet', betOf(session))).status;
	const look = (address: string) => from(address, 'getUserInfo', {});
	// The launch came from this machine, which the file does not know.
	expect(await stake()).toBe('USER_DISABLED');
	expect(await look(CANADA)).toBeNull();
	expect(await stake()).toBe('INSUFFICIENT_FUNDS');
	// The address changes.
	expect(await look(FRANCE)).toBeNull();
	expect(await stake()).toBe('USER_DISABLED');
	expect(await look(CANADA)).toBeNull();
	pass(29 * MINUTE_MS);
	expect(await stake()).toBe('INSUFFICIENT_FUNDS');
	pass(MINUTE_MS);
	expect(await stake()).toBe('USER_DISABLED');
});
