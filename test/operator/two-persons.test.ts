/** Acts that one member proposes and another confirms: results and their reversal. */
import type * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Proposal } from '#contract/operators/proposals.ts';
import { hashPassword } from '#server/people/players/passwords.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { expectSound } from '../support/audit.ts';
import { mainlyEach } from '../support/main-rows.ts';
import { betOn, openTestMatch, type TestMatch } from '../support/match.ts';
import { onSeeds } from '../support/seeds.ts';
import { type Player, TestServer } from '../support/server.ts';
import { underWayTogether } from '../support/under-way.ts';
import { ConsoleClient } from './console-client.ts';

type ProposalView = v.InferOutput<typeof Proposal>;
const PASSWORD = 'Correct-horse-9';

let server: TestServer;
let maker: ConsoleClient;
let checker: ConsoleClient;
beforeAll(async () => {
	server = await TestServer.start();
	maker = await member('maker');
	checker = await member('checker');
});
afterAll(() => server.dispose());

async function member(name: string): Promise<ConsoleClient> {
	const by = { actor: 'test', address: null };
	const passwordHash = await hashPassword(PASSWORD);
	await server.running.staff.directory.add({ name, passwordHash, roles: ['owner'], brands: null }, by);
	return await loggedIn(name);
}

async function loggedIn(name: string): Promise<ConsoleClient> {
	const client = new ConsoleClient(server.url);
	await client.result('log-in', { name, password: PASSWORD });
	return client;
}

const propose = (act: string, input: object) =>
	maker.result<ProposalView>('propose', { act, input, reason: 'the umpire said so' });

/** A match with random bets of some players, which is suspended. */
async function playedMatch(seed: number): Promise<{ match: TestMatch; players: Player[] }> {
	const random = new SeededNumbers(seed);
	const match = await openTestMatch(server);
	const players = await Promise.all(Array.from({ length: 4 }, () => server.demoPlayer()));
	for (let turn = 0; turn < 12; turn++) {
		const { token } = players[random.below(players.length)] as Player;
		const side = random.chance(50) ? ('BACK' as const) : ('LAY' as const);
		const price = [1.5, 2, 2.36, 3.05][random.below(4)];
		await server.call('placeBetV2', betOn(match, { side, price, stake: 10 + random.below(90_00) / 100 }), token);
	}
	await maker.result('suspend', { marketId: match.marketId });
	return { match, players };
}

/** Each wallet's net and commission as the ledger has them, major units. */
async function settled(marketId: string) {
	const { rows } = await server.database.db.query<{ who: string; net: number; commission: number }>(
		`select wallet_id::text as who, net, commission from player_settlement where market_id = $1 order by wallet_id`,
		[Number(marketId)],
	);
	return rows.map(({ who, net, commission }) => ({ who, net: net / 100, commission: commission / 100 }));
}

