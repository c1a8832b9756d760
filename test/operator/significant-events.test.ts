/** Significant events: what the ledger and the journal record of a period, by kind, brand and amount. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { OperatorResult } from '#contract/operators/operator-call.ts';
import { OPERATOR_CALLS } from '#contract/operators/registry.ts';
import { EVENT_KIND_NAMES } from '#contract/operators/significant-events.ts';
import { JOURNAL_KINDS, ORDINARY } from '#server/operators/significant-events/journal-kinds.ts';
import { hashPassword } from '#server/people/players/passwords.ts';
import { DAY_MS } from '#values/time.ts';
import { dayName, dayOf, HOME_ZONE } from '#values/zoned-calendar.ts';
import { adjust } from '../support/adjustment.ts';
import { betOn, openTestMatch } from '../support/match.ts';
import { type Player, TestServer } from '../support/server.ts';
import { signUp } from '../support/sign-up.ts';
import { ConsoleClient } from './console-client.ts';

type Answer = OperatorResult<(typeof OPERATOR_CALLS)['significant-events']>;

const PASSWORD = 'Correct-horse-9';
const dateOf = (atMs: number) => dayName(dayOf(atMs, HOME_ZONE));
/** Both days of a test that runs over midnight. */
const PERIOD = { from: dateOf(Date.now()), to: dateOf(Date.now() + DAY_MS) };

let server: TestServer;
let owner: ConsoleClient;
let ofRoyal: ConsoleClient;
beforeAll(async () => {
	server = await TestServer.start();
	owner = await member('owner of all', null);
	ofRoyal = await member('of royal', ['royal.localhost']);
});
afterAll(() => server.dispose());

async function member(name: string, brands: string[] | null): Promise<ConsoleClient> {
	const passwordHash = await hashPassword(PASSWORD);
	const about = { name, passwordHash, roles: ['owner'], brands };
	await server.running.staff.directory.add(about, { actor: 'test', address: null });
	const client = new ConsoleClient(server.url);
	await client.result('log-in', { name, password: PASSWORD });
	return client;
}

const events = async (asked: object, by = owner) =>
	(await by.result<Answer>('significant-events', { ...PERIOD, ...asked })).rows;
const ofPlayer = (kind: string, { userId }: Player) => events({ kind, playerId: String(userId) });

/** Two members agree upon a brand's amount. */
async function agreed(field: string, value: string): Promise<void> {
	const input = { host: 'localhost', field: `significantEvents.${field}`, value };
	expect(await owner.code('brand-set', input)).not.toBe('');
	const { proposalId } = await owner.result<{ proposalId: string }>('propose', {
		act: 'brand-set-guarded',
		input,
		reason: 'as the licence says',
	});
	const other = await member(`second for ${value}`, null);
	await other.result('confirm', { proposalId });
}

/** Plays a market in which a back of 100 at 3 wins 200, less 2 % of commission. */
async function win(): Promise<{ winner: Player; loser: Player }> {
	const match = await openTestMatch(server);
	const [winner, loser] = [await signUp(server), await signUp(server)];
	await server.result('placeBetV2', betOn(match, { price: 3, stake: 100 }), winner.token);
	await server.result('placeBetV2', betOn(match, { side: 'LAY', price: 3, stake: 100 }), loser.token);
	await match.settle(0);
	return { winner, loser };
}

it('a win is one if it is larger than the amount that two members had agreed upon when it happened', async () => {
	await agreed('winAbove', '196');
	const asLarge = await win();
	await agreed('winAbove', '195');
	const larger = await win();
	await agreed('winAbove', '1000');
	const later = await win();
	expect(await ofPlayer('win', asLarge.winner)).toEqual([]);
	expect(await ofPlayer('win', larger.winner)).toMatchObject([{ amount: 196, brand: 'localhost', kind: 'win' }]);
	for (const { loser } of [larger, later]) expect(await ofPlayer('win', loser)).toEqual([]);
	expect(await ofPlayer('win', later.winner)).toEqual([]);
	const changes = await events({ kind: 'parameter', brand: 'localhost' });
	expect(changes[0]).toMatchObject({
		actor: 'second for 1000',
		before: { significantEvents: { winAbove: 195 } },
		after: { significantEvents: { winAbove: 1000 } },
	});
});

