/**
 * Takes a settlement back by a walk: random steps, winners before losers, as the server takes them, and then the walk of
 * the next settlement.
 */
import type { BeginReversal, ReversedWallet, Settlement } from '#engine/command.ts';
import type { Effects } from '#engine/effect.ts';
import type { Engine } from '#engine/engine.ts';
import { payableFor, profitExactParts } from '#engine/market-types/runner-result.ts';
import type { Outcome } from '#engine/outcome.ts';
import type { SeededNumbers } from '../reference/random-commands.ts';
import type { RecordedEffects } from './recorded-effects.ts';
import { walkToEnd } from './settle-by-walk.ts';

export type Afterwards = Pick<BeginReversal, 'next' | 'correction' | 'matches'>;

/** The matched bets of a market that is not settled yet, as the ledger has them afterwards. */
export const matchedBets = (engine: Engine, effects: RecordedEffects, marketId: number): Settlement['bets'] =>
	[...effects.bets.values()]
		.filter((bet) => bet.marketId === marketId && bet.matched > 0)
		.map((bet) => ({ ...bet, remaining: 0, delay: null, fills: engine.betDetail(bet.betId).fills }));

/** The wallets as the server reads them from the ledger; a large one in parts, void bets first. */
export function reversedWallets(
	engine: Engine,
	marketId: number,
	{ bets, payments }: Settlement,
	partOf: (bets: number) => number = (count) => count,
): ReversedWallet[] {
	const market = engine.market(marketId);
	const { results = null, placesPaid = null, removed = [] } = market ?? {};
	const payable =
		market && results && payableFor(results, placesPaid ?? market.numberOfWinners, market, new Map(removed));
	const profitOf = (bet: Settlement['bets'][number]) => (payable ? profitExactParts(bet, payable) : null);
	const netOf = new Map(payments.map(({ walletId, net, commission }) => [walletId, { net, commission }]));
	const wallets = [...Map.groupBy(bets, ({ walletId }) => walletId)].toSorted(
		([one], [other]) => Number((netOf.get(one)?.net ?? 0) <= 0) - Number((netOf.get(other)?.net ?? 0) <= 0),
	);
	return wallets.flatMap(([walletId, own]) => {
		const payment = netOf.get(walletId) ?? null;
		const size = partOf(own.length);
		if (size >= own.length) return [{ walletId, bets: own, payment }];
		const ordered = own.toSorted((one, other) => Number(profitOf(one) !== null) - Number(profitOf(other) !== null));
		const profits = own.map(profitOf).filter((profit) => profit !== null);
		const exact = profits.length > 0 ? String(profits.reduce((sum, profit) => sum + profit, 0)) : null;
		return Array.from({ length: Math.ceil(own.length / size) }, (_, at) => {
			const isLast = (at + 1) * size >= own.length;
			return { walletId, bets: ordered.slice(at * size, (at + 1) * size), payment, part: { isLast, exact } };
		});
	});
}

/** @param onStep called after the beginning and after each step */
export function reverseByWalk(
	engine: Engine,
	effects: Effects,
	{ marketId, settlement, afterwards }: { marketId: number; settlement: Settlement; afterwards: Afterwards },
	numbers: SeededNumbers,
	onStep: () => void = () => {},
): Outcome {
	const { bets, nextStep } = settlement;
	const extent = { betCount: bets.length, paidSinceMs: 0, nextStep };
	const begun = engine.apply({ kind: 'begin-reversal', atMs: 0, marketId, ...extent, ...afterwards }, effects);
	if (!begun.ok) return begun;
	onStep();
	const parts = reversedWallets(engine, marketId, settlement, (count) => 1 + numbers.below(count));
	for (let at = 0; at < parts.length; ) {
		const next = parts.slice(at, at + 1 + numbers.below(4));
		const again = numbers.chance(30) ? parts.slice(0, at) : [];
		engine.apply({ kind: 'reverse-wallets', atMs: 0, marketId, wallets: [...again, ...next] }, effects);
		at += next.length;
		onStep();
	}
	while (engine.market(marketId)?.reversing?.matches.length) {
		engine.apply({ kind: 'void-reversed', atMs: 0, marketId, count: 1 + numbers.below(2) }, effects);
		onStep();
	}
	walkToEnd(engine, effects, marketId, numbers, onStep);
	return begun;
}