describe('a result', () => {
	onSeeds([1, 2, 3, 4, 5], 'moves exactly what its proposal showed (seed %i)', async (seed) => {
		const { match } = await playedMatch(seed);
		const { marketId } = match;
		const { proposalId, preview } = await propose('settle', { marketId, winners: ['India'] });
		expect(server.running.exchange.market(Number(marketId))?.status).toBe('SUSPENDED');
		expect(await checker.result('confirm', { proposalId })).toMatchObject({ state: 'APPLIED', decidedBy: 'checker' });
		const shown = preview.lines.filter(({ what }) => what === 'wins' || what === 'loses');
		const commissions = new Map(
			preview.lines.filter(({ what }) => what === 'pays commission').map(({ who, amount }) => [who, -amount]),
		);
		const wanted = shown.map(({ who, amount }) => ({ who, net: amount, commission: commissions.get(who) ?? 0 }));
		expect(wanted).not.toEqual([]);
		expect(await settled(marketId)).toEqual(wanted.sort((one, other) => Number(one.who) - Number(other.who)));
	});

	mainlyEach<[string, number, boolean]>(
		[
			['a market that stands', 11, false],
			['a market that stands', 12, false],
			['a settled market', 13, true],
			['a settled market', 14, true],
			['a settled market', 15, true],
		],
		([, seed]) => seed === 11 || seed === 13,
	)('whose bets are void moves exactly what the proposal showed, in %s (seed %i)', async (_, seed, isSettled) => {
		const { match, players } = await playedMatch(seed);
		const { marketId } = match;
		const settle = async () => {
			const { proposalId } = await propose('settle', { marketId, winners: ['India'] });
			await checker.result('confirm', { proposalId });
		};
		const { rows } = await server.database.db.query<{ bet: string }>(
			'select maker_bet_id::text as bet from bet_match where market_id = $1 limit 1',
			[Number(marketId)],
		);
		if (isSettled) await settle();
		const money = () => players.map((player) => server.money(player));
		const before = money();
		const { proposalId, preview } = await propose('void-bets', { marketId, betId: rows[0]?.bet });
		expect(await checker.result('confirm', { proposalId })).toMatchObject({ state: 'APPLIED' });
		expect(server.running.exchange.market(Number(marketId))?.status).toBe(isSettled ? 'SETTLED' : 'SUSPENDED');
		const shown = players.map(({ userId }) =>
			preview.lines.reduce((sum, { who, amount }) => sum + (who === String(userId) ? Math.round(amount * 100) : 0), 0),
		);
		const moved = money().map(([cash = 0], at) => Math.round((cash - (before[at]?.[0] ?? 0)) * 100));
		expect(moved).toEqual(shown);
		expect(shown.some((amount) => amount !== 0)).toBe(true);
		if (!isSettled) await settle();
	});

	it('whose bets one member would void alone stays as it was', async () => {
		const { match, players } = await playedMatch(16);
		const { marketId } = match;
		const { rows } = await server.database.db.query<{ bet: string }>(
			'select maker_bet_id::text as bet from bet_match where market_id = $1 limit 1',
			[Number(marketId)],
		);
		const money = () => players.map((player) => server.money(player));
		const before = money();
		expect(await maker.code('void-bets', { marketId, betId: rows[0]?.bet })).toBe('SAME_PERSON');
		const { proposalId } = await propose('void-bets', { marketId, betId: rows[0]?.bet });
		expect(await maker.code('confirm', { proposalId })).toBe('SAME_PERSON');
		expect(money()).toEqual(before);
		await checker.result('confirm', { proposalId });
		expect(money()).not.toEqual(before);
	});

	it('has no bet of a member’s own void by that member’s word', async () => {
		const { match } = await playedMatch(18);
		const { marketId } = match;
		const { rows } = await server.database.db.query<{ bet: string; wallet: string }>(
			`select maker_bet_id::text as bet, wallet_id::text as wallet from bet_match join bet on bet_id = maker_bet_id
			 where bet_match.market_id = $1 limit 1`,
			[Number(marketId)],
		);
		const [{ bet, wallet } = { bet: '', wallet: '' }] = rows;
		const bettor = await member('bettor');
		await server.act('staff-player-link', { name: 'bettor', playerId: wallet });
		const input = { marketId, betId: bet };
		const asked = { act: 'void-bets', input, reason: 'a palpable error' };
		expect(await bettor.code('preview', { act: 'void-bets', input })).toBe('SAME_PERSON');
		expect(await bettor.code('propose', asked)).toBe('SAME_PERSON');
		const { proposalId } = await propose('void-bets', input);
		expect(await bettor.code('confirm', { proposalId })).toBe('SAME_PERSON');
		await checker.result('confirm', { proposalId });
	});

	it('is not confirmed by the member who proposed it, in any session or role', async () => {
		const { match } = await playedMatch(6);
		const { proposalId } = await propose('settle', { marketId: match.marketId, winners: ['Nepal'] });
		const { directory } = server.running.staff;
		const { staffId = 0 } = directory.byName('maker') ?? {};
		await directory.setRoles(staffId, ['trader', 'risk'], null, { actor: 'test', address: null });
		const elsewhere = new ConsoleClient(server.url);
		await elsewhere.result('log-in', { name: 'MAKER ', password: PASSWORD });
		expect(await maker.code('confirm', { proposalId })).toBe('SAME_PERSON');
		expect(await elsewhere.code('confirm', { proposalId })).toBe('SAME_PERSON');
		expect(await elsewhere.code('settle', { marketId: match.marketId, winners: ['Nepal'] })).toBe('SAME_PERSON');
		expect(await settled(match.marketId)).toEqual([]);
		await directory.setRoles(staffId, ['owner'], null, { actor: 'test', address: null });
	});

	it('that was proposed by a member who was removed since, or may propose none any more, is proposed again', async () => {
		const { match } = await playedMatch(17);
		const { directory } = server.running.staff;
		const by = { actor: 'test', address: null };
		const input = { marketId: match.marketId, winners: ['India'] };
		const leaving = await member('leaving');
		const asked = { act: 'settle', input, reason: 'the umpire said so' };
		const { proposalId } = await leaving.result<ProposalView>('propose', asked);
		const { staffId = 0 } = directory.byName('leaving') ?? {};
		const offered = async () => {
			const listed = await checker.result<ProposalView[]>('proposals', {});
			const { mayConfirm, hasProposerLeft, mayWithdraw } = listed.find((one) => one.proposalId === proposalId) ?? {};
			return { mayConfirm, hasProposerLeft, mayWithdraw };
		};
		expect(await offered()).toEqual({ mayConfirm: true, hasProposerLeft: false, mayWithdraw: true });
		await directory.setRoles(staffId, ['auditor'], null, by);
		expect(await offered()).toEqual({ mayConfirm: false, hasProposerLeft: true, mayWithdraw: true });
		expect(await checker.code('confirm', { proposalId })).toBe('PROPOSER_LEFT');
		await directory.setRoles(staffId, ['owner'], null, by);
		expect(await offered()).toEqual({ mayConfirm: true, hasProposerLeft: false, mayWithdraw: true });
		await directory.remove(staffId, by);
		expect(await checker.code('confirm', { proposalId })).toBe('PROPOSER_LEFT');
		expect(await settled(match.marketId)).toEqual([]);
		expect(await checker.result('withdraw', { proposalId })).toMatchObject({ state: 'WITHDRAWN' });
		const anew = await propose('settle', input);
		await checker.result('confirm', { proposalId: anew.proposalId });
		expect(await settled(match.marketId)).not.toEqual([]);
	});

	it('is not confirmed by a member who loses the right while another confirmation has its turn', async () => {
		const losing = await member('losing');
		const by = { actor: 'test', address: null };
		const { directory } = server.running.staff;
		const host = 'dune.localhost';
		const set = (field: string, value: string) => propose('brand-set-guarded', { host, field, value });
		const [first, second] = [await set('signUpCoins', '61'), await set('dailyCoins', '62')];
		const codes = await underWayTogether(server.database.db, host, async (begun) => {
			const confirming = checker.code('confirm', { proposalId: first.proposalId });
			await begun('brand-set-guarded', 1);
			const waiting = losing.code('confirm', { proposalId: second.proposalId });
			await begun('confirm', 2);
			await directory.setRoles(directory.byName('losing')?.staffId ?? 0, ['auditor'], null, by);
			return [confirming, waiting];
		});
		expect(codes).toEqual(['', 'FORBIDDEN']);
		expect(server.running.brands.byHost(host)?.setting).toMatchObject({ signUpCoins: 61 });
		expect(server.running.brands.byHost(host)?.setting.dailyCoins).not.toBe(62);
	});

	it('is applied once by confirmations at the same time', async () => {
		const { match } = await playedMatch(7);
		const { proposalId } = await propose('settle', { marketId: match.marketId, winners: ['India'] });
		const third = await member('third');
		const codes = await Promise.all(
			[checker, third, checker, third].map((client) => client.code('confirm', { proposalId })),
		);
		expect(codes.sort()).toEqual(['', 'WRONG_STATE', 'WRONG_STATE', 'WRONG_STATE']);
		expect(await settled(match.marketId)).not.toEqual([]);
	});

	it('and the voiding of a bet do not both apply what they showed when both are confirmed at once', async () => {
		for (let turn = 0; turn < 4; turn++) {
			const { match } = await playedMatch(20 + turn);
			const { marketId } = match;
			const { rows } = await server.database.db.query<{ bet: string }>(
				'select maker_bet_id::text as bet from bet_match where market_id = $1 limit 1',
				[Number(marketId)],
			);
			const settle = await propose('settle', { marketId, winners: ['India'] });
			const voiding = await propose('void-bets', { marketId, betId: rows[0]?.bet });
			const both = turn % 2 === 0 ? [settle, voiding] : [voiding, settle];
			const codes = await Promise.all(both.map(({ proposalId }) => checker.code('confirm', { proposalId })));
			expect(
				codes.filter((code) => code === ''),
				codes.join(),
			).toHaveLength(1);
		}
	});

	it('whose confirmation a kill interrupted can be confirmed again after the start, and is applied once as shown', async () => {
		const { match } = await playedMatch(8);
		const { proposalId, preview } = await propose('settle', { marketId: match.marketId, winners: ['India'] });
		const { database } = server;
		await server.stop();
		// What a kill leaves between the confirmation and its end.
		await database.db.query(`update proposal set state = 'APPLYING' where proposal_id = $1`, [proposalId]);
		server = await TestServer.start(database);
		[maker, checker] = [await loggedIn('maker'), await loggedIn('checker')];
		const open = await maker.result<ProposalView[]>('proposals', { open: true });
		expect(open.find((one) => one.proposalId === proposalId)).toMatchObject({ state: 'OPEN', preview });
		const codes = await Promise.all([checker, checker].map((client) => client.code('confirm', { proposalId })));
		expect(codes.sort()).toEqual(['', 'WRONG_STATE']);
		const shown = preview.lines.filter(({ what }) => what === 'wins' || what === 'loses');
		expect((await settled(match.marketId)).map(({ who, net }) => [who, net]).sort()).toEqual(
			shown.map(({ who, amount }) => [who, amount]).sort(),
		);
	});

	it('is refused when the market moved on after it was proposed', async () => {
		const { match, players } = await playedMatch(8);
		const { marketId } = match;
		const { proposalId } = await propose('settle', { marketId, winners: ['India'] });
		const { proposalId: second } = await propose('settle', { marketId, winners: ['Nepal'] });
		await maker.result('resume', { marketId });
		await server.result('placeBetV2', betOn(match, { price: 2, stake: 50 }), players[0]?.token ?? '');
		await server.result('placeBetV2', betOn(match, { side: 'LAY', price: 2, stake: 50 }), players[1]?.token ?? '');
		expect(await checker.code('confirm', { proposalId })).toBe('MARKET_NOT_SUSPENDED');
		await maker.result('suspend', { marketId });
		expect(await checker.code('confirm', { proposalId: second })).toBe('WRONG_STATE');
		expect(await settled(marketId)).toEqual([]);
	});

	it('needs a market that takes no bets', async () => {
		const { marketId } = await openTestMatch(server);
		const input = { act: 'settle', input: { marketId, winners: ['India'] }, reason: 'too early' };
		expect(await maker.code('propose', input)).toBe('MARKET_NOT_SUSPENDED');
	});

	it('is taken back, voided and withdrawn by two persons, and the ledger is sound', async () => {
		const { match } = await playedMatch(9);
		const { marketId } = match;
		const confirmed = async (act: string, input: object) => {
			const { proposalId } = await propose(act, input);
			await checker.result('confirm', { proposalId });
		};
		await confirmed('settle', { marketId, winners: ['India'] });
		await confirmed('reopen', { marketId });
		const { proposalId } = await propose('settle', { marketId, winners: ['Nepal'] });
		expect(await checker.result('withdraw', { proposalId })).toMatchObject({ state: 'WITHDRAWN' });
		expect(await checker.code('confirm', { proposalId })).toBe('WRONG_STATE');
		await confirmed('void', { marketId });
		expect(server.running.exchange.market(Number(marketId))?.status).toBe('VOIDED');
		await expectSound(server.database.db);
	});
});

