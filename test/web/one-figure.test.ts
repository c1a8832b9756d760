/**
 * What a bet or a market comes to is one figure wherever a screen shows it: in the slip before the bet, in its answer, in
 * the list of bets, under the runners, in the cash-out's table, and in the profit and loss after the settlement. Odd
 * amounts at odd odds, matched in parts, on a real server; texts are compared as they are shown.
 */
import { beforeAll, expect, it } from 'vitest';
import { type Minor, minorOf } from '#values/money.ts';
import type { Price } from '#values/price-ladder.ts';
import type { Side } from '#values/sides.ts';
import type { OpenBet, ProfitLoss } from '#web/api/answers.ts';
import { rangeOfPart } from '#web/betting/bet-part.ts';
import { type DraftBet, type Outcomes, positionOf, previewBet } from '#web/betting/position.ts';
import { formatMoney, formatSigned } from '#web/format.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { inside } from '../support/inside.ts';
import { betOn, freshRequestId, openMarketOf, openTestMatch } from '../support/match.ts';
import type { Player, TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

let server: TestServer;
beforeAll(async () => {
	server = await sharedServer();
});

const RUNNERS = ['A', 'B', 'C', 'D', 'E'].map((id) => ({ id, name: `Runner ${id}` }));
const PRICES = [137, 202, 236, 305, 370];
const ODDS = { quoting: 'ODDS', eachWay: 0 } as const;
const negative = (amount: Minor): Minor => minorOf(0 - amount);

/** A market with a player who looks at it and one who meets what the player asks for. */
class Desk {
	readonly player: Player;
	readonly #maker: Player;
	readonly #match: Awaited<ReturnType<typeof openTestMatch>>;
	readonly market: Awaited<ReturnType<typeof openMarketOf>>;
	readonly outcomes: Outcomes;

	private constructor(
		[player, maker]: readonly [Player, Player],
		match: Awaited<ReturnType<typeof openTestMatch>>,
		market: Awaited<ReturnType<typeof openMarketOf>>,
	) {
		this.player = player;
		this.#maker = maker;
		this.#match = match;
		this.market = market;
		const { listing } = market;
		this.outcomes = {
			marketId: String(listing.id),
			runnerIds: listing.runners.map(({ id }) => id),
			winners: listing.numberOfWinners,
			eachWay: listing.eachWayDivisor,
		};
	}

	static async open(kind: object): Promise<Desk> {
		const match = await openTestMatch(server);
		const listing = { name: 'One figure', runners: RUNNERS, betDelaySeconds: 0, rules: '', ...kind };
		const market = await openMarketOf(server, match, listing as never);
		return new Desk([await server.demoPlayer(), await server.demoPlayer()], match, market);
	}

	async #place({ token }: Player, { runner, side, price, stake }: DraftBet) {
		const { marketId, runnerIds } = this.outcomes;
		const asked = { marketId, runnerId: runnerIds[runner], side, price: price / 100, stake: stake / 100 };
		return inside('placeBetV2', await server.result('placeBetV2', betOn(this.#match, asked), token));
	}

	/** Another player takes the other side of it, at a price. */
	offer(draft: DraftBet, price: number, stake: number) {
		const side: Side = draft.side === 'BACK' ? 'LAY' : 'BACK';
		return this.#place(this.#maker, { ...draft, side, price: price as Price, stake: minorOf(stake) });
	}

	place(draft: DraftBet) {
		return this.#place(this.player, draft);
	}

	async shown(): Promise<{ openBets: OpenBet[]; profitLoss: ProfitLoss; held: Minor }> {
		const { openBets, exposure } = inside(
			'getUserOpenBets',
			await server.result('getUserOpenBets', {}, this.player.token),
		);
		const profitLoss = inside(
			'getUserExpectedProfitLoss',
			await server.result('getUserExpectedProfitLoss', {}, this.player.token),
		);
		return { openBets, profitLoss, held: exposure };
	}

	/** Under the runners of the market. */
	async nets(): Promise<string[]> {
		const { profitLoss } = await this.shown();
		return (profitLoss[0]?.runners ?? []).map((outcome) => formatSigned(outcome.profitLoss));
	}

	/** What the slip says, before the bet is placed. */
	async preview(draft: DraftBet) {
		const { openBets, profitLoss } = await this.shown();
		return previewBet(positionOf(this.outcomes, openBets, profitLoss), draft);
	}

	quote() {
		return server.call('cashOutQuote', { marketId: this.outcomes.marketId, percent: '50' }, this.player.token);
	}

	async settled(winner: number) {
		await this.market.settle({ winners: [winner] });
		return inside('getUserProfitLoss', await server.result('getUserProfitLoss', {}, this.player.token));
	}
}

const randomDraft = (random: SeededNumbers): DraftBet => ({
	runner: random.below(3),
	side: random.from(['BACK', 'LAY'] as const),
	price: random.from(PRICES) as Price,
	stake: minorOf(1001 + 2 * random.below(5000)),
});

it.each([1, 2, 3, 4])('a single bet is one figure from the slip to the profit and loss (seed %i)', async (seed) => {
	const random = new SeededNumbers(seed);
	const desk = await Desk.open({ type: 'MATCH_ODDS', numberOfWinners: 1 });
	const draft = randomDraft(random);
	const preview = await desk.preview(draft);
	await desk.offer(draft, draft.price, draft.stake);
	const placed = await desk.place(draft);
	expect(placed.matchedStake).toBe(draft.stake);
	const { openBets, held } = await desk.shown();
	const bet = openBets[0] as OpenBet;
	const inList = rangeOfPart(bet, ODDS, 'matched');
	for (const { profit, liability } of [inList, bet, placed.matched])
		expect([formatMoney(profit), formatMoney(liability)]).toEqual([
			formatMoney(preview.profit),
			formatMoney(preview.liability),
		]);
	const won = draft.side === 'BACK' ? preview.profit : negative(preview.liability);
	const lost = draft.side === 'BACK' ? negative(preview.liability) : preview.profit;
	const nets = RUNNERS.map((_, runner) => formatSigned(runner === draft.runner ? won : lost));
	expect(await desk.nets()).toEqual(nets);
	expect(preview.whatIf.map(formatSigned)).toEqual(nets);
	// What is held is another figure: it is rounded up.
	expect([0, 1]).toContain(held - preview.liability);
	const winner = random.below(3);
	expect(formatSigned((await desk.settled(winner)).net)).toBe(nets[winner]);
});

it.each([1, 2, 3, 4])('a bet that is matched in parts, at better prices, is one figure (seed %i)', async (seed) => {
	const random = new SeededNumbers(seed + 100);
	const desk = await Desk.open({ type: 'MATCH_ODDS', numberOfWinners: 1 });
	const draft = { ...randomDraft(random), price: 236 as Price, stake: minorOf(20_001) };
	const better = draft.side === 'BACK' ? [244, 238, 236] : [228, 232, 236];
	for (const price of better) await desk.offer(draft, price, 1001 + 2 * random.below(1000));
	const placed = await desk.place(draft);
	expect(placed.remainingStake).toBeGreaterThan(0);
	const bet = (await desk.shown()).openBets[0] as OpenBet;
	const { profit, liability } = rangeOfPart(bet, ODDS, 'matched');
	expect(placed.matched).toEqual({ profit, liability });
	const [won, lost] = draft.side === 'BACK' ? [profit, negative(liability)] : [negative(liability), profit];
	const nets = RUNNERS.map((_, runner) => formatSigned(runner === draft.runner ? won : lost));
	expect(await desk.nets()).toEqual(nets);
	const winner = random.below(3);
	expect(formatSigned((await desk.settled(winner)).net)).toBe(nets[winner]);
});

it.each([
	['match odds', { type: 'MATCH_ODDS', numberOfWinners: 1 }],
	['places', { type: 'PLACE', numberOfWinners: 2, places: 2 }],
	['each way', { type: 'EACH_WAY', numberOfWinners: 3, places: 3, eachWayDivisor: 4 }],
])('what the slip foresees is what then stands under the runners, bet after bet: %s', async (name, kind) => {
	const random = new SeededNumbers(name.length);
	const desk = await Desk.open(kind);
	for (let turn = 0; turn < 10; turn++) {
		const draft = randomDraft(random);
		const { whatIf } = await desk.preview(draft);
		await desk.offer(draft, draft.price, draft.stake);
		expect((await desk.place(draft)).remainingStake).toBe(0);
		expect(await desk.nets()).toEqual(whatIf.map(formatSigned));
	}
});

it.each([1, 2, 3])('the cash-out’s table, its answer and the runners say the same (seed %i)', async (seed) => {
	const random = new SeededNumbers(seed + 200);
	const desk = await Desk.open({ type: 'MATCH_ODDS', numberOfWinners: 1, runners: RUNNERS.slice(0, 2) });
	const draft = { ...randomDraft(random), runner: 0, side: 'BACK' as const, price: 370 as Price };
	await desk.offer(draft, 370, draft.stake);
	await desk.place(draft);
	await desk.offer({ ...draft, side: 'LAY' }, 305, draft.stake * 2);
	const { result } = (await desk.quote()).body;
	if (!result) throw new Error('There is no quote.');
	const quote = inside('cashOutQuote', result);
	expect(quote.runners.map(({ now }) => formatSigned(now))).toEqual(await desk.nets());
	const { marketId } = desk.outcomes;
	const asked = { marketId, fraction: 0.5, quoteVersion: quote.quoteVersion, clientRequestId: freshRequestId() };
	const done = inside('cashOut', await server.result('cashOut', asked, desk.player.token));
	const after = quote.runners.map((outcome) => formatSigned(outcome.after));
	expect(done.runners.map((outcome) => formatSigned(outcome.profitLoss))).toEqual(after);
	expect(await desk.nets()).toEqual(after);
	const winner = random.below(2);
	expect(formatSigned((await desk.settled(winner)).net)).toBe(after[winner]);
});
