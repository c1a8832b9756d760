/**
 * The exchange once more, slow and obvious: plain arrays, everything computed from the list of bets each time, sums in
 * BigInt. It shares no code with the engine, so that the two can only agree by both being right.
 */

import { awaitsAuction, hasOpposite, isBidding, sell } from './reference-auction.ts';
import { ReferenceGroups } from './reference-groups.ts';
import { countBracket } from './reference-plan-holds.ts';
import { refusalOf } from './reference-refusals.ts';
import {
	type Asked,
	arriving,
	cancelRemaining,
	isLive,
	less,
	nextPrice,
	paysPlaces,
	type ReferenceBet,
	type ReferenceFill,
	type ReferenceMarket,
	type ReferenceOutcome,
	type ReferenceRemoval,
	type ReferenceUser,
	result,
	roundedToHouse,
	tickBelow,
	unitOf,
	worstOf,
} from './reference-rules.ts';
import { countedFor, type ReferenceTrigger, ReferenceTriggers } from './reference-triggers.ts';
import { ReferenceMatches } from './reference-volume.ts';

export class ReferenceExchange {
	readonly users: ReferenceUser[] = [];
	readonly markets: ReferenceMarket[] = [];
	readonly triggers = new ReferenceTriggers();
	readonly groups = new ReferenceGroups();
	/** In the order they were placed, which is the order of time. */
	bets: ReferenceBet[] = [];
	/** Bets that lapsed by the last command for another one of their player. */
	ownLapsed: number[] = [];
	readonly commission: Record<string, bigint> = {};
	readonly rounding: Record<string, bigint> = {};
	/** Held money by user and market: the exposure, or all the money when the exposure rose above it. */
	readonly #held = new Map<string, bigint>();
	readonly #matches = new ReferenceMatches();
	lastBetId = 0;

	user(id: number): ReferenceUser | undefined {
		return this.users.find((user) => user.id === id);
	}

	poolOf(bet: ReferenceBet): string {
		return this.user(bet.user)?.pool ?? '';
	}

	/** A player's worst result in one market, whole minor units. */
	exposure(user: number, market: number): bigint {
		const of = this.markets.find(({ id }) => id === market);
		for (const trigger of this.triggers.list) if (of && trigger.market === market) countBracket(this, of, trigger);
		const own = [...this.bets.filter(isLive), ...this.triggers.list.flatMap(countedFor)].filter(
			(bet) => bet.user === user && bet.market === market,
		);
		if (!of || own.length === 0) return 0n;
		return worstOf(of, own);
	}

	held(user: number, market: number): bigint {
		return this.#held.get(`${user}.${market}`) ?? 0n;
	}

	totalHeld(user: number): bigint {
		return this.markets.reduce((sum, market) => sum + this.held(user, market.id), 0n);
	}

	/** What a player's bets in other markets may lose beyond what is held for them. */
	lackedElsewhere(user: number, market: number): bigint {
		const others = this.markets.filter(({ id }) => id !== market);
		const lacks = others.map(({ id }) => this.exposure(user, id) - this.held(user, id));
		return lacks.reduce((sum, each) => (each > 0n ? sum + each : sum), 0n);
	}

