/** The auction of a starting price once more: every price is tried, and everything is counted again at each. */
import { LARGEST_STAKE, type ReferenceBet, type ReferenceFill, type ReferenceMarket } from './reference-rules.ts';

/** A back takes any price from its limit up and asks its stake; a lay takes any up to its limit and may lose its liability. */
export interface ReferenceBid {
	id: number;
	side: 'BACK' | 'LAY';
	limit: number | null;
	/** The stake of a back, the liability of a lay. */
	size: number;
}

export interface ReferenceSale {
	price: number;
	matched: number;
	/** By bid, those that get something. */
	parts: Map<number, number>;
	pairs: { taker: number; maker: number; stake: number }[];
}

const takesPrice = ({ side, limit }: ReferenceBid, price: number): boolean =>
	limit === null || (side === 'BACK' ? price >= limit : price <= limit);

/** Stake that a bid asks at a price: a lay as much as it can lose without losing more than its liability. */
const askedAt = ({ side, size }: ReferenceBid, price: number): number =>
	side === 'BACK' ? size : Math.min(LARGEST_STAKE, Math.floor((size * 100) / (price - 100)));

/** Null where no price matches anything. */
export function saleOf(bids: readonly ReferenceBid[]): ReferenceSale | null {
	const [backs, lays] = [bids.filter(({ side }) => side === 'BACK'), bids.filter(({ side }) => side === 'LAY')];
	if (backs.length === 0 || lays.length === 0) return null;
	const best = { price: 0, matched: 0, left: 0 };
	for (let price = 101; price <= 100_000; price++) {
		let [backed, laid] = [0, 0];
		for (const bid of backs) if (takesPrice(bid, price)) backed += bid.size;
		for (const bid of lays) if (takesPrice(bid, price)) laid += askedAt(bid, price);
		const matched = Math.min(backed, laid);
		const left = Math.max(backed, laid) - matched;
		// Of prices that are as good the first, which is the lowest, stays.
		if (matched > best.matched || (matched === best.matched && matched > 0 && left < best.left))
			Object.assign(best, { price, matched, left });
	}
	return best.matched === 0 ? null : { ...best, ...shared(best, backs, lays) };
}

/** Unit by unit would be the obvious way; bid by bid, the eagerest and oldest first, comes to the same. */
function shared(
	{ price, matched }: { price: number; matched: number },
	backs: readonly ReferenceBid[],
	lays: readonly ReferenceBid[],
): Pick<ReferenceSale, 'parts' | 'pairs'> {
	const parts = new Map<number, number>();
	const give = (bids: readonly ReferenceBid[], eagerness: (bid: ReferenceBid) => number): number[] => {
		const queue: number[] = [];
		let open = matched;
		const taking = bids.filter((bid) => takesPrice(bid, price));
		taking.sort((one, other) => eagerness(other) - eagerness(one) || one.id - other.id);
		for (const bid of taking) {
			const part = Math.min(open, askedAt(bid, price));
			if (part === 0) continue;
			open -= part;
			parts.set(bid.id, part);
			queue.push(bid.id);
		}
		return queue;
	};
	const backing = give(backs, ({ limit }) => -(limit ?? 101));
	const laying = give(lays, ({ limit }) => limit ?? 100_000);
	const left = new Map(parts);
	const pairs: ReferenceSale['pairs'] = [];
	for (const back of backing) {
		for (const lay of laying) {
			const stake = Math.min(left.get(back) as number, left.get(lay) as number);
			if (stake === 0) continue;
			left.set(back, (left.get(back) as number) - stake);
			left.set(lay, (left.get(lay) as number) - stake);
			pairs.push({ taker: Math.max(back, lay), maker: Math.min(back, lay), stake });
		}
	}
	return { parts, pairs };
}

export const awaitsAuction = ({ startingPrice, inPlay }: ReferenceMarket): boolean => startingPrice && !inPlay;
export const isBidding = ({ atStart, remaining }: ReferenceBet): boolean => atStart != null && remaining > 0;

/** Whether its player would stand on both sides of an auction. */
export function hasOpposite(
	bets: readonly ReferenceBet[],
	{ atStart, user, market, runner, side }: ReferenceBet,
	{ selfMatch }: ReferenceMarket,
): boolean {
	if (atStart == null || selfMatch) return false;
	return bets.some(
		(bet) => isBidding(bet) && bet.user === user && bet.market === market && bet.runner === runner && bet.side !== side,
	);
}

/** A bet as the auction takes it. What a resting lay could lose at its own price is its liability. */
const bidOf = ({ id, side, limit = null, price, remaining }: ReferenceBet): ReferenceBid => ({
	id,
	side,
	limit,
	size: side === 'BACK' ? remaining : Math.floor((remaining * (price - 100)) / 100),
});

/** Sells a runner: matches what its price matches, and lapses the rest. */
export function sell(bidding: readonly ReferenceBet[]): { fills: ReferenceFill[]; lapsed: number[] } {
	const sale = saleOf(bidding.map(bidOf));
	const price = sale?.price ?? 0;
	const lapsed: number[] = [];
	for (const bet of bidding) {
		const part = sale?.parts.get(bet.id) ?? 0;
		const asked = part === 0 ? bet.remaining : askedAt(bidOf(bet), price);
		if (part < asked) lapsed.push(bet.id);
		bet.remaining = 0;
		if (part > 0) bet.fills.push({ price, matchedAt: price, stake: part, later: [] });
	}
	return { fills: (sale?.pairs ?? []).map((pair) => ({ ...pair, price })), lapsed };
}
