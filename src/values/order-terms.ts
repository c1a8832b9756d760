/** What a bet may ask beyond its price and stake, and which markets take it: the rule of the engine and of the slip. */

/**
 * POST_ONLY: it is never matched as it arrives. EXPIRES, UNTIL_MATCHED: its unmatched part lapses at a time, or once
 * others have matched a volume. OWN_LAPSES: it, or the player's own bet that it would meet, lapses. TRIGGER: a move of
 * the prices places it. The others are plans.
 */
export type OrderTerm =
	| 'POST_ONLY'
	| 'EXPIRES'
	| 'UNTIL_MATCHED'
	| 'OWN_LAPSES'
	| 'TRIGGER'
	| 'ICEBERG'
	| 'PEG'
	| 'BRACKET';

/** What of a market decides about terms. */
export interface TakingMarket {
	/** The house is the other side of every bet. */
	byHouse: boolean;
	/** Bets are also matched across its runners. */
	crossMatching: boolean;
	/** Its prices are lines. */
	onLines: boolean;
	eachWay: boolean;
}

/**
 * Where the house is the other side no bet rests, so none waits for anything. Fills across runners are found after a
 * bet is accepted, so where there are any, no bet counts on what it meets, and no plan knows the prices. On lines a
 * price has no better neighbours to stay ahead of. An aim and a stop hedge a bet that is one bet.
 */
export function takesTerm({ byHouse, crossMatching, onLines, eachWay }: TakingMarket, term: OrderTerm): boolean {
	switch (term) {
		case 'EXPIRES':
		case 'UNTIL_MATCHED':
		case 'TRIGGER':
			return !byHouse;
		case 'POST_ONLY':
		case 'ICEBERG':
			return !byHouse && !crossMatching;
		case 'OWN_LAPSES':
			return !crossMatching;
		case 'PEG':
			return !byHouse && !crossMatching && !onLines;
		case 'BRACKET':
			return !byHouse && !crossMatching && !onLines && !eachWay;
	}
}
