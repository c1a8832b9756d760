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
	status: string;
	inPlay: boolean;
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

/** What a part of a bet makes for its owner if `winner` wins, hundredths of a paisa. */
function result(side: string, runner: number, price: number, stake: number, winner: number): bigint {
	const asBacker = runner === winner ? BigInt(stake) * BigInt(price - 100) : -BigInt(stake) * 100n;
	return side === 'BACK' ? asBacker : -asBacker;
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
		const runners = this.markets.find(({ id }) => id === market)?.runners ?? 0;
		let worst = 0n;
		for (let winner = 0; winner < runners; winner++) {
			let sum = 0n;
			for (const bet of own) {
				for (const fill of bet.fills) sum += result(bet.side, bet.runner, fill.price, fill.stake, winner);
				const unmatched = result(bet.side, bet.runner, bet.price, bet.remaining, winner);
				if (unmatched < 0n) sum += unmatched;
			}
			if (sum < worst) worst = sum;
		}
		return (-worst + 99n) / 100n;
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
		if (!onLadder(bet.price)) return 'PRICE_NOT_ON_LADDER';
		if (!Number.isInteger(bet.stake) || bet.stake <= 0) return 'INVALID_STAKE';
		if (bet.stake < market.minStake) return 'STAKE_TOO_SMALL';
		if (bet.stake > market.maxStake) return 'STAKE_TOO_LARGE';
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
		return this.#match(placed);
	}

	#takeable(bet: ReferenceBet): ReferenceBet[] {
		const other = bet.side === 'BACK' ? 'LAY' : 'BACK';
		return this.queue(this.poolOf(bet), bet.market, bet.runner, other).filter((resting) =>
			bet.side === 'BACK' ? resting.price >= bet.price : resting.price <= bet.price,
		);
	}

	#meetsItself(bet: ReferenceBet): boolean {
		let left = bet.stake;
		for (const resting of this.#takeable(bet)) {
			if (left <= 0) return false;
			if (resting.user === bet.user) return true;
			left -= resting.remaining;
		}
		return false;
	}

	#match(taker: ReferenceBet): ReferenceFill[] {
		const fills: ReferenceFill[] = [];
		for (const maker of this.#takeable(taker)) {
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

	/** Takes off what is unmatched; answers the ids of the bets that lapsed. */
	lapse(market: number, which: (bet: ReferenceBet) => boolean): number[] {
		const lapsing = this.bets.filter((bet) => bet.market === market && bet.remaining > 0 && which(bet));
		for (const bet of lapsing) bet.remaining = 0;
		return lapsing.map((bet) => bet.id);
	}

	/** Pays every player of a market; the bets are history afterwards. */
	settle(market: ReferenceMarket, winner: number): void {
		this.lapse(market.id, () => true);
		for (const pool of market.pools) {
			let left = 0n;
			for (const user of this.users.filter((candidate) => candidate.pool === pool)) {
				let exact = 0n;
				for (const bet of this.bets.filter((own) => own.user === user.id && own.market === market.id)) {
					for (const fill of bet.fills) exact += result(bet.side, bet.runner, fill.price, fill.stake, winner);
				}
				const net = roundedToHouse(exact);
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
function roundedToHouse(exact: bigint): bigint {
	let paise = exact / 100n;
	if (paise * 100n > exact) paise -= 1n;
	return exact - paise * 100n > 50n ? paise + 1n : paise;
}
