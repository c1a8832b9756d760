/** Results that a feed reports and one member confirms, on markets with real bets. */
import type * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OPERATOR_CALLS } from '#contract/operators/registry.ts';
import type { SettleMarket } from '#engine/command.ts';
import type { Request } from '#server/exchange/exchange.ts';
import { MOST_A_STEP } from '#server/exchange/order/market-walks.ts';
import type { ProposalView } from '#server/operators/proposal-rows.ts';
import { hashPassword } from '#server/people/players/passwords.ts';
import type { Config } from '#server/process/config.ts';
import { REMEMBERED_MS } from '#server/process/housekeeping.ts';
import { LiveFixture } from '#server/world/feeds/simulated/live-fixture.ts';
import { FixtureMarket } from '#server/world/markets/fixture-market.ts';
import type { MarketState } from '#sports/play.ts';
import type { PlayResult } from '#values/play-result.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { expectSound } from '../support/audit.ts';
import { freshDatabase } from '../support/database.ts';
import { feedParts } from '../support/feed-parts.ts';
import { betOn, freshRequestId, openMarketOf, openTestMatch, type TestMatch } from '../support/match.ts';
import { onSeeds } from '../support/seeds.ts';
import { TestServer, testConfig } from '../support/server.ts';
import { ConsoleClient } from './console-client.ts';

const PASSWORD = 'Correct-horse-9';
const PROPOSED: Partial<Config> = { feeds: { ...testConfig('').feeds, proposedResults: ['test'] } };
const INDIA: PlayResult = { winners: [0] };
const NEPAL: PlayResult = { winners: [1] };

type Today = v.InferOutput<(typeof OPERATOR_CALLS)['today']['response']>;

let server: TestServer;
let maker: ConsoleClient;
let checker: ConsoleClient;
beforeAll(async () => {
	server = await TestServer.start(undefined, PROPOSED);
	for (const name of ['maker', 'checker']) await addMember(server, name);
	maker = await logIn(server, 'maker');
	checker = await logIn(server, 'checker');
});
afterAll(async () => {
	await expectSound(server.database.db);
	await server.dispose();
});

async function addMember({ running }: TestServer, name: string): Promise<void> {
	const passwordHash = await hashPassword(PASSWORD);
	await running.staff.directory.add(
		{ name, passwordHash, roles: ['owner'], brands: null },
		{ actor: 'test', address: null },
	);
}

async function logIn({ url }: TestServer, name: string): Promise<ConsoleClient> {
	const client = new ConsoleClient(url);
	await client.result('log-in', { name, password: PASSWORD });
	return client;
}

/** A match with bets that were matched. */
async function playedMatch(on = server): Promise<TestMatch> {
	const match = await openTestMatch(on);
	const [backer, layer] = [await on.demoPlayer(), await on.demoPlayer()];
	for (const stake of [50, 70]) {
		await on.result('placeBetV2', betOn(match, { price: 2.5, stake }), backer.token);
		await on.result('placeBetV2', betOn(match, { side: 'LAY', price: 2.5, stake }), layer.token);
	}
	return match;
}

/** More bets than one command settles: N of each of two players, which match. */
async function placePairs(marketId: number, pairs: number): Promise<void> {
	const { exchange } = server.running;
	const [backer, layer] = [await server.demoPlayer(), await server.demoPlayer()];
	const of = ({ userId }: typeof backer, side: 0 | 1): Request => {
		const stake = 1_000;
		return { kind: 'place-bet', walletId: userId, marketId, runner: 0, side, price: 250, stake, persist: false };
	};
	const orders = Array.from({ length: pairs }, () => [of(backer, 0), of(layer, 1)]);
	await Promise.all(orders.flat().map((order) => exchange.submit(order)));
}

/** The same market as a feed opens it that was started again. */
const openedAgain = ({ market: { fixture, listing } }: TestMatch, { running }: TestServer = server): FixtureMarket => {
	const { exchange, fixtures, resultProposals } = running;
	return new FixtureMarket({ exchange, fixtures, resultProposals }, fixture, listing);
};

const proposalsOf = async ({ marketId }: TestMatch, client = checker): Promise<ProposalView[]> =>
	await client.result<ProposalView[]>('proposals', { marketId, open: false });
