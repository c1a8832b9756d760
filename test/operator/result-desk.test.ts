/** The result desk: what waits, what contradicts, and who gains by each result, against sums by hand. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ResultOf } from '#console/api/operate.ts';
import type { ProposalView } from '#server/operators/proposal-rows.ts';
import { possibleResults } from '#server/operators/result-desk/possible-results.ts';
import { byUrgency } from '#server/operators/result-desk-acts.ts';
import { hashPassword } from '#server/people/players/passwords.ts';
import type { Config } from '#server/process/config.ts';
import { FixtureMarket } from '#server/world/markets/fixture-market.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { expectSound } from '../support/audit.ts';
import { betOn, openMarketOf, openTestMatch, type TestMatch } from '../support/match.ts';
import { onSeeds } from '../support/seeds.ts';
import { TestServer, testConfig } from '../support/server.ts';
import { ConsoleClient } from './console-client.ts';

type Desk = ResultOf<'result-desk'>;
type Evidence = ResultOf<'result-evidence'>;

const PASSWORD = 'Correct-horse-9';
const PROPOSED: Partial<Config> = { feeds: { ...testConfig('').feeds, proposedResults: ['test'] } };
const [INDIA, NEPAL] = [{ winners: [0] }, { winners: [1] }];

let server: TestServer;
let maker: ConsoleClient;
let checker: ConsoleClient;
beforeAll(async () => {
	server = await TestServer.start(undefined, PROPOSED);
	[maker, checker] = [await member('maker'), await member('checker')];
});
afterAll(async () => {
	await expectSound(server.database.db);
	await server.dispose();
});

async function member(name: string): Promise<ConsoleClient> {
	const about = { name, passwordHash: await hashPassword(PASSWORD), roles: ['trader'], brands: null };
	await server.running.staff.directory.add(about, { actor: 'test', address: null });
	const client = new ConsoleClient(server.url);
	await client.result('log-in', { name, password: PASSWORD });
	return client;
}

/** One bets 100 on India at 3, the other lays it. */
async function playedMatch() {
	const match = await openTestMatch(server);
	const [backer, layer] = [await server.demoPlayer(), await server.demoPlayer()];
	await server.result('placeBetV2', betOn(match, { price: 3, stake: 100 }), backer.token);
	await server.result('placeBetV2', betOn(match, { side: 'LAY', price: 3, stake: 100 }), layer.token);
	return { match, backer: String(backer.userId), layer: String(layer.userId) };
}

/** The same market as its feed opens it after a restart. */
function openedAgain({ market: { fixture, listing } }: TestMatch): FixtureMarket {
	const { exchange, fixtures, resultProposals } = server.running;
	return new FixtureMarket({ exchange, fixtures, resultProposals }, fixture, listing);
}

const rowOf = async ({ marketId }: TestMatch) =>
	(await maker.result<Desk>('result-desk', {})).find((row) => row.marketId === marketId);
const evidenceOf = ({ marketId }: TestMatch) => maker.result<Evidence>('result-evidence', { marketId });
const waitingOf = async ({ marketId }: TestMatch) =>
	await checker.result<ProposalView[]>('proposals', { marketId, open: true });
const byResult = ({ results }: Evidence, wanted: string) => results.find(({ result }) => result === wanted);

