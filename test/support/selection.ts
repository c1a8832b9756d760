/** A back of India at 2.02 as tests of the site take it into the slip. */
import { priceAt } from '#values/price-ladder.ts';
import { NO_OPTIONS, type Picked, type Selection } from '#web/betting/selection.ts';

/** What a pressed price determines. */
export const PICKED: Picked = {
	eventId: '1',
	eventTitle: 'India v Nepal',
	marketId: '7',
	marketName: 'Match Odds',
	runnerId: 'IND',
	runnerName: 'India',
	side: 'BACK',
	quoting: 'ODDS',
	ladder: 'CLASSIC',
	price: priceAt(100),
};

/** The same with a typed stake. */
export const SELECTION: Selection = {
	...NO_OPTIONS,
	...PICKED,
	ownPrice: false,
	stake: '500',
	requestId: 'a-request',
	phase: { kind: 'editing', refusal: null },
};
