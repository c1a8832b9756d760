import * as v from 'valibot';
import { defineCall } from '#contract/call.ts';
import { Amount, ClientRequestId, Id, Money, Timestamp } from '#contract/fields.ts';
import type { Minor } from '#values/money.ts';

/** Multipliers are hundredths: 2.31x is 231. */
const Cents = v.number();

export const CrashBet = v.object({
	/** For a queued bet, an id that is only valid until the next round. */
	betId: Id,
	/** Empty while the bet is queued. */
	round: v.string(),
	/** 1 or 2. */
	slot: v.number(),
	stake: Money,
	/** The multiplier at which the bet cashes out automatically; null for none. */
	autoCents: v.nullable(Cents),
	/** WAITING for the next round · OPEN · WON · LOST · VOID: the stake was returned. */
	state: v.picklist(['WAITING', 'OPEN', 'WON', 'LOST', 'VOID']),
	/** The multiplier of the cash-out; null otherwise. */
	cents: v.nullable(Cents),
	payout: Money,
	/** player, auto, limit (the largest win of a bet or a round) or restart; null without a cash-out. */
	cause: v.nullable(v.string()),
	/** The server was restarted during the round, and the bet was ended by the rules for that. */
	isInterrupted: v.boolean(),
});

/** A bet as all players see it. */
export const CrashRow = v.object({
	betId: Id,
	/** Shortened. */
	name: v.string(),
	stake: Money,
	cents: v.nullable(Cents),
	payout: Money,
});

/** A public source of randomness. */
const BeaconChain = v.object({
	/** quicknet: drand's · local: the house's own, whose values prove nothing. */
	name: v.picklist(['quicknet', 'local']),
	/** Of BLS signatures, a compressed point of G2. */
	publicKey: v.string(),
	/** When its round 1 was published, milliseconds since 1970. */
	genesisMs: v.number(),
	periodMs: v.number(),
});

/** The value that decides a round together with its hash: announced before bets, and out after the last one. */
export const AnnouncedBeacon = v.nullable(
	v.object({
		name: BeaconChain.entries.name,
		round: v.number(),
		/** When the beacon publishes it, milliseconds since 1970. */
		at: v.number(),
	}),
);

/** The same once it is published: the signature proves it. */
export const PublishedBeacon = v.nullable(v.object({ round: v.number(), signature: v.nullable(v.string()) }));

export const CrashState = v.object({
	version: v.number(),
	round: v.string(),
	/** CLOSED · BETTING · LOCKED: bets are being written · FLYING · CRASHED. */
	phase: v.picklist(['CLOSED', 'BETTING', 'LOCKED', 'FLYING', 'CRASHED']),
	/** Since the phase began. */
	elapsedMs: v.number(),
	/** To the end of the phase; null if unknown. */
	leftMs: v.nullable(v.number()),
	/** Milliseconds of flight in a millisecond: 1, except in demonstrations. */
	speed: v.number(),
	/** Milliseconds since 1970. */
	serverTime: v.number(),
	/** The hash of the previous round: the SHA-256 of this round's. */
	commitment: v.string(),
	/** Of the first bettors; empty until the round is locked. */
	bettorSeeds: v.array(v.string()),
	/** Null until the crash. */
	hash: v.nullable(v.string()),
	crashCents: v.nullable(Cents),
	/** Null in a chain without a beacon. */
	beacon: AnnouncedBeacon,
});

export const CrashChain = v.object({
	game: v.string(),
	number: v.number(),
	/** h_0, published before the first round. */
	commitment: v.string(),
	length: v.number(),
	/** With a beacon, the SHA-256 of `saltSignature`. */
	salt: v.string(),
	returnPercent: v.number(),
	/** The salt was known when the chain was made, or is of the house's own beacon, so the chain proves less. */
	isDevelopment: v.boolean(),
	firstRound: v.number(),
	/** Of all of its rounds; null for a chain from before there was one. */
	beacon: v.nullable(BeaconChain),
	/** The beacon's round that gave the salt, after the chain was announced. */
	saltRound: v.nullable(v.number()),
	saltSignature: v.nullable(v.string()),
	/**
	 * Why the chain before was left before its end. BEACON: another beacon was configured · UNSALTED: the server ended
	 * before its salt was known · LATE: its salt was out before its announcement was in the public log.
	 */
	replaced: v.nullable(v.picklist(['BEACON', 'UNSALTED', 'LATE'])),
});