/** What the player won in each of a few rounds; at 1.94 that is 9.40. */
async function winsOfRounds(player: Player): Promise<number[]> {
	const asked = () => ({ game: 'coin-flip', bets: [{ bet: 'heads', stake: 10 }], clientRequestId: randomUUID() });
	const wins: number[] = [];
	while (wins.length < 2) {
		const { round } = await server.result('playRound', asked(), player.token);
		if (round.payout > 0) wins.push(round.payout - 10);
	}
	return wins;
}

it('a round of the casino is one by what it won, and not by what it paid', async () => {
	const player = await signUp(server);
	await server.beginSeeds(player);
	await agreed('winAbove', '10');
	await winsOfRounds(player);
	expect(await ofPlayer('win', player)).toEqual([]);
	await agreed('winAbove', '9');
	const wins = await winsOfRounds(player);
	const found = await ofPlayer('win', player);
	expect(found).toMatchObject(wins.map(() => ({ what: 'coin-flip', brand: 'localhost', outcome: 'done' })));
	expect(found.map(({ amount }) => amount)).toEqual(wins.map(() => 9.4));
});

it('every adjustment is one, every balance below zero, and deposits and payouts above the amount', async () => {
	const player = await signUp(server);
	await adjust(server, player, -20_005);
	await adjust(server, player, 10);
	expect(await ofPlayer('adjustment', player)).toMatchObject([{ amount: 10 }, { amount: 20_005 }]);
	expect(await ofPlayer('overdraft', player)).toMatchObject([{ amount: -5, what: 'ADJUSTMENT' }]);
	await agreed('transferAbove', '499');
	const [large] = [await deposited(player, 500), await deposited(player, 499)];
	expect(await ofPlayer('transfer', player)).toMatchObject([{ amount: 500, about: `PAYMENT ${large}` }]);
	const other = await signUp(server);
	const [, payout] = [await paidOut(other, 499), await paidOut(other, 501)];
	expect(await ofPlayer('transfer', other)).toMatchObject([{ amount: 501, about: `WITHDRAWAL ${payout}` }]);
});

/** A withdrawal that an operator approves and the provider pays. */
async function paidOut({ token }: Player, amount: number): Promise<string> {
	const details = { method: 'UPI', upiId: 'ravi@okbank' } as const;
	const asked = { amount, details, clientRequestId: randomUUID() };
	const id = (await server.result('createWithdrawal', asked, token)).id.replace('WITHDRAWAL-', '');
	const decision = {
		kind: 'WITHDRAWAL',
		id: Number(id),
		event: 'approve',
		operator: 'asha',
		reason: 'looked at',
	} as const;
	await server.running.funds.decisions.decide(decision);
	const paid = async () =>
		(await server.result('getDepositWithdrawals', {}, token)).items.find((one) => one.id.endsWith(`-${id}`))?.status;
	await expect.poll(paid).toBe('PAID');
	return id;
}

async function deposited({ token }: Player, amount: number): Promise<string> {
	const { orderId } = await server.result('generatePayment', { amount, clientRequestId: randomUUID() }, token);
	const status = async () => (await server.result('checkPayment', { orderId }, token)).status;
	await expect.poll(status).toBe('SUCCESS');
	return orderId;
}

it('failed log-ins are, of players and of staff; those that succeed are not', async () => {
	const password = 'Wrong-horse-9';
	await server.call('authenticate', { userNameOrEmailAddress: 'nobody', password });
	await new ConsoleClient(server.url).code('log-in', { name: 'of royal', password });
	const found = await events({ kind: 'log-in' });
	expect(found.map(({ actor, outcome }) => [actor, outcome])).toEqual([
		['of royal', 'WRONG_CREDENTIALS'],
		['unknown', 'WRONG_CREDENTIALS'],
	]);
});

it('acts that change, correct or bar are, and each once, with the state before and after', async () => {
	const player = await signUp(server);
	const playerId = String(player.userId);
	await owner.result('player-freeze', { playerId, reason: 'for the test' });
	await owner.result('player-note', { playerId, note: 'of every day' });
	const found = await events({ playerId });
	expect(found.map(({ kind, what, actor }) => [kind, what, actor])).toEqual([
		['account', 'ACCOUNT_FROZEN', 'owner of all'],
	]);
	expect(found[0]).toMatchObject({ before: { frozen: null }, after: { frozen: 'for the test' } });
});

