/** What was matched on the reference exchange: a plain list, which is added up each time. */
import type { ReferenceBet, ReferenceFill } from './reference-rules.ts';

interface ReferenceMatch extends ReferenceFill {
	pool: string;
	market: number;
	runner: number;
}

export class ReferenceMatches {
	/** In order. */
	readonly list: ReferenceMatch[] = [];

	/** What others matched of a bet's runner since it came. */
	byOthers({ id, market, runner, matchesBefore }: ReferenceBet, pool: string): number {
		return this.list
			.slice(matchesBefore)
			.filter((match) => match.pool === pool && match.market === market && match.runner === runner)
			.filter(({ taker, maker }) => taker !== id && maker !== id)
			.reduce((sum, { stake }) => sum + stake, 0);
	}

	/** What they have still to match before it lapses; null for a bet without such an end. */
	left(bet: ReferenceBet, pool: string): number | null {
		return bet.untilMatched == null ? null : Math.max(0, bet.untilMatched - this.byOthers(bet, pool));
	}
}
