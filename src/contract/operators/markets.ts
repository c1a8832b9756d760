/** Markets: their state, their risk, and the acts on them. */
import * as v from 'valibot';
import { Amount, IN_MAJOR, Timestamp } from '#contract/fields.ts';
import { MarketStanding, NumberId, OnMarket, OnRunner, RunnerName, Sums } from '#contract/operators/fields.ts';
import { defineOperatorCall } from '#contract/operators/operator-call.ts';
import { CURRENCIES } from '#values/currency-codes.ts';
import { POOLS } from '#values/pools.ts';
import { isStreamAddress } from '#values/stream-address.ts';

const trade = { permission: 'markets.trade', about: 'platform' } as const;
const result = { permission: 'results.propose', confirm: 'results.confirm', about: 'platform' } as const;

const MarketVersion = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
const FancyLine = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(10_000));
const Rate = v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(998));
/** A side of a fancy: the number in question, and the win per 100 of stake. */
const FancySide = v.nullable(v.strictObject({ line: FancyLine, rate: Rate }));

/** The win of a backer and the loss of a layer per 100 of stake, by runner; null quotes nothing on that side. */
const Rates = v.array(v.strictObject({ back: v.nullable(Rate), lay: v.nullable(Rate) }));
const Name = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(100));

export const events = defineOperatorCall({
	permission: 'markets.read',
	about: 'platform',
	looks: true,
	input: v.strictObject({}),
	response: v.array(
		v.object({
			eventId: v.string(),
			event: v.string(),
			sport: v.string(),
			competition: v.string(),
			status: v.string(),
			startsAt: v.string(),
			score: v.nullable(v.string()),
			source: v.string(),
			markets: v.number(),
			/** Markets open for bets, and those waiting for a result. */
			open: v.number(),
			waiting: v.number(),
			/** Backers' matched stake in all pools. */
			matched: Sums,
		}),
	),
	summary: 'Events in memory with their markets in figures.',
});

const Level = v.object({ price: v.number(), size: v.number() });

export const Position = v.object({
	walletId: v.string(),
	who: v.string(),
	brand: v.nullable(v.string()),
	pool: v.string(),
	/** Net of matched bets by runner, major units, before commission. */
	outcomes: v.array(v.number()),
	worst: v.number(),
	bets: v.number(),
});

export const eventMarkets = defineOperatorCall({
	permission: 'markets.read',
	about: 'platform',
	looks: true,
	input: v.strictObject({ eventId: NumberId }),
	response: v.object({
		eventId: v.string(),
		event: v.string(),
		sport: v.string(),
		status: v.string(),
		score: v.nullable(v.string()),
		/** The feed that plays it; `by-hand` for traders. */
		source: v.string(),
		markets: v.array(
			v.object({
				...MarketStanding.entries,
				type: v.string(),
				bettingModel: v.string(),
				matched: Sums,
				pools: v.array(v.string()),
				/** House exposure: the result of the house's own wallets by outcome. */
				house: v.array(v.object({ pool: v.picklist(POOLS), outcomes: v.array(v.number()), worst: v.number() })),
				isSettledByNumber: v.boolean(),
				/** Whether a trader prices it by hand, and the prices. */
				fancy: v.nullable(v.object({ no: FancySide, yes: FancySide })),
				/** The same of a bookmaker market, in the order of its runners. */
				rates: v.nullable(Rates),
			}),
		),
	}),
	summary: 'The markets of an event, with the house’s exposure by outcome.',
});

export const marketRisk = defineOperatorCall({
	permission: 'markets.read',
	about: 'platform',
	looks: true,
	input: OnMarket,
	response: v.object({
		...MarketStanding.entries,
		event: v.string(),
		terms: v.object({
			/** Of the limits: that of the market’s pools, or the home currency where they have several. */
			currency: v.picklist(CURRENCIES),
			betDelaySeconds: v.number(),
			minStake: v.number(),
			maxStake: v.number(),
			/** 0 sets no limit. */
			maxProfit: v.number(),
			/** 0 sets no limit. */
			maxExposure: v.number(),
		}),
		books: v.array(
			v.object({
				pool: v.string(),
				matched: v.number(),
				runners: v.array(
					v.object({ back: v.array(Level), lay: v.array(Level), last: v.nullable(v.number()), matched: v.number() }),
				),
			}),
		),
		house: v.array(Position),
		/** The ten players with the worst outcomes. */
		largest: v.array(Position),
		players: v.number(),
	}),
	summary: 'A market’s books, the house’s positions and the largest ones of players.',
});