it('a member of single brands sees the events of these alone, and what is refused to a member is one of its own', async () => {
	expect(await events({}, ofRoyal)).toEqual([]);
	expect(await ofRoyal.code('brand-set', { host: 'localhost', field: 'description', value: 'mine' })).toBe('FORBIDDEN');
	expect(await events({ kind: 'access', brand: 'localhost' })).toMatchObject([
		{ actor: 'of royal', what: 'brand-set', outcome: 'FORBIDDEN' },
	]);
	await owner.result('brand-set', { host: 'royal.localhost', field: 'description', value: 'theirs' });
	expect(await events({}, ofRoyal)).toMatchObject([{ kind: 'parameter', brand: 'royal.localhost' }]);
	expect(await events({ brand: 'localhost' }, ofRoyal)).toEqual([]);
	expect((await events({})).some(({ brand }) => brand === null)).toBe(true);
});

it('what the process finds about itself is, and another digest of the release than the one before', async () => {
	const { db } = server.database;
	const at = Date.parse('2023-12-01T12:00:00Z');
	const [{ seq = 0 } = {}] = (await db.query<{ seq: number }>('select max(seq) as seq from journal')).rows;
	const rows = [
		['files-compared', 'release', { digest: 'a' }],
		['files-compared', 'release', { digest: 'a' }],
		['files-compared', 'release', { digest: 'b' }],
		['alarm-began', 'check disk', { words: 'Full.' }],
		['clock-jumped', 'clock', { byMs: 5_000 }],
		['clock-measured', 'clock', {}],
	] as const;
	for (const [index, [act, subject, details]] of rows.entries())
		await db.query(
			`insert into journal (seq, at, actor, act, subject, details, outcome) values ($1, $2, 'east', $3, $4, $5, 'done')`,
			[seq + 1_000 + index, at + index, act, subject, JSON.stringify(details)],
		);
	await db.query(
		`insert into game_chain (game, number, commitment, length, salt, return_percent, is_development, key_id, secret,
		   first_round, owner, begun_at, replaced)
		 values ('roulette', 900, 'c', 1, 's', 97, false, 'k', '', 1, 'east', $1, 'BEACON')`,
		[at + 10],
	);
	const found = await events({ from: '2023-12-01', to: '2023-12-01' });
	expect(found.map(({ kind, about }) => [kind, about])).toEqual([
		['random', 'roulette 900'],
		['clock', 'clock'],
		['component', 'check disk'],
		['release', 'release'],
	]);
	expect(found[3]).toMatchObject({ before: { digest: 'a' }, after: { digest: 'b' } });
	expect(await events({ from: '2023-12-01', to: '2023-12-01' }, ofRoyal)).toEqual([]);
});

it('pages hold each event once, the newest first, also those of one instant', async () => {
	await server.database.db.query(
		`insert into login_attempt (attempt_id, at, brand, player_id, address, succeeded)
		 select 'paged-' || number, 1700000000000 + number / 100, 'localhost', null, '192.0.2.1', false
		 from generate_series(1, 1203) as number`,
	);
	const asked = { from: '2023-11-14', to: '2023-11-16', kind: 'log-in' };
	const ids: string[] = [];
	let before: string | null = '';
	const sizes: number[] = [];
	while (before !== null) {
		const page: Answer = await owner.result<Answer>('significant-events', { ...asked, before });
		sizes.push(page.rows.length);
		ids.push(...page.rows.map(({ id }) => id));
		before = page.next;
	}
	const numbers = ids.map((id) => Number(id.replace('log-in-paged-', '')));
	expect(sizes).toEqual([500, 500, 203]);
	expect(numbers).toEqual(Array.from({ length: 1203 }, (_, at) => 1203 - at));
	expect(await owner.code('significant-events', { ...asked, to: '2023-12-14' })).toBe('');
	expect(await owner.code('significant-events', { ...asked, to: '2023-12-15' })).toBe('VALIDATION_FAILED');
});

it('every act that a member can make is significant or of every day', () => {
	const written = Object.entries(OPERATOR_CALLS).flatMap(([name, { looks }]) => (looks ? [] : [name]));
	const known = new Set<string>([...JOURNAL_KINDS.keys(), ...ORDINARY]);
	expect(
		written.filter((name) => !known.has(name)),
		'Say in journal-kinds.ts what it is.',
	).toEqual([]);
	expect(ORDINARY.filter((name) => JOURNAL_KINDS.has(name))).toEqual([]);
	expect([...JOURNAL_KINDS.values()].filter((kind) => !EVENT_KIND_NAMES.includes(kind))).toEqual([]);
});
