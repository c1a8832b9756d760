/** A person is erased by two members: what goes and what stays, what refuses it, and what it cannot be used for. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTrees } from '#server/money/liabilities/make-trees.ts';
import { ERASED, KEPT } from '#server/people/players/erasure.ts';
import { HOUR_MS } from '#values/time.ts';
import { dayOf, dayStart, HOME_ZONE } from '#values/zoned-calendar.ts';
import { LIABILITY_CHECKS } from '../../tools/audit-liabilities.ts';
import { sealKeys } from '../../tools/audit-seals.ts';
import { arrangeLosses, newPair } from '../support/arranged-matches.ts';
import { expectSound } from '../support/audit.ts';
import { betOn, freshRequestId, openTestMatch } from '../support/match.ts';
import { LEDGER_KEY, type Player, TestServer } from '../support/server.ts';
import { PASSWORD, signUp, signUpElsewhere } from '../support/sign-up.ts';
import { ConsoleClient } from './console-client.ts';

const COINS = { id: 'coins', title: 'Coins', kind: 'FREE_COINS', amount: 50, budget: 1_000_000 };
let server: TestServer;
let asha: ConsoleClient;
let bala: ConsoleClient;

async function member(name: string, role = 'compliance'): Promise<ConsoleClient> {
	const about = { name, passwordHash: 'none', roles: [role], brands: null };
	const { directory, sessions } = server.running.staff;
	const { staffId } = await directory.add(about, { actor: 'test', address: null });
	const client = new ConsoleClient(server.url);
	client.cookies.set('console-session', await sessions.begin(staffId, { address: '127.0.0.1', userAgent: '' }, true));
	return client;
}

beforeAll(async () => {
	server = await TestServer.start();
	await server.act('brand-set', { host: 'localhost', field: 'campaigns', value: JSON.stringify([COINS]) });
	[asha, bala] = [await member('asha'), await member('bala')];
});
afterAll(async () => {
	await server.stop();
	await expectSound(server.database.db);
	await server.database.drop();
});

type Person = Player & { userName: string; mobile: string };

const of = ({ userId }: Pick<Player, 'userId'>) => ({ playerId: String(userId) });
const REASON = { reason: 'asked for by letter' };
const close = (player: Player) => asha.result('player-close', { ...of(player), ...REASON });
const asked = (player: Player) => ({ act: 'player-erase', input: of(player), ...REASON });

async function erase(player: Player, beside: () => Promise<unknown> = async () => undefined): Promise<void> {
	const { proposalId } = await asha.result<{ proposalId: string }>('propose', asked(player));
	await Promise.all([bala.result('confirm', { proposalId }), beside()]);
}

/** What the member is told that keeps the player from being erased. */
async function hindrance(player: Player): Promise<string> {
	const { act, input } = asked(player);
	const { body } = await asha.call('preview', { act, input });
	return body.error === null ? '' : `${body.error.code} ${(body.error as { message?: string }).message}`;
}

async function logIn({ userName }: Person) {
	return await server.call('authenticate', { userNameOrEmailAddress: userName, password: PASSWORD });
}

/** The tables in which a text of a row has one of the words. */
async function tablesWith(words: readonly string[]): Promise<string[]> {
	const { db } = server.database;
	const { rows } = await db.query<{ name: string }>(
		`select relname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
		 where nspname = 'public' and relkind in ('r', 'p') and not relispartition order by 1`,
	);
	const found: string[] = [];
	for (const { name } of rows) {
		const { rowCount } = await db.query(
			`select from ${name} as row where exists (
			   select from unnest($1::text[]) as word where strpos(row::text, word) > 0) limit 1`,
			[words],
		);
		if (rowCount !== 0) found.push(name);
	}
	return found;
}

const message = (text: string) => ({
	kind: 'MESSAGE' as const,
	topic: `About ${text}`,
	text,
	clientRequestId: freshRequestId(),
});

/** Leaves something in every place that a player can leave it. */
async function lives(player: Person, secret: string): Promise<void> {
	const { token } = player;
	const { id } = await server.result('openTicket', message(`my ${secret} question`), token);
	const answer = { ...of(player), ticketId: id, seen: 1, text: `Dear ${secret}`, clientRequestId: freshRequestId() };
	await asha.result('ticket-answer', answer);
	await asha.result('player-note', { ...of(player), note: `has a ${secret}` });
	await asha.result('player-tag', { ...of(player), tag: secret, on: true });
	await server.result('setPreferences', { pin: [`event-${secret}`] }, token);
	await server.result('addUserStake', { stakes: [{ title: secret, value: 123 }] }, token);
	const key = { name: secret, mayTrade: true, addresses: [], callsPerSecond: 100, password: PASSWORD };
	await server.result('createApiKey', key, token);
	await server.result('claimBonus', { id: COINS.id }, token);
	await logIn(player);
}

