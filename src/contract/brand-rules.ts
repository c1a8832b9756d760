/** What a brand's profile says about play, with the instant from which it holds. The server and the site obey the same. */
import * as v from 'valibot';
import { Timestamp } from '#contract/fields.ts';
import { POOL_KINDS } from '#values/pool-kinds.ts';
import { PROFILE_NAMES } from '#values/profile-names.ts';
import { TAX_BASES, TAX_NAMES } from '#values/taxes.ts';

/** Amounts are in minor units. What no clause decides is left to the brand's own flags. */
export const BrandRules = v.object({
	/** Null while the brand has chosen none. */
	profile: v.nullable(v.picklist(PROFILE_NAMES)),
	/** The time zone of the brand's days, such as Europe/London; null where the profile leaves it to the brand. */
	zone: v.nullable(v.string()),
	/** The kinds of money that are allowed. */
	pools: v.array(v.picklist(POOL_KINDS)),
	/** Whether deposit limits count the calendar's days, weeks and months, or the last 24 hours, 7 and 30 days. */
	depositFrames: v.picklist(['calendar', 'rolling']),
	/** When a player is asked for limits; nothing is deposited before the answer. */
	limitPrompt: v.picklist(['never', 'sign-up', 'first-deposit']),
	/** How long after the last answer a player is asked again; null for never. */
	limitReminderMonths: v.nullable(v.number()),
	/** From start to start of two rounds that a player plays alone; null for none. */
	shortestCycleMs: v.nullable(v.number()),
	/** Whether a player who has an open round of a game may start no other game. */
	oneGameAtATime: v.boolean(),
	/** Largest stakes in a round of a slot game, by the age from which each holds, the youngest first; null for none. */
	largestSlotStakes: v.nullable(v.array(v.object({ fromAge: v.number(), stake: v.number() }))),
	/** At least as often a player is told time, stakes and result; null where the player and the brand decide. */
	realityCheckMinutes: v.nullable(v.number()),
	/** Whether a page may bet round after round without a press. */
	autoplay: v.boolean(),
	/** Where time and net position of the session are. */
	sessionFigures: v.picklist(['in-sight', 'one-press-away']),
	/** Stakes of bets are multiples of it; null for none. */
	stakeStep: v.nullable(v.number()),
	/** Of one bet; null for none. */
	largestWin: v.nullable(v.number()),
	/** In basis points of the net winnings: a market that takes more takes no bet here; null for none. */
	largestCommissionBp: v.nullable(v.number()),
	/** The register of excluded persons that is asked about each player of real money, and when; null for none. */
	exclusionList: v.nullable(v.object({ name: v.string(), askedAt: v.array(v.picklist(['sign-up', 'log-in', 'bet'])) })),
	/** Whether a player accepts the present terms and privacy policy before play. */
	termsStored: v.boolean(),
	/**
	 * Where the country of a player of real money comes from: a trusted proxy as the brand configures it, or the server's
	 * file of addresses; after how long it is not known any more; and whether addresses that hide it have none.
	 */
	location: v.object({
		source: v.picklist(['none', 'address']),
		everyMinutes: v.nullable(v.number()),
		flagsProxies: v.boolean(),
	}),
	/** After how long without moving money a player gives the password again before money moves; null for never. */
	logsInAgainAfterIdleMinutes: v.nullable(v.number()),
	/** How many wrong passwords in a row lock an account; null for none. */
	locksAfter: v.nullable(v.object({ failures: v.number(), withinMinutes: v.number() })),
	/** Whether a player who logs in is told of the log-in before. */
	showsLastLogin: v.boolean(),
	/** Of winnings, and of what the house takes; none without a profile. */
	taxes: v.array(v.object({ name: v.picklist(TAX_NAMES), base: v.picklist(TAX_BASES), rateBp: v.number() })),
	tellsLatePictures: v.boolean(),
	tellsPrograms: v.boolean(),
	/** Whether the brand may let players cancel a withdrawal. */
	cancelsWithdrawals: v.boolean(),
});
export type BrandRules = v.InferOutput<typeof BrandRules>;

export const DatedRules = v.object({ from: Timestamp, ...BrandRules.entries });
export type DatedRules = v.InferOutput<typeof DatedRules>;
