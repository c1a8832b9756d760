/** What the slip and the ladder may offer beside price and stake in a market: what the exchange takes there. */
import { type OrderTerm, takesTerm } from '#values/order-terms.ts';
import type { Market } from '#web/api/answers.ts';
import { BET_WHENS, type BetOptions, isPlan } from '#web/betting/selection.ts';

/** What the options of the unmatched part ask of the exchange. */
export const TERM_OF_OPTION = {
	postOnly: 'POST_ONLY',
	goodFor: 'EXPIRES',
	goodUntilMatched: 'UNTIL_MATCHED',
} as const satisfies Partial<Record<keyof BetOptions, OrderTerm>>;

type KnownMarket = Pick<Market, 'bettingModel' | 'crossMatching' | 'lineRange' | 'eachWayDivisor' | 'startingPrice'>;
type Option = keyof typeof TERM_OF_OPTION;

export interface TakenTerms {
	/** The market turns in-play, so that a bet may be kept through it. */
	keeps: boolean;
	/** Those that the market takes. */
	options: readonly Option[];
	/** When a bet may be placed; the first is at once. */
	whens: readonly BetOptions['when'][];
}

const OPTIONS = Object.keys(TERM_OF_OPTION) as Option[];

/** @param market undefined while it is not known, and offers nothing that another market does not take */
export function takenTerms(market: KnownMarket | undefined, inPlay: boolean): TakenTerms {
	const takes = (term: OrderTerm): boolean => market !== undefined && takesTerm(takingOf(market), term);
	function isTaken(when: BetOptions['when']): boolean {
		if (when === '') return true;
		if (when === 'START') return market?.startingPrice === 'AHEAD' && !inPlay;
		return takes(isPlan(when) ? when : 'TRIGGER');
	}
	return {
		keeps: !inPlay,
		options: OPTIONS.filter((option) => takes(TERM_OF_OPTION[option])),
		whens: BET_WHENS.filter(isTaken),
	};
}

const takingOf = ({ bettingModel, crossMatching, lineRange, eachWayDivisor = 0 }: KnownMarket) => ({
	byHouse: bettingModel !== 'EXCHANGE',
	crossMatching: crossMatching === true,
	onLines: lineRange !== undefined,
	eachWay: eachWayDivisor > 0,
});
