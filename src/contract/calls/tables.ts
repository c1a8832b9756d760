import * as v from 'valibot';
import { defineCall } from '#contract/call.ts';
import { AskedBet, CasinoBet, GameCode } from '#contract/calls/casino.ts';
import { AnnouncedBeacon, CrashChain, PublishedBeacon, VoidReason } from '#contract/calls/crash.ts';
import { ClientRequestId, Id, Money, Timestamp } from '#contract/fields.ts';

/** A player's bets placed at once on one round of a table. */
export const TableBet = v.object({
	/** For queued bets, an id that is only valid until the next round. */
	betId: Id,
	game: v.string(),
	/** Empty while the bets are queued. */
	round: v.string(),
	stake: Money,
	payout: Money,
	/** WAITING for the next round · OPEN · SETTLED · VOID: the stakes were returned. */
	state: v.picklist(['WAITING', 'OPEN', 'SETTLED', 'VOID']),
	/** Payouts are zero while the bets are open. */
	bets: v.array(CasinoBet),
	/** The server was restarted during the round, and the bets were ended by the rules for that. */
	isInterrupted: v.boolean(),
});

/** A player's total stake on the round, as all players see it. */
export const TableRow = v.object({
	/** Shortened. */
	name: v.string(),
	stake: Money,
	payout: Money,
});

/** The chips of all players on one bet. */
export const TableSpot = v.object({ bet: v.string(), players: v.number(), stake: Money });

/** A round in a table's history. */
export const TableMark = v.object({
	round: v.string(),
	/** The winning side, or the kind of the result. */
	side: v.string(),
	/** At most three characters. */
	text: v.string(),
});

export const TableState = v.object({
	game: v.string(),
	version: v.number(),
	round: v.string(),
	/**
	 * CLOSED · RESTING: the table opens for the next visitor · BETTING · LOCKED: bets are being written · DEALING ·
	 * DECIDED: bets are settled.
	 */
	phase: v.picklist(['CLOSED', 'RESTING', 'BETTING', 'LOCKED', 'DEALING', 'DECIDED']),
	/** To the end of the phase; null if unknown. */
	leftMs: v.nullable(v.number()),
	/** The least length of the betting window, which lasts until shortly before the beacon's value. */
	windowMs: v.number(),
	/** Milliseconds of the table in a millisecond: 1, except in demonstrations. */
	speed: v.number(),
	/** Milliseconds since 1970. */
	serverTime: v.number(),
	/** The hash of the previous round: the SHA-256 of this one's. */
	commitment: v.string(),
	/** The revealed part of the outcome, as the game's definition shapes it; null before the first card. */
	shown: v.unknown(),
	/** Null until the bets are decided. */
	hash: v.nullable(v.string()),
	/** The result in one line; empty until the bets are decided. */
	result: v.string(),
	/** Null until the bets are decided. */
	mark: v.nullable(TableMark),
	/** Null in a chain without a beacon. */
	beacon: AnnouncedBeacon,
});

const lists = {
	players: v.number(),
	stake: Money,
	payout: Money,
	/** The players with the largest stakes. */
	rows: v.array(TableRow),
	spots: v.array(TableSpot),
};

/** All bets on the round in the pool. */
export const TableBets = v.object({ game: v.string(), round: v.string(), version: v.number(), ...lists });

export const getTable = defineCall({
	method: 'GET',
	changesState: false,
	path: 'Casino/GetTable',
	auth: 'optional',
	quiet: true,
	summary:
		'A table as it is now: the round, everybody’s chips, the last results, the chain, and the player’s own bets.',
	request: v.object({ game: GameCode }),
	response: v.object({
		state: TableState,
		...lists,
		/** Newest first. */
		recent: v.array(TableMark),
		mine: v.array(TableBet),
		/** Null before the table’s first round. */
		chain: v.nullable(CrashChain),
		minStake: Money,
		maxStake: Money,
		maxPayout: Money,
	}),
});

const Answered = v.object({ bet: TableBet, balance: Money, exposure: Money });

export const placeTableBet = defineCall({
	method: 'POST',
	path: 'Casino/TableBet',
	auth: 'player',
	movesMoney: true,
	quiet: true,
	summary: 'Places bets on the round that takes bets, or on the next one while none does: all of them or none.',
	request: v.strictObject({
		game: GameCode,
		bets: v.pipe(v.array(AskedBet), v.minLength(1), v.maxLength(40)),
		clientRequestId: ClientRequestId,
	}),
	response: Answered,
});

export const cancelTableBet = defineCall({
	method: 'POST',
	path: 'Casino/TableCancel',
	auth: 'player',
	quiet: true,
	whileSuspended: true,
	summary: 'Takes bets back while their round takes bets, or while they wait for one. Once more it changes nothing.',
	request: v.strictObject({ game: GameCode, betId: Id }),
	response: v.object({ balance: Money, exposure: Money }),
});

export const getTableRound = defineCall({
	method: 'GET',
	changesState: false,
	path: 'Casino/GetTableRound',
	auth: 'optional',
	quiet: true,
	summary:
		'What proves a round of a table: its hash and the one before, the beacon’s value, the salt, the bettors’ seeds, and the outcome.',
	request: v.object({ game: GameCode, round: Id }),
	response: v.object({
		game: v.string(),
		round: v.string(),
		at: Timestamp,
		position: v.number(),
		previousHash: v.string(),
		/** Null until the bets are decided. */
		hash: v.nullable(v.string()),
		/** Of the first bettors; none in a chain without a beacon. */
		bettorSeeds: v.array(v.string()),
		/** Null in a chain without a beacon; its signature is null until the beacon publishes it. */
		beacon: PublishedBeacon,
		/** In the shape of the game’s definition; null until the bets are decided, and for a void round. */
		outcome: v.unknown(),
		/** In one line; empty likewise. */
		result: v.string(),
		isVoid: v.boolean(),
		/** Why, and the outcome that the round would have had. Null for a round that is not void, or was before reasons were kept. */
		voided: v.nullable(v.object({ reason: VoidReason, outcome: v.unknown() })),
		isInterrupted: v.boolean(),
		chain: CrashChain,
	}),
});