describe('a change of a brand', () => {
	it('is in the brand’s history with its roll-back, and each can be set back', async () => {
		const host = 'dune.localhost';
		const title = () => server.running.brands.byHost(host)?.setting.domainTitle;
		const before = title();
		const history = async () =>
			(await maker.result<{ history: { seq: number; field: string; after: unknown }[] }>('brand-show', { host }))
				.history;
		await maker.result('brand-set', { host, field: 'domainTitle', value: 'An evening' });
		const [set] = await history();
		expect(await maker.code('brand-roll-back', { host, seq: set?.seq, field: 'theme' })).toBe('NOT_FOUND');
		await maker.result('brand-roll-back', { host, seq: set?.seq, field: 'domainTitle' });
		expect(title()).toBe(before);
		const [back] = await history();
		expect(back).toMatchObject({ field: 'domainTitle', before: 'An evening', after: before });
		await maker.result('brand-roll-back', { host, seq: back?.seq, field: 'domainTitle' });
		expect(title()).toBe('An evening');
	});

	it.each([
		['currency', 'EUR'],
		['pool', 'REAL'],
		['nosuch', '1'],
		['campaigns', '[{"id":"x"}]'],
		['signUpCoins', '-5'],
		['__proto__', '{}'],
		['themeTokens.__proto__', '"#fff"'],
		['themeTokens.constructor', '"#fff"'],
	])('that is invalid is refused when it is proposed: %s = %s', async (field, value) => {
		const input = { host: 'royal.localhost', field, value };
		const before = server.running.brands.byHost('royal.localhost')?.json;
		expect(await maker.code('propose', { act: 'brand-set-guarded', input, reason: 'a test' })).toBe(
			'VALIDATION_FAILED',
		);
		expect((await server.operator('brand-set', input)).code).toBe('VALIDATION_FAILED');
		expect(server.running.brands.byHost('royal.localhost')?.json).toBe(before);
	});

	it('that concerns money is refused to one member, and made by two', async () => {
		const change = { host: 'royal.localhost', field: 'signUpCoins', value: '5' };
		const coins = () => server.running.brands.byHost('royal.localhost')?.setting.signUpCoins;
		const before = coins();
		expect(await maker.code('brand-set', change)).toBe('SAME_PERSON');
		expect(await maker.code('brand-set-guarded', change)).toBe('SAME_PERSON');
		const { proposalId } = await propose('brand-set-guarded', change);
		expect(coins()).toBe(before);
		await checker.result('confirm', { proposalId });
		expect(coins()).toBe(5);
	});
});