const statesOf = async (match: TestMatch) =>
	(await proposalsOf(match)).map(({ state, outcome }) => (outcome && outcome !== 'done' ? outcome : state));
const newestOf = async (match: TestMatch): Promise<ProposalView> => {
	const [newest] = await proposalsOf(match);
	if (!newest) throw new Error('nothing is proposed');
	return newest;
};
const findingsOf = async ({ marketId }: TestMatch) =>
	(await maker.result<Today>('today', {})).findings.filter((each) => each.marketId === marketId);
const statusOf = ({ marketId }: TestMatch, { running }: TestServer = server) =>
	running.exchange.market(Number(marketId))?.status;

/** What each wallet's net and commission came to, major units. */
async function settled({ marketId }: TestMatch): Promise<[who: string, moved: number][]> {
	const { rows } = await server.database.db.query<{ who: string; moved: number }>(
		`select wallet_id::text as who, (net - commission)::int as moved from player_settlement
		 where market_id = $1 order by wallet_id`,
		[Number(marketId)],
	);
	return rows.map(({ who, moved }) => [who, moved / 100]);
}
function shown({ preview }: ProposalView): [who: string, moved: number][] {
	const sums = new Map<string, number>();
	for (const { who, amount } of preview.lines) sums.set(who, (sums.get(who) ?? 0) + amount);
	return [...sums].sort(([one], [other]) => Number(one) - Number(other));
}