export const suspend = defineOperatorCall({
	...trade,
	isUrgent: true,
	input: v.strictObject({
		...OnMarket.entries,
		lapse: v.optional(v.boolean()),
		ballRunning: v.optional(v.boolean()),
	}),
	response: MarketStanding,
	summary: 'Takes no more bets; with `lapse`, takes what is unmatched off the book.',
});
export const turnInPlay = defineOperatorCall({
	...trade,
	input: OnMarket,
	response: MarketStanding,
	summary: 'Turns a market in-play.',
});
export const resume = defineOperatorCall({
	...trade,
	input: v.strictObject({ ...OnMarket.entries, seenVersion: v.optional(MarketVersion) }),
	response: MarketStanding,
	summary: 'Takes bets again; with `seenVersion`, unless the market was suspended since.',
});
export const changeTerms = defineOperatorCall({
	...trade,
	input: v.strictObject({
		...OnMarket.entries,
		/** Of the amounts. Without one, that of the market’s pools, or the home currency where they have several. */
		currency: v.optional(v.picklist(CURRENCIES)),
		betDelaySeconds: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(12))),
		minStake: v.optional(Amount),
		maxStake: v.optional(Amount),
		/** Of one bet; 0 sets no limit. */
		maxProfit: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1e10), IN_MAJOR)),
		/** Of one player in the market; 0 sets no limit. */
		maxExposure: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1e10), IN_MAJOR)),
	}),
	response: MarketStanding,
	summary: 'Sets the bet delay and the limits of a market’s next bets; what is left out stays.',
});
export const openFancy = defineOperatorCall({
	...trade,
	input: v.strictObject({
		eventId: NumberId,
		name: Name,
		type: v.picklist(['OVER_RUNS', 'SESSION_RUNS', 'BATSMAN_RUNS', 'FALL_OF_WICKET', 'BOUNDARIES', 'POINTS']),
		from: FancyLine,
		to: FancyLine,
	}),
	response: MarketStanding,
	summary: 'Opens a fancy on a number with a line for each whole number, which a trader prices by hand.',
});
export const priceFancy = defineOperatorCall({
	...trade,
	input: v.strictObject({
		...OnMarket.entries,
		seenVersion: MarketVersion,
		/** NO wins below its line, YES at its line or above; null quotes nothing. */
		no: FancySide,
		yes: FancySide,
	}),
	response: MarketStanding,
	summary: 'Replaces the house’s prices of a fancy and takes bets at them, unless it was suspended since it was seen.',
});
export const openBookmaker = defineOperatorCall({
	...trade,
	input: v.strictObject({
		eventId: NumberId,
		name: Name,
		runners: v.pipe(v.array(Name), v.minLength(2), v.maxLength(20)),
	}),
	response: MarketStanding,
	summary: 'Opens a bookmaker market with one winner, which a trader prices by hand.',
});
export const priceBookmaker = defineOperatorCall({
	...trade,
	input: v.strictObject({
		...OnRunner.entries,
		seenVersion: MarketVersion,
		back: v.nullable(Rate),
		lay: v.nullable(Rate),
	}),
	response: MarketStanding,
	summary:
		'Replaces the house’s rates of a runner and takes bets at them, unless the market was suspended since it was seen; a suspended market opens with this runner alone.',
});
export const close = defineOperatorCall({
	...trade,
	input: OnMarket,
	response: MarketStanding,
	summary: 'Closes a market, which then waits for its result.',
});
export const suspendRunner = defineOperatorCall({
	...trade,
	isUrgent: true,
	input: OnRunner,
	response: MarketStanding,
	summary: 'Takes no bets on a runner, whatever its feed quotes.',
});
export const resumeRunner = defineOperatorCall({
	...trade,
	input: v.strictObject({ ...OnRunner.entries, seenVersion: v.optional(MarketVersion) }),
	response: MarketStanding,
	summary: 'Takes bets on a runner again; with `seenVersion`, unless the market or a runner was suspended since.',
});
export const returnRunner = defineOperatorCall({
	...result,
	input: OnRunner,
	response: MarketStanding,
	summary: 'Brings a removed runner back.',
});
export const removeRunner = defineOperatorCall({
	...result,
	input: v.strictObject({
		...OnMarket.entries,
		runner: RunnerName,
		/** Percent, with up to two decimals. */
		reduction: v.pipe(v.number(), v.minValue(0), v.maxValue(99.99)),
	}),
	response: MarketStanding,
	summary: 'Removes a runner: its bets are void, and the prices of the others are reduced.',
});
export const correctReduction = defineOperatorCall({
	...result,
	input: removeRunner.input,
	response: MarketStanding,
	summary: 'Gives a removed runner another factor; of a settled market, the difference is posted.',
});

/** A result by the runners that do not lose, or by a number. */
const ResultFields = {
	winners: v.optional(v.array(RunnerName), []),
	/** In an each-way market: placed behind the winners. */
	placed: v.optional(v.array(RunnerName), []),
	/** Runners that share the places left by the winners. */
	tied: v.optional(v.array(RunnerName), []),
	void: v.optional(v.array(RunnerName), []),
	/** For a place market that pays fewer places than it announced. */
	places: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1))),
	/** In place of runners: the number that decides a market on lines. */
	value: v.optional(v.pipe(v.number(), v.safeInteger())),
	/** Replaces the fields above: the result of each runner, in the market's order. Handicaps have half results. */
	results: v.optional(
		v.pipe(v.array(v.picklist(['WIN', 'PLACED', 'LOSE', 'VOID', 'TIE', 'HALF_WIN', 'HALF_LOSE'])), v.maxLength(400)),
	),
};