describe('campaigns of a brand', () => {
	it('that two members stop at the same time do not come back', async () => {
		const host = 'dune.localhost';
		const campaigns = ['one', 'two'].map((id) => ({ id, title: id, kind: 'FREE_COINS', amount: 10 }));
		await server.act('brand-set', { host, field: 'campaigns', value: JSON.stringify(campaigns) });
		const left = () => server.running.brands.byHost(host)?.setting.campaigns.map(({ id }) => id);
		const codes = await underWayTogether(server.database.db, host, async (begun) => {
			const asked = campaigns.map(({ id }, at) => (at === 0 ? maker : checker).code('campaign-stop', { host, id }));
			await begun('campaign-stop', 2);
			return asked;
		});
		expect(codes.toSorted()).toEqual(['', 'WRONG_STATE']);
		const [id] = left() ?? [];
		expect(left()).toEqual([campaigns[codes.indexOf('WRONG_STATE')]?.id]);
		await maker.result('campaign-stop', { host, id });
		expect(left()).toEqual([]);
	});
});

describe('a market that its feed has suspended', () => {
	it('stays suspended when a trader suspends the event', async () => {
		const match = await openTestMatch(server);
		await match.market.suspend();
		await maker.result('panic', { eventId: match.eventId });
		expect(server.running.exchange.market(Number(match.marketId))?.heldByOperator).toBe(true);
	});
});

