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
	/** When it reached the book: after so many bets were placed. */
	arrived: number;
	/** While it waits out a delay: until when, and the market's version at its beginning. */
	delay: { until: number; version: number } | null;
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
	/** In-play: how long bets wait, and whether those that meet nothing need not. */
	delayMs: number;
	passiveGoesIn: boolean;
	/** From which reductions on matched prices, and waiting lays, are reduced; null where a removal changes no price. */
	reductions: { matched: number; waiting: number } | null;
	removed: Set<number>;
	suspended: Set<number>;
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

/** What a runner's bets get of a win and, each way, of a place, in sixtieths: up to five that tie divide them. */
export interface ReferenceShare {
	won: number;
	placed: number;
	isVoid: boolean;
}

const WHOLE = 60;
const LOST: ReferenceShare = { won: 0, placed: 0, isVoid: false };
const PLACED: ReferenceShare = { won: 0, placed: WHOLE, isVoid: false };
const WON: ReferenceShare = { won: WHOLE, placed: WHOLE, isVoid: false };

/** A way a market can end: by runner, or by the number that comes. */
export type ReferenceOutcome = readonly ReferenceShare[] | number;

/** Of a paisa, what sums are counted in. */
const unitOf = ({ divisor }: Pick<ReferenceMarket, 'divisor'>): bigint => BigInt(100 * divisor * WHOLE);

/** Runners that may still win. */
const standingOf = ({ runners, removed }: ReferenceMarket): number[] =>
	Array.from({ length: runners }, (_, runner) => runner).filter((runner) => !removed.has(runner));

/** With no more runners than places a place is worth nothing. */
const paysPlaces = (market: ReferenceMarket, standing = standingOf(market).length): boolean =>
	market.isEachWay && standing > market.winners;

/** What a part of a bet makes for its owner. */
function result(
	{ divisor }: ReferenceMarket,
	{ side, runner }: ReferenceBet,
	price: number,
	stake: number,
	outcome: ReferenceOutcome,
	places: boolean,
): bigint {
	if (typeof outcome === 'number') {
		const forSeller = outcome * 100 < price ? stake : outcome * 100 > price ? -stake : 0;
		return BigInt(side === 'BACK' ? forSeller : -forSeller) * BigInt(100 * WHOLE);
	}
	const share = outcome[runner] ?? LOST;
	if (share.isVoid) return 0n;
	const paid = BigInt(stake * 100 * divisor) * BigInt(WHOLE);
	let asBacker = BigInt(stake * price * divisor) * BigInt(share.won) - paid;
	// The second bet of the two: to be placed, at a fraction of the odds.
	if (places) asBacker += BigInt(stake * (100 * divisor + price - 100)) * BigInt(share.placed) - paid;
	return side === 'BACK' ? asBacker : -asBacker;
}

/** What bets come to in an outcome, with every unmatched part as if only its loss could be matched. */
function worth(market: ReferenceMarket, bets: readonly ReferenceBet[], outcome: ReferenceOutcome): bigint {
	const places = paysPlaces(market);
	let sum = 0n;
	for (const bet of bets) {
		for (const fill of bet.fills) sum += result(market, bet, fill.price, fill.stake, outcome, places);
		if (bet.remaining === 0) continue;
		const unmatched = result(market, bet, bet.price, bet.remaining, outcome, places);
		if (unmatched < 0n) sum += unmatched;
	}
	return sum;
}

/** Every way a market can end without a tie. */
function outcomesOf(market: ReferenceMarket): ReferenceOutcome[] {
	const { runners, winners, lines } = market;
	const outcomes: ReferenceOutcome[] = [];
	if (lines) return Array.from({ length: lines.max / 100 + 2 }, (_, number) => number);
	const standing = standingOf(market);
	const shared = (of: (runner: number) => ReferenceShare) => Array.from({ length: runners }, (_, runner) => of(runner));
	for (let bits = 0; bits < 2 ** runners; bits++) {
		const chosen = standing.filter((runner) => (bits >> runner) & 1);
		if (chosen.length !== bitsOf(bits)) continue;
		const isFirst = chosen.every((runner, at) => runner === at);
		const places = Math.min(winners, standing.length);
		const fits = winners === 0 || (winners === -1 ? isFirst : chosen.length === places);
		if (!fits) continue;
		if (!market.isEachWay) outcomes.push(shared((runner) => (chosen.includes(runner) ? WON : LOST)));
		else
			for (const first of chosen)
				outcomes.push(shared((runner) => (runner === first ? WON : chosen.includes(runner) ? PLACED : LOST)));
	}
	return outcomes;
}

