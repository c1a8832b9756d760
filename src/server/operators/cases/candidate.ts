/**
 * Cases: what rules over the ledger found about players. The rules read the ledger in short steps and give candidates
 * (`money-rules`, `circle-rule`, `match-rules`, `dispute-rule`); `cases.ts` decides whether a candidate opens a case, and
 * `case-sweep.ts` lets the rules look again and again. This file has what they share.
 */
import type { HeavyReads } from '#server/platform/postgres/heavy-reads.ts';
import type { CaseFactKind, CaseRuleName } from '#values/cases.ts';
import { limitIn } from '#values/currencies.ts';
import type { Currency } from '#values/currency-codes.ts';
import type { PlayerId } from '#values/ids.ts';
import { type AnyMinor, MINOR_PER_MAJOR } from '#values/money.ts';

export type Reads = Pick<HeavyReads, 'query'>;

/** One piece of evidence. */
export interface Fact {
	/** The same in each look of the rule, and no other fact's of the rule. */
	name: string;
	/** With `ref`, what the console opens. */
	kind: CaseFactKind;
	ref: number;
	playerId: PlayerId;
	atMs: number;
	amount: AnyMinor | null;
	/** Of the amount. Its player's pool says it later, so no row has it. */
	currency: Currency;
	/** Names players by their ids, which outlive an erased name. */
	words: string;
}

/** What a rule sees about a subject. */
export interface Candidate {
	rule: CaseRuleName;
	/** Of two candidates with the same subject, the second is about the first one's case. */
	subject: string;
	/** A circle of players grows: whichever of its players a case of the rule has, it is the circle's. */
	isCircle: boolean;
	/** The first one's brand sets the deadline. */
	players: readonly PlayerId[];
	facts: readonly Fact[];
	/** Whether these of its facts are enough for an alarm. */
	holds(facts: readonly Fact[]): boolean;
}

/** An amount of a rule, which names rupees; minor units of the currency. */
export const inMinor = (currency: Currency, rupees: number): number => limitIn(currency, rupees * MINOR_PER_MAJOR);

/** Of facts of one currency. */
export const sumOf = (facts: readonly Pick<Fact, 'amount'>[]): number =>
	facts.reduce((sum, { amount }) => sum + (amount ?? 0), 0);

/** By currency: amounts of two are never added. */
export const sumsOf = (facts: readonly Pick<Fact, 'amount' | 'currency'>[]): [Currency, AnyMinor][] =>
	[...Map.groupBy(facts, ({ currency }) => currency)].map(([currency, own]) => [currency, sumOf(own)]);

/** Whether the facts of one currency come to an amount of a rule. */
export const comeTo = (facts: readonly Pick<Fact, 'amount' | 'currency'>[], rupees: number): boolean =>
	sumsOf(facts).some(([currency, sum]) => sum >= inMinor(currency, rupees));

/** That part of an amount, in its unit. */
export const partOf = (amount: number, percent: number): number => (amount * percent) / 100;
