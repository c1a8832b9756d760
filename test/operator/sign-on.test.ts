/**
 * Staff log in by OpenID Connect: the issuer says who asks, two members entered beforehand who that is, and the second
 * factor and the rule of two persons stay ours.
 */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { hashPassword } from '#server/people/players/passwords.ts';
import { OidcProvider } from '../support/oidc-provider.ts';
import { TestServer } from '../support/server.ts';
import { ConsoleClient } from './console-client.ts';

const PASSWORD = 'a long enough Passw0rd!';
let provider: OidcProvider;
let server: TestServer;
let asha: ConsoleClient;
let bala: ConsoleClient;

/** A member's browser that is in. */
async function browserOf(staffId: number): Promise<ConsoleClient> {
	const client = new ConsoleClient(server.url);
	const visit = { address: '127.0.0.1', userAgent: '' };
	client.cookies.set('console-session', await server.running.staff.sessions.begin(staffId, visit, true));
	return client;
}

let count = 0;
async function member(): Promise<{ staffId: number; name: string }> {
	const name = `member ${'abcdefghijklmnopqrstuvwxyz'[count++]}${'qwertyuiop'[count % 10]}`;
	const about = { name, passwordHash: await hashPassword(PASSWORD), roles: ['owner'], brands: null };
	const { staffId } = await server.running.staff.directory.add(about, { actor: 'test', address: null });
	return { staffId, name };
}

beforeAll(async () => {
	provider = await OidcProvider.start();
	const { issuer, clientId, clientSecret } = provider;
	const signOn = { issuer, clientId, clientSecret, name: 'Acme' };
	server = await TestServer.start(undefined, { signOn });
	asha = await browserOf((await member()).staffId);
	bala = await browserOf((await member()).staffId);
});
afterAll(async () => {
	await server.dispose();
	await provider.stop();
});
afterEach(() => {
	provider.changes = {};
	provider.signsWithStranger = false;
	provider.keepsCodes = false;
});

interface Named {
	email?: string;
	subject?: string;
}

const proposed = (staffId: number, named: Named) => ({
	act: 'staff-identity',
	input: { staffId: String(staffId), ...named },
	reason: 'joined the company',
});

/** Two members enter an identity. */
async function enter(staffId: number, named: Named): Promise<void> {
	const { proposalId } = await asha.result<{ proposalId: string }>('propose', proposed(staffId, named));
	await bala.result('confirm', { proposalId });
}

const begun = async (client: ConsoleClient) => (await client.result<{ url: string }>('begin-sign-on', {})).url;

interface Person {
	sub: string;
	email?: string;
	email_verified?: boolean;
}

/** @returns the browser, and the refusal; empty for none */
async function logIn(person: Person): Promise<{ client: ConsoleClient; code: string }> {
	const client = new ConsoleClient(server.url);
	const back = provider.logIn(await begun(client), person);
	return { client, code: await client.code('finish-sign-on', back) };
}

const me = (client: ConsoleClient) =>
	client.result<{ stage: string | null; name: string; signOn: string | null }>('me', {});
const verified = (sub: string, email: string): Person => ({ sub, email, email_verified: true });

it('says on the door what the log-in of the company is called', async () => {
	expect(await me(new ConsoleClient(server.url))).toMatchObject({ stage: null, signOn: 'Acme' });
});

it('a person whom two members entered by the subject is in, and no other one', async () => {
	const { staffId, name } = await member();
	expect((await logIn({ sub: 'subject-1' })).code).toBe('SIGN_ON_REFUSED');
	await enter(staffId, { subject: 'subject-1' });
	const { client, code } = await logIn({ sub: 'subject-1' });
	expect(code).toBe('');
	expect(await me(client)).toMatchObject({ stage: 'IN', name });
	expect((await logIn({ sub: 'subject-2' })).code).toBe('SIGN_ON_REFUSED');
	expect(server.running.staff.directory.all().some((one) => one.name === 'subject-2')).toBe(false);
});

it('one member alone enters no identity, and an identity has one member', async () => {
	const [one, other] = [await member(), await member()];
	const input = { staffId: String(one.staffId), subject: 'subject-3' };
	expect(await asha.code('staff-identity', input)).toBe('SAME_PERSON');
	const { proposalId } = await asha.result<{ proposalId: string }>(
		'propose',
		proposed(one.staffId, { subject: 'subject-3' }),
	);
	expect(await asha.code('confirm', { proposalId })).toBe('SAME_PERSON');
	await bala.result('confirm', { proposalId });
	expect(await asha.code('propose', proposed(other.staffId, { subject: 'subject-3' }))).toBe('ALREADY_CLAIMED');
});

it('an address counts only if the issuer has verified it, and only for the first subject that shows it', async () => {
	const { staffId, name } = await member();
	await enter(staffId, { email: 'Gita@Acme.example' });
	expect((await logIn({ sub: 'g-0', email: 'gita@acme.example', email_verified: false })).code).toBe('SIGN_ON_REFUSED');
	expect((await logIn({ sub: 'g-0', email: 'gita@acme.example' })).code).toBe('SIGN_ON_REFUSED');
	const { client, code } = await logIn(verified('g-1', 'GITA@acme.example'));
	expect(code).toBe('');
	expect(await me(client)).toMatchObject({ stage: 'IN', name });
	// The address was given to another person of the company.
	expect((await logIn(verified('g-2', 'gita@acme.example'))).code).toBe('SIGN_ON_REFUSED');
	expect((await logIn({ sub: 'g-1' })).code).toBe('');
});