describe('erasing a person', () => {
	it('lists every table with something about single players as erased or kept', async () => {
		const { rows } = await server.database.db.query<{ name: string }>(
			`select distinct table_name as name from information_schema.columns
			 where table_schema = 'public' and column_name in ('player_id', 'wallet_id', 'mobile', 'user_name')
			   and table_name in (select relname from pg_class where relkind in ('r', 'p') and not relispartition)`,
		);
		const listed = new Set([
			...ERASED.flatMap(({ statements }) => Object.keys(statements)),
			...KEPT.flatMap(({ tables }) => tables),
		]);
		expect(rows.map(({ name }) => name).filter((name) => !listed.has(name))).toEqual([]);
	});

	it('deletes no message to the owner of a mobile that the account only states', async () => {
		const { mobile } = await signUp(server);
		await signUpElsewhere(server, mobile);
		const stranger = await signUpElsewhere(server, mobile, { proves: false });
		const texts = async () =>
			(await server.database.db.query('select from outbox where mobile = $1', [mobile])).rowCount;
		const before = await texts();
		await close(stranger);
		await erase(stranger);
		expect(await texts()).toBe(before);
	});

	it('leaves the name, the mobile and what was written nowhere but where the journal proves it', async () => {
		const player = await signUp(server);
		const secret = 'unicorn';
		await lives(player, secret);
		const match = await openTestMatch(server);
		const other = await signUp(server);
		await server.result('placeBetV2', betOn(match, { side: 'BACK' }), player.token);
		await server.result('placeBetV2', betOn(match, { side: 'LAY' }), other.token);
		await match.settle(0);
		const balance = () => server.running.exchange.wallet(player.userId)?.cash;
		const before = balance();
		await close(player);
		const words = [player.userName, player.mobile, secret];
		expect((await tablesWith(words)).length).toBeGreaterThan(8);
		await erase(player);
		// The journal and a proposal are sealed; an act under way is a note of the journal.
		expect(await tablesWith(words)).toEqual(['journal', 'proposal']);
		expect(balance()).toBe(before);
		expect(await asha.result('player-search', { query: player.userName })).toEqual([]);
		const shown = await asha.result<{ userName: string; mobile: null; bets: object[]; notes: object[] }>(
			'player',
			of(player),
		);
		expect(shown).toMatchObject({ userName: `${player.userId} (erased)`, mobile: null, notes: [] });
		expect(shown.bets).toHaveLength(1);
		// What was given to the mobile is not given again.
		const again = await signUp(server, { mobile: player.mobile });
		expect((await server.call('claimBonus', { id: COINS.id }, again.token)).code).toBe('ALREADY_CLAIMED');
	});

	it('leaves its limits, and what is asked for, to the other accounts of the person', async () => {
		const player = await signUp(server);
		await server.result('setLimits', { stake: 500, lossDay: 900 }, player.token);
		await server.result('setLimits', { stake: 700 }, player.token);
		const other = await signUp(server, { mobile: player.mobile });
		await server.result('setLimits', { lossDay: 300 }, other.token);
		await close(player);
		await erase(player);
		const { persons, protection } = server.running.funds;
		await persons.meet(other.userId);
		expect(persons.accounts(other.userId)).toEqual([other.userId]);
		expect(protection.limits.of(other.userId)).toMatchObject({ stake: 500_00, lossDay: 300_00 });
		expect(protection.of(other.userId).raises).toMatchObject({ stake: { to: 700_00 } });
		const confirmed = await server.call('confirmLimit', { name: 'stake' }, other.token);
		expect(confirmed.code).toBe('WRONG_STATE');
	});

	it('leaves each other’s limits to accounts of the person that it alone connected, and no raise above them', async () => {
		const bridge = await signUp(server);
		const [byMobile, byDocument] = [await signUp(server, { mobile: bridge.mobile }), await signUp(server)];
		await server.result('setLimits', { stake: 500 }, byMobile.token);
		await server.result('setLimits', { stake: 900 }, byMobile.token);
		await server.result('setLimits', { stake: 300 }, byDocument.token);
		const about = { host: 'localhost', age: 40, document: 'passport B7654321' };
		for (const { userName } of [bridge, byDocument]) await server.act('verify-identity', { ...about, userName });
		const { persons, protection } = server.running.funds;
		expect(persons.accounts(byMobile.userId)).toHaveLength(3);
		await close(bridge);
		await erase(bridge);
		// The document stays for its time, and connects the other one with what was erased.
		expect(persons.accounts(byMobile.userId)).toEqual([byMobile.userId]);
		expect(persons.accounts(byDocument.userId)).not.toContain(byMobile.userId);
		for (const { userId } of [byMobile, byDocument]) expect(protection.limits.of(userId).stake).toBe(300_00);
		expect(protection.of(byMobile.userId).raises).toEqual({});
	});

	it('leaves to the person’s other accounts that they are a member’s, also after a restart', async () => {
		const own = await signUp(server);
		const [second, stranger] = [await signUp(server, { mobile: own.mobile }), await signUp(server)];
		await member('esha', 'owner');
		await server.act('staff-player-link', { name: 'esha', ...of(own) });
		await close(own);
		await erase(own);
		const isOwn = ({ userId }: Player) => server.running.funds.staffAccounts.isOwn(userId, 'esha');
		await server.running.funds.persons.meet(second.userId);
		expect([second, stranger].map(isOwn)).toEqual([true, false]);
		const adjusted = { ...of(second), amount: 50, reasonCode: 'CORRECTION', reason: 'a long wait' };
		const asEsha = { ...server.operatorHeaders, 'X-Operator': 'esha' };
		const answer = await server.send('/operator/api/adjust', {
			method: 'POST',
			body: JSON.stringify(adjusted),
			headers: asEsha,
		});
		expect(answer.code).toBe('SAME_PERSON');
	});

	it('leaves what the house owed by the night before proven, of this person and of all others', async () => {
		const [player, other] = [await signUp(server), await signUp(server)];
		const { db } = server.database;
		const nowMs = dayStart(dayOf(Date.now(), HOME_ZONE) + 1, HOME_ZONE) + 2 * HOUR_MS;
		await Array.fromAsync(makeTrees(db, { pools: ['PLAY'], zone: HOME_ZONE, nowMs }));
		await close(player);
		await erase(player);
		async function wrong(): Promise<object[]> {
			const client = await db.connect();
			try {
				await client.query('begin');
				const found: object[] = [];
				for (const { run } of LIABILITY_CHECKS) found.push((await run(client, sealKeys([LEDGER_KEY]))).wrong ?? {});
				return found;
			} finally {
				await client.query('rollback');
				client.release();
			}
		}
		expect(await wrong()).toEqual([{}, {}]);
		const rename = (name: string) =>
			db.query('update player set user_name = $2 where player_id = $1', [other.userId, name]);
		await rename('another');
		expect(await wrong()).toMatchObject([{}, { player: other.userId, is: 'another’s leaf' }]);
		await rename(other.userName);
	});

	it('leaves no note and no tag anywhere, and whoever has the name next none of the acts about it', async () => {
		const player = await signUp(server);
		const { userName } = player;
		await asha.result('player-note', { ...of(player), note: 'lives with a walrus' });
		await asha.result('player-tag', { ...of(player), tag: 'walruses', on: true });
		await asha.result('player-freeze', { userName, host: 'localhost', reason: 'a stolen phone' });
		await close(player);
		await erase(player);
		expect(await tablesWith(['walrus'])).toEqual([]);
		const made = { userName, password: 'Another-Passw0rd', host: 'localhost' };
		const next = await server.act<{ playerId: string }>('create-player', made);
		type Page = { journal: { act: string }[] };
		const actsOn = async (playerId: string) =>
			(await asha.result<Page>('player', { playerId })).journal.map(({ act }) => act);
		expect(await actsOn(next.playerId)).not.toContain('player-freeze');
		expect(await actsOn(next.playerId)).toContain('create-player');
	});

	it('needs two members of compliance, of whom none is the person', async () => {
		const player = await signUp(server);
		await close(player);
		const { proposalId } = await asha.result<{ proposalId: string }>('propose', asked(player));
		expect(await asha.code('confirm', { proposalId })).toBe('SAME_PERSON');
		expect(await (await member('chitra', 'support')).code('propose', asked(player))).toBe('FORBIDDEN');
		await server.act('staff-player-link', { name: 'bala', ...of(player) });
		expect(await bala.code('confirm', { proposalId })).toBe('SAME_PERSON');
		await server.act('staff-player-unlink', { name: 'bala', ...of(player) });
		// Not by the word of a member whose own account it turned out to be since.
		await server.act('staff-player-link', { name: 'asha', ...of(player) });
		expect(await bala.code('confirm', { proposalId })).toBe('PROPOSER_LEFT');
		await server.act('staff-player-unlink', { name: 'asha', ...of(player) });
		expect(server.running.players.isErased(player.userId)).toBe(false);
	});

	it('is harmless when it is repeated, at once and later, and frees the name', async () => {
		const player = await signUp(server);
		await close(player);
		const proposals = [
			await asha.result<{ proposalId: string }>('propose', asked(player)),
			await asha.result<{ proposalId: string }>('propose', asked(player)),
		];
		await Promise.all(proposals.map((proposed) => bala.result('confirm', { proposalId: proposed.proposalId })));
		await erase(player);
		expect(server.running.players.nameOf(player.userId)).toBe(`${player.userId} (erased)`);
		const again = { userName: player.userName, password: 'Another-Passw0rd', host: 'localhost' };
		expect(Number((await server.act<{ playerId: string }>('create-player', again)).playerId)).not.toBe(player.userId);
	});
});