describe('a result of a feed', () => {
	it('waits with its preview on every screen, and one member who confirms it settles exactly what it showed', async () => {
		const match = await playedMatch();
		await match.market.settle(INDIA);
		expect(statusOf(match)).toBe('CLOSED');
		expect(match.market.hasResult).toBe(true);
		const proposal = await newestOf(match);
		expect(proposal).toMatchObject({
			state: 'OPEN',
			isOfFeed: true,
			proposedBy: 'the feed',
			reason: 'The feed "test" reports this result.',
			mayConfirm: true,
		});
		const { marketId, eventId } = match;
		const about = { marketId, eventId, market: 'Match Odds', result: 'India: win' };
		const today = await maker.result<Today>('today', {});
		expect(today.feedResults.oldest).toContainEqual(expect.objectContaining(about));
		expect(today.withoutResult.filter((one) => one.marketId === marketId)).toEqual([]);
		await checker.result('confirm', { proposalId: proposal.proposalId });
		expect(await settled(match)).toEqual(shown(proposal));
		expect((await settled(match)).length).toBe(2);
		const after = await maker.result<Today>('today', {});
		expect(after.feedResults.oldest.filter((one) => one.marketId === marketId)).toEqual([]);
		const rows = await maker.result<{ actor: string; subject: string }[]>('journal', { act: 'settle' });
		expect(rows[0]).toMatchObject({ actor: 'checker', subject: `market ${marketId}` });
	});

	it('that is sent again changes nothing, before its confirmation and after it', async () => {
		const match = await playedMatch();
		for (const market of [match.market, match.market, openedAgain(match)]) await market.settle(INDIA);
		expect(await statesOf(match)).toEqual(['OPEN']);
		await checker.result('confirm', { proposalId: (await newestOf(match)).proposalId });
		const moved = await settled(match);
		await openedAgain(match).settle(INDIA);
		await openedAgain(match).settle({ unfinished: true });
		expect(await statesOf(match)).toEqual(['APPLIED']);
		expect(await settled(match)).toEqual(moved);
	});

	it('that contradicts what was paid waits as another result, until the feed returns to what was paid', async () => {
		const match = await playedMatch();
		await match.market.settle(INDIA);
		await checker.result('confirm', { proposalId: (await newestOf(match)).proposalId });
		const paid = await settled(match);
		await openedAgain(match).settle(NEPAL);
		const against = await newestOf(match);
		expect(against).toMatchObject({ act: 'resettle', state: 'OPEN', isOfFeed: true });
		const { feedResults, findings } = await maker.result<Today>('today', {});
		expect(
			[feedResults.oldest, findings].map((each) => each.some(({ marketId }) => marketId === match.marketId)),
		).toEqual([true, true]);
		await openedAgain(match).settle(INDIA);
		expect(await statesOf(match)).toEqual(['RETRACTED', 'APPLIED']);
		await openedAgain(match).void();
		await checker.result('confirm', { proposalId: (await newestOf(match)).proposalId });
		expect(statusOf(match)).toBe('VOIDED');
		expect((await settled(match)).map(([, moved]) => moved)).toEqual([0, 0]);
		// Back to the first result, which a void market takes as well as a settled one.
		await openedAgain(match).settle(INDIA);
		await checker.result('confirm', { proposalId: (await newestOf(match)).proposalId });
		expect(await settled(match)).toEqual(paid);
	});

	it('that comes while another one is being paid is reported at once, and waits until that is done', async () => {
		const match = await playedMatch();
		const { exchange } = server.running;
		const marketId = Number(match.marketId);
		for (let pair = 0; pair < 8; pair++) await placePairs(marketId, MOST_A_STEP / 4);
		const { token } = await server.demoPlayer();
		await exchange.submit({ kind: 'suspend-market', marketId, lapseUnmatched: false });
		const settlement: SettleMarket = { kind: 'settle-market', marketId, results: ['WIN', 'LOSE'] };
		const paying = [exchange.submit(settlement)];
		while (statusOf(match) !== 'SETTLING') await new Promise((resume) => setImmediate(resume));
		// No batch is written until the lease is free.
		const lock = await server.database.db.connect();
		await lock.query('begin');
		await lock.query('select from lease for update');
		const under: { reported?: Promise<void>; refused?: ReturnType<typeof server.call> } = {};
		try {
			const isVoid = { act: 'void', input: { marketId: match.marketId }, reason: 'no result' };
			expect(await maker.code('propose', isVoid)).toBe('MARKET_SETTLING');
			under.refused = server.call('placeBetV2', betOn(match, { price: 2.5 }), token);
			under.reported = match.market.settle(NEPAL);
			await expect.poll(async () => (await findingsOf(match)).length).toBe(1);
			// The same again waits for the same.
			paying.push(exchange.submit(settlement));
			expect(statusOf(match)).toBe('SETTLING');
		} finally {
			await lock.query('rollback');
			lock.release();
		}
		await Promise.all([under.reported, ...paying]);
		// What it is refused by is durable only now.
		expect((await under.refused)?.code).toBe('MARKET_CLOSED');
		expect(statusOf(match)).toBe('SETTLED');
		expect(await newestOf(match)).toMatchObject({ act: 'resettle', state: 'OPEN', isOfFeed: true });
		expect(await findingsOf(match)).toHaveLength(1);
	});

	it('is what a correction of a factor is: the same result at the other prices, once a member confirms it', async () => {
		const match = await openTestMatch(server);
		const runners = ['Comet', 'Star', 'Moon'].map((name, at) => ({ id: String(at + 1), name }));
		const about = { name: 'Win', type: 'WIN', runners, betDelaySeconds: 0, rules: 'Who wins.' };
		const market = await openMarketOf(server, match, about);
		const marketId = String(market.listing.id);
		const race = { ...match, marketId };
		const [backer, layer] = [await server.demoPlayer(), await server.demoPlayer()];
		const bet = { marketId, runnerId: '1', price: 3 };
		await server.result('placeBetV2', betOn(match, { ...bet, side: 'LAY' }), layer.token);
		await server.result('placeBetV2', betOn(match, bet), backer.token);
		await market.removeRunner(1, 0);
		await market.suspend();
		// A correction by hand shows what the bets would pay: 3.00 × 0.9 = 2.70.
		const byHand = { act: 'correct-reduction', input: { marketId, runner: 'Star', reduction: 10 } };
		const looked = await maker.result<ProposalView['preview']>('preview', byHand);
		expect(looked.lines.map(({ who, amount }) => [who, amount]).sort()).toEqual([
			[String(backer.userId), -30],
			[String(layer.userId), 30],
		]);
		await market.settle(INDIA);
		await checker.result('confirm', { proposalId: (await newestOf(race)).proposalId });
		await market.removeRunner(1, 2200);
		const correction = await newestOf(race);
		expect(correction).toMatchObject({ act: 'correct-reduction', isOfFeed: true });
		// 3.00 × 0.78 = 2.34: 134 instead of 200, with 2 % of commission.
		expect(correction.preview.lines.filter(({ what }) => what === 'result changes by')).toEqual([
			expect.objectContaining({ who: String(backer.userId), amount: -66 }),
			expect.objectContaining({ who: String(layer.userId), amount: 66 }),
		]);
		await checker.result('confirm', { proposalId: correction.proposalId });
		const { rows } = await server.database.db.query<{ net: number }>(
			'select net from player_settlement where market_id = $1 order by net',
			[market.listing.id],
		);
		expect(rows.map(({ net }) => net)).toEqual([-13_400, 13_400]);
		// The same factor again asks for nothing.
		await market.removeRunner(1, 2200);
		expect(await statesOf(race)).toEqual(['APPLIED', 'APPLIED']);
	});

	it('that the feed corrects takes the place of the earlier one, also when it returns to that', async () => {
		const match = await playedMatch();
		await match.market.settle(INDIA);
		const wrong = await newestOf(match);
		await match.market.settle(NEPAL);
		expect(await checker.code('confirm', { proposalId: wrong.proposalId })).toBe('WRONG_STATE');
		expect(await statesOf(match)).toEqual(['OPEN', 'REPLACED']);
		await match.market.void();
		await match.market.settle(INDIA);
		expect(await statesOf(match)).toEqual(['OPEN', 'REPLACED', 'REPLACED', 'REPLACED']);
		const last = await newestOf(match);
		expect(last.preview).toEqual(wrong.preview);
		await checker.result('confirm', { proposalId: last.proposalId });
		expect(await settled(match)).toEqual(shown(last));
	});

	it('yields to none that only says play has stopped, and is taken back by a feed that has none any more', async () => {
		const match = await playedMatch();
		await match.market.settle(INDIA);
		await openedAgain(match).settle({ unfinished: true });
		expect(await statesOf(match)).toEqual(['OPEN']);
		await match.market.retractResult();
		expect(match.market.hasResult).toBe(false);
		expect(await statesOf(match)).toEqual(['RETRACTED']);
		await match.market.settle({ unfinished: true });
		await checker.result('confirm', { proposalId: (await newestOf(match)).proposalId });
		expect(statusOf(match)).toBe('VOIDED');
	});

	it('by which a market was paid is taken back once by a feed that was started again; a result by hand is not', async () => {
		const [byFeed, byHand] = [await playedMatch(), await playedMatch()];
		await byFeed.market.settle(INDIA);
		await checker.result('confirm', { proposalId: (await newestOf(byFeed)).proposalId });
		await byHand.market.close();
		const input = { marketId: byHand.marketId, winners: ['India'] };
		const { proposalId } = await maker.result<ProposalView>('propose', {
			act: 'settle',
			input,
			reason: 'seen on tape',
		});
		await checker.result('confirm', { proposalId });
		expect([statusOf(byFeed), statusOf(byHand)]).toEqual(['SETTLED', 'SETTLED']);
		const ours = new Set([byFeed.marketId, byHand.marketId]);
		const retractAndFind = async () => {
			for (const match of [byFeed, byHand]) await openedAgain(match).retractResult();
			return (await maker.result<Today>('today', {})).findings.filter(({ marketId }) => ours.has(marketId));
		};
		const found = await retractAndFind();
		expect(found.map(({ marketId }) => marketId)).toEqual([byFeed.marketId]);
		for (const { findingId } of found) await maker.result('close-finding', { findingId });
		expect(await retractAndFind()).toEqual([]);
	});

	it('that a member rejects leaves the market to the operators, and a different one waits again', async () => {
		const match = await playedMatch();
		await match.market.settle(INDIA);
		const { proposalId } = await newestOf(match);
		expect(await maker.result('withdraw', { proposalId })).toMatchObject({ state: 'WITHDRAWN', decidedBy: 'maker' });
		await openedAgain(match).settle(INDIA);
		expect(await statesOf(match)).toEqual(['WITHDRAWN']);
		await match.market.settle(NEPAL);
		expect(await statesOf(match)).toEqual(['OPEN', 'WITHDRAWN']);
		// It says again what was rejected, so nothing of the feed waits.
		await match.market.settle(INDIA);
		expect(await statesOf(match)).toEqual(['REPLACED', 'WITHDRAWN']);
		const asked = { act: 'settle', input: { marketId: match.marketId, winners: ['India'] }, reason: 'seen on tape' };
		const byHand = await maker.result<ProposalView>('propose', asked);
		expect(byHand.isOfFeed).toBe(false);
		expect(await maker.code('confirm', { proposalId: byHand.proposalId })).toBe('SAME_PERSON');
		await checker.result('confirm', { proposalId: byHand.proposalId });
		expect(await settled(match)).toEqual(shown(byHand));
	});

	it('is refused as out of date once the market is settled by hand, and does not return when it is reopened', async () => {
		const match = await playedMatch();
		const { marketId } = match;
		await match.market.settle(INDIA);
		const { proposalId } = await newestOf(match);
		const byHand = { act: 'settle', input: { marketId, winners: ['Nepal'] }, reason: 'the feed is wrong' };
		const { proposalId: second } = await maker.result<ProposalView>('propose', byHand);
		await checker.result('confirm', { proposalId: second });
		const moved = await settled(match);
		const { feedResults } = await maker.result<Today>('today', {});
		expect(feedResults.oldest.filter((one) => one.marketId === marketId)).toEqual([]);
		expect(await maker.code('confirm', { proposalId })).toBe('WRONG_MARKET_STATE');
		expect(await settled(match)).toEqual(moved);
		expect(await statesOf(match)).toEqual(['APPLIED', 'WRONG_MARKET_STATE']);
	});

	it('whose money moved on waits again with what it moves now', async () => {
		const match = await playedMatch();
		const { marketId } = match;
		await match.market.settle(INDIA);
		const first = await newestOf(match);
		const { rows } = await server.database.db.query<{ bet: string }>(
			'select maker_bet_id::text as bet from bet_match where market_id = $1 limit 1',
			[Number(marketId)],
		);
		const voiding = { act: 'void-bets', input: { marketId, betId: rows[0]?.bet }, reason: 'a wrong price' };
		const { proposalId: second } = await maker.result<ProposalView>('propose', voiding);
		await checker.result('confirm', { proposalId: second });
		expect(await maker.code('confirm', { proposalId: first.proposalId })).toBe('WRONG_STATE');
		const renewed = await newestOf(match);
		expect(renewed).toMatchObject({ isOfFeed: true, state: 'OPEN', input: first.input });
		expect(shown(renewed)).not.toEqual(shown(first));
		await maker.result('confirm', { proposalId: renewed.proposalId });
		expect(await settled(match)).toEqual(shown(renewed));
	});

	it('is applied once by two members at the same time', async () => {
		const match = await playedMatch();
		await match.market.settle(INDIA);
		const { proposalId } = await newestOf(match);
		const codes = await Promise.all([maker, checker, maker].map((client) => client.code('confirm', { proposalId })));
		expect(codes.sort()).toEqual(['', 'WRONG_STATE', 'WRONG_STATE']);
		expect(statusOf(match)).toBe('SETTLED');
	});

	it('is either confirmed or corrected when both come at once', async () => {
		const outcomes = await Promise.all(
			Array.from({ length: 6 }, async (_, at) => {
				const match = await playedMatch();
				await match.market.settle(INDIA);
				const old = await newestOf(match);
				const confirm = () => checker.code('confirm', { proposalId: old.proposalId });
				const correct = () => openedAgain(match).settle(NEPAL);
				const [code] = at % 2 === 0 ? await Promise.all([confirm(), correct()]) : await reversed(confirm, correct);
				const states = await statesOf(match);
				if (code === '') expect(await settled(match)).toEqual(shown(old));
				else expect([code, statusOf(match)]).toEqual(['WRONG_STATE', 'CLOSED']);
				// The correction waits in any case: in place of the first result, or against what was paid by it.
				expect(states).toEqual(['OPEN', code === '' ? 'APPLIED' : 'REPLACED']);
				return code;
			}),
		);
		expect(outcomes).toHaveLength(6);
	});

	it('is either rejected or corrected first when both come at once, and the correction waits', async () => {
		for (let turn = 0; turn < 6; turn++) {
			const match = await playedMatch();
			await match.market.settle(INDIA);
			const { proposalId } = await newestOf(match);
			const reject = () => checker.code('withdraw', { proposalId });
			const correct = () => openedAgain(match).settle(NEPAL);
			const [code] = turn % 2 === 0 ? await Promise.all([reject(), correct()]) : await reversed(reject, correct);
			expect(await statesOf(match)).toEqual(['OPEN', code === '' ? 'WITHDRAWN' : 'REPLACED']);
		}
	});

	it('with half wins is proposed and settled by the result of each runner', async () => {
		const match = await openTestMatch(server);
		const parts = await feedParts(server);
		const live = await LiveFixture.open(parts, { ...match.market.fixture, sourceRef: freshRequestId() });
		const handicap: MarketState = {
			name: 'Asian handicap −0.25',
			type: 'ASIAN_HANDICAP',
			runners: [
				{ id: '1', name: 'Kites −0.25' },
				{ id: '2', name: 'Bulls +0.25' },
			],
			handicapQuarters: -1,
			betDelaySeconds: 0,
			rules: 'Goals with a start.',
			chances: null,
			result: { margin: 0 },
		};
		const score = { sport: 'trade', version: 1, state: 'FINISHED', note: '', instrument: '', unit: '' } as const;
		const levels = { openLevel: 1, level: 1, ticksLeft: 0, history: [] };
		const state = {
			inPlay: true,
			isEnded: true,
			markets: [handicap],
			scoreLine: '0–0',
			score: { ...score, ...levels },
		};
		await live.show(state);
		// Play is over, whatever members decide: the feed holds nothing, and starts the next fixture.
		expect(live.fixture.status).toBe('FINISHED');
		await live.show(state);
		const [listing] = server.running.fixtures.markets(live.fixture.id);
		const marketId = String(listing?.id);
		const waiting = await checker.result<ProposalView[]>('proposals', { marketId });
		expect(waiting.map(({ input }) => input)).toEqual([{ marketId, results: ['HALF_LOSE', 'HALF_WIN'] }]);
		// It stays in memory until it is settled, and no longer.
		const { housekeeping, fixtures, exchange } = server.running;
		housekeeping.tidy(Date.now() + 2 * REMEMBERED_MS);
		expect(fixtures.fixture(live.fixture.id)).not.toBeNull();
		await checker.result('confirm', { proposalId: waiting[0]?.proposalId });
		expect(exchange.market(Number(marketId))).toMatchObject({
			status: 'SETTLED',
			results: ['HALF_LOSE', 'HALF_WIN'],
		});
		housekeeping.tidy(Date.now() + 2 * REMEMBERED_MS);
		expect(fixtures.fixture(live.fixture.id)).toBeNull();
	});
});

