/**
 * The form of a jurisdiction profile: dated values with the clause beside each. What the server and the site obey of them
 * is in src/contract/brand-rules.ts; `play` has the defaults of the setting, which a brand's own flags change.
 */
import type { ClauseName, Standard } from '#conformity/requirement.ts';
import type { DocumentKind } from '#values/identity-documents.ts';
import type { Pool } from '#values/pools.ts';
import type { Tax } from '#values/taxes.ts';

/** Amounts are in minor units of the profile's currency. */
interface ProfileValues {
	currency: 'INR' | 'EUR' | 'GBP' | 'CAD' | 'BRL';
	pools: readonly Pool[];
	/** In years; null for none. */
	smallestAge: number | null;
	identity: 'never' | 'before-withdrawal' | 'before-activation';
	documents: readonly DocumentKind[];
	/** Whether accepted versions of terms and privacy policy are stored. */
	termsStored: boolean;
	/** The register of an authority, and when it is asked; null for none. */
	exclusionList: { name: string; askedAt: readonly ('sign-up' | 'log-in' | 'bet')[] } | null;
	/** For players who set none; null for no limit. */
	depositLimits: { day: number | null; week: number | null; month: number | null };
	/** Whether the frames of deposit limits are the calendar's days, weeks and months, or the last 24 hours, 7 and 30 days. */
	depositFrames: 'calendar' | 'rolling';
	lossLimitDay: number | null;
	stakeLimit: number | null;
	raiseAfterHours: number;
	limitPrompt: 'never' | 'sign-up' | 'first-deposit';
	/** Null for no reminder. */
	limitReminderMonths: number | null;
	realityCheckMinutes: number | null;
	/** From start to start of two rounds of one player; null for none. */
	shortestCycleMs: number | null;
	/** Whether a player can make a round shorter. */
	turbo: boolean;
	autoplay: boolean;
	oneGameAtATime: boolean;
	/** Whether a return at or below the stake may be celebrated. */
	celebratesSmallReturns: boolean;
	/** Where time and net position of the session are. */
	sessionFigures: 'in-sight' | 'one-press-away';
	/** Largest stakes of a slot game's round, by the age from which each holds, the youngest first; null for none. */
	largestSlotStakes: readonly { fromAge: number; stake: number }[] | null;
	/** Stakes of bets are multiples of it; null for none. */
	stakeStep: number | null;
	/** Of one bet; null for none. */
	largestWin: number | null;
	/** In basis points of the net winnings; null for none. */
	largestCommissionBp: number | null;
	/** Whether players of other countries bet in the same books. */
	sharesBooks: boolean;
	/** Whether players are told that pictures may be late, that programs bet, and that other players are simulated. */
	tellsLatePictures: boolean;
	tellsPrograms: boolean;
	tellsSimulatedPlayers: boolean;
	/** Whether crowd and market maker of the house may bet. */
	housePlayers: boolean;
	cancelsWithdrawals: boolean;
	/** Of winnings and of what the house takes. */
	taxes: readonly Tax[];
	/** When the file of a day is due on the next one, such as 06:00; null for none. */
	dayFileBy: string | null;
	exportsData: boolean;
	location: { source: 'none' | 'address'; everyMinutes: number | null; flagsProxies: boolean };
	/** Null for never. */
	logsInAgainAfterIdleMinutes: number | null;
	locksAfter: { failures: number; withinMinutes: number } | null;
	/** Whether a log-in shows when and from where the last one was. */
	showsLastLogin: boolean;
}

export type ProfileField = keyof ProfileValues;

export interface Dated<T> {
	/** The first day on which it holds, such as 2026-09-30. */
	from: string;
	value: T;
	/** Where it is decided; a clause of the register. */
	clause: ClauseName;
}

type DatedValues = { readonly [Field in ProfileField]: readonly Dated<ProfileValues[Field]>[] };

export interface Profile {
	title: string;
	/** The time zone of its days, such as Europe/London. */
	zone: string;
	/** The standards whose rows it needs, each with the reason. */
	needs: Readonly<Partial<Record<Standard, string>>>;
	/** Clauses of these standards that do not apply to it, each with the reason. */
	leavesOut: Readonly<Partial<Record<ClauseName, string>>>;
	/** A field that is missing is decided by no clause that is known: the brand chooses. */
	values: Partial<DatedValues>;
}

/** A profile that decides every field. */
export interface WholeProfile extends Profile {
	values: DatedValues;
}

/**
 * @param day such as 2026-09-30
 * @returns what holds on that day; null before the first value
 */
export const valueOn = <T>(values: readonly Dated<T>[], day: string): Dated<T> | null =>
	values.findLast(({ from }) => from <= day) ?? null;
