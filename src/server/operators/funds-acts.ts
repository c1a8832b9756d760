/** Acts on money other than bets: what waits for people, what they decide, and house-keeping. */
import * as v from 'valibot';
import { Amount, SignedAmount } from '#contract/fields.ts';
import { Host, ofWorkflow, PlayerName, REASON_CODES, SpokenId } from '#contract/operators/fields.ts';
import { TRANSFER_KINDS } from '#engine/effect.ts';
import { readableWorkflows } from '#server/exchange/recovery/stored-workflows.ts';
import { documentText } from '#server/money/funds/identity/documents.ts';
import { WAITING } from '#server/money/funds/operators/waiting.ts';
import { type Act, act } from '#server/operators/act.ts';
import { disputeView, workflowView as view } from '#server/operators/payment-acts.ts';
import { playerOf } from '#server/operators/player-acts.ts';
import { Refused } from '#values/error-catalogue.ts';
import { OF_AGE } from '#values/identity-documents.ts';

const Kind = v.picklist(TRANSFER_KINDS, `A kind is one of ${TRANSFER_KINDS.join(', ')}.`);
const Reason = v.optional(v.pipe(v.string(), v.trim(), v.maxLength(500)), '');

export const FUNDS_ACTS: Record<string, Act> = {
	'funds-queue': act({
		permission: 'payments.read',
		about: 'own-brands',
		input: v.strictObject({ kind: v.optional(Kind) }),
		run: async ({ kind }, { db, log }) => {
			const where = `is_open and ${WAITING} and ($1::text is null or kind = $1)`;
			return (await readableWorkflows(db, log, { where, values: [kind ?? null] })).map(view);
		},
		looks: true,
	}),
	'funds-show': act({
		permission: 'payments.read',
		about: 'workflow',
		input: ofWorkflow(v.strictObject({ kind: Kind, id: SpokenId })),
		run: async ({ kind, id }, { db, funds }) => {
			const { rows } = await db.query<{ step: number; to: string; actor: string; at: number }>(
				'select step, to_state as "to", actor, at from workflow_step where kind = $1 and id = $2 order by step',
				[kind, Number(id)],
			);
			const workflow = await funds.ledger.find(kind, Number(id));
			const disputes = kind === 'PAYMENT' ? (await funds.disputes.of(workflow)).map(disputeView) : [];
			return { ...view(workflow), disputes, steps: rows };
		},
		looks: true,
	}),
	'funds-decide': act({
		permission: 'payments.decide',
		about: 'workflow',
		input: ofWorkflow(
			v.strictObject({
				kind: Kind,
				id: SpokenId,
				event: v.pipe(v.string(), v.maxLength(40)),
				reason: Reason,
				/** Of a dispute that is opened. */
				amount: v.optional(Amount),
			}),
		),
		run: ({ kind, id, event, reason, amount }, { funds }, { actor }) =>
			funds.decisions.decide({
				kind,
				id: Number(id),
				event,
				operator: actor,
				reason,
				...(amount === undefined ? {} : { amount }),
			}),
	}),
	adjust: act({
		permission: 'payments.adjust',
		about: 'player',
		input: v.strictObject({
			userName: PlayerName,
			host: Host,
			amount: SignedAmount,
			reasonCode: v.picklist(REASON_CODES, `A reason code is one of ${REASON_CODES.join(', ')}.`),
			reason: v.pipe(v.string(), v.trim(), v.minLength(1, 'Give a reason.'), v.maxLength(500)),
		}),
		run: async ({ userName, host, amount, reasonCode, reason }, parts, { actor }) => {
			if (amount === 0) throw new Refused('INVALID_AMOUNT');
			const { playerId: walletId, pool } = playerOf(parts, userName, host);
			const because = { operator: actor, reasonCode, reason };
			const { id, state } = await parts.funds.houseKeeping.requestAdjustment({ walletId, pool }, amount, because);
			return { kind: 'ADJUSTMENT', id: String(id), state };
		},
	}),
	freeze: act({
		permission: 'players.protect',
		about: 'player',
		input: v.strictObject({
			userName: PlayerName,
			host: Host,
			reason: v.nullable(v.pipe(v.string(), v.maxLength(500))),
		}),
		run: async ({ userName, host, reason }, parts, by) => {
			const { playerId } = playerOf(parts, userName, host);
			await parts.funds.protection.freeze(playerId, reason, by);
			return { userName, host, frozen: reason };
		},
	}),
	'verify-identity': act({
		permission: 'players.protect',
		about: 'player',
		input: v.strictObject({
			userName: PlayerName,
			host: Host,
			/** As the documents say; the date of birth is not kept. */
			age: v.pipe(v.number(), v.integer(), v.minValue(OF_AGE, 'This player is not of age.'), v.maxValue(120)),
			/** Kind and number, such as "passport Z1234567"; a keyed fingerprint is kept, by which accounts of one person meet. */
			document: v.optional(v.pipe(v.string(), v.trim(), v.minLength(4), v.maxLength(60))),
		}),
		run: async ({ userName, host, document }, parts, by) => {
			const { playerId } = playerOf(parts, userName, host);
			const fingerprints = document ? parts.funds.fingerprints(documentText(document)) : null;
			await parts.funds.protection.identify(playerId, fingerprints, by);
			await parts.funds.verified(playerId);
			return { userName, host, isIdentified: true };
		},
	}),
};
