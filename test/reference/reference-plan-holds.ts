/** What a plan of the reference exchange holds for beside its bets, and where a bracket closes. */
import { nextPrice, type ReferenceBet, type ReferenceMarket } from './reference-rules.ts';
import type { ReferenceTrigger } from './reference-triggers.ts';

interface Bets {
	readonly bets: readonly ReferenceBet[];
}

export const opposite = (side: 'BACK' | 'LAY'): 'BACK' | 'LAY' => (side === 'BACK' ? 'LAY' : 'BACK');

/** A price moved by ticks that are better for a side, or worse below zero; null beyond the ladder. */
function moved(market: ReferenceMarket, price: number, side: 'BACK' | 'LAY', ticks: number): number | null {
	let at: number | null = price;
	const up = (side === 'BACK') === ticks > 0;
	for (let step = 0; step < Math.abs(ticks) && at !== null; step++) at = nextPrice(market, at, up ? 1 : -1);
	return at;
}

/** Where a bracket closes. */
export function closesAt(
	market: ReferenceMarket,
	{ price, side, plan }: Pick<ReferenceTrigger, 'price' | 'side' | 'plan'>,
): [aim: number | null, stop: number | null] {
	if (plan?.kind !== 'BRACKET') return [null, null];
	const exit = opposite(side);
	return [moved(market, price, exit, plan.profitTicks), moved(market, price, exit, -plan.stopTicks)];
}

export const betOf = ({ bets }: Bets, id?: number | null) => bets.find((bet) => bet.id === id);
export const waitsOf = (exchange: Bets, id?: number | null): number => betOf(exchange, id)?.remaining ?? 0;
export const valueOf = (exchange: Bets, id?: number | null): number =>
	(betOf(exchange, id)?.fills ?? []).reduce((sum, { price, stake }) => sum + price * stake, 0);

export function isMatched(bet: ReferenceBet | undefined): boolean {
	return bet !== undefined && bet.fills.reduce((sum, { stake }) => sum + stake, 0) === bet.stake;
}

/** Σ stake × price of a bracket's bet that is not closed. */
export const openOf = (exchange: Bets, { betId, exitId, closed = 0 }: ReferenceTrigger): number =>
	valueOf(exchange, betId) - closed - valueOf(exchange, exitId);

export const closing = (exchange: Bets, trigger: ReferenceTrigger, price: number): number =>
	Math.max(0, Math.floor(openOf(exchange, trigger) / price));

export const atStop = (exchange: Bets, trigger: ReferenceTrigger, stop: number): number =>
	Math.ceil((Math.max(0, openOf(exchange, trigger)) + waitsOf(exchange, trigger.betId) * trigger.price) / stop);

/** A bracket holds at any time for what its bets, as they stand, would come to at its stop. */
export function countBracket(exchange: Bets, market: ReferenceMarket, trigger: ReferenceTrigger): void {
	if (trigger.plan?.kind !== 'BRACKET' || trigger.betId == null || trigger.goesOn) return;
	const [, stop] = closesAt(market, trigger) as [number, number];
	count(exchange, market, trigger, atStop(exchange, trigger, stop));
}

/** What a plan holds for beside its bets as they stand. */
export function count(exchange: Bets, market: ReferenceMarket, trigger: ReferenceTrigger, stake = trigger.stake): void {
	const { plan, side, price, betId, exitId } = trigger;
	const bet = betOf(exchange, betId);
	if (!bet || plan?.kind === 'ICEBERG') {
		trigger.counted = { side, of: [[price, stake]] };
		return;
	}
	if (plan?.kind === 'PEG') {
		trigger.counted = {
			side,
			of: [
				[price, stake],
				[bet.price, -stake],
			],
		};
		return;
	}
	const [aim, stop] = closesAt(market, trigger) as [number, number];
	const of = [
		[stop, stake],
		[price, -bet.remaining],
		[aim, -waitsOf(exchange, exitId)],
	] as const;
	trigger.counted = { side: opposite(side), of: of.filter(([, each]) => each !== 0) };
}