export const settle = defineOperatorCall({
	...result,
	input: v.strictObject({ ...OnMarket.entries, ...ResultFields }),
	response: MarketStanding,
	summary: 'Settles a market by its result.',
});
export const resettle = defineOperatorCall({
	...result,
	input: v.strictObject({ ...OnMarket.entries, ...ResultFields, isVoid: v.optional(v.boolean(), false) }),
	response: MarketStanding,
	summary: 'Takes the settlement of a market back and pays another result, or returns every stake, in one step.',
});
export const voidMarket = defineOperatorCall({
	...result,
	input: OnMarket,
	response: MarketStanding,
	summary: 'Returns every stake of a market.',
});
export const reopen = defineOperatorCall({
	...result,
	input: OnMarket,
	response: MarketStanding,
	summary: 'Takes the settlement of a market back.',
});
export const voidBets = defineOperatorCall({
	...result,
	input: v.strictObject({
		...OnMarket.entries,
		/** One bet, as the command line names it. */
		betId: v.optional(NumberId),
		betIds: v.optional(v.pipe(v.array(NumberId), v.minLength(1), v.maxLength(500, 'At most 500 bets at once.'))),
		runner: v.optional(RunnerName),
		from: v.optional(Timestamp),
		to: v.optional(Timestamp),
	}),
	response: v.object({ matches: v.number(), stake: Sums }),
	summary: 'Voids matches by bets, runner or time, on both sides.',
});

export const closeFinding = defineOperatorCall({
	permission: 'results.propose',
	about: 'platform',
	input: v.strictObject({ findingId: NumberId }),
	response: v.object({ findingId: v.string() }),
	summary: 'Closes what a feed said against what stands.',
});

export const markets = defineOperatorCall({
	permission: 'markets.read',
	about: 'platform',
	looks: true,
	input: v.strictObject({}),
	response: v.array(
		v.object({
			marketId: v.string(),
			eventId: v.string(),
			event: v.string(),
			market: v.string(),
			status: v.string(),
			inPlay: v.boolean(),
			runners: MarketStanding.entries.runners,
		}),
	),
	summary: 'Every market in memory with its state and runners.',
});

const MOST_RUNNERS = 100;
/** Whole numbers and halves; the handler receives hundredths. */
const Line = v.pipe(
	v.number(),
	v.minValue(0.5),
	v.maxValue(1000),
	v.multipleOf(0.5, 'A line is a whole number or a half.'),
	v.transform((line) => line * 100),
);

/** A market that no feed opens: the operator also suspends it, turns it in-play, closes and settles it. */
export const openMarket = defineOperatorCall({
	...trade,
	input: v.strictObject({
		eventId: NumberId,
		name: Name,
		/** A type of the exchange, such as MATCH_ODDS. */
		type: v.pipe(v.string(), v.maxLength(40)),
		runners: v.pipe(
			v.array(Name),
			v.minLength(1),
			v.maxLength(MOST_RUNNERS, `There are ${MOST_RUNNERS} runners at most.`),
		),
		/** For a place or each-way market. */
		places: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MOST_RUNNERS))),
		/** For an each-way market: the divisor of the odds for a place. */
		divisor: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(10))),
		/** The first side's start, or the line of over and under; in quarters of a goal. */
		handicap: v.optional(v.pipe(v.number(), v.multipleOf(0.25, 'A handicap is given in quarters.'))),
		/** For a market whose prices are lines. */
		lines: v.optional(v.strictObject({ min: Line, max: Line, interval: Line })),
		/** Its runners get starting prices, by an auction at the turn in-play. */
		startingPrice: v.optional(v.boolean()),
		/** Its bets are also matched across runners: players see virtual prices beside real ones. */
		crossMatching: v.optional(v.boolean()),
		delaySeconds: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(12)), 0),
		/** Per cent, with up to two decimals. */
		commission: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(100))),
		/** Of the amounts. Without one, that of the pools in which it opens, or the home currency where they have several. */
		currency: v.optional(v.picklist(CURRENCIES)),
		minStake: v.optional(Amount),
		maxStake: v.optional(Amount),
		rules: v.optional(v.pipe(v.string(), v.maxLength(2000)), ''),
	}),
	response: MarketStanding,
	summary: 'Opens a market of any type of the exchange, which no feed moves.',
});

export const abandon = defineOperatorCall({
	permission: 'results.propose',
	about: 'platform',
	input: v.strictObject({ eventId: NumberId }),
	response: v.object({
		eventId: v.string(),
		event: v.string(),
		status: v.string(),
		markets: v.array(v.object({ marketId: v.string(), market: v.string(), status: v.string() })),
	}),
	summary: 'Ends an event early: each open market ends by the rule of its type for play that stops.',
});

export const stream = defineOperatorCall({
	...trade,
	input: v.strictObject({
		eventId: NumberId,
		address: v.optional(
			v.pipe(v.string(), v.maxLength(500), v.check(isStreamAddress, 'A stream has an https address, or http here.')),
		),
	}),
	response: v.object({ eventId: v.string(), event: v.string(), stream: v.nullable(v.string()) }),
	summary: 'Sets the HLS stream by which an event is watched; without an address, there is none.',
});
