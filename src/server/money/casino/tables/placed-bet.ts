/** A bet on a shared round, as its player is told of it. */
import type { WorkflowData } from '#server/exchange/order/workflow-data.ts';
import { UnreadableWorkflow } from '#server/exchange/recovery/stored-workflows.ts';
import type { TableGame } from '#server/money/casino/tables/table-game.ts';
import type { TableBet, TableBetWorkflow } from '#server/money/casino/tables/table-round.ts';

export interface PlacedBet<Terms> {
	id: number;
	round: number;
	slot: number;
	stake: number;
	terms: Terms;
	state: string;
	payout: number;
	outcome: WorkflowData | null;
}

/** A bet as its player may see it: a decision that can still be undone is not shown. */
export function asItStands<Terms>(bet: TableBet<Terms>): PlacedBet<Terms> {
	return bet.isDurable ? bet : { ...bet, state: 'OPEN', payout: 0, outcome: null };
}

/** A bet as the ledger has it. @throws UnreadableWorkflow if its choices are invalid for the game */
export function placedOf<Terms extends WorkflowData>(
	bet: TableBetWorkflow,
	game: Pick<TableGame<Terms>, 'isTerms'>,
): PlacedBet<Terms> {
	const { round, slot, stake, terms, payout, outcome } = bet.data;
	if (!game.isTerms(terms)) throw new UnreadableWorkflow(bet);
	return { id: bet.id, round, slot, stake, terms, state: bet.state, payout, outcome };
}
