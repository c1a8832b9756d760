/** Acts on cases of compliance. */
import { createHash } from 'node:crypto';
import type { OperatorInput, OperatorResult } from '#contract/operators/operator-call.ts';
import type { OperatorCalls } from '#contract/operators/registry.ts';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import type { Actor, ActsOf, OperatorOptions, PreviewsOf } from '#server/operators/act.ts';
import {
	type CaseFact,
	type CaseRow,
	caseOf,
	countByRule,
	entriesOf,
	factsOf,
	listedCases,
} from '#server/operators/cases/case-rows.ts';
import { canonicalJson } from '#values/canonical-json.ts';
import { CASE_RULE_NAMES, CASE_RULES } from '#values/cases.ts';
import { Refused } from '#values/error-catalogue.ts';
import { majorFromMinor } from '#values/money.ts';

type View = OperatorResult<OperatorCalls['case-queue']>[number];
type File = OperatorResult<OperatorCalls['case-show']>;
type Decision = OperatorInput<OperatorCalls['case-decide']>;

const brandsOf = ({ member }: Pick<Actor, 'member'>): readonly string[] | null => member?.brands ?? null;

function view({ caseId, dueAtMs, players, ...row }: CaseRow): View {
	return {
		caseId: String(caseId),
		rule: row.rule,
		subject: row.subject,
		state: row.state,
		outcome: row.outcome,
		owner: row.owner,
		openedAt: isoTime(row.openedAtMs),
		dueAt: dueAtMs === null ? null : isoTime(dueAtMs),
		isOverdue: dueAtMs !== null && dueAtMs < Date.now(),
		changedAt: isoTime(row.changedAtMs),
		facts: row.factCount,
		players: players.map(({ playerId, ...player }) => ({ ...player, playerId: String(playerId) })),
	};
}

const evidence = ({
	fact,
	entry,
	atMs,
	playerId,
	kind,
	ref,
	amount,
	currency,
	words,
}: CaseFact): File['evidence'][number] => ({
	fact,
	entry,
	at: isoTime(atMs),
	playerId: String(playerId),
	reference: { kind, id: String(ref) },
	amount: amount === null ? null : majorFromMinor(amount),
	currency,
	words,
});

async function decisionsOf({ db, staff }: OperatorOptions, caseId: string): Promise<File['decisions']> {
	const { rows } = await db.query<{
		proposalId: number;
		state: string;
		input: Decision;
		proposedBy: number;
		decidedBy: number | null;
	}>(
		`select proposal_id as "proposalId", state, input, proposed_by as "proposedBy", decided_by as "decidedBy"
		 from proposal where subject = $1 and act = 'case-decide' order by proposal_id`,
		[`case ${caseId}`],
	);
	return rows.map(({ proposalId, state, input: { outcome, reason }, proposedBy, decidedBy }) => ({
		proposalId: String(proposalId),
		state,
		outcome,
		reason,
		proposedBy: staff.directory.nameOf(proposedBy),
		decidedBy: decidedBy === null ? null : staff.directory.nameOf(decidedBy),
	}));
}

/** @throws Refused NOT_FOUND */
async function fileOf(parts: OperatorOptions, caseId: string): Promise<File> {
	const row = await caseOf(parts.db, Number(caseId));
	const [entries, facts, decisions] = await Promise.all([
		entriesOf(parts.db, row.caseId),
		factsOf(parts.db, row.caseId),
		decisionsOf(parts, caseId),
	]);
	return {
		...view(row),
		entries: entries.map(({ atMs, ...entry }) => ({ ...entry, at: isoTime(atMs) })),
		evidence: facts.map(evidence),
		decisions,
	};
}

/** @throws Refused UNKNOWN_STAFF */
function memberNamed({ staff }: OperatorOptions, name: string): { staffId: number; name: string } {
	const member = staff.directory.byName(name);
	if (!member) throw new Refused('UNKNOWN_STAFF');
	return member;
}

export const CASE_ACTS: ActsOf<
	'case-queue' | 'case-rules' | 'case-show' | 'case-assign' | 'case-note' | 'case-decide' | 'case-export'
> = {
	'case-queue': async ({ decided, playerId }, { db }, by) => {
		const of = playerId === undefined ? (decided ? 'DECIDED' : 'OPEN') : Number(playerId);
		return (await listedCases(db, brandsOf(by), of)).map(view);
	},
	'case-rules': async (_, { db, caseSweep }, by) => {
		const counted = await countByRule(db, brandsOf(by));
		return {
			lastLookAt: caseSweep.lastAtMs === null ? null : isoTime(caseSweep.lastAtMs),
			rules: CASE_RULE_NAMES.map((rule) => {
				const { title, says } = CASE_RULES[rule];
				const count = (outcome: (typeof counted)[number]['outcome']) =>
					counted.find((row) => row.rule === rule && row.outcome === outcome)?.count ?? 0;
				const decided = {
					unfounded: count('UNFOUNDED'),
					watched: count('WATCHED'),
					reported: count('REPORTED'),
				};
				return { rule, title, says, open: count(null), ...decided };
			}),
		};
	},
	'case-show': ({ caseId }, parts) => fileOf(parts, caseId),
	'case-assign': async ({ caseId, to }, parts) => {
		const member = to === null ? null : memberNamed(parts, to);
		await parts.cases.assign(Number(caseId), member?.staffId ?? null);
		return { caseId, owner: member?.name ?? null };
	},
	'case-note': async ({ caseId, note }, parts, by) => {
		await parts.cases.note(Number(caseId), note, by);
		const { entryCount } = await caseOf(parts.db, Number(caseId));
		return { caseId, entries: entryCount };
	},
	'case-decide': async ({ caseId, ...decision }, parts, by) => {
		await parts.cases.decide(Number(caseId), decision, by);
		return { caseId, outcome: decision.outcome };
	},
	'case-export': async ({ caseId }, parts, by) => {
		const exportedAt = isoTime(Date.now());
		const file = canonicalJson({ ...(await fileOf(parts, caseId)), exportedAt, exportedBy: by.actor });
		const sha256 = createHash('sha256').update(file).digest('hex');
		const { actor, address } = by;
		const act = { actor, address, act: 'CASE_EXPORTED', subject: `case ${caseId}`, details: { sha256 } };
		await parts.journal.write(act);
		return { file, sha256, exportedAt };
	},
};

export const CASE_PREVIEWS: PreviewsOf<'case-decide'> = {
	'case-decide': {
		preview: async ({ caseId, seen, outcome, reason }, parts) => {
			const { rule, state, factCount, entryCount, players } = await caseOf(parts.db, Number(caseId));
			if (state !== 'OPEN' || entryCount !== seen) throw new Refused('WRONG_STATE');
			const names = players.map(({ userName }) => userName).join(', ');
			const summary = [
				`${CASE_RULES[rule].title}, case ${caseId} about ${names}, with ${factCount} facts, is ${outcome.toLowerCase()}: ${reason}`,
			];
			return { summary, lines: [], total: 0, sums: [], basis: JSON.stringify([caseId, seen, outcome]) };
		},
		isDone: async ({ caseId, seen, outcome }, { db }) => {
			const found = await caseOf(db, Number(caseId));
			return found.outcome === outcome && found.entryCount === seen + 1;
		},
	},
};
