/**
 * The exchange once more, slow and obvious: plain arrays, everything worked out anew from the list of bets, sums in
 * BigInt. It shares no code with the engine, so that the two can only agree by both being right.
 */
export interface ReferenceBet {
	id: number;
	user: number;
	market: number;
	runner: number;
	side: 'BACK' | 'LAY';
	/** Hundredths. */
	price: number;
	stake: number;
	persist: boolean;
	/** The least to be filled at once, or nothing at all; null for a bet that may wait. */
	minFill?: number | null;
	version?: number | undefined;
	remaining: number;
	fills: { price: number; stake: number }[];
}

export interface ReferenceMarket {
	id: number;
	pools: string[];
	runners: number;
	commissionBp: number;
	minStake: number;
	maxStake: number;
	selfMatch: boolean;
	/** 0 for any number of them, −1 for lines of which a result reaches the first so many. */
	winners: number;
	/** Each way: what the odds less one are divided by for one of `winners` places; 1 in all other markets. */
	divisor: number;
	isEachWay: boolean;
	/** Where prices are lines, in hundredths; null in other markets. */
	lines: { min: number; max: number; interval: number } | null;
	status: string;
	inPlay: boolean;
	version: number;
}

export interface ReferenceUser {
	id: number;
	pool: string;
	/** Everything he owns in paise, held or free. */
	funds: bigint;
	commissionBp: number | null;
}

export interface ReferenceFill {
	taker: number;
	maker: number;
	price: number;
	stake: number;
}

const OVER = new Set(['CLOSED', 'SETTLED', 'VOIDED']);

/** Every price of the ladder in hundredths, band by band. */
function onLadder(price: number): boolean {
	const bands = [
		[101, 200, 1],
		[200, 300, 2],
		[300, 400, 5],
		[400, 600, 10],
		[600, 1000, 20],
		[1000, 2000, 50],
		[2000, 3000, 100],
		[3000, 5000, 200],
		[5000, 10000, 500],
		[10000, 100000, 1000],
	] as const;
	return bands.some(([from, to, step]) => price >= from && price <= to && (price - from) % step === 0);
}

function takes({ lines }: ReferenceMarket, price: number): boolean {
	if (!lines) return onLadder(price);
	return price >= lines.min && price <= lines.max && (price - lines.min) % lines.interval === 0;
}

/** A way a market can end: the runners that win and, each way, those that are placed behind them; or a number. */
export interface ReferenceOutcome {
	won: readonly number[];
	placed: readonly number[];
	number: number;
}

type Kind = Pick<ReferenceMarket, 'divisor' | 'isEachWay' | 'lines'>;

/** What a part of a bet makes for its owner, hundredths of a paisa times the market's divisor. */
function result(
	{ divisor, isEachWay, lines }: Kind,
	{ side, runner }: ReferenceBet,
	price: number,
	stake: number,
	{ won, placed, number }: ReferenceOutcome,
): bigint {
	if (lines) {
		const forSeller = number * 100 < price ? stake : number * 100 > price ? -stake : 0;
		return BigInt(side === 'BACK' ? forSeller : -forSeller) * 100n;
	}
	const lost = -BigInt(stake * 100) * BigInt(divisor);
	const gained = BigInt(stake) * BigInt(price - 100);
	let asBacker = won.includes(runner) ? gained * BigInt(divisor) : lost;
	// The second bet of the two: to be placed, at a fraction of the odds.
	if (isEachWay) asBacker += won.includes(runner) || placed.includes(runner) ? gained : lost;
	return side === 'BACK' ? asBacker : -asBacker;
}

/** What bets come to in an outcome, with every unmatched part as if only its loss could be matched. */
function worth(market: Kind, bets: readonly ReferenceBet[], outcome: ReferenceOutcome): bigint {
	let sum = 0n;
	for (const bet of bets) {
		for (const fill of bet.fills) sum += result(market, bet, fill.price, fill.stake, outcome);
		const unmatched = result(market, bet, bet.price, bet.remaining, outcome);
		if (unmatched < 0n) sum += unmatched;
	}
	return sum;
}