describe('a log-in', () => {
	it('that is under way opens nothing, and one that is open ends', async () => {
		const player = await signUp(server);
		await close(player);
		const answers: Awaited<ReturnType<typeof logIn>>[] = [];
		await erase(player, async () => {
			for (let round = 0; round < 3; round++)
				answers.push(...(await Promise.all([logIn(player), logIn(player), logIn(player)])));
		});
		const tokens = [player.token, ...answers.flatMap(({ body }) => body.result?.accessToken ?? [])];
		for (const token of tokens) expect((await server.call('getUserInfo', {}, token)).code).toBe('LOGIN_EXPIRED');
		expect((await logIn(player)).code).toBe('WRONG_CREDENTIALS');
		expect(server.running.players.loginsOf(player.userId)).toEqual([]);
	});
});

describe('it is refused in words', () => {
	it('while the account is open, a break runs, a bet, a withdrawal, a complaint or a case is open', async () => {
		const player = await signUp(server);
		expect(await hindrance(player)).toBe('WRONG_STATE The account is not closed. Close it first.');
		await server.result('takeTimeOut', { hours: 24 }, player.token);
		await close(player);
		expect(await hindrance(player)).toMatch(/^WRONG_STATE The player is on a break until /);

		const [better, layer] = [await signUp(server), await signUp(server)];
		const match = await openTestMatch(server);
		await server.result('placeBetV2', betOn(match, { side: 'BACK' }), better.token);
		await server.result('placeBetV2', betOn(match, { side: 'LAY' }), layer.token);
		await close(better);
		expect(await hindrance(better)).toMatch(/^WRONG_STATE The player has open bets/);

		const payee = await signUp(server);
		const details = { method: 'UPI', upiId: 'ravi@okbank' };
		await server.raw('createWithdrawal', { amount: 500, details, clientRequestId: freshRequestId() }, payee.token);
		await close(payee);
		expect(await hindrance(payee)).toMatch(/^WRONG_STATE WITHDRAWAL \d+ is REQUESTED. It has to end first.$/);

		const critic = await signUp(server);
		await server.result('openTicket', { ...message('a complaint'), kind: 'COMPLAINT' }, critic.token);
		await close(critic);
		expect(await hindrance(critic)).toMatch(/^WRONG_STATE Complaint \d+ is open/);

		const pair = await newPair(server);
		await arrangeLosses(server, pair, 3);
		await server.running.caseSweep.look();
		await close(pair.one);
		expect(await hindrance(pair.one)).toMatch(/^WRONG_STATE Case \d+ is about the player/);

		const demo = await server.demoPlayer();
		expect(await hindrance(demo)).toMatch(/^FORBIDDEN Nothing is known of a demo player/);
	});

	it('at the confirmation, when a withdrawal was asked for since the proposal', async () => {
		const player = await signUp(server);
		await close(player);
		const { proposalId } = await asha.result<{ proposalId: string }>('propose', asked(player));
		const details = { method: 'UPI', upiId: 'ravi@okbank' };
		const wanted = { amount: 500, details, clientRequestId: freshRequestId() };
		expect((await server.raw('createWithdrawal', wanted, player.token)).code).toBeNull();
		expect(await bala.code('confirm', { proposalId })).toBe('WRONG_STATE');
		expect((await server.call('getUserInfo', {}, player.token)).code).toBeNull();
	});
});

it('an excluded person stays excluded on every brand, also after a restart', async () => {
	const player = await signUp(server);
	await asha.result('player-exclude', { ...of(player), months: 6, ...REASON });
	await close(player);
	await erase(player);
	const barOf = ({ userId }: Player) => server.running.funds.protection.barOf(userId)?.code;
	const elsewhere = await signUpElsewhere(server, player.mobile);
	expect(barOf(elsewhere)).toBe('EXCLUDED');
	const { database } = server;
	await server.stop();
	server = await TestServer.start(database);
	const again = await signUp(server, { mobile: player.mobile });
	expect([barOf(player), barOf(elsewhere), barOf(again)]).toEqual(['EXCLUDED', 'EXCLUDED', 'EXCLUDED']);
	expect(await tablesWith([player.mobile])).toContain('exclusion');
	expect((await logIn(player)).code).toBe('WRONG_CREDENTIALS');
});