/**
 * RESTART: the server ended while the round took bets · BEACON: the beacon gave no value in time · CLOCK: the value was
 * out before the last bet.
 */
export const VoidReason = v.picklist(['RESTART', 'BEACON', 'CLOCK']);

const CrashPoint = v.object({ round: v.string(), cents: Cents });

export const getCrash = defineCall({
	method: 'GET',
	changesState: false,
	path: 'Casino/GetCrash',
	auth: 'optional',
	quiet: true,
	summary: 'Crash as it is now: the round, its bets, the last crashes, the chain, and the player’s own bets.',
	request: v.object({}),
	response: v.object({
		state: CrashState,
		players: v.number(),
		stake: Money,
		payout: Money,
		rows: v.array(CrashRow),
		/** The largest wins of the last fifty rounds, largest first. */
		top: v.array(CrashRow),
		/** The last fifty crashes, newest first. */
		recent: v.array(CrashPoint),
		mine: v.array(CrashBet),
		chain: CrashChain,
		minStake: Money,
		maxStake: Money,
		maxPayout: Money,
	}),
});

/** A requested bet; the handler receives integer minor units. */
const AskedStake: v.GenericSchema<number, Minor> = Amount;

const Answered = v.object({ bet: CrashBet, balance: Money, exposure: Money });

export const placeCrashBet = defineCall({
	method: 'POST',
	path: 'Casino/CrashBet',
	auth: 'player',
	movesMoney: true,
	quiet: true,
	summary: 'Bets on the round that takes bets, or on the next one while none does.',
	request: v.strictObject({
		slot: v.picklist([1, 2], 'The slot is 1 or 2.'),
		stake: AskedStake,
		autoCents: v.optional(
			v.nullable(v.pipe(v.number(), v.integer(), v.minValue(101), v.maxValue(1_000_000), v.metadata({ minimum: 101 }))),
			null,
		),
		clientRequestId: ClientRequestId,
	}),
	response: Answered,
});

export const cancelCrashBet = defineCall({
	method: 'POST',
	path: 'Casino/CrashCancel',
	auth: 'player',
	quiet: true,
	whileSuspended: true,
	summary: 'Takes a bet back while its round takes bets, or while it waits for one. Once more it changes nothing.',
	request: v.strictObject({ betId: Id }),
	response: v.object({ balance: Money, exposure: Money }),
});

export const cashOutCrash = defineCall({
	method: 'POST',
	path: 'Casino/CrashCashOut',
	auth: 'player',
	quiet: true,
	whileSuspended: true,
	summary: 'Cashes a bet out at the multiplier of the instant at which the server received the request.',
	request: v.strictObject({ betId: Id, clientRequestId: ClientRequestId }),
	response: v.object({
		...Answered.entries,
		/** When the request was received, and the time until the cash-out was durable. */
		receivedAt: Timestamp,
		elapsedMs: v.number(),
		durableMs: v.number(),
	}),
});

export const getCrashRound = defineCall({
	method: 'GET',
	changesState: false,
	path: 'Casino/GetCrashRound',
	auth: 'optional',
	quiet: true,
	summary:
		'What proves a round: its hash and the one before, the beacon’s value, the salt, the bettors’ seeds, and the crash.',
	request: v.object({ round: Id }),
	response: v.object({
		round: v.string(),
		at: Timestamp,
		position: v.number(),
		previousHash: v.string(),
		/** Null until the crash. */
		hash: v.nullable(v.string()),
		bettorSeeds: v.array(v.string()),
		/** Null until the crash, and of a void round. */
		crashCents: v.nullable(Cents),
		isVoid: v.boolean(),
		/** Null for a round that is not void, or was before reasons were kept. */
		voided: v.nullable(v.object({ reason: VoidReason, crashCents: v.nullable(Cents) })),
		isInterrupted: v.boolean(),
		/** Null in a chain without a beacon; its signature is null until the beacon publishes it. */
		beacon: PublishedBeacon,
		chain: CrashChain,
	}),
});