it('a state is used once, by the browser that began, and a stolen answer opens nothing', async () => {
	const { staffId } = await member();
	await enter(staffId, { subject: 'subject-4' });
	const [client, thief] = [new ConsoleClient(server.url), new ConsoleClient(server.url)];
	const back = provider.logIn(await begun(client), { sub: 'subject-4' });
	await begun(thief);
	expect(await thief.code('finish-sign-on', back)).toBe('SIGN_ON_REFUSED');
	expect(await thief.code('finish-sign-on', { ...back, state: 'another' })).toBe('SIGN_ON_REFUSED');
	// The state itself is used up, also where the issuer takes a code twice.
	provider.keepsCodes = true;
	const both = await Promise.all([client.code('finish-sign-on', back), client.code('finish-sign-on', back)]);
	expect(both.toSorted()).toEqual(['', 'SIGN_ON_REFUSED']);
	expect((await me(thief)).stage).toBeNull();
});

it.each<[string, () => void]>([
	['of another audience', () => (provider.changes = { aud: 'another-client' })],
	['of another issuer', () => (provider.changes = { iss: 'http://127.0.0.1:1' })],
	['with another nonce', () => (provider.changes = { nonce: 'another' })],
	['that ended two minutes ago', () => (provider.changes = { exp: Math.floor(Date.now() / 1000) - 120 })],
	['of another key', () => (provider.signsWithStranger = true)],
])('a token %s is refused', async (_, spoil) => {
	const { staffId } = await member();
	const sub = `subject-of-${staffId}`;
	await enter(staffId, { subject: sub });
	spoil();
	expect((await logIn({ sub })).code).toBe('SIGN_ON_REFUSED');
});

it('clocks may differ by a minute, and keys may be replaced at any time', async () => {
	const { staffId } = await member();
	await enter(staffId, { subject: 'subject-5' });
	const now = Math.floor(Date.now() / 1000);
	provider.changes = { exp: now - 30, iat: now - 330 };
	expect((await logIn({ sub: 'subject-5' })).code).toBe('');
	provider.changes = {};
	for (let time = 0; time < 2; time++) {
		provider.rotateKeys();
		expect((await logIn({ sub: 'subject-5' })).code).toBe('');
	}
});

it('the second factor is shown after it as after a password', async () => {
	const { staffId } = await member();
	await enter(staffId, { subject: 'subject-6' });
	const { directory, keys } = server.running.staff;
	const sealed = keys.seal(Buffer.alloc(20), `second factor of staff ${staffId}`);
	await directory.enrol(staffId, sealed, 0, { actor: 'test', address: null });
	const { client } = await logIn({ sub: 'subject-6' });
	expect(await me(client)).toMatchObject({ stage: 'CODE', name: '' });
	expect(await client.code('staff-list', {})).toBe('SECOND_FACTOR_REQUIRED');
});

it('two sessions of one person are one person: the company’s log-in confirms nothing that the password proposed', async () => {
	const [{ staffId, name }, other] = [await member(), await member()];
	await enter(staffId, { subject: 'subject-7' });
	const byPassword = new ConsoleClient(server.url);
	await byPassword.result('log-in', { name, password: PASSWORD });
	const { client } = await logIn({ sub: 'subject-7' });
	const asked = proposed(other.staffId, { subject: 'subject-8' });
	const { proposalId } = await byPassword.result<{ proposalId: string }>('propose', asked);
	expect(await client.code('confirm', { proposalId })).toBe('SAME_PERSON');
});

it('an identity that is taken back ends the sessions, and a removed member’s may be entered for another one', async () => {
	const [one, next] = [await member(), await member()];
	await enter(one.staffId, { subject: 'subject-9' });
	const { client } = await logIn({ sub: 'subject-9' });
	await enter(one.staffId, {});
	expect((await me(client)).stage).toBeNull();
	expect((await logIn({ sub: 'subject-9' })).code).toBe('SIGN_ON_REFUSED');
	await enter(one.staffId, { subject: 'subject-9' });
	await asha.result('staff-remove', { staffId: String(one.staffId) });
	expect((await logIn({ sub: 'subject-9' })).code).toBe('SIGN_ON_REFUSED');
	await enter(next.staffId, { subject: 'subject-9' });
	expect((await logIn({ sub: 'subject-9' })).code).toBe('');
});

it('while the issuer is away, members log in by password, and a log-in under way is refused in words', async () => {
	const { name } = await member();
	const client = new ConsoleClient(server.url);
	const back = provider.logIn(await begun(client), { sub: 'subject-1' });
	await provider.stop();
	try {
		expect(await client.code('finish-sign-on', back)).toBe('SIGN_ON_AWAY');
		expect(await client.result('log-in', { name, password: PASSWORD })).toMatchObject({ stage: 'IN' });
		await server.stop();
		const { issuer, clientId, clientSecret } = provider;
		server = await TestServer.start(server.database, { signOn: { issuer, clientId, clientSecret, name: 'Acme' } });
		expect(await new ConsoleClient(server.url).code('begin-sign-on', {})).toBe('SIGN_ON_AWAY');
		const doctor = await server.act<{ name: string; state: string }[]>('doctor', {});
		expect(doctor.find((check) => check.name === 'sign-on')?.state).toBe('warning');
	} finally {
		await provider.resume();
	}
	expect((await logIn({ sub: 'subject-1' })).code).toBe('');
});
