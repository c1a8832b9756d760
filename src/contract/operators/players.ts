/** Players: search, and a page about each. */
import * as v from 'valibot';
import { IN_MAJOR } from '#contract/fields.ts';
import { DocumentView } from '#contract/operators/documents.ts';
import { Host, NamedPlayer, NumberId, PlayerOfBrand, Reason } from '#contract/operators/fields.ts';
import { defineOperatorCall } from '#contract/operators/operator-call.ts';
import { NewUserName } from '#contract/player-rules.ts';
import { OF_AGE } from '#values/identity-documents.ts';
import { minorFromMajor } from '#values/money.ts';
import { SPORTS } from '#values/sports.ts';

const OnPlayer = v.strictObject({ playerId: NumberId });
const Sport = v.picklist(
	SPORTS.map(({ key }) => key),
	`A sport is one of ${SPORTS.map(({ key }) => key).join(', ')}.`,
);
/** Of one bet in a sport, major units; 0 means no limit. */
const SportLimit = v.object({ sport: Sport, maxStake: v.number(), maxProfit: v.number() });

export const playerSearch = defineOperatorCall({
	permission: 'players.read',
	about: 'own-brands',
	looks: true,
	input: v.strictObject({ query: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(100)) }),
	response: v.array(
		v.object({
			playerId: v.string(),
			userName: v.string(),
			brand: v.string(),
			pool: v.string(),
			mobile: v.nullable(v.string()),
			isMobileProven: v.boolean(),
			/** The field by which the search found the player. */
			by: v.picklist(['name', 'mobile', 'player', 'bet', 'utr', 'tag', 'note']),
		}),
	),
	summary: 'Players by name, mobile, id, bet id or UTR; #TAG by a tag, note:WORDS by the words of notes.',
});

const Row = v.record(v.string(), v.union([v.string(), v.number(), v.boolean(), v.null()]));

export const player = defineOperatorCall({
	permission: 'players.read',
	about: 'player',
	looks: true,
	input: OnPlayer,
	response: v.object({
		playerId: v.string(),
		userName: v.string(),
		brand: v.string(),
		pool: v.string(),
		isDemo: v.boolean(),
		mobile: v.nullable(v.string()),
		isMobileProven: v.boolean(),
		since: v.string(),
		cash: v.number(),
		exposure: v.number(),
		hold: v.number(),
		bonus: v.number(),
		netDeposits: v.number(),
		netPosition: v.number(),
		/** The reasons for held money: each market with open bets, and each step of money in transit. */
		held: v.array(v.object({ what: v.string(), amount: v.number() })),
		limits: v.nullable(Row),
		closedSports: v.array(v.string()),
		sportLimits: v.array(SportLimit),
		protection: v.array(v.object({ what: v.string(), value: v.string() })),
		openBets: v.array(Row),
		bets: v.array(Row),
		statement: v.array(Row),
		money: v.array(Row),
		logIns: v.array(Row),
		linked: v.array(
			v.object({
				playerId: v.string(),
				userName: v.string(),
				brand: v.string(),
				why: v.string(),
				/** The kind of the link's fact, as `fact-refute` names it; null for other links. */
				fact: v.nullable(v.picklist(['mobile', 'document', 'payout'])),
			}),
		),
		/** Identity documents, newest first. */
		documents: v.array(DocumentView),
		tags: v.array(v.string()),
		notes: v.array(v.object({ at: v.string(), author: v.string(), note: v.string() })),
		journal: v.array(Row),
	}),
	summary: 'Everything about a player on one page.',
});

export const playerNote = defineOperatorCall({
	permission: 'players.note',
	about: 'player',
	input: v.strictObject({ ...OnPlayer.entries, note: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(2000)) }),
	response: v.object({ noted: v.boolean() }),
	summary: 'Adds a note about a player.',
});

const Tag = v.pipe(
	v.string(),
	v.trim(),
	v.regex(/^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N} _-]{0,29}$/u, 'A tag has up to 30 letters, digits, spaces and dashes.'),
	v.toLowerCase(),
);

export const playerTag = defineOperatorCall({
	permission: 'players.note',
	about: 'player',
	input: v.strictObject({ ...OnPlayer.entries, tag: Tag, on: v.boolean() }),
	response: v.object({ tags: v.array(v.string()) }),
	summary: 'Adds a tag to a player, or removes it.',
});

const PlayerLogin = v.object({
	loginId: v.string(),
	kind: v.picklist(['SITE', 'BACK_END', 'BOT']),
	/** Null for a login from before the time was written down, and for a bot's. */
	openedAt: v.nullable(v.string()),
	/** Where the password was shown; null if it is not known. */
	address: v.nullable(v.string()),
	/** When it was refreshed last. */
	usedAt: v.nullable(v.string()),
	endsAt: v.string(),
});

export const playerLogins = defineOperatorCall({
	permission: 'players.read',
	about: 'player',
	looks: true,
	input: OnPlayer,
	response: v.array(PlayerLogin),
	summary: 'Where a player is logged in: on the site, by back ends and by bots.',
});

export const playerLoginsEnd = defineOperatorCall({
	permission: 'players.logins',
	about: 'player',
	input: v.strictObject({
		...OnPlayer.entries,
		/** Of one log-in; null for all. */
		loginId: v.nullable(v.pipe(v.string(), v.minLength(1), v.maxLength(100))),
		reason: Reason,
	}),
	response: v.object({ ended: v.number() }),
	summary: 'Ends one log-in of a player, or all: their pages and bots have to log in again.',
});

