/** Cases of compliance: what rules over the ledger found about players, until two members decide it. */
import * as v from 'valibot';
import { NumberId, Reason } from '#contract/operators/fields.ts';
import { defineOperatorCall } from '#contract/operators/operator-call.ts';
import {
	CASE_ENTRY_KINDS,
	CASE_FACT_KINDS,
	CASE_OUTCOMES,
	CASE_RULE_NAMES,
	CASE_STATES,
	LONGEST_CASE_NOTE,
} from '#values/cases.ts';
import { CURRENCIES } from '#values/currency-codes.ts';

const OnCase = v.strictObject({ caseId: NumberId });
/** How many entries the member saw: a decision of a case that has another one since is refused. */
const Seen = v.pipe(v.number(), v.integer(), v.minValue(1));
const Rule = v.picklist(CASE_RULE_NAMES);

const CaseView = v.object({
	caseId: v.string(),
	rule: Rule,
	subject: v.string(),
	state: v.picklist(CASE_STATES),
	/** Null while it is open. */
	outcome: v.nullable(v.picklist(CASE_OUTCOMES)),
	owner: v.nullable(v.string()),
	openedAt: v.string(),
	/** Null once it is decided. */
	dueAt: v.nullable(v.string()),
	isOverdue: v.boolean(),
	changedAt: v.string(),
	facts: v.number(),
	players: v.array(v.object({ playerId: v.string(), userName: v.string(), brand: v.string() })),
});

const CaseFile = v.object({
	...CaseView.entries,
	/** Oldest first; the author is null for a rule. */
	entries: v.array(
		v.object({
			number: v.number(),
			at: v.string(),
			author: v.nullable(v.string()),
			kind: v.picklist(CASE_ENTRY_KINDS),
			text: v.string(),
		}),
	),
	/** In the order of time. */
	evidence: v.array(
		v.object({
			fact: v.string(),
			/** The number of the entry that it came with. */
			entry: v.number(),
			at: v.string(),
			playerId: v.string(),
			/** What the console opens, such as `withdrawal 12`. */
			reference: v.object({ kind: v.picklist(CASE_FACT_KINDS), id: v.string() }),
			amount: v.nullable(v.number()),
			currency: v.picklist(CURRENCIES),
			words: v.string(),
		}),
	),
	/** Its proposed decisions, oldest first. */
	decisions: v.array(
		v.object({
			proposalId: v.string(),
			state: v.string(),
			outcome: v.picklist(CASE_OUTCOMES),
			reason: v.string(),
			proposedBy: v.string(),
			/** Null while another member has not decided. */
			decidedBy: v.nullable(v.string()),
		}),
	),
});

export const caseQueue = defineOperatorCall({
	permission: 'cases.read',
	about: 'own-brands',
	looks: true,
	input: v.strictObject({
		decided: v.optional(v.boolean(), false),
		/** All of one player's, open and decided. */
		playerId: v.optional(NumberId),
	}),
	response: v.array(CaseView),
	summary: 'Cases that are open, soonest due first; those decided last, or all of a player.',
});

export const caseRules = defineOperatorCall({
	permission: 'cases.read',
	about: 'own-brands',
	looks: true,
	input: v.strictObject({}),
	response: v.object({
		/** When the last look at the ledger began; null before the first one since the start. */
		lastLookAt: v.nullable(v.string()),
		rules: v.array(
			v.object({
				rule: Rule,
				title: v.string(),
				says: v.string(),
				open: v.number(),
				/** Of its decided cases, those that were false alarms. */
				unfounded: v.number(),
				watched: v.number(),
				reported: v.number(),
			}),
		),
	}),
	summary: 'The rules that raise cases, and how many of each were false alarms.',
});

export const caseShow = defineOperatorCall({
	permission: 'cases.read',
	about: 'case',
	looks: true,
	input: OnCase,
	response: CaseFile,
	summary: 'One case with its evidence, its notes and its decisions.',
});

export const caseAssign = defineOperatorCall({
	permission: 'cases.edit',
	about: 'case',
	input: v.strictObject({
		...OnCase.entries,
		/** A member's name; null for no member. */
		to: v.nullable(v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(64))),
	}),
	response: v.object({ caseId: v.string(), owner: v.nullable(v.string()) }),
	summary: 'Says which member works on a case.',
});

export const caseNote = defineOperatorCall({
	permission: 'cases.edit',
	about: 'case',
	input: v.strictObject({
		...OnCase.entries,
		note: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(LONGEST_CASE_NOTE)),
	}),
	response: v.object({ caseId: v.string(), entries: v.number() }),
	summary: 'Adds a note to a case; a note is never changed.',
});

export const caseDecide = defineOperatorCall({
	permission: 'cases.edit',
	confirm: 'cases.decide',
	about: 'case',
	input: v.strictObject({ ...OnCase.entries, seen: Seen, outcome: v.picklist(CASE_OUTCOMES), reason: Reason }),
	response: v.object({ caseId: v.string(), outcome: v.picklist(CASE_OUTCOMES) }),
	summary: 'Decides a case: unfounded, watched, or reported to the authority.',
});

/** Recorded, although it only reads: the journal keeps the digest of what left the house. */
export const caseExport = defineOperatorCall({
	permission: 'cases.read',
	about: 'case',
	input: OnCase,
	response: v.object({
		/** JSON with sorted keys. */
		file: v.string(),
		/** Of the file's bytes in hexadecimal digits; the journal has it in the act CASE_EXPORTED. */
		sha256: v.string(),
		exportedAt: v.string(),
	}),
	summary: 'The whole case as a file, whose digest the journal keeps.',
});
