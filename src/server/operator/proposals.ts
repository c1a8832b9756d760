/**
 * What one member proposes and another confirms. The confirmation computes the preview again and applies the act only
 * when it is the same.
 */
import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import type * as v from 'valibot';
import type { Preview, Proposal } from '#contract/operators/proposals.ts';
import type { Act as JournalAct } from '#server/db/journal.ts';
import { isoTime } from '#server/exchange/wire-views.ts';
import { type Act, type ActingMember, type Actor, inputOf, type OperatorOptions } from '#server/operator/act.ts';
import { subjectOf } from '#server/operator/act-record.ts';
import { authorize } from '#server/operator/authorize.ts';
import { runAct } from '#server/operator/run-act.ts';
import { Refused } from '#values/error-catalogue.ts';

export type ProposalView = v.InferInput<typeof Proposal>;
type PreviewView = v.InferInput<typeof Preview>;
type State = ProposalView['state'];

interface ProposalRow {
	proposal_id: number;
	act: string;
	input: Record<string, unknown>;
	subject: string;
	reason: string;
	preview: PreviewView;
	basis: string;
	proposed_by: number;
	proposed_at: number;
	state: State;
	decided_by: number | null;
	decided_at: number | null;
	outcome: string | null;
	half_key_id: string | null;
	half: Buffer | null;
}

/** What the half of a password is sealed for. */
const HALF = 'half of an initial password';

/** An act that is asked for by name. */
interface Asked {
	act: string;
	input: Record<string, unknown>;
}

const MOST_LISTED = 200;

/** A member proposes and confirms; the command line's key stands for none. @throws Refused FORBIDDEN */
function memberOf({ member }: Actor): ActingMember {
	if (!member) throw new Refused('FORBIDDEN');
	return member;
}

export class Proposals {
	readonly #acts: Readonly<Record<string, Act>>;
	/** What is being applied, by proposal. */
	readonly #running = new Map<number, NonNullable<ProposalView['progress']>>();

	constructor(acts: Readonly<Record<string, Act>>) {
		this.#acts = acts;
	}

	/** @throws Refused NOT_FOUND, FORBIDDEN, and what the act would refuse */
	async preview(asked: Asked, parts: OperatorOptions, by: Actor): Promise<PreviewView> {
		const { basis: _, seen: __, ...shown } = await this.#previewOf(asked, parts, memberOf(by));
		return shown;
	}