const bitsOf = (bits: number): number => (bits === 0 ? 0 : (bits & 1) + bitsOf(bits >> 1));

/** What each runner gets by a result; null when it is none of this market. */
export function outcomeOf(market: ReferenceMarket, results: readonly string[]): ReferenceOutcome | null {
	const { winners, lines } = market;
	if (lines) return numberOf(lines, results);
	if (results.every((said) => said === 'VOID')) return results.map(() => ({ ...LOST, isVoid: true }));
	if (results.some((said, runner) => market.removed.has(runner) && said !== 'LOSE' && said !== 'VOID')) return null;
	const count = (wanted: string) => results.filter((said) => said === wanted).length;
	const [first, behind, tied] = [count('WIN'), count('PLACED'), count('TIE')];
	const running = results.filter((said, runner) => said !== 'VOID' && !market.removed.has(runner)).length;
	const shares = (win: number, place: number, tie: number): ReferenceShare[] =>
		results.map((said) => {
			if (said === 'VOID') return { ...LOST, isVoid: true };
			if (said === 'WIN') return { won: win, placed: place, isVoid: false };
			if (said === 'TIE') return market.isEachWay ? { ...LOST, placed: tie } : { ...LOST, won: tie };
			return said === 'PLACED' ? PLACED : LOST;
		});
	if (market.isEachWay) {
		if (first === 0) return null;
		const left = winners - first - behind;
		const addsUp = tied > 0 ? left > 0 && left < tied : left === 0 || (left < 0 && behind === 0);
		if (paysPlaces(market, running) && !addsUp) return null;
		return shares(WHOLE / first, (WHOLE * Math.min(first, winners)) / first, tied > 0 ? (WHOLE * left) / tied : 0);
	}
	if (behind > 0) return null;
	if (winners <= 0) {
		const isRising = results.every((said, line) => said === 'WIN' || results[line + 1] !== 'WIN');
		return tied > 0 || (winners === -1 && !isRising) ? null : shares(WHOLE, WHOLE, 0);
	}
	if (tied > 0) {
		const left = winners - first;
		return left > 0 && left < tied ? shares(WHOLE, WHOLE, (WHOLE * left) / tied) : null;
	}
	if (first > winners) return shares((WHOLE * winners) / first, 0, 0);
	return first === Math.min(winners, running) ? shares(WHOLE, WHOLE, 0) : null;
}

/** The smallest number that passes just the lines that won, and equals the one that is void. */
function numberOf({ min, interval }: { min: number; interval: number }, results: readonly string[]): number {
	const lineAt = (tick: number) => (min + tick * interval) / 100;
	const equalled = results.indexOf('VOID');
	if (equalled >= 0) return lineAt(equalled);
	const passed = results.lastIndexOf('WIN');
	return passed < 0 ? 0 : Math.floor(lineAt(passed)) + 1;
}

export class ReferenceExchange {
	readonly users: ReferenceUser[] = [];
	readonly markets: ReferenceMarket[] = [];
	/** In the order they were placed, which is the order of time. */
	bets: ReferenceBet[] = [];
	readonly commission: Record<string, bigint> = {};
	readonly rounding: Record<string, bigint> = {};
	/** What is held, by user and market: the exposure, or all there was when it rose above that. */
	readonly #held = new Map<string, bigint>();
	#lastBetId = 0;

	user(id: number): ReferenceUser | undefined {
		return this.users.find((user) => user.id === id);
	}

	poolOf(bet: ReferenceBet): string {
		return this.user(bet.user)?.pool ?? '';
	}

	/** What a player can lose at worst in one market, whole paise. */
	exposure(user: number, market: number): bigint {
		const own = this.bets.filter((bet) => bet.user === user && bet.market === market && isLive(bet));
		const of = this.markets.find(({ id }) => id === market);
		if (!of || own.length === 0) return 0n;
		let worst = 0n;
		if (of.winners === 0) {
			// Any number may win: each runner is a market of its own, and none covers for another.
			for (let runner = 0; runner < of.runners; runner++) {
				const ofRunner = own.filter((bet) => bet.runner === runner);
				const ways = [LOST, WON].map((share) => worth(of, ofRunner, Array(of.runners).fill(share)));
				worst += ways.reduce((a, b) => (b < a ? b : a), 0n);
			}
		} else
			for (const way of outcomesOf(of)) {
				const sum = worth(of, own, way);
				if (sum < worst) worst = sum;
			}
		const unit = unitOf(of);
		return (-worst + unit - 1n) / unit;
	}

