/** Versions of terms and privacy policy: announced by two members for an instant, and accepted by players before play. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { hashPassword } from '#server/people/players/passwords.ts';
import type { ProfileName } from '#values/profile-names.ts';
import { ConsoleClient } from '../operator/console-client.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { betOn, freshRequestId, openTestMatch, type TestMatch } from '../support/match.ts';
import { type Player, TestServer } from '../support/server.ts';
import { PASSWORD, signUp } from '../support/sign-up.ts';

const SOON_MS = 20_000;

let server: TestServer;
let match: TestMatch;
let maker: ConsoleClient;
let checker: ConsoleClient;
beforeAll(async () => {
	// Wall clock and monotonic clock run on, and `pass` moves both.
	vi.useFakeTimers({ toFake: ['Date', 'performance'], shouldAdvanceTime: true });
	server = await TestServer.start();
	match = await openTestMatch(server);
	[maker, checker] = [await member('maker'), await member('checker')];
	await switchTo('malta');
});
afterAll(async () => {
	await server.dispose();
	vi.useRealTimers();
});

async function member(name: string): Promise<ConsoleClient> {
	const by = { actor: 'test', address: null };
	const passwordHash = await hashPassword(PASSWORD);
	await server.running.staff.directory.add({ name, passwordHash, roles: ['owner'], brands: null }, by);
	const client = new ConsoleClient(server.url);
	await client.result('log-in', { name, password: PASSWORD });
	return client;
}

const now = () => server.running.exchange.now();
function pass(ms: number): void {
	vi.advanceTimersByTime(ms);
	// A server that works reads its clock all the time.
	server.running.funds.ledger.now();
}
async function switchTo(profile: ProfileName): Promise<void> {
	await server.running.brands.chooseProfile('localhost', { profile, fromMs: now() + 10_000 }, now());
	pass(10_001);
}

const texts = (terms: string, privacy: string, fromMs: number) => ({
	terms,
	termsLink: 'https://example.com/terms',
	privacy,
	from: new Date(fromMs).toISOString(),
});
/** They hold when this resolves. */
async function announce(terms: string, privacy: string): Promise<void> {
	await server.running.brands.announceTerms(
		'localhost',
		{ privacyLink: '', ...texts(terms, privacy, now() + 1_000) },
		now(),
	);
	pass(1_001);
}
const bet = async ({ token }: Player, asked = betOn(match)) => (await server.call('placeBetV2', asked, token)).code;
const accept = async ({ token }: Player, terms: string, privacy: string) =>
	(await server.call('acceptTerms', { terms, privacy }, token)).code;

it('are announced by two members for an instant to come, not by one, by the key or for the past', async () => {
	const asked = (fromMs: number) => ({
		act: 'brand-terms',
		input: { host: 'localhost', ...texts('1', '1', fromMs) },
		reason: 'the lawyers wrote them',
	});
	expect(await maker.code('propose', asked(now() - 1))).toBe('VALIDATION_FAILED');
	const { proposalId } = await maker.result<{ proposalId: string }>('propose', asked(now() + SOON_MS));
	expect(await maker.code('confirm', { proposalId })).toBe('SAME_PERSON');
	expect((await server.operator('brand-terms', asked(now() + SOON_MS).input)).status).toBe(404);
	const early = await signUp(server);
	expect(await checker.code('confirm', { proposalId })).toBe('');
	// Until their instant nothing is asked, and nothing can be accepted.
	expect([await bet(early), await accept(early, '1', '1')]).toEqual([null, 'WRONG_STATE']);
	pass(SOON_MS + 1_000);
	expect(await bet(early)).toBe('TERMS_DUE');
});

