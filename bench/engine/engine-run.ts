/**
 * The whole engine on the workload: every operation is a command, as on a server. All runs share one engine, as on a
 * server; each run has markets and bets of its own, which are voided at its end.
 */
import { createEngine } from '#engine/create-engine.ts';
import type { Effects, Posting } from '#engine/effect.ts';
import { priceAt, tickOf } from '#values/price-ladder.ts';
import { CANCEL, FillLog, OPERATION, type Workload } from './workload.ts';

const { WORDS, KIND, ORDER, MARKET, RUNNER, SIDE, TICK, STAKE, USER } = OPERATION;
const AMPLE = 100_000_000_000;
const POOL = 'PLAY';

export class EngineRun {
	fills: FillLog;
	postings = 0;
	/** The run's market and bet ids are above the workload's numbers by this. */
	#marketsFrom = 1;
	#betsFrom = 0;
	readonly #workload: Workload;
	readonly #engine = createEngine({ keepDigest: false });
	readonly #effects: Effects;
	/** One object, refilled for each operation: the caller decides where commands are stored. */
	readonly #cancel = { kind: 'cancel-bet' as const, atMs: 0, betId: 0, walletId: 0 };
	readonly #place = {
		kind: 'place-bet' as const,
		atMs: 0,
		betId: 0,
		walletId: 0,
		marketId: 0,
		runner: 0,
		side: 0 as 0 | 1,
		price: 0,
		stake: 0,
		persist: false,
	};

	constructor(workload: Workload) {
		this.#workload = workload;
		this.fills = new FillLog(workload);
		this.#effects = listen(this);
		for (let user = 0; user < workload.users; user++) this.#openWallet(user + 1);
	}

	begin(): void {
		const { markets, runners } = this.#workload;
		this.fills = new FillLog(this.#workload);
		for (let market = 0; market < markets; market++) this.#openMarket(this.#marketsFrom + market, runners);
	}

	end(): void {
		const { markets, orders } = this.#workload;
		for (let market = 0; market < markets; market++) {
			this.#engine.apply({ kind: 'void-market', atMs: 0, marketId: this.#marketsFrom + market }, this.#effects);
		}
		this.#marketsFrom += markets;
		this.#betsFrom += orders;
	}

	#openMarket(marketId: number, runners: number): void {
		this.#engine.apply(
			{
				kind: 'open-market',
				atMs: 0,
				marketId,
				pools: [POOL],
				runners,
				numberOfWinners: 1,
				commissionBp: 0,
				minStake: 1,
				maxStake: 1_000_000_000,
				profitRatioRule: false,
				selfMatch: 'ALLOW',
				suspended: false,
			},
			this.#effects,
		);
	}

	#openWallet(walletId: number): void {
		this.#engine.apply({ kind: 'open-wallet', atMs: 0, walletId, pool: POOL }, this.#effects);
		this.#engine.apply({ kind: 'grant-coins', atMs: 0, grantId: walletId, walletId, amount: AMPLE }, this.#effects);
	}

	apply(op: number): void {
		const { words } = this.#workload;
		const at = op * WORDS;
		if (words[at + KIND] === CANCEL) {
			this.#cancel.betId = this.#betsFrom + (words[at + ORDER] as number);
			this.#cancel.walletId = (words[at + USER] as number) + 1;
			this.#engine.apply(this.#cancel, this.#effects);
			return;
		}
		const place = this.#place;
		place.betId = this.#betsFrom + (words[at + ORDER] as number);
		place.walletId = (words[at + USER] as number) + 1;
		place.marketId = this.#marketsFrom + (words[at + MARKET] as number);
		place.runner = words[at + RUNNER] as number;
		place.side = words[at + SIDE] as 0 | 1;
		place.price = priceAt(words[at + TICK] as number);
		place.stake = words[at + STAKE] as number;
		const outcome = this.#engine.apply(place, this.#effects);
		if (!outcome.ok) throw new Error(`order ${place.betId} refused: ${outcome.code}`);
	}

	/** Rows of the book hash. */
	*resting(): Generator<number[]> {
		const { markets, runners } = this.#workload;
		for (let market = 0; market < markets; market++) {
			for (let runner = 0; runner < runners; runner++) {
				const bets = this.#engine.restingBets(this.#marketsFrom + market, POOL, runner);
				const book = market * runners + runner;
				for (const side of [0, 1] as const) {
					const rows = bets
						.filter((bet) => bet.side === side)
						.map(({ betId, price, remaining }) => [book, side, tickOf(price), betId - this.#betsFrom, remaining]);
					// A stable sort keeps the queue of each price; the engine lists lays from the highest price down.
					yield* rows.sort((a, b) => (a[2] as number) - (b[2] as number));
				}
			}
		}
	}

	filled(taker: number, maker: number, price: number, stake: number): void {
		this.fills.add(taker - this.#betsFrom, maker - this.#betsFrom, tickOf(price), stake);
	}

	/** The other effects are received, as on a server. */
	heard(posting: Posting): void {
		this.postings += posting.amount > 0 ? 1 : 0;
	}
}

function listen(run: EngineRun): Effects {
	return {
		walletOpened() {},
		limitsSet() {},
		targetSet() {},
		posted: (posting) => run.heard(posting),
		marketOpened() {},
		marketChanged() {},
		marketStepped() {},
		selfMatchSet() {},
		triggerChanged() {},
		groupChanged() {},
		betPlaced() {},
		betMatched: (taker, maker, _market, _runner, price, stake) => run.filled(taker, maker, price, stake),
		quoteTaken() {},
		betCancelled() {},
		betLapsed() {},
		betDelayed() {},
		betAdmitted() {},
		betRepriced() {},
		betUpdated() {},
		limitLowered() {},
		betEnteredAuction() {},
		betMatchedAtStart() {},
		betReduced() {},
		matchVoided() {},
		betReopened() {},
		playerReopened() {},
		betVoided() {},
		betSettled() {},
		playerSettled() {},
	};
}
