/** The triggers of the reference exchange: a plain list, and the prices of each book since its triggers were looked at. */
import type { Plan } from '#engine/triggers/plan.ts';
import { arriving, nextPrice, type ReferenceBet, type ReferenceMarket } from './reference-rules.ts';

export interface ReferenceTrigger {
	id: number;
	user: number;
	pool: string;
	market: number;
	runner: number;
	side: 'BACK' | 'LAY';
	price: number;
	stake: number;
	persist: boolean;
	watches: 'LAST_TRADED' | 'BEST' | 'NONE';
	moves: 'RISES' | 'FALLS';
	/** Null for a trailing one that has seen no price, or that is reached beyond the end of the ladder. */
	at: number | null;
	trail: number | null;
	best: number | null;
	version: number | undefined;
	dueAt: number | null;
	plan?: Plan | null;
	/** Of a plan: its latest bet, the latest one that closes it, and Σ stake × price that earlier ones closed. */
	betId?: number | null;
	exitId?: number | null;
	closed?: number;
	/** Of a plan: what is held for beside its bets, as [price, stake] of one side. */
	counted?: { side: 'BACK' | 'LAY'; of: readonly (readonly [number, number])[] };
	/** A bracket is about to place what closes it, which is counted already. */
	goesOn?: boolean;
}

/** How a trigger ended. */
export interface EndedTrigger {
	id: number;
	status: string;
	reason: string | null;
	betId: number | null;
}

type Asked = Pick<ReferenceTrigger, 'pool' | 'market' | 'runner'>;

export class ReferenceTriggers {
	list: ReferenceTrigger[] = [];
	readonly ended: EndedTrigger[] = [];
	/** By book: the last price of before the last look, and those since. */
	readonly #prices = new Map<string, number[]>();

	traded({ pool, market, runner }: Asked, price: number): void {
		const key = `${pool}.${market}.${runner}`;
		this.#prices.set(key, [...(this.#prices.get(key) ?? []), price]);
	}

	/** Of the last match in a book; null before the first one. */
	lastPrice({ pool, market, runner }: Asked): number | null {
		return this.#prices.get(`${pool}.${market}.${runner}`)?.at(-1) ?? null;
	}

	/** Looks at the matches of a book since the last look. */
	lookAtTrades(book: Asked, market: ReferenceMarket, now: number): void {
		const key = `${book.pool}.${book.market}.${book.runner}`;
		const prices = this.#prices.get(key) ?? [];
		this.#prices.set(key, prices.slice(-1));
		if (prices.length === 0) return;
		for (const trigger of this.#waitingIn(book))
			if (trigger.watches === 'LAST_TRADED') see(trigger, market, prices, now);
	}

	/** @param best what a bet of that side could be matched at; null for nothing */
	lookAtBest(book: Asked, market: ReferenceMarket, best: (side: 'BACK' | 'LAY') => number | null, now: number): void {
		for (const trigger of this.#waitingIn(book)) {
			const price = trigger.watches === 'BEST' ? best(trigger.side) : null;
			if (price !== null) see(trigger, market, [price], now);
		}
	}

	#waitingIn(book: Asked): ReferenceTrigger[] {
		return this.list.filter(
			({ pool, market, runner, dueAt, plan }) =>
				dueAt === null && plan == null && pool === book.pool && market === book.market && runner === book.runner,
		);
	}

	/** What looks change. */
	states(): string {
		return JSON.stringify(this.list.map(({ best, at, dueAt, stake }) => [best, at, dueAt, stake]));
	}

	/** Takes triggers out; answers them. */
	end(which: (trigger: ReferenceTrigger) => boolean, status: string, reason: string | null): ReferenceTrigger[] {
		const ending = this.list.filter(which);
		this.list = this.list.filter((trigger) => !ending.includes(trigger));
		for (const { id, betId = null } of ending) this.ended.push({ id, status, reason, betId });
		return ending;
	}

	/** Those whose prices were reached, in that order. */
	due(isOpen: (trigger: ReferenceTrigger) => boolean): ReferenceTrigger[] {
		const due = this.list.filter((trigger) => trigger.dueAt !== null && isOpen(trigger));
		return due.sort((a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0) || a.id - b.id);
	}
}

/** Compares with all prices; then a trailing one follows the best of them, and is compared with the last one. */
function see(trigger: ReferenceTrigger, market: ReferenceMarket, prices: readonly number[], now: number): void {
	const falls = trigger.moves === 'FALLS';
	const reaches = (price: number) => trigger.at !== null && (falls ? price <= trigger.at : price >= trigger.at);
	if (prices.some(reaches)) {
		trigger.dueAt = now;
		return;
	}
	if (trigger.trail === null) return;
	const best = falls ? Math.max(...prices) : Math.min(...prices);
	if (trigger.best !== null && (falls ? best <= trigger.best : best >= trigger.best)) return;
	trigger.best = best;
	let at: number | null = best;
	for (let step = 0; step < trigger.trail && at !== null; step++) at = nextPrice(market, at, falls ? -1 : 1);
	trigger.at = at;
	if (reaches(prices.at(-1) as number)) trigger.dueAt = now;
}

/** What a trigger counts for in its player's exposure; below zero what its bets count for already. */
export function countedFor(trigger: ReferenceTrigger): ReferenceBet[] {
	const bet = arriving(trigger);
	if (trigger.counted === undefined) return [bet];
	const { side, of } = trigger.counted;
	return of.map(([price, remaining]) => ({ ...bet, side, price, remaining }));
}
