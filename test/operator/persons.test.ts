/** Operators and persons: staff who play, facts that are refuted, bars that rest on hints, and invitation trees. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ResultOf } from '#contract/call.ts';
import type { OperatorResult } from '#contract/operators/operator-call.ts';
import type { OPERATOR_CALLS } from '#contract/operators/registry.ts';
import type { Calls } from '#contract/registry.ts';
import { hashPassword } from '#server/people/players/passwords.ts';
import { DAY_MS } from '#values/time.ts';
import { betOn, freshRequestId, openTestMatch } from '../support/match.ts';
import { type Player, TestServer } from '../support/server.ts';
import { codeSentTo, PASSWORD, signUp, signUpElsewhere } from '../support/sign-up.ts';
import { ConsoleClient } from './console-client.ts';

const CONFIG = { payments: { orderMs: 60_000, simulatedDelayMs: 10, pollMs: 20, webhookKeys: {} } };

let server: TestServer;
beforeAll(async () => {
	server = await TestServer.start(undefined, CONFIG);
	const rules = { reward: 500, minDeposit: 500, minWagered: 300, maturityHours: 0, cap: 20 };
	await server.act('brand-set', { host: 'localhost', field: 'referral', value: JSON.stringify(rules) });
});
afterAll(() => server.dispose());

const funds = () => server.running.funds;
const codeOf = async (answer: Promise<{ code: string | null }>) => (await answer).code;
const addStaff = (name: string) => server.operator<{ staffId: string }>('staff-add', { name, roles: ['owner'] });

const ofPlayer = ({ userId }: Player) => ({ playerId: String(userId) });

async function withdrawal({ token, userId }: Player): Promise<number> {
	const details = { method: 'UPI', upiId: `p${userId}@bank` } as const;
	const asked = { amount: 5_000, details, clientRequestId: freshRequestId() };
	const { id } = await server.result('createWithdrawal', asked, token);
	return Number(id.split('-')[1]);
}
const approve = async (id: number, operator: string) =>
	await codeOf(
		server.send('/operator/api/payment-decide', {
			method: 'POST',
			body: JSON.stringify({ kind: 'WITHDRAWAL', id: String(id), event: 'approve', reason: 'looked at' }),
			headers: { ...server.operatorHeaders, 'X-Operator': operator },
		}),
	);

describe('a member of staff who is a player', () => {
	it('decides nothing about the linked account nor another one of the same person, and all else', async () => {
		const { body } = await addStaff('Meera');
		const own = await signUp(server);
		const second = await signUp(server, { mobile: own.mobile });
		const stranger = await signUp(server);
		expect(await approve(await withdrawal(second), 'Meera')).toBeNull();
		await server.act('staff-player-link', { name: 'meera', userName: own.userName, host: 'localhost' });
		for (const player of [own, second]) {
			const id = await withdrawal(player);
			expect([await approve(id, 'MEERA'), await approve(id, 'bala')]).toEqual(['SAME_PERSON', null]);
		}
		expect(await approve(await withdrawal(stranger), 'Meera')).toBeNull();
		const { members } = await server.act<{ members: { name: string; players: { userName: string }[] }[] }>(
			'staff-list',
			{},
		);
		expect(members.find(({ name }) => name === 'Meera')?.players).toMatchObject([{ userName: own.userName }]);
		await server.act('staff-player-unlink', { staffId: body.result?.staffId, playerId: String(own.userId) });
		expect(await approve(await withdrawal(own), 'Meera')).toBeNull();
	});

	it('is unlinked by others alone, also after it has left', async () => {
		await addStaff('Farah');
		const own = await signUp(server);
		await server.act('staff-player-link', { name: 'farah', ...ofPlayer(own) });
		const unlink = async (operator: string) =>
			await codeOf(
				server.send('/operator/api/staff-player-unlink', {
					method: 'POST',
					body: JSON.stringify({ name: 'Farah', userName: own.userName, host: 'localhost' }),
					headers: { ...server.operatorHeaders, 'X-Operator': operator },
				}),
			);
		expect(await unlink('Farah')).toBe('SAME_PERSON');
		const { directory, sessions } = server.running.staff;
		const asked = { act: 'staff-player-unlink', input: { name: 'Farah', ...ofPlayer(own) }, reason: 'a new phone' };
		const loggedIn = async (staffId: number) => {
			const client = new ConsoleClient(server.url);
			const token = await sessions.begin(staffId, { address: '127.0.0.1', userAgent: '' }, true);
			client.cookies.set('console-session', token);
			return client;
		};
		const farah = await loggedIn(directory.byName('farah')?.staffId ?? 0);
		expect(await farah.code('propose', asked)).toBe('SAME_PERSON');
		await server.act('staff-remove', { name: 'Farah' });
		expect(funds().staffAccounts.isOfStaff(own.userId)).toBe(true);
		expect(await unlink('bala')).toBeNull();
		expect(funds().staffAccounts.isOfStaff(own.userId)).toBe(false);
	});

	it('is linked by nothing but that: a player of the same name is a stranger', async () => {
		await addStaff('Kiran');
		await server.act('create-player', { userName: 'kiran', password: 'Passw0rd-1', host: 'localhost' });
		const player = server.running.players.findPlayer('kiran', 'localhost');
		expect(funds().staffAccounts.isOwn(player?.playerId ?? 0, 'Kiran')).toBe(false);
	});

	it('stays linked over a restart, and one account is of one member', async () => {
		const [own, other] = [(await addStaff('Divya')).body.result, (await addStaff('Anand')).body.result];
		const { userId } = await signUp(server);
		await server.act('staff-player-link', { staffId: own?.staffId, playerId: String(userId) });
		const again = { staffId: other?.staffId, playerId: String(userId) };
		expect(await codeOf(server.operator('staff-player-link', again))).toBe('ALREADY_CLAIMED');
		const { database } = server;
		await server.stop();
		server = await TestServer.start(database, CONFIG);
		expect(funds().staffAccounts.isOwn(userId, 'divya')).toBe(true);
	});
});

describe('a name of staff', () => {
	it.each([
		['the feed', 'of the server itself'],
		['The Feed', 'of the server itself, written otherwise'],
		['RULES', 'of the server itself, in capitals'],
		['ru1es', 'with a digit for a letter'],
		['rul\u0435s', 'with a Cyrillic letter'],
		['ρlayer', 'with a Greek letter'],
		['ｓｅｒｖｅｒ', 'of full width'],
		['sérver', 'with an accent'],
		['ashа', 'of two scripts'],
		['аsнa', 'of Cyrillic letters that look Latin'],
		['bıla', 'with a dotless i'],
		['अशa', 'of Devanagari and Latin'],
	])('%s is refused', async (name) => {
		expect(await codeOf(addStaff(name))).toBe('VALIDATION_FAILED');
	});

	it('that looks like another member’s is taken, and one of a single script is not', async () => {
		expect(await codeOf(addStaff('Olivia Rn'))).toBeNull();
		for (const name of ['0livia Rn', 'OLIVIA.RN', 'olivia-m', 'OIivia Rn', 'Olívia Rn'])
			expect(await codeOf(addStaff(name)), name).toBe('NAME_TAKEN');
		expect(await codeOf(addStaff('आशा शर्मा'))).toBeNull();
	});
});

describe('a fact that an operator refuted', () => {
	it('connects the account with nobody: limits and breaks of the other hold no more', async () => {
		const [owner, former] = [await signUp(server), await signUp(server)];
		const second = await signUp(server, { mobile: owner.mobile });
		await server.result('takeTimeOut', { hours: 24 }, owner.token);
		expect(funds().protection.isBarred(former.userId, 'BET')).toBe(false);
		await server.result('setLimits', { stake: 100 }, owner.token);
		expect(funds().persons.accounts(second.userId)).toEqual([owner.userId, second.userId]);
		const refuted = { playerId: String(second.userId), otherId: String(owner.userId), kind: 'mobile' };
		await server.act('fact-refute', { ...refuted, reason: 'a number with a new owner' });
		expect(funds().persons.accounts(second.userId)).toEqual([second.userId]);
		expect(await codeOf(server.operator('fact-refute', { ...refuted, reason: 'once more' }))).toBe('NOT_FOUND');
		const page = await server.act<{ linked: { why: string }[] }>('player', { playerId: String(second.userId) });
		expect(page.linked.map(({ why }) => why)).not.toContain('same mobile');
	});

	/** Two accounts that both proved a mobile, of which an operator found that it has a new owner. */
	async function formerAndOwner() {
		const former = await signUp(server);
		const owner = await signUp(server, { mobile: former.mobile });
		const refuted = { playerId: String(former.userId), otherId: String(owner.userId), kind: 'mobile' };
		await server.act('fact-refute', { ...refuted, reason: 'a number with a new owner' });
		return { former, owner };
	}

	it('bars its owner by no exclusion of the former one, nor who signs up with it, nor after a restart', async () => {
		const campaign = { id: 'free-bet', title: 'Free bet', kind: 'FREE_BET', amount: 500 };
		await server.act('brand-set', { host: 'localhost', field: 'campaigns', value: JSON.stringify([campaign]) });
		const { former, owner } = await formerAndOwner();
		// So does a document of another person that an operator took for this one’s.
		const { db } = server.database;
		const ofDocument = await signUp(server);
		const insert = 'insert into player_identity (player_id, fingerprint) values ($1, $3), ($2, $3)';
		await db.query(insert, [former.userId, ofDocument.userId, 'mistaken']);
		const document = { playerId: String(former.userId), otherId: String(ofDocument.userId), kind: 'document' };
		await server.act('fact-refute', { ...document, reason: 'read wrongly' });
		for (const player of [owner, ofDocument]) await server.result('claimBonus', { id: 'free-bet' }, player.token);
		await server.result('excludeSelf', { months: 6, password: PASSWORD }, former.token);
		const later = await signUp(server, { mobile: former.mobile });
		const { database } = server;
		await server.stop();
		server = await TestServer.start(database, CONFIG);
		const isBarred = ({ userId }: Player) => funds().protection.isBarred(userId, 'BET');
		expect([former, owner, later, ofDocument].map(isBarred)).toEqual([true, false, false, false]);
		for (const player of [owner, ofDocument])
			expect(await server.result('getBonuses', {}, player.token)).toMatchObject([{ status: 'ACTIVE' }]);
	});

	it('ends the codes that went to it: they set no password, and none is made while it is refuted', async () => {
		const former = await signUp(server);
		const owner = await signUp(server, { mobile: former.mobile });
		const { db } = server.database;
		const named = { userNameOrEmailAddress: former.userName };
		const send = () => server.call('sendResetCode', { ...named, by: 'MOBILE' });
		const codes = async () =>
			(await db.query('select from account_code where player_id = $1', [former.userId])).rowCount;
		expect((await send()).code).toBeNull();
		const otp = await codeSentTo(server, former.mobile);
		expect(await codes()).toBe(1);
		// Another request comes while the refutation is written.
		const refuting = await db.connect();
		await refuting.query('begin');
		await refuting.query('select from player where player_id = $1 for update', [former.userId]);
		await refuting.query(
			`insert into refuted_fact (player_id, kind, value, at, operator, reason) values ($1, 'mobile', $2, 0, '', '')`,
			[former.userId, former.mobile],
		);
		await refuting.query('delete from account_code where player_id = $1', [former.userId]);
		let isAnswered = false;
		const sent = send().finally(() => {
			isAnswered = true;
		});
		const waits = async () => isAnswered || (await db.query('select from pg_locks where not granted')).rowCount === 1;
		await expect.poll(waits, { timeout: 30_000 }).toBe(true);
		await refuting.query('commit');
		refuting.release();
		expect((await sent).code).toBeNull();
		expect(await codes()).toBe(0);
		await db.query('delete from refuted_fact where player_id = $1', [former.userId]);
		// The operator's act ends a code as well.
		expect((await send()).code).toBeNull();
		const later = await codeSentTo(server, former.mobile);
		const refuted = { playerId: String(former.userId), otherId: String(owner.userId), kind: 'mobile' };
		await server.act('fact-refute', { ...refuted, reason: 'a number with a new owner' });
		for (const code of [otp, later]) {
			const set = {
				...named,
				otp: code,
				newPassword: 'another long Passw0rd!',
				confirmPassword: 'another long Passw0rd!',
			};
			expect((await server.call('resetPassword', set)).code).toBe('WRONG_CODE');
		}
		expect(await codes()).toBe(0);
	});

	it('is no mobile of the account any more: no code goes there, and another one may be proven', async () => {
		const { former } = await formerAndOwner();
		const { db } = server.database;
		const texts = async () => (await db.query('select from outbox where mobile = $1', [former.mobile])).rowCount;
		const before = await texts();
		const asked = { userNameOrEmailAddress: former.userName, by: 'MOBILE' } as const;
		expect((await server.call('sendResetCode', asked)).code).toBeNull();
		expect((await db.query('select from account_code where player_id = $1', [former.userId])).rowCount).toBe(0);
		await db.query('insert into login_lock (player_id, locked_at) values ($1, 0)', [former.userId]);
		const codes = async () => (await db.query('select from account_code')).rowCount;
		await db.query(
			`insert into account_code (player_id, purpose, device, network, code_hash, code_ends_at)
			 values ($1, 'RESET', 'of long ago', '', '', 1)`,
			[former.userId],
		);
		const { database } = server;
		await server.stop();
		server = await TestServer.start(database, CONFIG);
		await expect.poll(codes, { timeout: 30_000 }).toBe(0);
		expect((await server.call('sendUnlockCode', { userNameOrEmailAddress: former.userName })).code).toBeNull();
		expect((await server.result('getProtection', {}, former.token)).mobile).toBeNull();
		for (const input of [{}, { mobile: former.mobile.slice(3), password: PASSWORD }])
			expect((await server.call('sendMobileCode', input, former.token)).code).toBe('VALIDATION_FAILED');
		expect(await texts()).toBe(before);
		const id = await withdrawal(former);
		expect((await funds().ledger.find('WITHDRAWAL', id)).data.doubts).toContain('NO_MOBILE');
		const next = '+919111200001';
		await server.result('sendMobileCode', { mobile: next.slice(3), password: PASSWORD }, former.token);
		const proven = await server.result('proveMobile', { otp: await codeSentTo(server, next) }, former.token);
		expect(proven.mobile).toEqual({ masked: '••••••0001', isProven: true });
	});
});

