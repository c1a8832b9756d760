import * as v from 'valibot';
import { defineCall } from '#contract/call.ts';
import { Amount, ClientRequestId, Id, Money, page, queryInteger, queryPaging, Timestamp } from '#contract/fields.ts';
import type { Minor } from '#values/money.ts';

export const GameCode = v.pipe(v.string(), v.regex(/^[a-z0-9_-]{1,40}$/, 'The game is not valid.'));
/** A bet of the game by its code, or the start of a game with turns. */
const BetCode = v.pipe(v.string(), v.regex(/^[A-Za-z0-9.-]{0,60}$/, 'The bet is not valid.'));

export const CasinoGame = v.object({
	code: v.string(),
	name: v.string(),
	provider: v.string(),
	/** crash, table, instant, turns, or provider for a game of an outside provider. */
	kind: v.string(),
	summary: v.string(),
	/** Of the worst and of the best bet, in per cent. */
	lowestReturn: v.number(),
	highestReturn: v.number(),
	/** The worst play within the rules, and its return in per cent; null for an outside provider's game. */
	worstPlay: v.nullable(v.object({ play: v.string(), returns: v.number() })),
	minStake: Money,
	maxStake: Money,
	maxPayout: Money,
	/** Players of the caller's pool with a round of this game in the last five minutes. */
	playersNow: v.number(),
	/** False while its provider rests. */
	enabled: v.boolean(),
	/**
	 * For a game of an outside provider: its own number, and the URL for launch tokens. Null for the house's games,
	 * whose code is their number.
	 */
	launch: v.nullable(v.object({ gameId: v.string(), door: v.picklist(['login', 'token']) })),
});

/** A pair of seeds that its player has begun. */
export const CasinoSeeds = v.object({
	/** Rises with each pair of a player. */
	pair: v.number(),
	/** 2: the commitment was announced before the client seed was made. 1, of earlier pairs: the server knew the client seed when it committed. */
	rule: v.picklist([1, 2]),
	clientSeed: v.string(),
	/** SHA-256 of the server seed. */
	commitment: v.string(),
	/** Null while the pair is in use. */
	serverSeed: v.nullable(v.string()),
	/** The number of rounds played with the pair, with nonces from 0; null while it is in use, and for rule 1. */
	rounds: v.nullable(v.number()),
});

/** The next pair: its server seed is fixed, and its client seed is not made yet. */
export const NextSeeds = v.object({ pair: v.number(), commitment: v.string() });

/** A requested bet; the handler receives integer minor units. */
export const AskedBet: v.GenericSchema<{ bet: string; stake: number }, { bet: string; stake: Minor }> = v.strictObject({
	bet: BetCode,
	stake: Amount,
});

export const CasinoBet = v.object({ bet: v.string(), stake: Money, payout: Money });

export const CasinoRound = v.object({
	roundId: Id,
	game: v.string(),
	/** OPEN: the player decides · SETTLED · VOID: the stake was returned. */
	state: v.picklist(['OPEN', 'SETTLED', 'VOID']),
	at: Timestamp,
	/** The total stake. */
	stake: Money,
	/** The total payout; zero while the round is open. */
	payout: Money,
	bets: v.array(CasinoBet),
	actions: v.array(v.string()),
	/** In one line; empty while the round is open. */
	result: v.string(),
	/** All draws, as the game's definition shapes them; null while the round is open. */
	outcome: v.unknown(),
	/** The player's view of a round with turns; null elsewhere. */
	shown: v.unknown(),
	/** The player's possible actions. */
	next: v.array(v.string()),
	pair: v.number(),
	nonce: v.number(),
});

/** One of the player's rounds: one of the player's own, or a bet on a shared round. */
export const CasinoRecord = v.object({
	...CasinoRound.entries,
	/** Null for a bet on a shared round. */
	pair: v.nullable(v.number()),
	nonce: v.nullable(v.number()),
	/** The number of the shared round; left out for the player's own. */
	tableRound: v.optional(v.string()),
});

const Played = v.object({ round: CasinoRound, balance: Money, exposure: Money });

export const getCasinoGames = defineCall({
	method: 'GET',
	changesState: false,
	path: 'api/InternationalCasino/GetGames',
	auth: 'optional',
	quiet: true,
	summary: 'The games of the casino, with their exact returns and limits, and what happens in them now.',
	request: v.object({}),
	response: v.object({
		games: v.array(CasinoGame),
		live: v.object({
			/** The multiplier at which the last round of Crash ended, in hundredths; null before the first one. */
			lastCrashCents: v.nullable(v.number()),
			/** Today, in the caller's pool, by its payout; null before the first win. */
			biggestWin: v.nullable(v.object({ game: v.string(), stake: Money, payout: Money })),
		}),
	}),
});