describe('a market without a result', () => {
	it('is on the desk from its close on, until it is settled', async () => {
		const { match } = await playedMatch();
		expect(await rowOf(match)).toBeUndefined();
		await maker.result('close', { marketId: match.marketId });
		const row = await rowOf(match);
		expect(row).toMatchObject({
			status: 'CLOSED',
			matched: [{ pool: 'DEMO', stake: 100 }],
			proposed: [],
			conflicts: [],
		});
		expect(Math.abs(Date.now() - Date.parse(row?.since ?? ''))).toBeLessThan(60_000);
		await server.act('settle', { marketId: match.marketId, winners: ['India'] });
		expect(await rowOf(match)).toBeUndefined();
	});

	it('says who gains and who loses by each result, commission included', async () => {
		const { match, backer, layer } = await playedMatch();
		await maker.result('suspend', { marketId: match.marketId });
		const shown = await evidenceOf(match);
		expect(shown.results.map(({ result }) => result)).toEqual(['India: win', 'Nepal: win', 'void']);
		const { commissionBp } = server.running.exchange.market(Number(match.marketId)) ?? { commissionBp: 0 };
		const rate = commissionBp / 10_000;
		// 100 at 3 wins 200 and loses 100.
		const of = (result: string) => byResult(shown, result);
		expect(of('India: win')).toMatchObject({ winners: 1, losers: 1, house: [{ pool: 'DEMO', amount: 200 * rate }] });
		expect(of('India: win')?.largest.map(({ playerId, amount }) => [playerId, amount])).toEqual([
			[backer, 200 - 200 * rate],
			[layer, -200],
		]);
		expect(of('Nepal: win')?.largest.map(({ playerId, amount }) => [playerId, amount])).toEqual([
			[layer, 100 - 100 * rate],
			[backer, -100],
		]);
		expect(of('void')).toMatchObject({ winners: 0, losers: 0, house: [], largest: [] });
		// What the desk shows is what is paid.
		await server.act('settle', { marketId: match.marketId, winners: ['India'] });
		const { rows } = await server.database.db.query<{ who: string; moved: number }>(
			'select wallet_id::text as who, (net - commission)::int as moved from player_settlement where market_id = $1',
			[Number(match.marketId)],
		);
		expect(new Map(rows.map(({ who, moved }) => [who, moved / 100]))).toEqual(
			new Map(of('India: win')?.largest.map(({ playerId, amount }) => [playerId, amount])),
		);
	});

	it('takes a result from the desk, which another member confirms', async () => {
		const { match } = await playedMatch();
		await maker.result('close', { marketId: match.marketId });
		const asked = byResult(await evidenceOf(match), 'Nepal: win')?.asked;
		const { proposalId } = await maker.result<ProposalView>('propose', { ...asked, reason: 'Seen on screen.' });
		expect(await rowOf(match)).toMatchObject({ proposed: [{ by: 'maker', result: 'Nepal: win' }], conflicts: [] });
		expect(await maker.code('confirm', { proposalId })).toBe('SAME_PERSON');
		await checker.result('confirm', { proposalId });
		const { status, results } = await evidenceOf(match);
		expect(status).toBe('SETTLED');
		expect(results.find(({ isPaid }) => isPaid)).toMatchObject({ result: 'Nepal: win', asked: null });
	});
});

describe('contradictions', () => {
	it('mark a market whose feed changed its mind, and one with two results', async () => {
		const [changed, doubted] = [(await playedMatch()).match, (await playedMatch()).match];
		await changed.market.settle(INDIA);
		expect((await rowOf(changed))?.conflicts).toEqual([]);
		await openedAgain(changed).settle(NEPAL);
		expect((await rowOf(changed))?.conflicts).toEqual(['The feed gave another result before.']);
		await doubted.market.settle(INDIA);
		const asked = byResult(await evidenceOf(doubted), 'Nepal: win')?.asked;
		await maker.result('propose', { ...asked, reason: 'Seen on screen.' });
		const { conflicts, evidence } = await evidenceOf(doubted);
		expect(conflicts).toEqual(['Different results wait to be confirmed.']);
		expect(evidence.map(({ who, what, state, agrees }) => [who, what, state, agrees])).toEqual([
			['feed test', 'India: win', 'OPEN', true],
			['maker', 'Nepal: win', 'OPEN', false],
		]);
		const order = (await maker.result<Desk>('result-desk', {})).map(({ conflicts: of }) => of.length > 0);
		expect(order).toEqual(order.toSorted((one, other) => Number(other) - Number(one)));
	});

	it('bring a paid market back to the desk, with the payment marked', async () => {
		const { match, backer, layer } = await playedMatch();
		await match.market.settle(INDIA);
		await checker.result('confirm', { proposalId: (await waitingOf(match))[0]?.proposalId });
		expect(await rowOf(match)).toBeUndefined();
		await openedAgain(match).settle(NEPAL);
		expect(await rowOf(match)).toMatchObject({
			status: 'SETTLED',
			proposed: [{ by: 'the feed', result: 'Nepal: win' }],
			conflicts: ['The feed gives another result than the one that was paid.'],
		});
		const shown = await evidenceOf(match);
		expect(byResult(shown, 'India: win')).toMatchObject({ isPaid: true, asked: null });
		expect(byResult(shown, 'Nepal: win')).toMatchObject({ saidBy: ['the feed'], asked: { act: 'resettle' } });
		expect(byResult(shown, 'Nepal: win')?.largest.map(({ playerId }) => playerId)).toEqual([layer, backer]);
	});
});