it('a payout to the account of another player makes the two no one person', async () => {
	const [victim, stranger] = [await signUp(server), await signUp(server)];
	const details = { method: 'UPI', upiId: `p${victim.userId}@bank` } as const;
	for (const player of [victim, stranger]) {
		const asked = { amount: 5_000, details, clientRequestId: freshRequestId() };
		const id = Number((await server.result('createWithdrawal', asked, player.token)).id.split('-')[1]);
		expect(await approve(id, 'asha')).toBeNull();
		await expect.poll(async () => (await funds().ledger.find('WITHDRAWAL', id)).state).toBe('PAID');
		await funds().persons.meet(player.userId);
	}
	await server.result('excludeSelf', { months: 6, password: PASSWORD }, stranger.token);
	expect(funds().protection.isBarred(victim.userId, 'BET')).toBe(false);
	expect(funds().persons.accounts(victim.userId)).toEqual([victim.userId]);
	// Operators see what the two share.
	const { linked } = await server.act<{ linked: { why: string }[] }>('player', { playerId: String(victim.userId) });
	expect(linked.map(({ why }) => why)).toContain('same payout account');
});

describe('how two players are related', () => {
	const invite = async (player: Player) =>
		await signUp(server, { referralCode: funds().referrals.codeOf(player.userId) });
	type Related = OperatorResult<(typeof OPERATOR_CALLS)['related']>;
	const related = async (one: Player, other: Player) => {
		const asked = { playerId: String(one.userId), otherId: String(other.userId) };
		return await server.act<Related>('related', asked);
	};

	it('is told over any number of accounts, until an operator refutes a fact on the way', async () => {
		const root = await signUp(server);
		const twin = await signUp(server, { mobile: root.mobile });
		const friend = await invite(await invite(await invite(root)));
		const { path } = await related(twin, friend);
		expect(path?.map(({ account }) => account?.userName).at(-1)).toBe(friend.userName);
		expect(path?.map(({ reasons }) => reasons.map(({ why }) => why))).toEqual([
			['same mobile'],
			['invited'],
			['invited'],
			['invited'],
		]);
		// Since the later one of the two proved the mobile.
		const { rows } = await server.database.db.query<{ at: number }>(
			'select mobile_verified_at as at from player where player_id = $1',
			[twin.userId],
		);
		expect(path?.[0]?.reasons[0]?.since).toBe(new Date(rows[0]?.at ?? 0).toISOString());
		expect(await related(twin, twin)).toEqual({ path: [], isCut: false });
		const fact = { playerId: String(twin.userId), otherId: String(root.userId), kind: 'mobile' };
		await server.act('fact-refute', { ...fact, reason: 'a number with a new owner' });
		expect(await related(twin, friend)).toEqual({ path: null, isCut: false });
		const nobody = { playerId: String(twin.userId), otherId: '999999999' };
		expect(await codeOf(server.operator('related', nobody))).toBe('UNKNOWN_USER');
	});

	it('names no account of a brand that the member does not work for', async () => {
		const [one, other] = [await signUp(server), await signUp(server)];
		const { db } = server.database;
		const between = await signUpElsewhere(server, one.mobile);
		await db.query("insert into player_identity (player_id, fingerprint) values ($1, 'shared'), ($2, 'shared')", [
			between.userId,
			other.userId,
		]);
		const { directory } = server.running.staff;
		const passwordHash = await hashPassword(PASSWORD);
		const localOnly = { name: 'Local only', passwordHash, roles: ['owner'], brands: ['localhost'] };
		await directory.add(localOnly, { actor: 'test', address: null });
		const member = new ConsoleClient(server.url);
		await member.result('log-in', { name: 'Local only', password: PASSWORD });
		const asked = { playerId: String(one.userId), otherId: String(other.userId) };
		const named = { playerId: String(other.userId), userName: other.userName, brand: 'localhost' };
		expect(await member.result<Related>('related', asked)).toMatchObject({
			path: [
				{ account: null, reasons: [{ why: 'same mobile' }] },
				{ account: named, reasons: [{ why: 'same document' }] },
			],
		});
		expect((await related(one, other)).path?.[0]?.account?.userName).toBe(between.userName);
		expect(await member.code('related', { ...asked, otherId: String(between.userId) })).toBe('FORBIDDEN');
		const input = { playerId: asked.playerId, otherId: String(between.userId), kind: 'mobile' };
		const refute = { act: 'fact-refute', input: { ...input, reason: 'a number with a new owner' } };
		expect(await member.code('preview', refute)).toBe('FORBIDDEN');
		expect(await member.code('propose', { ...refute, reason: 'a letter' })).toBe('FORBIDDEN');
	});
});

