/**
 * Acts that one member, or a feed, proposes and another member confirms. The confirmation computes the preview again
 * and applies the act only if it is the same.
 */
import { randomBytes } from 'node:crypto';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import type { Act, ActingMember, Actor, AskedAct, OperatorOptions } from '#server/operators/act.ts';
import { subjectOf } from '#server/operators/act-record.ts';
import { authorize, checkNotOwn, memberNow, stillMay } from '#server/operators/authorize.ts';
import {
	addProposal,
	findProposal,
	interruptedProposals,
	type Move,
	moveProposal,
	type NewProposal,
	type PreviewView,
	type ProposalRow,
	type ProposalView,
	proposalsAfter,
	replaceProposal,
} from '#server/operators/proposal-rows.ts';
import { runAct } from '#server/operators/run-act.ts';
import { Refused } from '#values/error-catalogue.ts';

/** The seal's purpose for half a password. */
const HALF = 'half of an initial password';

/** An act requested by name. */
interface Asked {
	act: string;
	input: Record<string, unknown>;
}

const MOST_LISTED = 200;

/** Members propose and confirm; the command line's key belongs to none. @throws Refused FORBIDDEN */
function memberOf({ member }: Actor): ActingMember {
	if (!member) throw new Refused('FORBIDDEN');
	return member;
}

export class Proposals {
	readonly #acts: ReadonlyMap<string, Act>;
	/** Acts being applied, by proposal. */
	readonly #running = new Map<number, NonNullable<ProposalView['progress']>>();

	/** @param acts that need two persons */
	constructor(acts: ReadonlyMap<string, Act>) {
		this.#acts = acts;
	}

	/** @throws Refused NOT_FOUND, FORBIDDEN, SAME_PERSON, and the refusals of the act */
	async preview(asked: Asked, parts: OperatorOptions, by: Actor): Promise<PreviewView> {
		const { basis: _, seen: __, ...shown } = await this.#previewOf(asked, parts, memberOf(by));
		return shown;
	}