/** Every way a market can end. */
function outcomesOf({ runners, winners, isEachWay, lines }: ReferenceMarket): ReferenceOutcome[] {
	const outcomes: ReferenceOutcome[] = [];
	if (lines) {
		for (let number = 0; number <= lines.max / 100 + 1; number++) outcomes.push({ won: [], placed: [], number });
		return outcomes;
	}
	for (let bits = 0; bits < 2 ** runners; bits++) {
		const chosen = Array.from({ length: runners }, (_, runner) => runner).filter((runner) => (bits >> runner) & 1);
		if (isEachWay && chosen.length === winners) {
			for (const won of chosen)
				outcomes.push({ won: [won], placed: chosen.filter((runner) => runner !== won), number: 0 });
		}
		const isFirst = chosen.every((runner, at) => runner === at);
		const fits = winners === 0 || (winners === -1 ? isFirst : chosen.length === winners);
		if (fits && !isEachWay) outcomes.push({ won: chosen, placed: [], number: 0 });
	}
	return outcomes;
}

export class ReferenceExchange {
	readonly users: ReferenceUser[] = [];
	readonly markets: ReferenceMarket[] = [];
	/** In the order they were placed, which is the order of time. */
	bets: ReferenceBet[] = [];
	readonly commission: Record<string, bigint> = {};
	readonly rounding: Record<string, bigint> = {};
	#lastBetId = 0;

	user(id: number): ReferenceUser | undefined {
		return this.users.find((user) => user.id === id);
	}

	poolOf(bet: ReferenceBet): string {
		return this.user(bet.user)?.pool ?? '';
	}

	/** What is held for one player in one market, whole paise. */
	exposure(user: number, market: number): bigint {
		const own = this.bets.filter((bet) => bet.user === user && bet.market === market);
		const of = this.markets.find(({ id }) => id === market);
		if (!of || own.length === 0) return 0n;
		let worst = 0n;
		if (of.winners === 0) {
			// Any number may win: each runner is a market of its own, and none covers for another.
			for (let runner = 0; runner < of.runners; runner++) {
				const ofRunner = own.filter((bet) => bet.runner === runner);
				const ways = [[], [runner]].map((won) => worth(of, ofRunner, { won, placed: [], number: 0 }));
				worst += ways.reduce((a, b) => (b < a ? b : a), 0n);
			}
		} else for (const way of outcomesOf(of)) if (worth(of, own, way) < worst) worst = worth(of, own, way);
		const unit = 100n * BigInt(of.divisor);
		return (-worst + unit - 1n) / unit;
	}

	totalExposure(user: number): bigint {
		return this.markets.reduce((sum, market) => sum + this.exposure(user, market.id), 0n);
	}

	/** The resting bets of one side, best first for whoever takes them, then oldest first. */
	queue(pool: string, market: number, runner: number, side: 'BACK' | 'LAY'): ReferenceBet[] {
		const resting = this.bets.filter(
			(bet) =>
				bet.remaining > 0 &&
				bet.market === market &&
				bet.runner === runner &&
				bet.side === side &&
				this.poolOf(bet) === pool,
		);
		return resting.sort((a, b) => (side === 'BACK' ? a.price - b.price : b.price - a.price) || a.id - b.id);
	}

