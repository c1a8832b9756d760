/**
 * The house's possible loss by the chips on a table. For each set of bets that are paid together, the sum of every
 * possible payout is kept. The sum of each set's largest payout is an upper bound for every result.
 */
import * as v from 'valibot';
import { NONE, toNumber } from '#games/fraction.ts';
import type { Faces, TableGame } from '#games/game.ts';
import type { WorkflowData } from '#server/exchange/order/workflow-data.ts';
import { checkStake, checkStakes, largestPayout, refuseAbove } from '#server/money/casino/stake-limits.ts';
import type { RiskedBet, RoundRisk } from '#server/money/casino/tables/table-round.ts';
import type { Currency } from '#values/currency-codes.ts';
import { Refused } from '#values/error-catalogue.ts';
import { currencyOf } from '#values/pools.ts';

/** The bets that a player places at once; minor units. */
const ChipTerms = v.object({
	bets: v.pipe(v.array(v.object({ bet: v.string(), stake: v.pipe(v.number(), v.safeInteger()) })), v.readonly()),
});
export type ChipTerms = v.InferOutput<typeof ChipTerms>;

export const isChipTerms = (terms: WorkflowData): terms is ChipTerms => v.is(ChipTerms, terms);

/** By bet: the payout per minor unit staked, for each way of paying. */
type PaysByBet = ReadonlyMap<string, Float64Array>;

/** The distinct ways in which the bets of one set are paid. */
function paysOf(game: TableGame, { bets, outcomes }: Faces<unknown>): PaysByBet {
	const known = bets.flatMap((code) => game.betOf(code) ?? []);
	const ways = new Map<string, number[]>();
	for (const outcome of outcomes) {
		const prizes = known.map((bet) => bet.prizeOf(outcome));
		const pays = prizes.map((prize, index) =>
			toNumber((prize === null ? null : known[index]?.prizes[prize]?.pays) ?? NONE),
		);
		ways.set(prizes.join(), pays);
	}
	const all = [...ways.values()];
	return new Map(known.map(({ code }, index) => [code, Float64Array.from(all, (pays) => pays[index] as number)]));
}

export class ChipRisks {
	readonly #sets: readonly PaysByBet[];

	constructor(game: TableGame) {
		this.#sets = game.faces().map((faces) => paysOf(game, faces));
	}

	/** Of a pool's bets in one round. */
	newRisk(): RoundRisk<ChipTerms> {
		return new ChipRisk(this.#sets);
	}

	/** The largest combined loss of the bets, in minor units. */
	lossOf(bets: readonly RiskedBet<ChipTerms>[]): number {
		const chips = new Chips(this.#sets);
		for (const { terms } of bets) chips.count(terms, 1);
		return Math.max(0, Math.ceil(Math.round((chips.staked - chips.leastPaid) * 100) / 100));
	}
}

/** The sum of some bets. */
class Chips {
	readonly #sets: readonly PaysByBet[];
	/** By set: the total of each way of paying. */
	readonly #paid: readonly Float64Array[];
	staked = 0;

	constructor(sets: readonly PaysByBet[]) {
		this.#sets = sets;
		this.#paid = sets.map((pays) => new Float64Array(pays.values().next().value?.length ?? 0));
	}

	count({ bets }: ChipTerms, sign: 1 | -1): void {
		for (const { bet, stake } of bets) {
			this.staked += sign * stake;
			for (const [set, byBet] of this.#sets.entries())
				addPays(this.#paid[set] as Float64Array, byBet.get(bet), sign * stake);
		}
	}

	get mostPaid(): number {
		return this.#paid.reduce((sum, ways) => sum + Math.max(0, ...ways), 0);
	}

	get leastPaid(): number {
		return this.#paid.reduce((sum, ways) => sum + (ways.length > 0 ? Math.min(...ways) : 0), 0);
	}
}

class ChipRisk implements RoundRisk<ChipTerms> {
	readonly #sets: readonly PaysByBet[];
	readonly #all: Chips;
	readonly #byPlayer = new Map<number, Chips>();

	constructor(sets: readonly PaysByBet[]) {
		this.#sets = sets;
		this.#all = new Chips(sets);
	}

	/** @throws Refused STAKE_TOO_LARGE, WIN_TOO_LARGE */
	add({ player, terms }: RiskedBet<ChipTerms>): void {
		const own = this.#byPlayer.get(player.walletId) ?? new Chips(this.#sets);
		own.count(terms, 1);
		try {
			const currency = currencyOf(player.pool);
			checkStakes(own.staked, currency);
			refuseAbove(Math.floor(own.mostPaid), currency);
		} catch (refusal) {
			own.count(terms, -1);
			throw refusal;
		}
		this.#byPlayer.set(player.walletId, own);
		this.#all.count(terms, 1);
	}

	remove({ player, terms }: RiskedBet<ChipTerms>): void {
		this.#byPlayer.get(player.walletId)?.count(terms, -1);
		this.#all.count(terms, -1);
	}

	get mostLoss(): number {
		return this.#all.mostPaid - this.#all.staked;
	}
}

/** @throws Refused UNKNOWN_GAME_BET, INVALID_STAKE, STAKE_TOO_SMALL, STAKE_TOO_LARGE, WIN_TOO_LARGE */
export function checkChip(game: TableGame, code: string, stake: number, currency: Currency): void {
	checkStake(stake, currency);
	const bet = game.betOf(code);
	if (!bet) throw new Refused('UNKNOWN_GAME_BET', { bet: code });
	refuseAbove(largestPayout(bet, stake), currency);
}

function addPays(ways: Float64Array, pays: Float64Array | undefined, stake: number): void {
	if (pays) for (const [way, factor] of pays.entries()) ways[way] = (ways[way] as number) + stake * factor;
}
