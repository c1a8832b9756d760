/** The reasons for held money: each market with open bets, each open round, and money in transit. */
import type { Workflow } from '#server/exchange/order/workflow.ts';
import { HOLDING_STATES } from '#server/money/funds/machines/withdrawal.ts';
import type { HeldRound } from '#server/money/funds/open-rounds.ts';
import type { OperatorOptions } from '#server/operators/act.ts';
import { gameName } from '#server/operators/casino-acts.ts';
import type { PlayerId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';

export type HeldMoney = { amount: AnyMinor } & (
	| { of: 'market'; title: string }
	| { of: 'round'; game: string; id: number }
	| { of: 'withdrawal' | 'dispute'; id: number }
);

function heldInMarkets({ exchange, fixtures }: OperatorOptions, playerId: PlayerId): HeldMoney[] {
	const held = [...exchange.openBets(playerId), ...exchange.triggers(playerId)];
	const markets = new Set(held.map(({ marketId }) => marketId));
	return [...markets].flatMap((marketId) => {
		const amount = exchange.profitLoss(playerId, marketId)?.exposure ?? 0;
		const listing = fixtures.market(marketId);
		const event = listing ? (fixtures.fixture(listing.fixtureId)?.title ?? '') : '';
		const title = listing ? `${event} · ${listing.name}` : `market ${marketId}`;
		return amount === 0 ? [] : [{ of: 'market', title, amount }];
	});
}

function heldByWorkflow({ kind, id, state, data }: Workflow): HeldMoney[] {
	if (kind === 'WITHDRAWAL' && HOLDING_STATES.has(state)) return [{ of: 'withdrawal', id, amount: data.amount }];
	if (kind === 'DISPUTE' && state === 'OPEN') return [{ of: 'dispute', id, amount: data.held }];
	return [];
}

/** @param workflows of the player; those that hold nothing are left out */
export const heldMoney = (
	parts: OperatorOptions,
	playerId: PlayerId,
	rounds: readonly HeldRound[],
	workflows: readonly Workflow[],
): HeldMoney[] => [
	...heldInMarkets(parts, playerId),
	...rounds.map(({ id, game, stake }) => ({ of: 'round' as const, game: gameName(parts, game), id, amount: stake })),
	...workflows.flatMap(heldByWorkflow),
];