it('a member is told what a player near a limit used on the member’s brands, and no more', async () => {
	const { directory } = server.running.staff;
	const passwordHash = await hashPassword(PASSWORD);
	const memberOf = async (name: string, brands: string[] | null) => {
		await directory.add({ name, passwordHash, roles: ['owner'], brands }, { actor: 'test', address: null });
		const client = new ConsoleClient(server.url);
		await client.result('log-in', { name, password: PASSWORD });
		return client;
	};
	const own = await signUp(server);
	const elsewhere = await signUpElsewhere(server, own.mobile);
	await server.result('setLimits', { depositDay: 1_000 }, own.token);
	const pay = (amount: number) => ({ amount, clientRequestId: freshRequestId() });
	await server.result('generatePayment', pay(100), own.token);
	expect(await codeOf(server.callElsewhere('generatePayment', pay(900), elsewhere.token))).toBeNull();
	const usedSeenBy = async (client: ConsoleClient) => {
		const { atLimits } = await client.result<OperatorResult<(typeof OPERATOR_CALLS)['today']>>('today', {});
		const used = ({ userId }: Player) => atLimits.find(({ playerId }) => playerId === String(userId))?.used ?? null;
		return [used(own), used(elsewhere)];
	};
	expect(await usedSeenBy(await memberOf('Of all brands', null))).toEqual([1_000, 1_000]);
	expect(await usedSeenBy(await memberOf('Of the other brand', ['127.0.0.1']))).toEqual([null, 900]);
	expect(await usedSeenBy(await memberOf('Of localhost', ['localhost']))).toEqual([null, null]);
});