const reversed = async (confirm: () => Promise<string>, correct: () => Promise<void>): Promise<[string]> => {
	const corrected = correct();
	const code = await confirm();
	await corrected;
	return [code];
};

it('settles at once where its source is not named', async () => {
	const match = await openTestMatch(server, { source: 'another' });
	await match.market.settle(INDIA);
	expect(statusOf(match)).toBe('SETTLED');
	expect(await proposalsOf(match)).toEqual([]);
});

/** One market through a random life; what is settled is what was confirmed last. */
class Life {
	server: TestServer;
	match: TestMatch;
	clients: ConsoleClient[] = [];
	/** The results that were confirmed last; null while the market is not settled. */
	expected: string | null = null;
	readonly #random: SeededNumbers;

	constructor(on: TestServer, match: TestMatch, seed: number) {
		this.server = on;
		this.match = match;
		this.#random = new SeededNumbers(seed);
	}

	async begin(): Promise<void> {
		this.clients = [await logIn(this.server, 'maker'), await logIn(this.server, 'checker')];
	}

	get #market() {
		return this.server.running.exchange.market(Number(this.match.marketId));
	}

	async restart(): Promise<void> {
		await this.server.stop();
		this.server = await TestServer.start(this.server.database, PROPOSED);
		await this.begin();
	}

	/** The feed says something, from this process or from one that was started again. */
	async #report(): Promise<void> {
		const market = openedAgain(this.match, this.server);
		const which = this.#random.below(4);
		if (which === 3) await market.retractResult();
		else await market.settle([INDIA, NEPAL, { unfinished: true } as PlayResult][which] as PlayResult);
	}

	async #decide(): Promise<void> {
		const [maker, checker] = this.clients as [ConsoleClient, ConsoleClient];
		const open = await proposalsOf(this.match, maker).then((all) => all.filter(({ state }) => state === 'OPEN'));
		const chosen = open[this.#random.below(open.length)];
		if (!chosen) return;
		const { proposalId, act } = chosen;
		if (this.#random.chance(25)) {
			await maker.code('withdraw', { proposalId });
			return;
		}
		const isVoid = act === 'void' || (chosen.input as { isVoid?: boolean }).isVoid;
		const results = act === 'reopen' ? null : isVoid ? 'VOID' : this.#resultsOf(chosen);
		const before = this.expected;
		const code = await checker.code('confirm', { proposalId });
		if (code === '') this.expected = results;
		else expect(this.expected).toBe(before);
	}

	#resultsOf({ input }: ProposalView): string {
		const { results, winners } = input as { results?: string[]; winners?: string[] };
		return String(results ?? ['India', 'Nepal'].map((name) => (winners?.includes(name) ? 'WIN' : 'LOSE')));
	}

	async #byHand(): Promise<void> {
		const [maker] = this.clients as [ConsoleClient];
		const { marketId } = this.match;
		const [act, input] = [
			['settle', { marketId, winners: [this.#random.chance(50) ? 'India' : 'Nepal'] }],
			['void', { marketId }],
			['reopen', { marketId }],
		][this.#random.below(3)] as [string, object];
		await maker.code('propose', { act, input, reason: 'by hand' });
	}

	async step(): Promise<void> {
		// After some time all results of one were said: another one begins.
		if (this.#random.chance(12)) {
			this.match = await playedMatch(this.server);
			this.expected = null;
			await this.match.market.settle(INDIA);
		}
		const acts = [
			() => this.#report(),
			() => this.#decide(),
			() => this.#byHand(),
			() => Promise.all([this.#report(), this.#decide()]),
		];
		await acts[this.#random.below(acts.length)]?.();
		await this.#check();
	}

	async #check(): Promise<void> {
		const { status = '', results } = this.#market ?? {};
		const standing = status === 'VOIDED' ? 'VOID' : status === 'SETTLED' ? String(results) : null;
		expect(standing).toBe(this.expected);
		const { rows } = await this.server.database.db.query<{ n: number }>(
			`select count(*)::int as n from proposal
			 where subject = $1 and proposed_by is null and state in ('OPEN', 'APPLYING')`,
			[`market ${this.match.marketId}`],
		);
		expect(rows[0]?.n).toBeLessThanOrEqual(1);
	}
}

onSeeds(
	[1, 2],
	'whatever feed and members do, in any order and through restarts, a market has the result that was confirmed last (seed %i)',
	async (seed) => {
		const own = await TestServer.start(await freshDatabase(), PROPOSED);
		for (const name of ['maker', 'checker']) await addMember(own, name);
		const life = new Life(own, await playedMatch(own), seed);
		try {
			await life.begin();
			await life.match.market.settle(INDIA);
			for (let turn = 0; turn < 100; turn++) {
				if (turn % 50 === 49) await life.restart();
				await life.step();
			}
			const { rows } = await life.server.database.db.query<{ ended: string }>(
				`select distinct case when outcome in ('done', 'REPLACED', 'RETRACTED') then outcome else state end as ended
				 from proposal where proposed_by is null`,
			);
			// The life had everything in it.
			const ends = rows.map(({ ended }) => ended);
			expect(ends).toEqual(expect.arrayContaining(['done', 'REPLACED', 'RETRACTED', 'WITHDRAWN']));
			await expectSound(life.server.database.db);
		} finally {
			await life.server.dispose();
		}
	},
	'thorough',
);
