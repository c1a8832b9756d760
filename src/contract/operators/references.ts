/** What a pasted reference names, and where its money is. */
import * as v from 'valibot';
import { defineOperatorCall } from '#contract/operators/operator-call.ts';
import { LANGUAGES } from '#values/languages.ts';

/** In the order in which several meanings of one number are listed. */
export const SUBJECT_KINDS = ['withdrawal', 'payment', 'deposit', 'bet', 'round', 'player', 'market'] as const;

const Found = v.object({
	/** Names this subject and no other, such as `withdrawal 12`. */
	reference: v.string(),
	kind: v.picklist(SUBJECT_KINDS),
	id: v.string(),
	/** Such as "India v Nepal · Match Odds". */
	about: v.string(),
	/** Null for a market, which is no single player's. */
	player: v.nullable(v.object({ playerId: v.string(), userName: v.string(), brand: v.string(), pool: v.string() })),
	/** Of the fixture of a bet or a market, for its screen; null for other subjects. */
	eventId: v.nullable(v.string()),
	marketId: v.nullable(v.string()),
});

const Sentences = v.array(v.string());

export const referenceFind = defineOperatorCall({
	permission: 'players.read',
	about: 'own-brands',
	looks: true,
	input: v.strictObject({ reference: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(100)) }),
	response: v.object({
		/** What it may name; none if nothing of the member's brands has this reference. */
		found: v.array(Found),
		/** Of the only subject; null if there is none, or more than one. */
		answer: v.nullable(
			v.object({
				/** The player's own, or the brand's. */
				language: v.picklist(LANGUAGES),
				/** For the player, in each language; those of a bet, a round or a payment are from the ledger at one instant. */
				sentences: v.object({ en: Sentences, hi: Sentences, bn: Sentences } satisfies Record<
					(typeof LANGUAGES)[number],
					unknown
				>),
				/** From which the sentences follow, oldest first; the newest 100. */
				postings: v.array(
					v.object({
						id: v.string(),
						at: v.string(),
						kind: v.string(),
						debit: v.string(),
						credit: v.string(),
						amount: v.number(),
					}),
				),
			}),
		),
	}),
	summary: 'What a bet, withdrawal, deposit, UTR, round, market, name or mobile is, and where its money is.',
});