export const playerUnlock = defineOperatorCall({
	permission: 'players.logins',
	about: 'player',
	input: v.strictObject({ ...OnPlayer.entries, reason: Reason }),
	response: v.object({ unlocked: v.boolean() }),
	summary: 'Lets a player log in again whose account is locked after wrong passwords.',
});

export const playerFactorsReset = defineOperatorCall({
	permission: 'players.logins',
	confirm: 'players.logins',
	about: 'player',
	input: OnPlayer,
	response: v.object({ playerId: v.string() }),
	summary: 'Removes the passkeys and the authenticator of a player who has lost them, and ends all log-ins.',
});

export const playerFreeze = defineOperatorCall({
	permission: 'players.protect',
	about: 'player',
	input: v.strictObject({ ...NamedPlayer.entries, reason: v.nullable(Reason) }),
	response: v.object({ playerId: v.string(), userName: v.string(), frozen: v.nullable(v.string()) }),
	summary:
		'Freezes a player: no bets and no deposits, and unmatched bets, triggers and plans are cancelled for good; without a reason, ends it.',
});

export const playerExclude = defineOperatorCall({
	permission: 'players.protect',
	about: 'player',
	input: v.strictObject({ ...OnPlayer.entries, months: v.picklist([6, 12, 60]), reason: Reason }),
	response: v.object({ until: v.string() }),
	summary: 'Excludes a player from betting on all brands of the operator, as the player could.',
});

export const playerClose = defineOperatorCall({
	permission: 'players.protect',
	about: 'player',
	input: v.strictObject({ ...OnPlayer.entries, reason: Reason }),
	response: v.object({ closedAt: v.string() }),
	summary:
		'Closes a player’s account, as the player could: no bets and no deposits any more; withdrawals stay possible.',
});

export const playerErase = defineOperatorCall({
	permission: 'players.erase',
	confirm: 'players.erase',
	about: 'player',
	input: OnPlayer,
	response: v.object({ playerId: v.string() }),
	summary: 'Erases what is known of the person behind a closed account; what must be kept is kept.',
});

export const createPlayer = defineOperatorCall({
	permission: 'players.edit',
	about: 'brand',
	input: v.strictObject({
		userName: NewUserName,
		password: v.pipe(v.string(), v.minLength(8, 'A password has at least 8 characters.'), v.maxLength(256)),
		host: Host,
	}),
	response: v.object({ playerId: v.string(), userName: v.string(), host: v.string(), pool: v.string() }),
	summary: 'Makes a player.',
});

/** The handler receives minor units. */
const LimitAmount = v.pipe(
	v.number(),
	v.minValue(0),
	IN_MAJOR,
	v.transform((major) => minorFromMajor(major) ?? Number.NaN),
	v.integer(),
);

export const playerLimits = defineOperatorCall({
	permission: 'players.edit',
	about: 'player',
	input: v.strictObject({
		...NamedPlayer.entries,
		/** Major units; 0 means no limit. */
		maxStake: v.optional(LimitAmount, 0),
		maxProfit: v.optional(LimitAmount, 0),
		maxExposure: v.optional(LimitAmount, 0),
	}),
	response: v.object({
		userName: v.string(),
		maxStake: v.number(),
		maxProfit: v.number(),
		maxExposure: v.number(),
	}),
	summary: 'Sets a player’s own limits in the player’s currency; what is left out has none.',
});

export const playerSport = defineOperatorCall({
	permission: 'players.edit',
	about: 'player',
	input: v.strictObject({
		...NamedPlayer.entries,
		sport: Sport,
		allowed: v.boolean(),
	}),
	response: v.object({ userName: v.string(), host: v.string(), closed: v.array(v.string()) }),
	summary: 'Opens or closes a sport to one player.',
});

export const playerSportLimits = defineOperatorCall({
	permission: 'players.edit',
	about: 'player',
	input: v.strictObject({
		...NamedPlayer.entries,
		sport: Sport,
		/** Major units; 0 means no limit. */
		maxStake: v.optional(LimitAmount, 0),
		maxProfit: v.optional(LimitAmount, 0),
	}),
	response: v.object({ userName: v.string(), sportLimits: v.array(SportLimit) }),
	summary: 'Sets a player’s limits of one bet in a sport in the player’s currency; what is left out has none.',
});

export const verifyIdentity = defineOperatorCall({
	permission: 'players.protect',
	about: 'player',
	input: v.strictObject({
		...PlayerOfBrand.entries,
		/** As stated in the documents; the date of birth is not stored. */
		age: v.pipe(v.number(), v.integer(), v.minValue(OF_AGE, 'This player is not of age.'), v.maxValue(120)),
		/**
		 * Kind and number, such as "passport Z1234567"; a keyed fingerprint is stored, which connects accounts of one
		 * person.
		 */
		document: v.optional(v.pipe(v.string(), v.trim(), v.minLength(4), v.maxLength(60))),
	}),
	response: v.object({ userName: v.string(), host: v.string(), isIdentified: v.boolean() }),
	summary:
		'Says that you have seen a player’s documents; accounts of one document share limits, breaks and exclusions.',
});

/** Recorded, although it only reads: the messages have one-time codes. */
export const outbox = defineOperatorCall({
	permission: 'audit.read',
	about: 'platform',
	input: v.strictObject({}),
	response: v.array(
		v.object({
			brand: v.string(),
			mobile: v.string(),
			text: v.string(),
			at: v.string(),
			/** Null while it is queued, or permanently without a gateway. */
			sentAt: v.nullable(v.string()),
			deliveredAt: v.nullable(v.string()),
		}),
	),
	summary: 'The latest text messages to players, one-time codes among them.',
});