	held(user: number, market: number): bigint {
		return this.#held.get(`${user}.${market}`) ?? 0n;
	}

	totalHeld(user: number): bigint {
		return this.markets.reduce((sum, market) => sum + this.held(user, market.id), 0n);
	}

	/** Brings what is held for a player to his exposure, as far as there is money. */
	#hold(user: number, market: number): void {
		const before = this.held(user, market);
		const cash = (this.user(user)?.funds ?? 0n) - this.totalHeld(user);
		let more = this.exposure(user, market) - before;
		if (more > 0n && more > cash) more = cash > 0n ? cash : 0n;
		this.#held.set(`${user}.${market}`, before + more);
	}

	#holdOf(bets: readonly ReferenceBet[]): void {
		const positions = new Set(bets.map(({ user, market }) => `${user}.${market}`));
		for (const position of positions) {
			const [user, market] = position.split('.').map(Number) as [number, number];
			this.#hold(user, market);
		}
	}

	/** The resting bets of one side, best first for whoever takes them, then those that came first. */
	queue(pool: string, market: number, runner: number, side: 'BACK' | 'LAY'): ReferenceBet[] {
		const resting = this.bets.filter(
			(bet) =>
				bet.remaining > 0 &&
				bet.delay === null &&
				bet.market === market &&
				bet.runner === runner &&
				bet.side === side &&
				this.poolOf(bet) === pool,
		);
		const better = (a: ReferenceBet, b: ReferenceBet) => (side === 'BACK' ? a.price - b.price : b.price - a.price);
		return resting.sort((a, b) => better(a, b) || a.arrived - b.arrived || a.id - b.id);
	}

	place(bet: Omit<ReferenceBet, 'remaining' | 'fills' | 'arrived' | 'delay'>, now = 0): string | ReferenceFill[] {
		const market = this.markets.find(({ id }) => id === bet.market);
		if (!market) return 'UNKNOWN_MARKET';
		if (OVER.has(market.status)) return 'MARKET_CLOSED';
		if (market.status !== 'OPEN') return 'MARKET_SUSPENDED';
		if (bet.runner < 0 || bet.runner >= market.runners) return 'UNKNOWN_RUNNER';
		if (market.removed.has(bet.runner)) return 'RUNNER_REMOVED';
		if (market.suspended.has(bet.runner)) return 'RUNNER_SUSPENDED';
		if (!takes(market, bet.price)) return 'PRICE_NOT_ON_LADDER';
		if (!Number.isInteger(bet.stake) || bet.stake <= 0) return 'INVALID_STAKE';
		if (bet.stake < market.minStake) return 'STAKE_TOO_SMALL';
		if (bet.stake > market.maxStake) return 'STAKE_TOO_LARGE';
		if (bet.minFill != null && (bet.minFill <= 0 || bet.minFill > bet.stake)) return 'INVALID_SIZE';
		const user = this.user(bet.user);
		if (!user) return 'UNKNOWN_USER';
		if (!market.pools.includes(user.pool)) return 'FORBIDDEN';
		if (bet.id <= this.#lastBetId) return 'DUPLICATE_ORDER';

		const placed: ReferenceBet = { ...bet, remaining: bet.stake, fills: [], arrived: bet.id, delay: null };
		const refusal = this.#isBeyondFunds(placed, user)
			? 'INSUFFICIENT_FUNDS'
			: !market.selfMatch && this.#meetsItself(placed)
				? 'SELF_MATCH'
				: null;
		if (refusal) return refusal;
		this.bets.push(placed);
		this.#lastBetId = bet.id;
		if (bet.version !== undefined && bet.version < market.version) {
			placed.remaining = 0;
			return [];
		}
		const waits = market.inPlay && market.delayMs > 0;
		const goesIn = market.passiveGoesIn && bet.minFill == null && this.#takeable(placed).length === 0;
		if (!waits || goesIn) return this.#enter(placed);
		placed.delay = { until: now + market.delayMs, version: market.version };
		this.#holdOf([placed]);
		return [];
	}

	/** Asks for more than there is, and for more than was asked without it. */
	#isBeyondFunds(placed: ReferenceBet, user: ReferenceUser): boolean {
		const { market } = placed;
		this.bets.push(placed);
		const after = this.exposure(user.id, market);
		this.bets.pop();
		const more = after - this.held(user.id, market);
		if (more <= 0n || more <= user.funds - this.totalHeld(user.id)) return false;
		return after > this.exposure(user.id, market);
	}

	/** The end of a delay: the bet meets the book, or lapses when the market is not what it was. */
	admit(id: number, now: number): string | { fills: ReferenceFill[]; lapsed: number[] } {
		const bet = this.bets.find((candidate) => candidate.id === id);
		const market = this.markets.find((candidate) => candidate.id === bet?.market);
		if (!bet?.delay || !market) return 'ORDER_NOT_ACTIVE';
		const { until, version } = bet.delay;
		if (now < until || market.status === 'BALL_RUNNING') return 'MARKET_SUSPENDED';
		bet.delay = null;
		bet.arrived = this.#lastBetId + 0.5;
		const isLate = market.status !== 'OPEN' || market.version !== version || market.suspended.has(bet.runner);
		if (isLate || (!market.selfMatch && this.#meetsItself(bet))) {
			bet.remaining = 0;
			this.#holdOf([bet]);
			return { fills: [], lapsed: [id] };
		}
		const asked = bet.remaining;
		const fills = this.#enter(bet);
		const filled = fills.reduce((sum, { stake }) => sum + stake, 0);
		return { fills, lapsed: bet.remaining + filled < asked ? [id] : [] };
	}

	#enter(bet: ReferenceBet): ReferenceFill[] {
		const fills = bet.minFill == null ? this.#match(bet, this.#takeable(bet)) : this.#fillOrKill(bet, bet.minFill);
		const makers = new Set(fills.map(({ maker }) => maker));
		this.#holdOf([bet, ...this.bets.filter(({ id }) => makers.has(id))]);
		return fills;
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
			let stake = Math.min(resting.remaining, bet.remaining - filled);
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
		const killed = placed.remaining - filled;
		placed.remaining = filled;
		const other = placed.side === 'BACK' ? 'LAY' : 'BACK';
		const fills = this.#match(placed, this.queue(this.poolOf(placed), placed.market, placed.runner, other));
		if (placed.remaining !== 0) throw new Error(`${killed} of a bet killed, ${placed.remaining} left`);
		return fills;
	}

	#meetsItself(bet: ReferenceBet): boolean {
		const other = bet.side === 'BACK' ? 'LAY' : 'BACK';
		const atOnce = bet.minFill != null;
		let left = atOnce ? this.#fillable(bet, bet.minFill ?? 0) : bet.remaining;
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
		const asked = size ?? bet.remaining;
		if (!Number.isInteger(asked) || asked <= 0 || asked > bet.remaining) return 'INVALID_SIZE';
		// What would be left below the smallest stake goes too.
		const minStake = this.markets.find(({ id }) => id === bet.market)?.minStake ?? 0;
		bet.remaining = bet.remaining - asked < minStake ? 0 : bet.remaining - asked;
		if (bet.remaining === 0) bet.delay = null;
		this.#holdOf([bet]);
		return bet.remaining;
	}

	/** Everything unmatched of a player, in one market or in all; answers the sum. */
	cancelAll(user: number, market?: number): string | number {
		if (!this.user(user)) return 'UNKNOWN_USER';
		if (market !== undefined && !this.markets.some(({ id }) => id === market)) return 'UNKNOWN_MARKET';
		const own = this.bets.filter((bet) => bet.user === user && (market === undefined || bet.market === market));
		const sum = own.reduce((total, bet) => total + bet.remaining, 0);
		// Market by market: what comes free in one may be asked for in the next.
		for (const { id } of this.markets) {
			const ofMarket = own.filter((bet) => bet.market === id);
			for (const bet of ofMarket) cancelRemaining(bet);
			this.#holdOf(ofMarket);
		}
		return sum;
	}

	/** The unmatched part at another price, as a new bet; refused, the old one stands as it stood. */
	replace(id: number, newId: number, user: number, price: number, now: number): string | ReferenceFill[] {
		const bet = this.bets.find((candidate) => candidate.id === id);
		if (!bet) return 'UNKNOWN_ORDER';
		if (bet.user !== user) return 'NOT_OWNER';
		if (bet.remaining === 0) return 'ORDER_NOT_ACTIVE';
		const { remaining: stake, delay, market, runner, side, persist } = bet;
		cancelRemaining(bet);
		const told = this.place({ id: newId, user, market, runner, side, price, stake, persist }, now);
		if (typeof told === 'string') Object.assign(bet, { remaining: stake, delay });
		return told;
	}

	/** Takes off what is unmatched; answers the ids of the bets that lapsed. */
	lapse(market: number, which: (bet: ReferenceBet) => boolean): number[] {
		const lapsing = this.bets.filter((bet) => bet.market === market && bet.remaining > 0 && which(bet));
		for (const bet of lapsing) cancelRemaining(bet);
		this.#holdOf(lapsing);
		return lapsing.map((bet) => bet.id);
	}

	/** A runner that takes no part: its bets are void, the others' prices fall by so many basis points. */
	remove(market: ReferenceMarket, runner: number, bp: number): { lapsed: number[]; voided: number[] } {
		const never = Number.POSITIVE_INFINITY;
		const { matched, waiting } = market.reductions ?? { matched: never, waiting: never };
		market.removed.add(runner);
		const lapsed = this.lapse(market.id, (bet) => bet.runner === runner);
		const ofMarket = this.bets.filter((bet) => bet.market === market.id && isLive(bet));
		const gone = ofMarket.filter((bet) => bet.runner === runner);
		for (const bet of gone) bet.fills = [];
		for (const bet of ofMarket.filter((other) => other.runner !== runner)) {
			if (bp >= matched) for (const fill of bet.fills) fill.price = Math.max(101, nearest(fill.price, bp));
			if (bp < waiting || bet.side === 'BACK' || bet.remaining === 0) continue;
			if (bet.persist) bet.price = tickBelow(bet.price, bp);
			else {
				cancelRemaining(bet);
				lapsed.push(bet.id);
			}
		}
		this.#holdOf(this.bets.filter((bet) => bet.market === market.id));
		market.version++;
		return { lapsed: lapsed.sort((a, b) => a - b), voided: gone.map(({ id }) => id) };
	}

	/** It takes part after all: outcomes that could not come can come again. */
	takeBack(market: ReferenceMarket, runner: number): void {
		market.removed.delete(runner);
		this.#holdOf(this.bets.filter((bet) => bet.market === market.id));
		market.version++;
	}

	/** Pays every player of a market; the bets are history afterwards. */
	settle(market: ReferenceMarket, outcome: ReferenceOutcome, results: readonly string[]): void {
		this.lapse(market.id, () => true);
		const running = results.filter((said, runner) => said !== 'VOID' && !market.removed.has(runner)).length;
		const places = paysPlaces(market, running);
		for (const pool of market.pools) {
			let left = 0n;
			for (const user of this.users.filter((candidate) => candidate.pool === pool)) {
				let exact = 0n;
				for (const bet of this.bets.filter((own) => own.user === user.id && own.market === market.id)) {
					for (const fill of bet.fills) exact += result(market, bet, fill.price, fill.stake, outcome, places);
				}
				const net = roundedToHouse(exact, unitOf(market));
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
			cancelRemaining(bet);
			bet.fills = [];
		}
		for (const { id } of this.users) this.#held.delete(`${id}.${market.id}`);
		market.status = status;
	}
}

/** Matched or waiting. */
const isLive = (bet: ReferenceBet): boolean => bet.remaining > 0 || bet.fills.length > 0;

function cancelRemaining(bet: ReferenceBet): void {
	bet.remaining = 0;
	bet.delay = null;
}

/** A price less so many basis points, to the nearest hundredth, an exact half up. */
const nearest = (price: number, bp: number): number => Math.floor((price * (10_000 - bp) + 5000) / 10_000);

/** The same, on the ladder or down to its next price. */
function tickBelow(price: number, bp: number): number {
	let tick = Math.floor((price * (10_000 - bp)) / 10_000);
	while (tick > 101 && !onLadder(tick)) tick--;
	return Math.max(101, tick);
}

/** Nearest whole paisa; an exact half goes down, because that is the house's way from either side. */
function roundedToHouse(exact: bigint, unit: bigint): bigint {
	let paise = exact / unit;
	if (paise * unit > exact) paise -= 1n;
	return (exact - paise * unit) * 2n > unit ? paise + 1n : paise;
}
