/**
 * Crash: the differences from other shared games.
 *
 * This file has one flight: which bet cashes out at which multiplier. It reads no clock; the caller passes the elapsed
 * time.
 */
import * as v from 'valibot';
import { crashPayout, type FlyingBet, forcedCents, LEAST_CENTS, targetCents } from '#games/crash/cash-outs.ts';
import { centsAt, crashMs } from '#games/crash/flight.ts';
import type { WorkflowData } from '#server/exchange/order/workflow-data.ts';
import type { TableBet, TableRound } from '#server/money/casino/tables/table-round.ts';
import { casinoLimits } from '#values/casino-limits.ts';
import { Refused } from '#values/error-catalogue.ts';
import { currencyOf, type Pool, stepOf } from '#values/pools.ts';

/** A player's choices for a bet on a flight. */
const CrashTerms = v.object({
	/** Hundredths at which the bet cashes out automatically; null for none. */
	autoCents: v.nullable(v.pipe(v.number(), v.safeInteger())),
});
export type CrashTerms = v.InferOutput<typeof CrashTerms>;

export const isCrashTerms = (terms: WorkflowData): terms is CrashTerms => v.is(CrashTerms, terms);

/**
 * player: pressed · auto: its own target · limit: the largest win of a bet or of a round · restart: the server stopped
 * during the flight
 */
type CashOutCause = 'player' | 'auto' | 'limit' | 'restart';

interface CashOutOutcome extends WorkflowData {
	cents: number;
	cause: CashOutCause;
}

export type CrashBet = TableBet<CrashTerms>;

/** A bet as its limits see it. */
export const flyingOf = (round: TableRound<CrashTerms>, { stake, terms, player }: CrashBet): FlyingBet => ({
	stake,
	staked: round.betsOf(player).reduce((sum, bet) => sum + bet.stake, 0),
	autoCents: terms.autoCents,
	mostPaid: casinoLimits(currencyOf(player.pool)).mostPayout,
});

export class Flight {
	readonly #round: TableRound<CrashTerms>;
	readonly #table: Int32Array;
	readonly #crashCents: number;
	/** The multiplier at which each bet cashes out automatically, in hundredths. */
	readonly #targets = new Map<CrashBet, number>();
	/** The bet with the lowest target last. */
	readonly #byTarget: CrashBet[];
	/** The multiplier at which the house's largest loss ends the flight of a pool's bets, as of the last calculation. */
	readonly #forced = new Map<Pool, number>();

	constructor(round: TableRound<CrashTerms>, crashCents: number, table: Int32Array) {
		this.#round = round;
		this.#table = table;
		this.#crashCents = crashCents;
		const flying = round.openBets();
		for (const bet of flying) this.#targets.set(bet, targetCents(flyingOf(round, bet)));
		this.#byTarget = flying.sort((one, other) => this.#targetOf(other) - this.#targetOf(one) || other.id - one.id);
		for (const { player } of this.#byTarget)
			if (!this.#forced.has(player.pool)) this.#forced.set(player.pool, this.#countForced(player.pool));
	}

	/** Milliseconds from the start to the crash. */
	get crashMs(): number {
		return crashMs(this.#table, this.#crashCents);
	}

	centsAt(elapsedMs: number): number {
		return Math.min(centsAt(this.#table, elapsedMs), this.#crashCents);
	}

	/** Cashes out every bet whose target or limit has been reached, each at its own multiplier. */
	advance(elapsedMs: number): void {
		const reached = this.centsAt(elapsedMs);
		for (const [pool, known] of this.#forced) {
			if (known > reached) continue;
			// Bets that have cashed out since then left more for the others.
			const forced = this.#countForced(pool);
			this.#forced.set(pool, forced);
			if (forced <= reached) this.#cashOutAll(pool, forced);
		}
		for (let next = this.#byTarget.at(-1); next; next = this.#byTarget.at(-1)) {
			const target = this.#targetOf(next);
			if (target > reached) return;
			this.#byTarget.pop();
			if (next.state === 'OPEN') this.#cashOut(next, target, next.terms.autoCents === target ? 'auto' : 'limit');
		}
	}

	/**
	 * Cashes out on a press of the player. Targets and limits that were reached before it take precedence, and may have
	 * ended the bet.
	 * @param elapsedMs from the start to the receipt of the request
	 * @param by the request's id
	 * @throws Refused ROUND_CRASHED, ACTION_NOT_POSSIBLE below 1.01x
	 */
	cashOut(bet: CrashBet, elapsedMs: number, by: string): void {
		this.advance(elapsedMs);
		if (bet.state !== 'OPEN') return;
		const cents = centsAt(this.#table, elapsedMs);
		if (elapsedMs >= this.crashMs) throw new Refused('ROUND_CRASHED');
		if (cents < LEAST_CENTS) throw new Refused('ACTION_NOT_POSSIBLE', { leastCents: LEAST_CENTS });
		const outcome: CashOutOutcome = { cents, cause: 'player', by, elapsedMs };
		this.#round.decideForPlayer(bet, { payout: crashPayout(bet.stake, cents, stepOf(bet.player.pool)), outcome });
	}

	/** Ends the flight: open bets lose. */
	crash(): void {
		this.advance(this.crashMs);
		for (const bet of this.#round.openBets())
			void this.#round.decide(bet, { state: 'SETTLED', payout: 0, outcome: { cents: null } });
	}

	#targetOf(bet: CrashBet): number {
		return this.#targets.get(bet) as number;
	}

	#cashOutAll(pool: Pool, forced: number): void {
		for (const bet of this.#round.openBets()) {
			if (bet.player.pool !== pool) continue;
			const target = this.#targetOf(bet);
			if (target <= forced) this.#cashOut(bet, target, bet.terms.autoCents === target ? 'auto' : 'limit');
			else this.#cashOut(bet, forced, 'limit');
		}
	}

	#cashOut(bet: CrashBet, cents: number, cause: CashOutCause): void {
		const outcome: CashOutOutcome = { cents, cause };
		void this.#round.decide(bet, {
			state: 'SETTLED',
			payout: crashPayout(bet.stake, cents, stepOf(bet.player.pool)),
			outcome,
		});
	}

	#countForced(pool: Pool): number {
		const flying = this.#round.openBets().filter(({ player }) => player.pool === pool);
		return forcedCents(
			flying.map((bet) => ({ stake: bet.stake, mostCents: this.#targetOf(bet) })),
			this.#round.mostPayout(pool),
		);
	}
}

/** A bet cashes out once; the refusal names the multiplier. */
export function alreadyCashedOut({ payout, outcome, state }: Pick<CrashBet, 'payout' | 'outcome' | 'state'>): Refused {
	if (state === 'VOID') return new Refused('WRONG_STATE', { state });
	if (payout === 0) return new Refused('ROUND_CRASHED');
	return new Refused('ALREADY_CASHED_OUT', { cents: outcome['cents'], payout: payout / 100 });
}