describe('a bar that an account kept by an unproven mobile', () => {
	it('is listed, and two decisions end it: the break is lifted, or all stays', async () => {
		const [lifted, kept] = [await signUp(server), await signUp(server)];
		const { db } = server.database;
		for (const player of [lifted, kept]) {
			await server.result('setLimits', { stake: 100 }, player.token);
			await server.result('excludeSelf', { months: 6, password: PASSWORD }, player.token);
			await db.query(`insert into bar_on_hint values ($1, '{7}', '{"limits": {"stake": 900}}')`, [player.userId]);
		}
		const listed = await server.act<{ playerId: string; others: string[] }[]>('bars-on-hints', {});
		expect(listed).toMatchObject([
			{ playerId: String(lifted.userId), others: ['7'] },
			{ playerId: String(kept.userId), limits: ['stake'] },
		]);
		const decide = ({ userId }: Player, lifts: boolean) =>
			server.operator('bar-on-hint-decide', { playerId: String(userId), lifts, reason: 'looked at' });
		expect([await codeOf(decide(lifted, true)), await codeOf(decide(kept, false))]).toEqual([null, null]);
		expect(await codeOf(decide(lifted, true))).toBe('NOT_FOUND');
		expect(await server.act('bars-on-hints', {})).toEqual([]);
		const isBarred = ({ userId }: Player) => funds().protection.isBarred(userId, 'BET');
		expect([isBarred(lifted), isBarred(kept)]).toEqual([false, true]);
		expect(funds().protection.limits.of(lifted.userId).stake).toBe(900);
		expect(isBarred(await signUp(server, { mobile: lifted.mobile }))).toBe(false);
		const { database } = server;
		await server.stop();
		server = await TestServer.start(database, CONFIG);
		expect([isBarred(lifted), isBarred(kept)]).toEqual([false, true]);
	});
});

