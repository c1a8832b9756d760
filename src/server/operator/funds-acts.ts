/** Acts on money other than bets: what waits for people, what they decide, and house-keeping. */
import * as v from 'valibot';
import { Amount, Id, SignedAmount } from '#contract/fields.ts';
import { Host, PlayerName } from '#contract/operators/fields.ts';
import { TRANSFER_KINDS } from '#engine/effect.ts';
import { storedWorkflows } from '#server/exchange/stored-workflows.ts';
import type { Workflow } from '#server/exchange/workflow.ts';
import { REASON_CODES, type ReportLine } from '#server/funds/operators/house-keeping.ts';
import { type Act, act } from '#server/operator/act.ts';
import { playerOf } from '#server/operator/player-acts.ts';
import { Refused } from '#values/error-catalogue.ts';
import { type AnyPaise, majorFromPaise, paiseFromMajor } from '#values/money.ts';
import { POOLS } from '#values/pools.ts';

const Kind = v.picklist(TRANSFER_KINDS, `A kind is one of ${TRANSFER_KINDS.join(', ')}.`);
const Reason = v.optional(v.pipe(v.string(), v.trim(), v.maxLength(500)), '');
const Moment = v.pipe(
	v.string(),
	v.check((text) => !Number.isNaN(Date.parse(text)), 'A time looks like 2026-11-22 or 2026-11-22T10:00Z.'),
	v.transform((text) => Date.parse(text)),
);
/** Who is younger may not bet. */
const OF_AGE = 18;

/** States that wait for a person. */
const WAITING = `(kind = 'PAYMENT' and state = 'REVIEW' or kind = 'DEPOSIT' or kind = 'FINDING'
	or kind = 'WITHDRAWAL' and state in ('REQUESTED', 'WAITING_FOR_KYC', 'FROZEN', 'UNKNOWN')
	or kind = 'ADJUSTMENT' and state = 'REQUESTED' or kind = 'PAYMENT' and state = 'DISPUTED')`;

const view = ({ kind, id, walletId, pool, state, openedAtMs, atMs, data }: Workflow) => ({
	kind,
	id: String(id),
	player: walletId === 0 ? null : String(walletId),
	pool,
	state,
	since: new Date(openedAtMs).toISOString(),
	at: new Date(atMs).toISOString(),
	...data,
	...amountsInMajor(data),
});

function amountsInMajor(data: Workflow['data']): Record<string, number> {
	const names = ['amount', 'paid', 'held', 'net', 'fee', 'ours'];
	return Object.fromEntries(
		names.flatMap((name) => (typeof data[name] === 'number' ? [[name, majorFromPaise(data[name])]] : [])),
	);
}

const REPORT_HEAD = 'reference,utr,amount';

/** Lines of `reference,utr,amount`, amounts in major units. @throws Refused VALIDATION_FAILED, by the line */
function reportLines(csv: string): ReportLine[] {
	const [head, ...lines] = csv.trim().split(/\r?\n/);
	if (head?.trim() !== REPORT_HEAD) throw new Refused('VALIDATION_FAILED', {}, `A report begins with ${REPORT_HEAD}.`);
	return lines.map((line, at) => {
		const [reference = '', utr = '', major = ''] = line.split(',').map((part) => part.trim());
		const amount = /^\d+(\.\d{1,2})?$/.test(major) ? paiseFromMajor(Number(major)) : null;
		if (reference === '' || utr === '' || amount === null) {
			throw new Refused('VALIDATION_FAILED', { line: at + 2 }, `Line ${at + 2} of the report cannot be read.`);
		}
		return { reference, utr, amount };
	});
}

export const FUNDS_ACTS: Record<string, Act> = {
	'funds-queue': act({
		permission: 'payments.read',
		about: 'own-brands',
		input: v.strictObject({ kind: v.optional(Kind) }),
		run: async ({ kind }, { db }) =>
			(await storedWorkflows(db, `is_open and ${WAITING} and ($1::text is null or kind = $1)`, [kind ?? null])).map(
				view,
			),
		looks: true,
	}),
	'funds-show': act({
		permission: 'payments.read',
		about: 'workflow',
		input: v.strictObject({ kind: Kind, id: Id }),
		run: async ({ kind, id }, { db, funds }) => {
			const { rows } = await db.query<{ step: number; to: string; actor: string; at: number }>(
				'select step, to_state as "to", actor, at from workflow_step where kind = $1 and id = $2 order by step',
				[kind, Number(id)],
			);
			return { ...view(await funds.ledger.find(kind, Number(id))), steps: rows };
		},
		looks: true,
	}),
	'funds-receipt': act({
		permission: 'payments.read',
		about: 'own-brands',
		input: v.strictObject({ imageRef: Id }),
		run: async ({ imageRef }, { funds }) => {
			const { type, bytes } = await funds.images.find(imageRef, null);
			return { type, image: bytes.toString('base64') };
		},
	}),
	'funds-decide': act({
		permission: 'payments.decide',
		about: 'workflow',
		input: v.strictObject({ kind: Kind, id: Id, event: v.pipe(v.string(), v.maxLength(40)), reason: Reason }),
		run: ({ kind, id, event, reason }, { funds }, { actor }) =>
			funds.decisions.decide({ kind, id: Number(id), event, operator: actor, reason }),
	}),
	'funds-dispute': act({
		permission: 'payments.decide',
		about: 'workflow',
		input: v.strictObject({ id: Id, event: v.picklist(['open', 'won', 'lost']) }),
		run: ({ id, event }, { funds }, { actor }) => funds.decisions.dispute(Number(id), event, actor),
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
		}),
		run: async ({ userName, host }, parts, by) => {
			const { playerId } = playerOf(parts, userName, host);
			await parts.funds.protection.identify(playerId, by);
			return { userName, host, isIdentified: true };
		},
	}),
	'provider-settlement': act({
		permission: 'books.edit',
		about: 'platform',
		input: v.strictObject({ pool: v.picklist(POOLS), reference: Id, net: Amount, fee: Amount }),
		run: async ({ pool, ...settlement }, { funds }, { actor }) => {
			const { id, state } = await funds.houseKeeping.settleProvider(pool, settlement, actor);
			return { kind: 'PROVIDER_SETTLEMENT', id: String(id), state };
		},
	}),
	reconcile: act({
		permission: 'books.edit',
		about: 'platform',
		input: v.strictObject({
			pool: v.picklist(POOLS),
			report: v.pipe(v.string(), v.maxLength(60_000)),
			from: Moment,
			to: Moment,
		}),
		run: ({ pool, report, from, to }, { funds }) => funds.houseKeeping.reconcile(pool, reportLines(report), from, to),
	}),
	'trial-balance': act({
		permission: 'books.read',
		about: 'platform',
		input: v.strictObject({ pool: v.picklist(POOLS) }),
		run: async ({ pool }, { db }) => {
			const { rows } = await db.query<{ account: string; balance: AnyPaise }>(
				`select account, sum(balance)::bigint as balance from (
				   select kind as account, balance from house_account where pool = $1
				   union all select account, balance from wallet
				     cross join lateral (values ('cash', cash), ('exposure', exposure), ('hold', hold), ('bonus', bonus))
				     as part (account, balance) where pool = $1
				 ) as accounts group by account having sum(balance) <> 0 order by account`,
				[pool],
			);
			return rows.map(({ account, balance }) => ({ account, balance: majorFromPaise(balance) }));
		},
		looks: true,
	}),
};