	place(bet: Omit<ReferenceBet, 'remaining' | 'fills'>): string | ReferenceFill[] {
		const market = this.markets.find(({ id }) => id === bet.market);
		if (!market) return 'UNKNOWN_MARKET';
		if (OVER.has(market.status)) return 'MARKET_CLOSED';
		if (market.status !== 'OPEN') return 'MARKET_SUSPENDED';
		if (bet.runner < 0 || bet.runner >= market.runners) return 'UNKNOWN_RUNNER';
		if (!takes(market, bet.price)) return 'PRICE_NOT_ON_LADDER';
		if (!Number.isInteger(bet.stake) || bet.stake <= 0) return 'INVALID_STAKE';
		if (bet.stake < market.minStake) return 'STAKE_TOO_SMALL';
		if (bet.stake > market.maxStake) return 'STAKE_TOO_LARGE';
		if (bet.minFill != null && (bet.minFill <= 0 || bet.minFill > bet.stake)) return 'INVALID_SIZE';
		const user = this.user(bet.user);
		if (!user) return 'UNKNOWN_USER';
		if (!market.pools.includes(user.pool)) return 'FORBIDDEN';
		if (bet.id <= this.#lastBetId) return 'DUPLICATE_ORDER';

		const before = this.exposure(user.id, market.id);
		const placed: ReferenceBet = { ...bet, remaining: bet.stake, fills: [] };
		this.bets.push(placed);
		const after = this.exposure(user.id, market.id);
		const refusal =
			after > before && this.totalExposure(user.id) > user.funds
				? 'INSUFFICIENT_FUNDS'
				: !market.selfMatch && this.#meetsItself(placed)
					? 'SELF_MATCH'
					: null;
		if (refusal) {
			this.bets.pop();
			return refusal;
		}
		this.#lastBetId = bet.id;
		if (bet.version !== undefined && bet.version < market.version) {
			placed.remaining = 0;
			return [];
		}
		if (bet.minFill != null) return this.#fillOrKill(placed, bet.minFill);
		return this.#match(placed, this.#takeable(placed));
	}

	#takeable(bet: ReferenceBet): ReferenceBet[] {
		const other = bet.side === 'BACK' ? 'LAY' : 'BACK';
		return this.queue(this.poolOf(bet), bet.market, bet.runner, other).filter((resting) =>
			bet.side === 'BACK' ? resting.price >= bet.price : resting.price <= bet.price,
		);
	}