export const playRound = defineCall({
	method: 'POST',
	path: 'Casino/Play',
	auth: 'player',
	movesMoney: true,
	quiet: true,
	summary: 'Plays a round of a game of the house, or begins one with turns. All bets share one result.',
	request: v.strictObject({
		game: GameCode,
		bets: v.pipe(v.array(AskedBet), v.minLength(1), v.maxLength(40)),
		clientRequestId: ClientRequestId,
	}),
	response: Played,
});

export const actInRound = defineCall({
	method: 'POST',
	path: 'Casino/Act',
	auth: 'player',
	movesMoney: true,
	quiet: true,
	whileSuspended: true,
	summary: 'A decision of the player in an open round: a field, a guess, a card, the end.',
	request: v.strictObject({
		roundId: Id,
		action: v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,20}$/, 'The action is not valid.')),
		clientRequestId: ClientRequestId,
	}),
	response: Played,
});

const GameMarks = v.object({
	/** Codes of games, in the order in which they became favourites. */
	favourites: v.array(v.string()),
	/** At most six, most recently opened first. */
	recent: v.array(v.string()),
});

export const getGameMarks = defineCall({
	method: 'GET',
	changesState: false,
	path: 'Casino/GetGameMarks',
	auth: 'player',
	quiet: true,
	summary: 'The player’s favourite games, and those that were opened last.',
	request: v.object({}),
	response: GameMarks,
});

export const markGame = defineCall({
	method: 'POST',
	path: 'Casino/MarkGame',
	auth: 'player',
	quiet: true,
	summary: 'Makes a game a favourite or none, or remembers that it was opened.',
	request: v.strictObject({ game: GameCode, as: v.picklist(['favourite', 'none', 'opened']) }),
	response: GameMarks,
});

export const getOpenRounds = defineCall({
	method: 'GET',
	changesState: false,
	path: 'Casino/OpenRounds',
	auth: 'player',
	quiet: true,
	whileSuspended: true,
	summary: 'The player’s rounds that wait for a decision, oldest first.',
	request: v.object({}),
	response: v.object({ rounds: v.array(CasinoRound) }),
});

export const getRounds = defineCall({
	method: 'GET',
	changesState: false,
	path: 'Casino/Rounds',
	auth: 'player',
	whileSuspended: true,
	summary: 'The player’s rounds, newest first.',
	request: v.object({
		game: v.optional(GameCode),
		/** Only of one pair of seeds. */
		pair: v.optional(queryInteger(1, 999_999_999)),
		from: v.optional(Timestamp),
		to: v.optional(Timestamp),
		...queryPaging,
	}),
	response: page(CasinoRecord),
});

export const getRound = defineCall({
	method: 'GET',
	changesState: false,
	path: 'Casino/Round',
	auth: 'player',
	whileSuspended: true,
	summary:
		'One of the player’s rounds with its seeds, null where everybody played it; the server seed is null until its pair was replaced.',
	request: v.object({ roundId: Id }),
	response: v.object({ round: CasinoRecord, seeds: v.nullable(CasinoSeeds) }),
});

export const getSeeds = defineCall({
	method: 'GET',
	changesState: false,
	path: 'Casino/Seeds',
	auth: 'player',
	summary:
		'The player’s seeds in use, null before the first client seed, with the next nonce; and the commitment of the pair that comes next.',
	request: v.object({}),
	response: v.object({ seeds: v.nullable(CasinoSeeds), nonce: v.number(), next: NextSeeds }),
});

export const rotateSeeds = defineCall({
	method: 'POST',
	path: 'Casino/RotateSeeds',
	auth: 'player',
	summary:
		'Begins the announced pair with a client seed that the player made after its commitment was given, and reveals the server seed in use. A repeated request gets the first answer.',
	request: v.strictObject({
		clientSeed: v.pipe(
			v.string(),
			v.regex(/^[A-Za-z0-9_-]{8,32}$/, 'A client seed has 8 to 32 letters, digits, dashes and underscores.'),
		),
		/** Of the announced pair, as returned by getSeeds. */
		commitment: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'A commitment has 64 hexadecimal digits.')),
	}),
	/** `revealed` is null for the first pair. */
	response: v.object({ revealed: v.nullable(CasinoSeeds), seeds: CasinoSeeds, next: NextSeeds }),
});