	/** Brings the money held for a player to the exposure, as far as there is money. */
	hold(user: number, market: number): void {
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
			this.hold(user, market);
		}
	}

	/** The resting bets of one side, best first for the taker, then those that came first. */
	queue(pool: string, market: number, runner: number, side: 'BACK' | 'LAY'): ReferenceBet[] {
		const resting = this.bets.filter(
			(bet) =>
				bet.remaining > 0 &&
				bet.delay === null &&
				bet.atStart !== 'CLOSE' &&
				bet.market === market &&
				bet.runner === runner &&
				bet.side === side &&
				this.poolOf(bet) === pool,
		);
		const better = (a: ReferenceBet, b: ReferenceBet) => (side === 'BACK' ? a.price - b.price : b.price - a.price);
		return resting.sort((a, b) => better(a, b) || a.arrived - b.arrived || a.id - b.id);
	}

	place(asked: Asked, now = 0): string | ReferenceFill[] {
		this.ownLapsed = [];
		const refusal = this.groups.refusalOf(asked) ?? this.judge(asked, now);
		if (typeof refusal === 'string') return refusal;
		const market = this.markets.find(({ id }) => id === asked.market) as ReferenceMarket;
		const moved = asked.postOnly ? this.#priceToRest(arriving(asked), market) : asked.price;
		if (moved === null || (moved !== asked.price && asked.postOnly === 'REFUSE')) return 'WOULD_MATCH';
		const bet = { ...asked, price: moved };
		const another = moved === asked.price ? null : this.judge(bet, now);
		return another ?? this.#placeAccepted(bet, market, now);
	}

	/** The price of a post-only bet: its own, or the nearest at which it meets nothing; null where there is none. */
	#priceToRest(bet: ReferenceBet, market: ReferenceMarket): number | null {
		const [best] = this.#takeable(bet);
		return best ? nextPrice(market, best.price, bet.side === 'BACK' ? 1 : -1) : bet.price;
	}

	/** Market by market, in the order of the oldest trigger of each. */
	endTriggers(
		which: (trigger: ReferenceTrigger) => boolean,
		{ status, reason }: { status: string; reason: string | null },
	): void {
		for (const market of new Set(this.triggers.list.filter(which).map((trigger) => trigger.market))) {
			const ended = this.triggers.end((trigger) => which(trigger) && trigger.market === market, status, reason);
			for (const user of new Set(ended.map((trigger) => trigger.user))) this.hold(user, market);
		}
	}

	/** Lapses what waits of bets for which others have matched enough; answers their ids. */
	lapseByVolume(): number[] {
		const due = this.bets.filter((bet) => bet.remaining > 0 && this.#matches.left(bet, this.poolOf(bet)) === 0);
		for (const bet of due) cancelRemaining(bet);
		this.#holdOf(due);
		return due.map(({ id }) => id);
	}

	/** Lapses what waits of bets whose time has come; answers their ids. */
	expire(now: number): number[] {
		const due = this.bets.filter(({ remaining, expiresAt }) => remaining > 0 && expiresAt != null && expiresAt <= now);
		due.sort((a, b) => (a.expiresAt ?? 0) - (b.expiresAt ?? 0) || a.id - b.id);
		for (const bet of due) cancelRemaining(bet);
		this.#holdOf(due);
		return due.map(({ id }) => id);
	}

	/** Those of market, bet and wallet alone. */
	judge(bet: Asked, now: number): string | null {
		const market = this.markets.find(({ id }) => id === bet.market);
		return refusalOf(bet, { market, user: this.user(bet.user), lastBetId: this.lastBetId, now });
	}

	#placeAccepted(bet: Asked, market: ReferenceMarket, now: number): string | ReferenceFill[] {
		const user = this.user(bet.user) as ReferenceUser;
		const placed = { ...arriving(bet), matchesBefore: this.#matches.list.length };
		// The house's offers are taken as a whole, or not at all.
		if (market.houses && market.houses[user.pool] !== user.id) placed.minFill ??= bet.stake;
		// What closes a bracket is held for by that.
		const refusal = placed.isHedge ? null : this.refusalOfRisk(placed, market, user);
		if (refusal) return refusal;
		if (hasOpposite(this.bets, placed, market)) return 'SELF_MATCH';
		if (placed.atStart !== 'CLOSE' && this.#isKeptOut(placed, market)) return 'SELF_MATCH';
		this.bets.push(placed);
		this.lastBetId = bet.id;
		if (bet.version !== undefined && bet.version < market.version) {
			placed.remaining = 0;
			return [];
		}
		if (placed.atStart === 'CLOSE') {
			this.#holdOf([placed]);
			return [];
		}
		const waits = market.inPlay && market.delayMs > 0;
		const goesIn = market.passiveGoesIn && placed.minFill == null && this.#takeable(placed).length === 0;
		if (!waits || goesIn) return this.#enter(placed);
		placed.delay = { until: now + market.delayMs, version: market.version };
		this.#holdOf([placed]);
		return [];
	}

	/** Asks for more than there is or than a limit allows, and for more than was asked without it. */
	refusalOfRisk(
		placed: ReferenceBet,
		market: ReferenceMarket,
		user: ReferenceUser,
		before = this.exposure(user.id, market.id),
	): string | null {
		this.bets.push(placed);
		const after = this.exposure(user.id, market.id);
		this.bets.pop();
		const held = this.totalHeld(user.id);
		const more = after - this.held(user.id, market.id);
		if (more <= 0n || after <= before) return null;
		const lacked = this.lackedElsewhere(user.id, market.id);
		if (more > user.funds - held - lacked) return 'INSUFFICIENT_FUNDS';
		const ofMarket = market.maxExposure > 0 && after > BigInt(market.maxExposure);
		const ofAll = user.limits.maxExposure > 0 && held + lacked + more > BigInt(user.limits.maxExposure);
		return ofMarket || ofAll ? 'EXPOSURE_LIMIT' : null;
	}

	/** The end of a delay: the bet meets the book, or lapses when the market has changed. */
	admit(id: number, now: number): string | { fills: ReferenceFill[]; lapsed: number[] } {
		const bet = this.bets.find((candidate) => candidate.id === id);
		const market = this.markets.find((candidate) => candidate.id === bet?.market);
		if (!bet?.delay || !market) return 'ORDER_NOT_ACTIVE';
		const { until, version } = bet.delay;
		if (now < until || market.status === 'BALL_RUNNING') return 'MARKET_SUSPENDED';
		bet.delay = null;
		bet.arrived = this.lastBetId + 0.5;
		const isLate = market.status !== 'OPEN' || market.version !== version || market.suspended.has(bet.runner);
		const isMet = bet.postOnly != null && this.#takeable(bet).length > 0;
		if (isLate || isMet || this.#isKeptOut(bet, market)) {
			bet.remaining = 0;
			this.#holdOf([bet]);
			return { fills: [], lapsed: [id] };
		}
		const asked = bet.remaining;
		const fills = this.#enter(bet);
		const filled = fills.reduce((sum, { stake }) => sum + stake, 0);
		return { fills, lapsed: [...this.ownLapsed, ...(bet.remaining + filled < asked ? [id] : [])] };
	}

	/** Sells each runner at its starting price; what is not matched of a bid lapses. */
	auction(market: ReferenceMarket): { fills: ReferenceFill[]; lapsed: number[] } {
		const [fills, lapsed]: [ReferenceFill[], number[]] = [[], []];
		if (!awaitsAuction(market)) return { fills, lapsed };
		for (const pool of market.pools) {
			for (let runner = 0; runner < market.runners; runner++) {
				if (market.suspended.has(runner)) continue;
				const ofRunner = (bet: ReferenceBet) => bet.market === market.id && bet.runner === runner;
				const bidding = this.bets.filter((bet) => ofRunner(bet) && isBidding(bet) && this.poolOf(bet) === pool);
				const sold = sell(bidding);
				fills.push(...sold.fills);
				this.#matches.list.push(...sold.fills.map((fill) => ({ ...fill, pool, market: market.id, runner })));
				lapsed.push(...sold.lapsed);
				this.#holdOf(bidding);
			}
		}
		return { fills, lapsed };
	}

	#enter(bet: ReferenceBet): ReferenceFill[] {
		const own = this.#passOwn(bet);
		const fills = bet.minFill == null ? this.#match(bet, this.#takeable(bet)) : this.#fillOrKill(bet, bet.minFill);
		if (own !== null) bet.remaining = 0;
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

	/** Its player's own bets lapse before it, or it ends before the first of them; answers the stake until there. */
	#passOwn(bet: ReferenceBet): number | null {
		this.ownLapsed = [];
		const market = this.markets.find(({ id }) => id === bet.market);
		if (market?.selfMatch) return null;
		let own = this.#ownMet(bet);
		if (own && this.#choiceOf(bet) === 'LAPSE_TAKING') {
			bet.remaining = own.ahead;
			return own.ahead;
		}
		for (; own; own = this.#ownMet(bet)) {
			cancelRemaining(own.bet);
			this.ownLapsed.push(own.bet.id);
		}
		return null;
	}

	#isKeptOut(bet: ReferenceBet, market: ReferenceMarket): boolean {
		const own = market.selfMatch ? null : this.#ownMet(bet);
		const choice = this.#choiceOf(bet);
		if (!own || choice === 'LAPSE_RESTING') return false;
		return choice === 'REFUSE' || own.ahead < Math.max(1, bet.minFill ?? 0);
	}

	#choiceOf(bet: ReferenceBet) {
		return bet.selfMatch ?? this.user(bet.user)?.selfMatch;
	}

	/** The first of its player's own bets that it would be matched with, and the stake before it. */
	#ownMet(bet: ReferenceBet): { bet: ReferenceBet; ahead: number } | null {
		const other = bet.side === 'BACK' ? 'LAY' : 'BACK';
		const atOnce = bet.minFill != null;
		const wanted = atOnce ? this.#fillable(bet, bet.minFill ?? 0) : bet.remaining;
		let left = wanted;
		const met = atOnce ? this.queue(this.poolOf(bet), bet.market, bet.runner, other) : this.#takeable(bet);
		for (const resting of met) {
			if (left <= 0) return null;
			if (resting.user === bet.user) return { bet: resting, ahead: wanted - left };
			left -= resting.remaining;
		}
		return null;
	}

	#match(taker: ReferenceBet, queue: readonly ReferenceBet[]): ReferenceFill[] {
		const fills: ReferenceFill[] = [];
		for (const maker of queue) {
			if (maker === taker) continue;
			const stake = Math.min(taker.remaining, maker.remaining);
			if (stake === 0) break;
			for (const bet of [taker, maker]) {
				bet.remaining -= stake;
				bet.fills.push({ price: maker.price, matchedAt: maker.price, stake, later: [] });
			}
			const fill = { taker: taker.id, maker: maker.id, price: maker.price, stake };
			const book = { pool: this.poolOf(taker), market: taker.market, runner: taker.runner };
			fills.push(fill);
			this.#matches.list.push({ ...fill, ...book });
			this.triggers.traded(book, maker.price);
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

	/** Everything unmatched of a player, in one market or in all; answers the sum. @param only of these bets alone, in this order */
	cancelAll(user: number, market?: number, only?: readonly number[], why: string | null = null): string | number {
		if (!this.user(user)) return 'UNKNOWN_USER';
		if (market !== undefined && !this.markets.some(({ id }) => id === market)) return 'UNKNOWN_MARKET';
		this.endTriggers((trigger) => trigger.user === user && (market === undefined || trigger.market === market), {
			status: why === null ? 'CANCELLED' : 'LAPSED',
			reason: why,
		});
		const own = this.bets.filter((bet) => bet.user === user && (market === undefined || bet.market === market));
		if (only) return this.#cancelThese(own, only);
		const sum = own.reduce((total, bet) => total + bet.remaining, 0);
		// Market by market: what comes free in one may be asked for in the next.
		for (const { id } of this.markets) {
			const ofMarket = own.filter((bet) => bet.market === id);
			for (const bet of ofMarket) cancelRemaining(bet);
			this.#holdOf(ofMarket);
		}
		return sum;
	}

	#cancelThese(own: readonly ReferenceBet[], ids: readonly number[]): number {
		const these = [...new Set(ids)].flatMap((id) => own.find((bet) => bet.id === id && bet.remaining > 0) ?? []);
		const sum = these.reduce((total, bet) => total + bet.remaining, 0);
		for (const bet of these) cancelRemaining(bet);
		// Markets in the order in which their first bet is named.
		for (const market of new Set(these.map((bet) => bet.market)))
			this.#holdOf(own.filter((bet) => bet.market === market));
		return sum;
	}

	/** The unmatched part at another price, as a new bet; refused, the old one stands as it stood. */
	replace(id: number, newId: number, user: number, price: number, now: number): string | ReferenceFill[] {
		const bet = this.bets.find((candidate) => candidate.id === id);
		if (!bet) return 'UNKNOWN_ORDER';
		if (bet.user !== user) return 'NOT_OWNER';
		if (bet.remaining === 0) return 'ORDER_NOT_ACTIVE';
		if (bet.atStart === 'CLOSE') return 'TERMS_NOT_POSSIBLE';
		const { remaining: stake, delay, market, runner, side, persist, ...terms } = bet;
		const { postOnly = null, expiresAt = null, selfMatch = null, atStart = null, group = null } = terms;
		const untilMatched = this.#matches.left(bet, this.poolOf(bet));
		cancelRemaining(bet);
		const kept = { market, runner, side, stake, persist, postOnly, expiresAt, untilMatched, selfMatch, atStart, group };
		const told = this.place({ ...kept, id: newId, user, price }, now);
		if (typeof told === 'string') Object.assign(bet, { remaining: stake, delay });
		return told;
	}

	/** Whether the unmatched part stays at the turn in-play; null when it is done. */
	update(id: number, user: number, persist: boolean, takesStart: boolean): string | null {
		const bet = this.bets.find((candidate) => candidate.id === id);
		if (!bet) return 'UNKNOWN_ORDER';
		if (bet.user !== user) return 'NOT_OWNER';
		if (bet.remaining === 0) return 'ORDER_NOT_ACTIVE';
		if (bet.atStart === 'CLOSE') return 'TERMS_NOT_POSSIBLE';
		const atStart = takesStart ? 'REST' : null;
		if (bet.persist === persist && (bet.atStart ?? null) === atStart) return 'NOTHING_TO_UPDATE';
		const market = this.markets.find(({ id }) => id === bet.market) as ReferenceMarket;
		if (takesStart && !awaitsAuction(market)) return 'TERMS_NOT_POSSIBLE';
		if (hasOpposite(this.bets, { ...bet, atStart }, market)) return 'SELF_MATCH';
		Object.assign(bet, { persist, atStart });
		return null;
	}

	/** Removes unmatched stake; answers the ids of the bets that lapsed. */
	lapse(market: number, which: (bet: ReferenceBet) => boolean): number[] {
		const lapsing = this.bets.filter((bet) => bet.market === market && bet.remaining > 0 && which(bet));
		for (const bet of lapsing) cancelRemaining(bet);
		this.#holdOf(lapsing);
		return lapsing.map((bet) => bet.id);
	}

	/** A runner that takes no part: its bets are void, the others' prices fall by `basisPoints`. */
	remove(market: ReferenceMarket, runner: number, bp: number): { lapsed: number[]; voided: number[] } {
		const removal = { runner, bp };
		market.removed.set(runner, removal);
		const lapsed = this.lapse(market.id, (bet) => bet.runner === runner);
		const ofMarket = this.bets.filter((bet) => bet.market === market.id && isLive(bet));
		const gone = ofMarket.filter((bet) => bet.runner === runner);
		for (const bet of gone) bet.fills = [];
		for (const { fills } of this.bets.filter((bet) => bet.market === market.id)) {
			for (const fill of fills) fill.later.push(removal);
		}
		const isLarge = market.reductions !== null && bp >= market.reductions.waiting;
		lapsed.push(...this.#reprice(market, isLarge ? bp : null));
		return { lapsed: lapsed.sort((a, b) => a - b), voided: gone.map(({ id }) => id) };
	}

	/** The removal was at another factor. */
	correct(market: ReferenceMarket, removal: ReferenceRemoval, bp: number): number[] {
		const { waiting } = market.reductions as NonNullable<ReferenceMarket['reductions']>;
		const grew = removal.bp < waiting && bp >= waiting;
		removal.bp = bp;
		return this.#reprice(market, grew ? bp : null).sort((a, b) => a - b);
	}

	/** Recounts each fill, and lays that wait if their price falls by `basisPoints`; answers those that lapse. */
	#reprice(market: ReferenceMarket, waitingBp: number | null): number[] {
		const lapsed: number[] = [];
		const { matched, ofWinnings } = market.reductions ?? { matched: Number.POSITIVE_INFINITY, ofWinnings: false };
		for (const bet of this.bets.filter((each) => each.market === market.id)) {
			for (const fill of bet.fills) {
				fill.price = fill.matchedAt;
				for (const { bp } of fill.later) {
					if (bp >= matched) fill.price = Math.max(101, Math.floor((less(fill.price, bp, ofWinnings) + 5000) / 10_000));
				}
			}
			if (waitingBp === null || bet.side === 'BACK' || bet.remaining === 0) continue;
			if (bet.atStart === 'CLOSE') {
				if (bet.limit != null) bet.limit = tickBelow(bet.limit, waitingBp, ofWinnings);
			} else if (bet.persist || bet.atStart != null) bet.price = tickBelow(bet.price, waitingBp, ofWinnings);
			else {
				cancelRemaining(bet);
				lapsed.push(bet.id);
			}
		}
		this.#holdOf(this.bets.filter((bet) => bet.market === market.id));
		market.version++;
		return lapsed;
	}

	/** It takes part after all: outcomes that could not come can come again. */
	takeBack(market: ReferenceMarket, runner: number): void {
		const removal = market.removed.get(runner);
		market.removed.delete(runner);
		if (removal) removal.bp = 0;
		this.#reprice(market, null);
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
