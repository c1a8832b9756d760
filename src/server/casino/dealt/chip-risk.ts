/**
 * What the house can lose by the chips on a table. For each set of bets that are paid together, every way in which they
 * can be paid is kept with its sum; the worst of each set, together, are more than any result costs.
 */
import { NONE, toNumber } from '#games/fraction.ts';
import type { Faces, TableGame } from '#games/game.ts';
import { checkLargestPrize, checkStake } from '#server/casino/stake-limits.ts';
import type { RiskedBet, RoundRisk } from '#server/casino/tables/table-round.ts';
import type { WorkflowData } from '#server/exchange/workflow.ts';
import { Refused } from '#values/error-catalogue.ts';

/** The bets that a player places at once; paise. */
export interface ChipTerms extends WorkflowData {
	bets: readonly { bet: string; stake: number }[];
}

/** By bet, what each way of paying pays for a paisa. */
type PaysByBet = ReadonlyMap<string, Float64Array>;

/** Each way in which the bets of one set are paid, once. */
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
	readonly #game: TableGame;
	readonly #sets: readonly PaysByBet[];

	constructor(game: TableGame) {
		this.#game = game;
		this.#sets = game.faces().map((faces) => paysOf(game, faces));
	}

	/** Of a pool's bets in one round. */
	newRisk(): RoundRisk<ChipTerms> {
		return new ChipRisk(this.#game, this.#sets);
	}
}

class ChipRisk implements RoundRisk<ChipTerms> {
	readonly #game: TableGame;
	readonly #sets: readonly PaysByBet[];
	/** By set, what each way of paying comes to. */
	readonly #paid: readonly Float64Array[];
	#staked = 0;
	/** By player and bet: chips that were added later are one bet with the first for the house's limits. */
	readonly #stakes = new Map<string, number>();

	constructor(game: TableGame, sets: readonly PaysByBet[]) {
		this.#game = game;
		this.#sets = sets;
		this.#paid = sets.map((pays) => new Float64Array(pays.values().next().value?.length ?? 0));
	}

	/** @throws Refused STAKE_TOO_LARGE, WIN_TOO_LARGE */
	add({ player, terms }: RiskedBet<ChipTerms>): void {
		const added = new Map<string, number>();
		for (const { bet, stake } of terms.bets) {
			const key = `${player.walletId} ${bet}`;
			const together = (added.get(key) ?? this.#stakes.get(key) ?? 0) + stake;
			checkChip(this.#game, bet, together);
			added.set(key, together);
		}
		for (const [key, together] of added) this.#stakes.set(key, together);
		this.#count(terms, 1);
	}

	remove({ player, terms }: RiskedBet<ChipTerms>): void {
		for (const { bet, stake } of terms.bets) {
			const key = `${player.walletId} ${bet}`;
			this.#stakes.set(key, (this.#stakes.get(key) ?? 0) - stake);
		}
		this.#count(terms, -1);
	}

	get mostLoss(): number {
		return this.#paid.reduce((sum, ways) => sum + ways.reduce((most, way) => Math.max(most, way), 0), -this.#staked);
	}

	#count({ bets }: ChipTerms, sign: 1 | -1): void {
		for (const { bet, stake } of bets) {
			this.#staked += sign * stake;
			for (const [set, byBet] of this.#sets.entries())
				addPays(this.#paid[set] as Float64Array, byBet.get(bet), sign * stake);
		}
	}
}

/** @throws Refused UNKNOWN_GAME_BET, INVALID_STAKE, STAKE_TOO_SMALL, STAKE_TOO_LARGE, WIN_TOO_LARGE */
export function checkChip(game: TableGame, code: string, stake: number): void {
	checkStake(stake);
	const bet = game.betOf(code);
	if (!bet) throw new Refused('UNKNOWN_GAME_BET', { bet: code });
	checkLargestPrize(bet, stake);
}

function addPays(ways: Float64Array, pays: Float64Array | undefined, stake: number): void {
	if (pays) for (const [way, factor] of pays.entries()) ways[way] = (ways[way] as number) + stake * factor;
}
