/**
 * Dealt tables: one result for the bets of all players, shown step by step. Each game is a definition in `src/games`,
 * and this code serves all of them.
 *
 * This file plays a definition for the scheduler of shared rounds.
 */
import { drawFrom } from '#games/fair-draw.ts';
import { compare, NONE, toNumber } from '#games/fraction.ts';
import { payoutOf, returnOf, type TableGame as TableDefinition } from '#games/game.ts';
import { seededWords, sharedClientSeed } from '#games/seeded-words.ts';
import { AFTER_RESULT_MS } from '#games/tables/table-times.ts';
import type { WorkflowData, WorkflowValue } from '#server/exchange/order/workflow-data.ts';
import { ChipRisks, type ChipTerms, isChipTerms } from '#server/money/casino/dealt/chip-risk.ts';
import type { SharedSeeds, Stage, TableGame } from '#server/money/casino/tables/table-game.ts';
import type { RiskedBet, RoundRisk, TableBet, TableRound } from '#server/money/casino/tables/table-round.ts';
import { stepOf } from '#values/pools.ts';

/** The payouts of a player's bets, in the order of the bets; minor units. */
export interface ChipOutcome extends WorkflowData {
	payouts: readonly number[];
}

export type ChipBet = TableBet<ChipTerms>;

export class DealtGame implements TableGame<ChipTerms> {
	readonly code: string;
	readonly returnPercent: number;
	readonly windowMs: number;
	readonly pauseMs = AFTER_RESULT_MS;
	readonly isAlwaysOpen = false;
	readonly takesBettorSeeds = false;
	readonly isTerms = isChipTerms;
	readonly definition: TableDefinition;
	readonly #onReveal: () => void;
	#revealed: { round: number; shown: unknown } | null = null;
	#risks: ChipRisks | null = null;

	/** @param onReveal called when the cards on the table change */
	constructor(definition: TableDefinition, onReveal: () => void) {
		this.code = definition.code;
		this.windowMs = definition.windowMs;
		const returns = definition.bets.map(returnOf).sort(compare);
		this.returnPercent = Math.floor(toNumber(returns[0] ?? NONE) * 100);
		this.definition = definition;
		this.#onReveal = onReveal;
	}

	newRisk(): RoundRisk<ChipTerms> {
		return this.#chipRisks().newRisk();
	}

	lossOf(bets: readonly RiskedBet<ChipTerms>[]): number {
		return this.#chipRisks().lossOf(bets);
	}

	#chipRisks(): ChipRisks {
		this.#risks ??= new ChipRisks(this.definition);
		return this.#risks;
	}

	resultOf({ hash, salt, bettorSeeds, round }: SharedSeeds): WorkflowValue {
		const seeds = { serverSeed: hash, clientSeed: sharedClientSeed(salt, bettorSeeds), nonce: round };
		return this.definition.outcomeOf(drawFrom(seededWords(seeds))) as WorkflowValue;
	}

	async play(round: TableRound<ChipTerms>, outcome: WorkflowValue, { clock, signal }: Stage): Promise<void> {
		const startMs = clock.now();
		let shownMs = startMs;
		for (const { atMs, shown } of this.definition.revealsOf(outcome)) {
			shownMs = startMs + atMs;
			await clock.until(shownMs, signal);
			if (signal.aborted) return;
			this.#revealed = { round: round.number, shown };
			this.#onReveal();
		}
		await clock.until(shownMs + this.definition.holdMs, signal);
		if (!signal.aborted) this.#settle(round, outcome, {});
	}

	/** The revealed part of a round, as the definition shapes it; null before the first step. */
	shownIn(round: number): unknown {
		return this.#revealed?.round === round ? this.#revealed.shown : null;
	}

	/** A locked round has its result, so its bets are settled by it. */
	recover(round: TableRound<ChipTerms>, outcome: WorkflowValue): void {
		this.#settle(round, outcome, { interrupted: true });
	}

	#settle(round: TableRound<ChipTerms>, outcome: WorkflowValue, more: WorkflowData): void {
		for (const bet of round.openBets()) {
			const payouts = bet.terms.bets.map(({ bet: code, stake }) =>
				this.#payoutOf(code, stake, outcome, stepOf(bet.player.pool)),
			);
			const payout = payouts.reduce((sum, paid) => sum + paid, 0);
			void round.decide(bet, { state: 'SETTLED', payout, outcome: { payouts, ...more } });
		}
	}

	#payoutOf(code: string, stake: number, outcome: WorkflowValue, step: number): number {
		const bet = this.definition.betOf(code);
		if (!bet) throw new Error(`a bet on ${code} is in the ledger, and ${this.code} has none`);
		const prize = bet.prizeOf(outcome);
		return prize === null ? 0 : payoutOf(stake, bet.prizes[prize]?.pays ?? NONE, step);
	}
}