describe('staff of one brand', () => {
	it('sees and decides no proposal about what brands share', async () => {
		const { match } = await playedMatch(10);
		const { proposalId } = await propose('void', { marketId: match.marketId });
		const by = { actor: 'test', address: null };
		const passwordHash = await hashPassword(PASSWORD);
		const of = { name: 'of royal', passwordHash, roles: ['owner'], brands: ['royal.localhost'] };
		await server.running.staff.directory.add(of, by);
		const client = new ConsoleClient(server.url);
		await client.result('log-in', { name: 'of royal', password: PASSWORD });
		const seen = await client.result<ProposalView[]>('proposals', {});
		expect(seen.filter((one) => one.proposalId === proposalId)).toEqual([]);
		expect(await client.code('withdraw', { proposalId })).toBe('FORBIDDEN');
		expect(await client.code('confirm', { proposalId })).toBe('FORBIDDEN');
	});
});

describe('roles', () => {
	it('change by two persons, and a new member gets a password that is shown once', async () => {
		const asked = { act: 'staff-add', input: { name: 'night trader', roles: ['trader'] }, reason: 'nights are long' };
		const { proposalId, half } = await maker.result<ProposalView & { half: string }>('propose', asked);
		const { result } = await checker.result<{ result: { initialPassword: string; staffId: string } }>('confirm', {
			proposalId,
		});
		const client = new ConsoleClient(server.url);
		// Neither of the two members has the whole password.
		for (const part of [half, result.initialPassword])
			expect(await client.code('log-in', { name: 'night trader', password: part })).toBe('WRONG_CREDENTIALS');
		await client.result('log-in', { name: 'night trader', password: `${half}${result.initialPassword}` });
		expect(await client.code('staff-list', {})).toBe('FORBIDDEN');
		const { proposalId: roles } = await propose('staff-roles', {
			staffId: result.staffId,
			roles: ['auditor'],
			brands: null,
		});
		await checker.result('confirm', { proposalId: roles });
		expect(await client.code('staff-list', {})).toBe('');
		const { rows } = await server.database.db.query<{ text: string }>(
			'select concat(details, before, after) as text from journal union all select concat(input, preview) from proposal',
		);
		expect(rows.filter(({ text }) => text.includes(result.initialPassword) || text.includes(half))).toEqual([]);
	});
});