it('acceptTerms: success, play goes on, until a new version holds, and each acceptance is kept with time and brand', async () => {
	const player = await signUp(server);
	const asked = betOn(match);
	const order = { amount: 500, clientRequestId: freshRequestId() };
	expect(await bet(player, asked)).toBe('TERMS_DUE');
	expect((await server.call('generatePayment', order, player.token)).code).toBe('TERMS_DUE');
	const both = await Promise.all([accept(player, '1', '1'), accept(player, '1', '1')]);
	expect(both).toEqual([null, null]);
	expect(await bet(player, asked)).toBeNull();
	// Only what is new is new: the privacy policy stays accepted since then.
	await announce('2', '1');
	expect(await bet(player)).toBe('TERMS_DUE');
	// A repetition gets its first answer, what is open can be cancelled, and a balance can leave.
	const betId =
		(await server.result('getUserOpenBets', { maxResultCount: '10', skipCount: '0' }, player.token)).openBets[0]
			?.betId ?? '';
	expect((await server.call('cancelBet', { betId, clientRequestId: freshRequestId() }, player.token)).code).toBeNull();
	expect(await accept(player, '2', '1')).toBeNull();
	expect(await bet(player)).toBeNull();
	const { rows } = await server.database.db.query(
		'select kind, version, brand, address from accepted_terms where player_id = $1 order by at, kind desc',
		[player.userId],
	);
	expect(rows).toMatchObject([
		{ kind: 'TERMS', version: '1', brand: 'localhost' },
		{ kind: 'PRIVACY', version: '1' },
		{ kind: 'TERMS', version: '2' },
	]);
	const { protection } = await server.act<{ protection: { what: string; value: string }[] }>('player', {
		playerId: String(player.userId),
	});
	expect(protection).toContainEqual({ what: 'terms 2', value: expect.stringMatching(/^accepted \d{4}-/) });
	const { files } = await server.result('exportData', {}, player.token);
	expect(files.find(({ name }) => name === 'accepted-terms.csv')?.csv).toContain('TERMS,2,localhost');
});

it('acceptTerms: refusal of versions that do not hold now, and of demo players', async () => {
	const player = await signUp(server);
	expect(await accept(player, '1', '1')).toBe('WRONG_STATE');
	expect(await accept(await server.demoPlayer(), '2', '1')).toBe('FORBIDDEN');
	expect(await bet(player)).toBe('TERMS_DUE');
});

it('acceptTerms: not logged in', async () => {
	expect((await server.call('acceptTerms', { terms: '2', privacy: '1' })).code).toBe('NOT_LOGGED_IN');
});

it('getTerms: success, what holds now with its address and when it was accepted', async () => {
	const player = await signUp(server);
	const of = async () => (await server.result('getTerms', {}, player.token)).texts;
	expect(await of()).toEqual([
		{ kind: 'TERMS', version: '2', link: 'https://example.com/terms', acceptedAt: null },
		{ kind: 'PRIVACY', version: '1', link: '', acceptedAt: null },
	]);
	await accept(player, '2', '1');
	expect((await of()).map(({ acceptedAt }) => acceptedAt)).toEqual([expect.any(String), expect.any(String)]);
});

it('getTerms: refusal of a field that it does not know is none: GETs leave out what they do not read', async () => {
	const player = await signUp(server);
	expect((await server.raw('getTerms', { unknown: '1' }, player.token)).code).toBeNull();
});

it('getTerms: not logged in', async () => {
	expect((await server.call('getTerms', {})).code).toBe('NOT_LOGGED_IN');
});

it.each([1, 2])('agree with a slow record through random versions, switches and restarts, seed %s', async (seed) => {
	const numbers = new SeededNumbers(seed);
	const player = await signUp(server);
	const accepted = new Set<string>();
	let held = (await server.result('getTerms', {}, player.token)).texts.map(({ version }) => version);
	let profile: ProfileName = 'malta';
	for (let turn = 0; turn < 15; turn++) {
		const act = numbers.from(['announce', 'accept', 'wrong', 'bet', 'bet', 'profile', 'restart'] as const);
		if (act === 'announce') {
			held = [String(numbers.below(3)), String(numbers.below(2))];
			await announce(held[0] ?? '', held[1] ?? '');
		} else if (act === 'accept') {
			expect(await accept(player, held[0] ?? '', held[1] ?? '')).toBeNull();
			accepted.add(`t${held[0]}`).add(`p${held[1]}`);
		} else if (act === 'wrong') expect(await accept(player, `${held[0]}x`, held[1] ?? '')).toBe('WRONG_STATE');
		else if (act === 'profile') {
			profile = numbers.from(['malta', 'play'] as const);
			await switchTo(profile);
		} else if (act === 'restart' && turn < 6) {
			await server.stop();
			server = await TestServer.start(server.database);
			match = await openTestMatch(server);
		} else {
			const isDue = profile === 'malta' && !(accepted.has(`t${held[0]}`) && accepted.has(`p${held[1]}`));
			expect([turn, await bet(player)]).toEqual([turn, isDue ? 'TERMS_DUE' : null]);
		}
	}
	await switchTo('malta');
});