	/** How much of a bet that is filled or killed would be filled: the most whose average is at its limit or better. */
	#fillable(bet: ReferenceBet, minFill: number): number {
		const other = bet.side === 'BACK' ? 'LAY' : 'BACK';
		let [filled, spare] = [0, 0n];
		for (const resting of this.queue(this.poolOf(bet), bet.market, bet.runner, other)) {
			const better = BigInt(bet.side === 'BACK' ? resting.price - bet.price : bet.price - resting.price);
			let stake = Math.min(resting.remaining, bet.stake - filled);
			// A better line does not pay for a worse one.
			if (better < 0n && this.markets.find(({ id }) => id === bet.market)?.lines) break;
			if (better < 0n) while (stake > 0 && spare + better * BigInt(stake) < 0n) stake--;
			filled += stake;
			spare += better * BigInt(stake);
			if (stake < resting.remaining) break;
		}
		return filled < minFill ? 0 : filled;
	}

	#fillOrKill(placed: ReferenceBet, minFill: number): ReferenceFill[] {
		const filled = this.#fillable(placed, minFill);
		const killed = placed.stake - filled;
		placed.remaining = filled;
		const other = placed.side === 'BACK' ? 'LAY' : 'BACK';
		const fills = this.#match(placed, this.queue(this.poolOf(placed), placed.market, placed.runner, other));
		if (placed.remaining !== 0) throw new Error(`${killed} of a bet killed, ${placed.remaining} left`);
		return fills;
	}

	#meetsItself(bet: ReferenceBet): boolean {
		const other = bet.side === 'BACK' ? 'LAY' : 'BACK';
		const atOnce = bet.minFill != null;
		let left = atOnce ? this.#fillable(bet, bet.minFill ?? 0) : bet.stake;
		const met = atOnce ? this.queue(this.poolOf(bet), bet.market, bet.runner, other) : this.#takeable(bet);
		for (const resting of met) {
			if (left <= 0) return false;
			if (resting.user === bet.user) return true;
			left -= resting.remaining;
		}
		return false;
	}

	#match(taker: ReferenceBet, queue: readonly ReferenceBet[]): ReferenceFill[] {
		const fills: ReferenceFill[] = [];
		for (const maker of queue) {
			if (maker === taker) continue;
			const stake = Math.min(taker.remaining, maker.remaining);
			if (stake === 0) break;
			for (const bet of [taker, maker]) {
				bet.remaining -= stake;
				bet.fills.push({ price: maker.price, stake });
			}
			fills.push({ taker: taker.id, maker: maker.id, price: maker.price, stake });
		}
		return fills;
	}

	cancel(id: number, user?: number, size?: number): string | number {
		const bet = this.bets.find((candidate) => candidate.id === id);
		if (!bet) return 'UNKNOWN_ORDER';
		if (user !== undefined && bet.user !== user) return 'NOT_OWNER';
		if (bet.remaining === 0) return 'ORDER_NOT_ACTIVE';
		const taken = size ?? bet.remaining;
		if (!Number.isInteger(taken) || taken <= 0 || taken > bet.remaining) return 'INVALID_SIZE';
		bet.remaining -= taken;
		return bet.remaining;
	}

	/** Everything unmatched of a player, in one market or in all; answers the sum. */
	cancelAll(user: number, market?: number): string | number {
		if (!this.user(user)) return 'UNKNOWN_USER';
		if (market !== undefined && !this.markets.some(({ id }) => id === market)) return 'UNKNOWN_MARKET';
		const own = this.bets.filter((bet) => bet.user === user && (market === undefined || bet.market === market));
		const sum = own.reduce((total, bet) => total + bet.remaining, 0);
		for (const bet of own) bet.remaining = 0;
		return sum;
	}

	/** The unmatched part at another price, as a new bet; refused, the old one stands as it stood. */
	replace(id: number, newId: number, user: number, price: number): string | ReferenceFill[] {
		const bet = this.bets.find((candidate) => candidate.id === id);
		if (!bet) return 'UNKNOWN_ORDER';
		if (bet.user !== user) return 'NOT_OWNER';
		if (bet.remaining === 0) return 'ORDER_NOT_ACTIVE';
		const stake = bet.remaining;
		bet.remaining = 0;
		const { market, runner, side, persist } = bet;
		const told = this.place({ id: newId, user, market, runner, side, price, stake, persist });
		if (typeof told === 'string') bet.remaining = stake;
		return told;
	}

	/** Takes off what is unmatched; answers the ids of the bets that lapsed. */
	lapse(market: number, which: (bet: ReferenceBet) => boolean): number[] {
		const lapsing = this.bets.filter((bet) => bet.market === market && bet.remaining > 0 && which(bet));
		for (const bet of lapsing) bet.remaining = 0;
		return lapsing.map((bet) => bet.id);
	}

	/** Pays every player of a market; the bets are history afterwards. */
	settle(market: ReferenceMarket, outcome: ReferenceOutcome): void {
		this.lapse(market.id, () => true);
		for (const pool of market.pools) {
			let left = 0n;
			for (const user of this.users.filter((candidate) => candidate.pool === pool)) {
				let exact = 0n;
				for (const bet of this.bets.filter((own) => own.user === user.id && own.market === market.id)) {
					for (const fill of bet.fills) exact += result(market, bet, fill.price, fill.stake, outcome);
				}
				const net = roundedToHouse(exact, 100n * BigInt(market.divisor));
				const rate = BigInt(user.commissionBp ?? market.commissionBp);
				const commission = net > 0n ? (net * rate * 2n + 10_000n) / 20_000n : 0n;
				user.funds += net - commission;
				this.commission[pool] = (this.commission[pool] ?? 0n) + commission;
				left -= net;
			}
			this.rounding[pool] = (this.rounding[pool] ?? 0n) + left;
		}
		this.#forget(market, 'SETTLED');
	}

	voidAll(market: ReferenceMarket): void {
		this.#forget(market, 'VOIDED');
	}

	#forget(market: ReferenceMarket, status: string): void {
		for (const bet of this.bets.filter((candidate) => candidate.market === market.id)) {
			bet.remaining = 0;
			bet.fills = [];
		}
		market.status = status;
	}
}

/** Nearest whole paisa; an exact half goes down, because that is the house's way from either side. */
function roundedToHouse(exact: bigint, unit: bigint): bigint {
	let paise = exact / unit;
	if (paise * unit > exact) paise -= 1n;
	return (exact - paise * unit) * 2n > unit ? paise + 1n : paise;
}
