/** Acts on the payment queue, as the console shows it. */
import { WORKFLOW_AMOUNTS } from '#contract/operators/workflow-amounts.ts';
import { TRANSFER_KINDS, type TransferKind } from '#engine/effect.ts';
import type { Workflow } from '#server/exchange/order/workflow.ts';
import { readableWorkflows } from '#server/exchange/recovery/stored-workflows.ts';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import { standingProposal } from '#server/money/funds/operators/decisions.ts';
import type { Claimant, PaymentClaim } from '#server/money/funds/operators/payment-claims.ts';
import { WAITING } from '#server/money/funds/operators/waiting.ts';
import type { Actor, ActsOf, OperatorOptions } from '#server/operators/act.ts';
import { authorize, memberNow, stillMay } from '#server/operators/authorize.ts';
import { namedPlayer, playerOf } from '#server/operators/player-acts.ts';
import { sameTransfer } from '#server/operators/same-transfer.ts';
import { seesBrand } from '#server/operators/today-acts.ts';
import { Refused } from '#values/error-catalogue.ts';
import { type AnyMinor, majorFromMinor } from '#values/money.ts';
import type { Permission } from '#values/staff-permissions.ts';

/** Limit of displayed queue entries; oldest first. */
const MOST_SHOWN = 1000;

/** Fields of a workflow's data that hold amounts themselves. */
const HOLD_AMOUNTS: ReadonlySet<string> = new Set(['tax', 'thresholds', 'bets', 'payments']);

/** A field of a workflow's data, with its amounts in major units. */
function fieldView(name: string, value: unknown): unknown {
	if (WORKFLOW_AMOUNTS.has(name) && typeof value === 'number') return majorFromMinor(value);
	if (!HOLD_AMOUNTS.has(name) || typeof value !== 'object' || value === null) return value;
	if (Array.isArray(value)) return value.map((each) => fieldView(name, each));
	return Object.fromEntries(Object.entries(value).map(([part, known]) => [part, fieldView(part, known)]));
}

/** A workflow as operators see it: amounts in major units, times as text. */
export function workflowView({ kind, id, walletId, pool, state, openedAtMs, atMs, data }: Workflow) {
	const known = Object.entries(data).map(([name, value]) => [name, fieldView(name, value)]);
	return {
		...Object.fromEntries(known),
		kind,
		id: String(id),
		player: walletId === 0 ? null : String(walletId),
		pool,
		state,
		since: isoTime(openedAtMs),
		at: isoTime(atMs),
	};
}

const claimView = ({ holder, sinceMs, untilMs }: PaymentClaim) => ({
	holder,
	since: isoTime(sinceMs),
	until: isoTime(untilMs),
});

/** Whether those who proposed or requested something about a workflow may still do so. */
const stillMayAbout =
	({ kind, id }: Pick<Workflow, 'kind' | 'id'>, parts: OperatorOptions) =>
	(first: string, permission: Permission): Promise<boolean> => {
		const input = { kind, id: String(id) };
		return stillMay(first, { permission, about: 'workflow' }, { input, accounts: () => [] }, parts);
	};

/** The same with the player's name, the member with the claim, and the first of two decisions, if it still counts. */
async function queueView(workflow: Workflow, claim: PaymentClaim | null, parts: OperatorOptions) {
	const { players } = parts;
	const { walletId } = workflow;
	const brand = walletId === 0 ? null : players.brandOf(walletId);
	const proposed = await standingProposal(workflow, stillMayAbout(workflow, parts));
	return {
		...workflowView(workflow),
		who: brand === null ? null : players.user(walletId).userName,
		brand,
		proposedEvent: proposed?.event ?? null,
		proposedBy: proposed?.by ?? null,
		claim: claim && claimView(claim),
	};
}

/** @throws Refused NOT_FOUND for an unknown kind */
function kindOf(name: string): TransferKind {
	const kind = TRANSFER_KINDS.find((known) => known === name);
	if (!kind) throw new Refused('NOT_FOUND');
	return kind;
}