	/** @throws Refused NOT_FOUND, FORBIDDEN, SAME_PERSON, and the refusals of the act */
	async propose({ reason, ...asked }: Asked & { reason: string }, parts: OperatorOptions, by: Actor) {
		const member = memberOf(by);
		const { basis, seen: _, ...shown } = await this.#previewOf(asked, parts, member);
		const act = this.#proposable(asked.act);
		const subject = subjectOf(act.read(asked.input).input);
		const half = act.hasHalves ? randomBytes(9).toString('base64url') : null;
		const sealed = half === null ? null : parts.staff.keys.seal(Buffer.from(half), HALF);
		const made = { ...asked, subject, reason, preview: shown, basis, proposed_by: member.staffId };
		const row = await addProposal(
			parts,
			{ ...made, half_key_id: sealed?.keyId ?? null, half: sealed?.bytes ?? null },
			by.actor,
		);
		return { ...(await this.#view(row, parts, member)), half };
	}

	/**
	 * @throws Refused SAME_PERSON; PROPOSER_LEFT; WRONG_STATE if it was decided, or the state has changed; the refusals of the
	 * act
	 */
	async confirm(proposalId: string, parts: OperatorOptions, by: Actor): Promise<ProposalView & { result: unknown }> {
		const member = memberOf(by);
		const { subject } = await findProposal(parts, proposalId);
		// Further confirmations about it, and a later result of its feed, wait until this one is applied or refused.
		return await parts.subjectTurns.take(subject, () =>
			this.#confirm(proposalId, parts, { ...by, member: memberNow(parts, member) }),
		);
	}

	async #confirm(proposalId: string, parts: OperatorOptions, by: Actor & { member: ActingMember }) {
		const { member } = by;
		const found = await findProposal(parts, proposalId);
		const act = this.#proposable(found.act);
		const asked = act.read(found.input);
		await this.#authorizeConfirming(found, parts, member);
		if (found.proposed_by === member.staffId) throw new Refused('SAME_PERSON');
		const row = await this.marked(found, parts);
		const isApplied = found.state === 'APPLYING' && row.state === 'APPLIED';
		const result = isApplied ? null : await this.#decide(row, { act, asked }, parts, by);
		return { ...(await this.#view(await findProposal(parts, proposalId), parts, member)), result };
	}

	async #decide(
		row: ProposalRow,
		confirmed: { act: Act; asked: AskedAct },
		parts: OperatorOptions,
		by: Actor & { member: ActingMember },
	): Promise<unknown> {
		const mover = moverOf(parts, by.member);
		const { wasDone, hasProposerLeft } = await whatIsLeft(row, confirmed, parts);
		if (hasProposerLeft) throw new Refused('PROPOSER_LEFT');
		this.#running.set(row.proposal_id, { phase: 'CHECKING', since: isoTime(Date.now()) });
		try {
			await moveProposal(parts, row, { ...mover, from: 'OPEN', to: 'APPLYING', outcome: null });
			const result = wasDone ? null : await this.#apply(row, parts, by, mover);
			await moveProposal(parts, row, { ...mover, from: 'APPLYING', to: 'APPLIED', outcome: 'done' });
			return result;
		} finally {
			this.#running.delete(row.proposal_id);
		}
	}

	/**
	 * Decides about the proposals whose confirmations a kill interrupted, before anything can be done: what is done is noted
	 * as applied, so that a repeated confirmation does not make again what was undone since; the others can be confirmed again.
	 */
	async markInterrupted(parts: OperatorOptions): Promise<void> {
		for (const row of await interruptedProposals(parts)) await this.marked(row, parts);
	}

	/**
	 * The row with the end of its confirmation. Within the turn of its subject nothing is applied, so of one that is under way
	 * the end was not noted.
	 */
	async marked(row: ProposalRow, parts: OperatorOptions): Promise<ProposalRow> {
		if (row.state !== 'APPLYING') return row;
		const isDone = await this.#isDone(row, parts);
		const { decided_by: staffId } = row;
		const end = isDone
			? ({ to: 'APPLIED', outcome: 'done' } as const)
			: ({ to: 'OPEN', outcome: 'INTERRUPTED' } as const);
		await moveProposal(parts, row, { from: 'APPLYING', ...end, staffId, actor: 'server' });
		return await findProposal(parts, String(row.proposal_id));
	}

	/** Whether its effect is in place; no, where what it is about is gone. */
	async #isDone(row: ProposalRow, parts: OperatorOptions): Promise<boolean> {
		try {
			return await this.#proposable(row.act).read(row.input).isDone(parts);
		} catch (error) {
			if (error instanceof Refused) return false;
			throw error;
		}
	}

	/** The member's own, or one that the member may confirm. @throws Refused FORBIDDEN, WRONG_STATE */
	async withdraw(proposalId: string, parts: OperatorOptions, by: Actor): Promise<ProposalView> {
		const member = memberOf(by);
		const row = await findProposal(parts, proposalId);
		if (row.proposed_by !== member.staffId) await this.#authorizeConfirming(row, parts, member);
		const move: Move = { ...moverOf(parts, member), from: 'OPEN', to: 'WITHDRAWN', outcome: null };
		// Not between a feed's read of pending results and its correction.
		await parts.subjectTurns.take(row.subject, async () => {
			await this.marked(await findProposal(parts, proposalId), parts);
			await moveProposal(parts, row, move);
		});
		return await this.#view(await findProposal(parts, proposalId), parts, member);
	}

	/** Proposals that the member may propose or confirm, newest first; pending ones of members before those of feeds. */
	async list(
		asked: { open: boolean; marketId?: string | undefined },
		parts: OperatorOptions,
		by: Actor,
	): Promise<ProposalView[]> {
		const member = memberOf(by);
		const { open: isOpen, marketId } = asked;
		const { brands, permissions } = member;
		const acts = [...this.#acts.values()]
			.filter(({ permission, confirm }) => permissions.has(permission) || (confirm && permissions.has(confirm)))
			.filter(({ about }) => brands === null || about !== 'platform')
			.map(({ name }) => name);
		const subject = marketId === undefined ? null : subjectOf({ marketId });
		const shown: ProposalRow[] = [];
		// Those that the query cannot tell from the member's own take no place in the list.
		for (let last: ProposalRow | null = null, isMore = true; isMore && shown.length < MOST_LISTED; ) {
			const wanted = { isOpen, subject, acts, brands, most: MOST_LISTED };
			const rows: ProposalRow[] = await proposalsAfter(parts, wanted, last);
			const visible = await Promise.all(rows.map((row) => this.#isVisible(row, parts, member)));
			shown.push(...rows.filter((_, at) => visible[at]));
			last = rows.at(-1) ?? null;
			isMore = rows.length === MOST_LISTED;
		}
		return await Promise.all(shown.slice(0, MOST_LISTED).map((row) => this.#view(row, parts, member)));
	}

	/** Whether the member may propose or confirm the act on its brand. */
	async #isVisible(row: ProposalRow, parts: OperatorOptions, member: ActingMember): Promise<boolean> {
		const act = this.#proposable(row.act);
		const permission = [act.permission, act.confirm].find((name) => member.permissions.has(name));
		if (permission === undefined) return false;
		return await authorize(member, { ...act, permission }, act.read(row.input).input, parts).then(
			() => true,
			() => false,
		);
	}

	/** @throws Refused FORBIDDEN, SAME_PERSON */
	async #authorizeConfirming(row: ProposalRow, parts: OperatorOptions, member: ActingMember): Promise<void> {
		const act = this.#proposable(row.act);
		const asked = act.read(row.input);
		await authorize(member, { ...act, permission: act.confirm }, asked.input, parts);
		await checkNotOwn(act, asked, parts, moverOf(parts, member).actor);
	}

	/** @throws Refused NOT_FOUND for an act without a second person */
	#proposable(name: string) {
		const act = this.#acts.get(name);
		if (!act?.confirm) throw new Refused('NOT_FOUND');
		return { ...act, confirm: act.confirm };
	}

	async #previewOf({ act: name, input: body }: Asked, parts: OperatorOptions, member: ActingMember) {
		const act = this.#proposable(name);
		const asked = act.read(body);
		await authorize(member, act, asked.input, parts);
		await checkNotOwn(act, asked, parts, moverOf(parts, member).actor);
		return await asked.preview(parts);
	}

	/** Applies a proposal that this request has moved to APPLYING. */
	async #apply(row: ProposalRow, parts: OperatorOptions, by: Actor, mover: Mover): Promise<unknown> {
		const act = this.#proposable(row.act);
		const asked = act.read(row.input);
		let renewed: NewProposal | null = null;
		try {
			const { basis, seen, ...preview } = await asked.preview(parts);
			if (basis !== row.basis) {
				// A feed's result stays valid: it is pending again, with its current effect.
				if (row.proposed_by === null) renewed = { ...row, preview, basis };
				throw new Refused('WRONG_STATE');
			}
			const confirmed = { ...(seen ? { seen } : {}), ...halfOf(row, parts) };
			this.#running.set(row.proposal_id, { phase: 'WRITING', since: isoTime(Date.now()) });
			return await runAct({ act, asked, confirmed }, parts, by);
		} catch (error) {
			const outcome = error instanceof Refused ? error.code : 'INTERNAL';
			// A proposal with an unknown outcome that is not seen to be done can be confirmed again: it is done by then, or its
			// preview holds, or it is refused.
			const isUnknown = outcome === 'INTERNAL' || outcome === 'OUTCOME_UNKNOWN';
			const isDone = isUnknown && (await this.#isDone(row, parts).catch(() => false));
			const to = isDone ? 'APPLIED' : isUnknown ? 'OPEN' : 'REFUSED';
			const move: Move = { ...mover, from: 'APPLYING', to, outcome: isDone ? 'done' : outcome };
			await replaceProposal(parts, [row, move], renewed);
			throw error;
		}
	}

	async #view(row: ProposalRow, parts: OperatorOptions, member: ActingMember): Promise<ProposalView> {
		const { act, subject, reason, input, preview } = row;
		const progress = this.#running.get(row.proposal_id) ?? null;
		// One that is under way by its row alone can be confirmed again.
		const isLeft = row.state === 'APPLYING' && progress === null;
		const { state, outcome } = isLeft ? ({ state: 'OPEN', outcome: 'INTERRUPTED' } as const) : row;
		const { staffId, permissions } = member;
		const isOpen = state === 'OPEN';
		const isOwn = row.proposed_by === staffId;
		const mayDecide = isOpen && !isOwn && permissions.has(this.#proposable(act).confirm);
		const hasProposerLeft = mayDecide && (await this.#hasProposerLeft(row, parts));
		const { directory } = parts.staff;
		return {
			act,
			subject,
			reason,
			input,
			preview,
			state,
			outcome,
			mayConfirm: mayDecide && !hasProposerLeft,
			hasProposerLeft,
			progress,
			proposalId: String(row.proposal_id),
			proposedBy: row.proposed_by === null ? 'the feed' : directory.nameOf(row.proposed_by),
			isOfFeed: row.proposed_by === null,
			proposedAt: isoTime(row.proposed_at),
			decidedBy: row.decided_by === null ? null : directory.nameOf(row.decided_by),
			decidedAt: row.decided_at === null ? null : isoTime(row.decided_at),
			mayWithdraw: mayDecide || (isOpen && isOwn),
		};
	}

	async #hasProposerLeft(row: ProposalRow, parts: OperatorOptions): Promise<boolean> {
		const act = this.#proposable(row.act);
		try {
			return (await whatIsLeft(row, { act, asked: act.read(row.input) }, parts)).hasProposerLeft;
		} catch (error) {
			// What it is about is gone, which its confirmation says.
			if (error instanceof Refused) return false;
			throw error;
		}
	}
}

/** What a confirmation finds of a proposal. @throws Refused, as looking the subject up does */
async function whatIsLeft(
	row: ProposalRow,
	{ act, asked }: { act: Act; asked: AskedAct },
	parts: OperatorOptions,
): Promise<{ wasDone: boolean; hasProposerLeft: boolean }> {
	// A kill, or a lost answer, may have left it open although it was done.
	const wasDone = row.outcome !== null && (await asked.isDone(parts));
	const isOfTwo = row.proposed_by === null || (await stillMay(row.proposed_by, act, asked, parts));
	return { wasDone, hasProposerLeft: !wasDone && !isOfTwo };
}

type Mover = Pick<Move, 'staffId' | 'actor'>;

const moverOf = ({ staff }: OperatorOptions, { staffId }: ActingMember): Mover => ({
	staffId,
	actor: staff.directory.nameOf(staffId),
});

/** The proposing member's half of a password. */
function halfOf({ half_key_id: keyId, half }: ProposalRow, { staff }: OperatorOptions): { half?: string } {
	return keyId && half ? { half: staff.keys.open({ keyId, bytes: half }, HALF).toString() } : {};
}