describe('the order of urgency', () => {
	it('is contradictions, real money of any currency, then the longest wait', () => {
		const row = (marketId: string, since: string | null, more: object = {}) =>
			({ marketId, since, matched: [], conflicts: [], ...more }) as unknown as Desk[number];
		const real = { matched: [{ pool: 'REAL', stake: 1 }] };
		const rows = [
			row('1', null),
			row('2', '2026-11-01T10:00:00Z'),
			row('3', '2026-11-01T09:00:00Z'),
			row('4', '2026-11-01T11:00:00Z', { matched: [{ pool: 'REAL-EUR', stake: 1 }] }),
			row('5', '2026-11-01T12:00:00Z', { conflicts: ['!'] }),
			row('6', '2026-11-01T13:00:00Z', { ...real, conflicts: ['!'] }),
		];
		expect(rows.toSorted(byUrgency).map(({ marketId }) => marketId)).toEqual(['6', '5', '4', '3', '2', '1']);
	});
});

describe('possible results', () => {
	const bet = (runner: number, price = 200) => ({ runner, price, fills: null, matched: 100 });
	const listing = (about: object) => ({ runners: [], numberOfWinners: 1, ...about }) as never;
	const none = new Set<number>();

	it('of a fancy are the numbers around each line with bets', () => {
		const lines = Array.from({ length: 100 }, (_, at) => at);
		const runners = lines.map((line) => ({ id: String(line), name: String(line) }));
		const about = listing({ type: 'SESSION_RUNS', lines, runners, numberOfWinners: -1 });
		const { rulings } = possibleResults(about, [bet(40), bet(45), { ...bet(60), matched: 0 }], none);
		expect(rulings.map(({ value }) => value)).toEqual([39, 40, 41, 44, 45, 46]);
	});

	it('of a double chance are the pairs, and no removed runner wins', () => {
		const runners = ['1X', '12', 'X2'].map((name) => ({ id: name, name }));
		const { rulings } = possibleResults(listing({ type: 'DOUBLE_CHANCE', runners, numberOfWinners: 2 }), [], none);
		expect(rulings.map(({ results }) => results.join())).toEqual(['WIN,WIN,LOSE', 'WIN,LOSE,WIN', 'LOSE,WIN,WIN']);
		const winner = listing({ type: 'WIN', runners });
		expect(possibleResults(winner, [], new Set([1])).rulings.map(({ results }) => results.indexOf('WIN'))).toEqual([
			0, 2,
		]);
	});

	it('of a quarter line have halves, and of a large field are not all listed', () => {
		const runners = ['Home', 'Away'].map((name) => ({ id: name, name }));
		const about = listing({ type: 'ASIAN_HANDICAP', runners, handicapQuarters: -3 });
		expect(possibleResults(about, [], none).rulings.map(({ results }) => results[0])).toEqual([
			'LOSE',
			'HALF_WIN',
			'WIN',
		]);
		const field = Array.from({ length: 12 }, (_, at) => ({ id: String(at), name: String(at) }));
		const places = possibleResults(listing({ type: 'PLACE', runners: field, numberOfWinners: 3 }), [], none);
		expect([places.rulings.length, places.isPartial]).toEqual([40, true]);
	});
});

describe('results proposed, confirmed, changed and rejected in any order', () => {
	onSeeds([1, 2], 'pay each market once, by one of them (seed %i)', async (seed) => {
		const numbers = new SeededNumbers(seed);
		const { match } = await playedMatch();
		await openMarketOf(server, match, { ...match.market.listing, name: 'Another' });
		await match.market.close();
		for (let turn = 0; turn < 25; turn++) {
			const kind = numbers.below(4);
			if (kind === 0) await openedAgain(match).settle(numbers.from([INDIA, NEPAL]));
			else if (kind === 1) {
				const { asked } = numbers.from((await evidenceOf(match)).results);
				if (asked) await maker.call('propose', { ...asked, reason: 'Seen on screen.' });
			} else {
				const act = kind === 2 ? 'confirm' : 'withdraw';
				await Promise.all((await waitingOf(match)).map(({ proposalId }) => checker.call(act, { proposalId })));
			}
			const { status, results } = await evidenceOf(match);
			const { rows } = await server.database.db.query<{ who: string; moved: number }>(
				`select wallet_id::text as who, (net - commission)::int as moved from player_settlement
				 where market_id = $1 and net <> 0`,
				[Number(match.marketId)],
			);
			// What stands paid is one result, and each player has it once.
			const paid = results.filter(({ isPaid }) => isPaid);
			expect([turn, paid.length]).toEqual([turn, status === 'CLOSED' ? 0 : 1]);
			const shown = paid.flatMap(({ largest }) => largest).map(({ playerId, amount }) => [playerId, amount] as const);
			expect([turn, new Map(rows.map(({ who, moved }) => [who, moved / 100]))]).toEqual([turn, new Map(shown)]);
		}
	});
});