	/** @throws Refused NOT_FOUND, FORBIDDEN, and what the act would refuse */
	async propose({ reason, ...asked }: Asked & { reason: string }, parts: OperatorOptions, by: Actor) {
		const member = memberOf(by);
		const { basis, seen: _, ...shown } = await this.#previewOf(asked, parts, member);
		const act = this.#proposable(asked.act);
		const subject = subjectOf(inputOf(act, asked.input) as object);
		const half = act.hasHalves ? randomBytes(9).toString('base64url') : null;
		const sealed = half === null ? null : parts.staff.keys.seal(Buffer.from(half), HALF);
		const row = await parts.journal.change(async (client) => {
			const { rows } = await client.query<ProposalRow>(
				`insert into proposal
				   (act, input, subject, reason, preview, basis, proposed_by, proposed_at, state, half_key_id, half)
				 values ($1, $2, $3, $4, $5, $6, $7, $8, 'OPEN', $9, $10) returning *`,
				[
					asked.act,
					asked.input,
					subject,
					reason,
					shown,
					basis,
					member.staffId,
					Date.now(),
					sealed?.keyId ?? null,
					sealed?.bytes ?? null,
				],
			);
			const [result] = rows as [ProposalRow];
			return { result, act: await stateAct(client, parts, result, by.actor) };
		});
		parts.changes.proposalsChanged();
		return { ...this.#view(row, parts, member), half };
	}

	/** @throws Refused SAME_PERSON; WRONG_STATE when it was decided, or the state has moved on; what the act refuses */
	async confirm(proposalId: string, parts: OperatorOptions, by: Actor): Promise<ProposalView & { result: unknown }> {
		const member = memberOf(by);
		const { staffId } = member;
		const row = await find(parts, proposalId);
		const act = this.#proposable(row.act);
		const input = inputOf(act, row.input) as object;
		await this.#authorizeConfirming(row, parts, member);
		if (row.proposed_by === staffId) throw new Refused('SAME_PERSON');
		await move(parts, row, ['OPEN', 'APPLYING'], { staffId, outcome: null });
		// A kill, or an answer that was lost, may have left it open although it was done.
		const wasDone = row.outcome !== null && ((await act.isDone?.(input, parts)) ?? false);
		const result = wasDone ? null : await this.#apply(row, parts, by, staffId);
		await move(parts, row, ['APPLYING', 'APPLIED'], { staffId, outcome: 'done' });
		return { ...this.#view(await find(parts, proposalId), parts, member), result };
	}

	/** The member's own, or one that the member may confirm. @throws Refused FORBIDDEN, WRONG_STATE */
	async withdraw(proposalId: string, parts: OperatorOptions, by: Actor): Promise<ProposalView> {
		const member = memberOf(by);
		const row = await find(parts, proposalId);
		if (row.proposed_by !== member.staffId) await this.#authorizeConfirming(row, parts, member);
		await move(parts, row, ['OPEN', 'WITHDRAWN'], { staffId: member.staffId, outcome: null });
		return this.#view(await find(parts, proposalId), parts, member);
	}

	/** Those that the member may propose or confirm, newest first. */
	async list(isOpen: boolean, parts: OperatorOptions, by: Actor): Promise<ProposalView[]> {
		const member = memberOf(by);
		const { rows } = await parts.db.query<ProposalRow>(
			`select * from proposal ${isOpen ? "where state in ('OPEN', 'APPLYING')" : ''}
			 order by proposed_at desc limit ${MOST_LISTED}`,
		);
		const visible = await Promise.all(rows.map((row) => this.#isVisible(row, parts, member)));
		return rows.filter((_, at) => visible[at]).map((row) => this.#view(row, parts, member));
	}

	/** Whether the member may propose or confirm the act, on the brand that it is about. */
	async #isVisible(row: ProposalRow, parts: OperatorOptions, member: ActingMember): Promise<boolean> {
		const act = this.#proposable(row.act);
		const permission = [act.permission, act.confirm].find((name) => member.permissions.has(name));
		if (permission === undefined) return false;
		return await authorize(member, { ...act, permission }, inputOf(act, row.input) as object, parts).then(
			() => true,
			() => false,
		);
	}

	/** @throws Refused FORBIDDEN */
	async #authorizeConfirming(row: ProposalRow, parts: OperatorOptions, member: ActingMember): Promise<void> {
		const act = this.#proposable(row.act);
		await authorize(member, { ...act, permission: act.confirm }, inputOf(act, row.input) as object, parts);
	}

	/** @throws Refused NOT_FOUND for an act that needs no second person */
	#proposable(name: string) {
		const act = Object.hasOwn(this.#acts, name) ? this.#acts[name] : undefined;
		if (!act?.confirm || !act.preview) throw new Refused('NOT_FOUND');
		return { ...act, confirm: act.confirm, preview: act.preview };
	}

	async #previewOf({ act: name, input: body }: Asked, parts: OperatorOptions, member: ActingMember) {
		const act = this.#proposable(name);
		const input = inputOf(act, body) as object;
		await authorize(member, act, input, parts);
		return await act.preview(input, parts);
	}

	/** Applies a proposal that this request has moved to APPLYING. */
	async #apply(row: ProposalRow, parts: OperatorOptions, by: Actor, staffId: number): Promise<unknown> {
		const act = this.#proposable(row.act);
		const since = isoTime(Date.now());
		try {
			this.#running.set(row.proposal_id, { phase: 'CHECKING', since });
			const { basis, seen } = await act.preview(inputOf(act, row.input), parts);
			if (basis !== row.basis) throw new Refused('WRONG_STATE');
			const confirmed = { ...(seen ? { seen } : {}), ...halfOf(row, parts) };
			this.#running.set(row.proposal_id, { phase: 'WRITING', since });
			return await runAct({ name: row.act, act, body: row.input, confirmed }, parts, by);
		} catch (error) {
			const outcome = error instanceof Refused ? error.code : 'INTERNAL';
			// One whose outcome is unknown can be confirmed again: it is done, or its preview holds, or it is refused.
			const isUnknown = outcome === 'INTERNAL' || outcome === 'OUTCOME_UNKNOWN';
			await move(parts, row, ['APPLYING', isUnknown ? 'OPEN' : 'REFUSED'], { staffId, outcome });
			throw error;
		} finally {
			this.#running.delete(row.proposal_id);
		}
	}

	#view(row: ProposalRow, { staff }: OperatorOptions, { staffId, permissions }: ActingMember): ProposalView {
		const { act, subject, reason, input, preview, state, outcome } = row;
		const isOpen = state === 'OPEN';
		const isOwn = row.proposed_by === staffId;
		const mayConfirm = isOpen && !isOwn && permissions.has(this.#proposable(act).confirm);
		const { directory } = staff;
		return {
			act,
			subject,
			reason,
			input,
			preview,
			state,
			outcome,
			mayConfirm,
			progress: this.#running.get(row.proposal_id) ?? null,
			proposalId: String(row.proposal_id),
			proposedBy: directory.nameOf(row.proposed_by),
			proposedAt: isoTime(row.proposed_at),
			decidedBy: row.decided_by === null ? null : directory.nameOf(row.decided_by),
			decidedAt: row.decided_at === null ? null : isoTime(row.decided_at),
			mayWithdraw: mayConfirm || (isOpen && isOwn),
		};
	}
}

/** The half of a password that the proposing member was shown. */
function halfOf({ half_key_id: keyId, half }: ProposalRow, { staff }: OperatorOptions): { half?: string } {
	return keyId && half ? { half: staff.keys.open({ keyId, bytes: half }, HALF).toString() } : {};
}

/** @throws Refused NOT_FOUND */
async function find({ db }: OperatorOptions, proposalId: string): Promise<ProposalRow> {
	const { rows } = await db.query<ProposalRow>('select * from proposal where proposal_id = $1', [Number(proposalId)]);
	const [row] = rows;
	if (!row) throw new Refused('NOT_FOUND');
	return row;
}

/** Moves a proposal from one state to another. @throws Refused WRONG_STATE when another request was first */
async function move(
	parts: OperatorOptions,
	{ proposal_id: proposalId }: ProposalRow,
	[from, to]: readonly [from: State, to: State],
	{ staffId, outcome }: { staffId: number; outcome: string | null },
): Promise<void> {
	await parts.journal.change(async (client) => {
		const { rows } = await client.query<ProposalRow>(
			`update proposal set state = $3, decided_by = $4, decided_at = $5, outcome = $6,
			   half = case when $3 in ('OPEN', 'APPLYING') then half end
			 where proposal_id = $1 and state = $2 returning *`,
			[proposalId, from, to, staffId, Date.now(), outcome],
		);
		const [row] = rows;
		if (!row) throw new Refused('WRONG_STATE');
		return { result: undefined, act: await stateAct(client, parts, row, parts.staff.directory.nameOf(staffId)) };
	});
	parts.changes.proposalsChanged();
}

/** The journal's row of a proposal's new state. */
async function stateAct(
	client: pg.PoolClient,
	{ journal }: Pick<OperatorOptions, 'journal'>,
	{ proposal_id: proposalId, state, outcome }: ProposalRow,
	actor: string,
): Promise<JournalAct> {
	const subject = `proposal ${proposalId}`;
	const row = await journal.keep(client, 'proposal', proposalId);
	return { actor, address: null, act: 'proposal-state', subject, details: { state, outcome }, row };
}

/** Proposals whose confirmation a kill of the server interrupted can be confirmed again. */
export async function reopenInterrupted(parts: Pick<OperatorOptions, 'db' | 'journal'>): Promise<void> {
	const { rows: interrupted } = await parts.db.query<{ proposal_id: number }>(
		"select proposal_id from proposal where state = 'APPLYING'",
	);
	for (const { proposal_id: proposalId } of interrupted) {
		await parts.journal.change(async (client) => {
			const { rows } = await client.query<ProposalRow>(
				`update proposal set state = 'OPEN', outcome = 'INTERRUPTED' where proposal_id = $1 returning *`,
				[proposalId],
			);
			return { result: undefined, act: await stateAct(client, parts, rows[0] as ProposalRow, 'server') };
		});
	}
}