/** Whether a member works for the brand of a workflow's player. */
const isVisible = (
	{ walletId }: Pick<Workflow, 'walletId'>,
	{ players }: OperatorOptions,
	{ member }: Actor,
): boolean => seesBrand(member, players.brandOf(walletId) ?? '');

const claimantOf = ({ actor, member }: Actor): Claimant => ({ actor, staffId: member?.staffId ?? null });

/** Notifies the screens of a claim now, and when it ends. */
function claimed({ changes }: OperatorOptions, claim: PaymentClaim) {
	changes.queuesChanged();
	changes.queuesChangeAt(claim.untilMs);
	return claimView(claim);
}

/** A cycle of a dispute as operators see it. */
function disputeView(dispute: Workflow<'DISPUTE'>) {
	const { cycle, amount, held, taken, rest, deadlineMs } = dispute.data;
	return {
		id: String(dispute.id),
		cycle,
		state: dispute.state,
		amount: majorFromMinor(amount),
		held: majorFromMinor(held),
		taken: majorFromMinor(taken),
		rest: majorFromMinor(rest),
		since: isoTime(dispute.openedAtMs),
		deadline: deadlineMs === null ? null : isoTime(deadlineMs),
	};
}

const receiptOf = ({ kind, data }: Workflow): string | null => (kind === 'DEPOSIT' ? data.imageRef : null);

/** An unread receipt has no findings. */
function readingOf(workflow: Workflow): 'READ' | 'NOT_READ_YET' | 'TOO_SLOW' | null {
	if (workflow.kind !== 'DEPOSIT') return null;
	const { read } = workflow.data;
	if (read === undefined) return workflow.state === 'SUBMITTED' ? 'NOT_READ_YET' : null;
	return read === null ? 'TOO_SLOW' : 'READ';
}

export const PAYMENT_ACTS: ActsOf<
	| 'payment-queue'
	| 'payment-show'
	| 'payment-receipt'
	| 'payment-preview'
	| 'payment-decide'
	| 'payment-claim'
	| 'payment-take-over'
	| 'payment-release'
	| 'adjust'
	| 'add-money'