describe('an invitation tree', () => {
	const invite = async (player: Player) =>
		await signUp(server, { referralCode: funds().referrals.codeOf(player.userId) });
	async function deposit(player: Player): Promise<void> {
		const order = { amount: 500, clientRequestId: freshRequestId() };
		const { orderId } = await server.result('generatePayment', order, player.token);
		const paid = async () => (await server.result('checkPayment', { orderId }, player.token)).status;
		await expect.poll(paid).toBe('SUCCESS');
	}
	async function meet(one: Player, other: Player): Promise<void> {
		const match = await openTestMatch(server);
		await server.result('placeBetV2', betOn(match, { stake: 300 }), one.token);
		await server.result('placeBetV2', betOn(match, { stake: 300, side: 'LAY' }), other.token);
		await match.settle(0);
	}
	type Details = ResultOf<Calls['getReferralDetails']>;
	const statesOf = async ({ token }: Player) =>
		((await server.result('getReferralDetails', {}, token)) as Details).items.map(({ status }) => status);

	it('is one interest: two friends of one inviter earn no reward by betting against each other', async () => {
		const root = await signUp(server);
		const [one, other] = [await invite(root), await invite(root)];
		await Promise.all([deposit(one), deposit(other)]);
		await meet(one, other);
		expect(await statesOf(root)).toEqual(['LINKED', 'LINKED']);
		// A stranger's bets count.
		await meet(one, await signUp(server));
		expect((await statesOf(root)).toSorted()).toEqual(['LINKED', 'QUALIFIED']);
	});

	it('is one interest over any number of invitations, and operators see its matches', async () => {
		const root = await signUp(server);
		let [deep, deeper] = [await invite(root), await invite(root)];
		for (let hop = 0; hop < 3; hop++) [deep, deeper] = [await invite(deep), await invite(deeper)];
		// The other account of one of them stands in the tree with it.
		const twin = await signUp(server, { mobile: deeper.mobile });
		await meet(deep, deeper);
		await meet(deep, twin);
		const period = { from: new Date(Date.now() - DAY_MS).toISOString().slice(0, 10) };
		const to = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);
		const pairs = await server.act<{ one: { playerId: string }; other: { playerId: string }; why: string | null }[]>(
			'suspicious-matches',
			{ ...period, to },
		);
		const whyOf = (one: Player, other: Player) =>
			pairs.find((pair) => pair.one?.playerId === String(one.userId) && pair.other?.playerId === String(other.userId))
				?.why;
		expect(whyOf(deep, deeper)).toBe('same invitation tree');
		expect(whyOf(deep, twin)).toBe('same invitation tree');
	});

	it('has the place of a friend whose link a crash prevented, and of those whom the friend has invited', async () => {
		const root = await signUp(server);
		const friend = await signUp(server);
		const second = await invite(friend);
		const { db } = server.database;
		await db.query('update player set referral_code = $2 where player_id = $1', [
			friend.userId,
			funds().referrals.codeOf(root.userId),
		]);
		await funds().referrals.linkInterrupted();
		const { rows } = await db.query<{ root: number }>(
			'select invitation_root as root from player where player_id = any ($1) order by player_id',
			[[friend.userId, second.userId]],
		);
		expect(rows).toEqual([{ root: root.userId }, { root: root.userId }]);
	});
});
