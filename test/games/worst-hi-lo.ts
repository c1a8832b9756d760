/**
 * The worst play of HiLo, computed from its rules by themselves: over all cards, all guesses and all cash-outs. Payouts
 * are exact, and their chances are summed as doubles, which is exact to a millionth and more.
 */
const RANKS = 13;
const MOST_GUESSES = 30;
const MOST_CENTS = 1_000_000;
/** The primes of the numbers of winning ranks, 1 to 12. A product of these numbers is their exponents, six bits each. */
const PRIMES = [2n, 3n, 5n, 7n, 11n];
const BITS = 6;

function packed(ranks: number): number {
	let [left, exponents] = [BigInt(ranks), 0];
	for (const [at, prime] of PRIMES.entries()) for (; left % prime === 0n; left /= prime) exponents += 1 << (BITS * at);
	return exponents;
}
const PACKED = Array.from({ length: RANKS }, (_, ranks) => (ranks === 0 ? 0 : packed(ranks)));

const exponentOf = (product: number, at: number): number => (product >> (BITS * at)) & 63;

function exactCents(guesses: number, product: number): number {
	const ways = PRIMES.reduce((all, prime, at) => all * prime ** BigInt(exponentOf(product, at)), 1n);
	return Number((97n * BigInt(RANKS) ** BigInt(guesses)) / ways);
}

/** A double says where the division comes out, unless that is next to a whole number. */
function centsOf(guesses: number, product: number): number {
	let quotient = 97 * RANKS ** guesses;
	for (const [at, prime] of PRIMES.entries()) quotient /= Number(prime) ** exponentOf(product, at);
	if (quotient > MOST_CENTS + 1) return MOST_CENTS;
	const isClear = Math.abs(quotient - Math.round(quotient)) > 1e-6;
	return Math.min(isClear ? Math.floor(quotient) : exactCents(guesses, product), MOST_CENTS);
}

/** What the worst decisions return of a stake. */
export function worstHiLo(): number {
	// Forward: the products after each number of right guesses. A round that has ended goes no further.
	const levels: Map<number, number>[] = [new Map([[0, 0]])];
	for (let guesses = 1; guesses <= MOST_GUESSES; guesses++) {
		const reached = new Map<number, number>();
		for (const [product, cents] of levels[guesses - 1] as Map<number, number>) {
			if (cents === MOST_CENTS) continue;
			for (let ranks = 1; ranks < RANKS; ranks++) {
				const next = product + (PACKED[ranks] as number);
				if (!reached.has(next)) reached.set(next, centsOf(guesses, next));
			}
		}
		levels.push(reached);
	}
	// Backward: the least that each card after each product can be brought to.
	let after = new Map<number, Float64Array>();
	for (let guesses = MOST_GUESSES; guesses >= 0; guesses--) {
		const least = new Map<number, Float64Array>();
		for (const [product, cents] of levels[guesses] as Map<number, number>) {
			const isFull = guesses === MOST_GUESSES || cents === MOST_CENTS;
			least.set(
				product,
				isFull ? new Float64Array(RANKS).fill(cents) : leastOf(product, guesses > 0 ? cents : null, after),
			);
		}
		after = least;
	}
	const first = after.get(0) as Float64Array;
	return first.reduce((sum, value) => sum + value, 0) / RANKS / 100;
}

/** @param cents what a cash-out pays; null before the first right guess */
function leastOf(product: number, cents: number | null, after: ReadonlyMap<number, Float64Array>): Float64Array {
	const sumAfter = (ranks: number, from: number, to: number): number => {
		const values = after.get(product + (PACKED[ranks] as number)) as Float64Array;
		let sum = 0;
		for (let rank = from; rank < to; rank++) sum += values[rank] as number;
		return sum / RANKS;
	};
	return Float64Array.from({ length: RANKS }, (_, rank) => {
		const higher = rank < RANKS - 1 ? sumAfter(RANKS - 1 - rank, rank + 1, RANKS) : Number.POSITIVE_INFINITY;
		const lower = rank > 0 ? sumAfter(rank, 0, rank) : Number.POSITIVE_INFINITY;
		return Math.min(cents ?? Number.POSITIVE_INFINITY, sumAfter(1, rank, rank + 1), higher, lower);
	});
}
