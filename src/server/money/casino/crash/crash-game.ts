/** Crash for the scheduler of shared rounds: the result, the flight with its ticks, and recovery after a restart. */
import { crashPayout, interruptedCents, LEAST_CENTS } from '#games/crash/cash-outs.ts';
import { CRASH_RETURN, crash } from '#games/crash/crash.ts';
import { crashCents } from '#games/crash/crash-result.ts';
import { flightTable } from '#games/crash/flight.ts';
import type { WorkflowData, WorkflowValue } from '#server/exchange/order/workflow-data.ts';
import { type CrashBet, type CrashTerms, Flight, flyingOf, isCrashTerms } from '#server/money/casino/crash/flight.ts';
import type { Player } from '#server/money/casino/game-wallet.ts';
import { checkStakes } from '#server/money/casino/stake-limits.ts';
import type { SharedSeeds, Stage, TableGame } from '#server/money/casino/tables/table-game.ts';
import type { RiskedBet, RoundRisk, TableRound } from '#server/money/casino/tables/table-round.ts';
import { COHORTS } from '#server/platform/bus/table-topics.ts';
import { Refused } from '#values/error-catalogue.ts';
import { currencyOf, stepOf } from '#values/pools.ts';

/** The interval between ticks for one cohort of viewers. */
const TICK_MS = 150;
/** The offset between the ticks of two cohorts. */
const STEP_MS = TICK_MS / COHORTS;

export interface CrashResult extends WorkflowData {
	cents: number;
}

export interface Tick {
	round: number;
	elapsedMs: number;
	cents: number;
	/** The cohorts that receive it. */
	cohorts: number[];
}

interface Flying extends Pick<Stage, 'clock' | 'reached'> {
	flight: Flight;
	round: TableRound<CrashTerms>;
	startMs: number;
	endMs: number;
	/** Steps so far; each is a tick for one cohort. */
	steps: number;
}

export class CrashGame implements TableGame<CrashTerms> {
	readonly code = crash.code;
	readonly returnPercent = CRASH_RETURN;
	readonly windowMs = 5_000;
	readonly pauseMs = 3_000;
	readonly isAlwaysOpen = true;
	readonly takesBettorSeeds = true;
	readonly isTerms = isCrashTerms;
	readonly #table = flightTable();
	readonly #onTick: (tick: Tick) => void;
	/** The current flight. */
	#flight: Flying | null = null;

	constructor(onTick: (tick: Tick) => void) {
		this.#onTick = onTick;
	}

	/** The house takes no bet whose smallest win it cannot pay. Above that, the house limit ends the flight. */
	newRisk(): RoundRisk<CrashTerms> {
		let staked = 0;
		const byPlayer = new Map<number, number>();
		const add = ({ walletId }: Player, stake: number) => {
			staked += stake;
			byPlayer.set(walletId, (byPlayer.get(walletId) ?? 0) + stake);
		};
		return {
			add: ({ player, stake }) => {
				checkStakes((byPlayer.get(player.walletId) ?? 0) + stake, currencyOf(player.pool));
				add(player, stake);
			},
			remove: ({ player, stake }) => add(player, -stake),
			get mostLoss() {
				return (staked * (LEAST_CENTS - 100)) / 100;
			},
		};
	}

	/** A crash at 1.00x loses all of them. */
	lossOf(bets: readonly RiskedBet<CrashTerms>[]): number {
		return bets.reduce((sum, { stake }) => sum + stake, 0);
	}

	resultOf(seeds: SharedSeeds): CrashResult {
		return { cents: crashCents(seeds) };
	}

	async play(round: TableRound<CrashTerms>, result: WorkflowValue, { clock, signal, reached }: Stage): Promise<void> {
		const flight = new Flight(round, (result as CrashResult).cents, this.#table);
		const startMs = clock.now();
		const endMs = startMs + flight.crashMs;
		const flying: Flying = { flight, round, clock, reached, startMs, endMs, steps: 0 };
		this.#flight = flying;
		while (clock.now() < endMs) {
			await clock.until(Math.min(startMs + (flying.steps + 1) * STEP_MS, endMs), signal);
			if (signal.aborted) return;
			this.#tick(flying);
		}
		flight.crash();
		reached(flight.crashMs);
		this.#flight = null;
	}

	/** Sends the position of the flight to the cohorts that are due. */
	#tick(flying: Flying): void {
		const { flight, round, clock, reached, startMs, endMs, steps } = flying;
		const now = clock.now();
		const due = Math.floor((now - startMs) / STEP_MS);
		if (due <= steps || now >= endMs) return;
		flying.steps = due;
		const elapsedMs = Math.floor(now - startMs);
		flight.advance(elapsedMs);
		// After a pause no viewer gets two ticks at once.
		const cohorts = Array.from({ length: Math.min(due - steps, COHORTS) }, (_, back) => (due - back) % COHORTS);
		this.#onTick({ round: round.number, elapsedMs, cents: flight.centsAt(elapsedMs), cohorts });
		if (Math.floor(due / COHORTS) > Math.floor(steps / COHORTS) && round.openBets().length > 0) reached(elapsedMs);
	}

	recover(round: TableRound<CrashTerms>, result: WorkflowValue, reachedMs: number): void {
		// The remaining possible payout of a pool depends on all of its bets.
		for (const pool of new Set(round.openBets().map(({ player }) => player.pool))) {
			const bets = round.openBets().filter(({ player }) => player.pool === pool);
			const { cents: crashedAt } = result as CrashResult;
			const interruption = {
				table: this.#table,
				crashCents: crashedAt,
				tickMs: reachedMs,
				mostPayout: round.mostPayout(pool),
			};
			const flying = bets.map((bet) => flyingOf(round, bet));
			for (const [index, cents] of interruptedCents(flying, interruption).entries())
				settleInterrupted(round, bets[index] as CrashBet, cents);
		}
	}

	/**
	 * Cashes out on the player's press. The decision is immediate; a target or a limit may have ended the bet before.
	 * @param receivedMs when the server had received the whole request; monotonic
	 * @throws Refused NOT_FLYING, ROUND_CRASHED, ACTION_NOT_POSSIBLE
	 */
	cashOut(bet: CrashBet, receivedMs: number, by: string): void {
		const flying = this.#flight;
		if (flying?.round.number !== bet.round) throw new Refused('NOT_FLYING');
		const elapsedMs = Math.floor(receivedMs - flying.startMs);
		if (elapsedMs < 0) throw new Refused('NOT_FLYING');
		flying.flight.cashOut(bet, elapsedMs, by);
		// A burst of presses starves the timers of the event loop, so the flight ticks here too.
		this.#tick(flying);
	}

	/** Milliseconds since the start of the flight; null when none is in the air. */
	elapsedMs(nowMs: number): number | null {
		return this.#flight && Math.max(0, Math.floor(nowMs - this.#flight.startMs));
	}
}

function settleInterrupted(round: TableRound<CrashTerms>, bet: CrashBet, cents: number | null): void {
	if (cents === null) void round.decide(bet, { state: 'SETTLED', payout: 0, outcome: { cents, interrupted: true } });
	else if (cents < LEAST_CENTS)
		void round.decide(bet, { state: 'VOID', payout: bet.stake, outcome: { interrupted: true } });
	else {
		const outcome = { cents, cause: 'restart', interrupted: true };
		void round.decide(bet, {
			state: 'SETTLED',
			payout: crashPayout(bet.stake, cents, stepOf(bet.player.pool)),
			outcome,
		});
	}
}