> = {
	'payment-queue': async ({ kind }, parts, by) => {
		const wanted = kind === undefined ? null : kindOf(kind);
		const where = `is_open and ${WAITING} and ($1::text is null or kind = $1)`;
		const found = await readableWorkflows(parts.db, parts.log, { where, values: [wanted] });
		const visible = found.filter((workflow) => isVisible(workflow, parts, by));
		const oldestFirst = visible.sort((one, other) => one.openedAtMs - other.openedAtMs);
		const shown = oldestFirst.slice(0, MOST_SHOWN);
		const claims = await parts.funds.claims.of(shown);
		return await Promise.all(shown.map((workflow, at) => queueView(workflow, claims[at] ?? null, parts)));
	},
	'payment-show': async ({ kind: name, id }, parts, by) => {
		const kind = kindOf(name);
		const workflow = await parts.funds.ledger.find(kind, Number(id));
		const [waiting, steps, postings, decisions, [claim = null], same, disputes] = await Promise.all([
			parts.db.query(`select 1 from workflow where kind = $1 and id = $2 and is_open and ${WAITING}`, [
				kind,
				Number(id),
			]),
			parts.db.query<{ step: number; to: string; actor: string; at: number }>(
				'select step, to_state as "to", actor, at from workflow_step where kind = $1 and id = $2 order by step',
				[kind, Number(id)],
			),
			parts.db.query<{ at: number; debit: string; credit: string; amount: AnyMinor }>(
				'select at, debit, credit, amount from posting where kind = $1 and ref = $2 order by step',
				[kind, Number(id)],
			),
			parts.funds.decisions.possible(workflow, stillMayAbout(workflow, parts)),
			parts.funds.claims.of([workflow]),
			sameTransfer(parts.db, workflow),
			workflow.kind === 'PAYMENT' ? parts.funds.disputes.of(workflow) : [],
		]);
		return {
			...(await queueView(workflow, claim, parts)),
			decisions,
			steps: steps.rows.map((step) => ({ ...step, at: isoTime(step.at) })),
			postings: postings.rows.map(({ at, debit, credit, amount }) => ({
				at: isoTime(at),
				debit,
				credit,
				amount: majorFromMinor(amount),
			})),
			waits: waiting.rowCount === 1,
			disputes: disputes.map(disputeView),
			sameTransfer: same
				.filter((other) => isVisible(other, parts, by))
				.map((other) => ({ kind: other.kind, id: String(other.id), state: other.state })),
			hasReceipt: receiptOf(workflow) !== null,
			reading: readingOf(workflow),
		};
	},
	'payment-receipt': async ({ kind, id }, { funds }) => {
		const imageRef = receiptOf(await funds.ledger.find(kindOf(kind), Number(id)));
		if (imageRef === null) throw new Refused('NOT_FOUND');
		const { type, bytes } = await funds.images.find(imageRef, null);
		return { image: `data:${type};base64,${bytes.toString('base64')}` };
	},
	'payment-preview': async ({ kind, id, event, amount }, { funds }) => {
		const { walletId, pool, state, moves, to } = await funds.decisions.movesOf({
			kind: kindOf(kind),
			id: Number(id),
			event,
			...(amount === undefined ? {} : { amount }),
		});
		const lines = (moves ?? []).map(({ debit, credit, amount }) => ({
			what: `${debit} → ${credit}`,
			who: String(walletId),
			pool,
			amount: majorFromMinor(amount),
		}));
		return {
			summary: [to === state ? `It stays ${state}.` : `${state} becomes ${to}.`],
			lines,
			total: lines.length,
			sums: lines,
		};
	},
	'payment-decide': async ({ kind: name, id, event, reason, amount }, parts, { actor, member }) => {
		const subject = { kind: kindOf(name), id: Number(id) };
		const call = { permission: 'payments.decide', about: 'workflow' } as const;
		const { kind, state, isProposed } = await parts.funds.decisions.decide({
			...subject,
			event,
			operator: actor,
			reason,
			stillMay: stillMayAbout(subject, parts),
			checkOperator: async () => {
				if (member) await authorize(memberNow(parts, member), call, { kind: subject.kind, id }, parts);
			},
			...(amount === undefined ? {} : { amount }),
		});
		return { kind, id, state, isProposed };
	},
	'payment-claim': async ({ kind, id }, parts, by) =>
		claimed(parts, await parts.funds.claims.claim(kindOf(kind), Number(id), claimantOf(by))),
	'payment-take-over': async ({ kind, id }, parts, by) =>
		claimed(parts, await parts.funds.claims.takeOver(kindOf(kind), Number(id), claimantOf(by))),
	'payment-release': async ({ kind, id }, { funds, changes }, by) => {
		await funds.claims.release(kindOf(kind), Number(id), claimantOf(by));
		changes.queuesChanged();
		return {};
	},
	adjust: async ({ amount, reasonCode, reason, ...named }, parts, { actor }) => {
		if (amount === 0) throw new Refused('INVALID_AMOUNT');
		const { playerId: walletId } = namedPlayer(parts, named);
		const wallet = parts.exchange.wallet(walletId);
		if (!wallet) throw new Refused('UNKNOWN_USER');
		const because = { operator: actor, reasonCode, reason };
		const owner = { walletId, pool: wallet.pool };
		const { id, state } = await parts.funds.houseKeeping.requestAdjustment(owner, amount, because);
		return { kind: 'ADJUSTMENT', id: String(id), state };
	},
	'add-money': async ({ userName, host, amount, grantId }, parts) => {
		const { playerId: walletId } = playerOf(parts, userName, host);
		const done = await parts.exchange.submit(
			{ kind: 'grant-coins', grantId, walletId, amount },
			{ walletId, clientRequestId: `grant-${grantId}`, body: `grant ${amount}` },
		);
		return { userName, added: majorFromMinor(amount), balance: majorFromMinor(done.balance) };
	},
};
