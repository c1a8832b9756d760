/**
 * Money that operators move with the outside: adjustments, the provider's settlements, and the findings of a
 * reconciliation.
 */
import type pg from 'pg';
import type { Workflow } from '#server/exchange/workflow.ts';
import type { FundsLedger, Happened } from '#server/funds/funds-ledger.ts';
import { ADJUSTMENT } from '#server/funds/machines/adjustment.ts';
import { PROVIDER_SETTLEMENT } from '#server/funds/machines/provider-settlement.ts';
import { referenceOf } from '#server/funds/payments/order-reference.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { WalletId } from '#values/ids.ts';
import type { AnyPaise } from '#values/money.ts';
import type { Pool } from '#values/pools.ts';

export const REASON_CODES = ['GOODWILL', 'CORRECTION', 'COMPLAINT', 'FRAUD', 'TEST'] as const;
export type ReasonCode = (typeof REASON_CODES)[number];

/** An entry of the provider's report. Amounts are paise. */
export interface ReportLine {
	reference: string;
	utr: string;
	amount: AnyPaise;
}

export interface Reconciled {
	lines: number;
	matched: AnyPaise;
	/** Names of the findings, including those that existed before. */
	findings: string[];
}

export class HouseKeeping {
	readonly #ledger: FundsLedger;
	readonly #db: pg.Pool;

	constructor({ ledger, db }: { ledger: FundsLedger; db: pg.Pool }) {
		this.#ledger = ledger;
		this.#db = db;
	}

	/** Another person approves it. @param amount paise; a negative amount debits the player */
	async requestAdjustment(
		owner: { walletId: WalletId; pool: Pool },
		amount: AnyPaise,
		{ operator, reasonCode, reason }: { operator: string; reasonCode: ReasonCode; reason: string },
	): Promise<Happened> {
		if (operator === 'unnamed') throw new Refused('UNNAMED_OPERATOR');
		const isCredit = amount > 0;
		const data = { amount: Math.abs(amount), isCredit, reasonCode, reason, requestedBy: operator };
		const happening = { event: 'request', facts: { isCredit }, amounts: {}, actor: operator, data };
		return await this.#ledger.begin(ADJUSTMENT, owner, happening);
	}

	/** The provider has paid what it owed, less its fee. @throws Refused ALREADY_CLAIMED for a reference that was entered */
	async settleProvider(
		pool: Pool,
		{ reference, net, fee }: { reference: string; net: AnyPaise; fee: number },
		operator: string,
	): Promise<Happened> {
		if (operator === 'unnamed') throw new Refused('UNNAMED_OPERATOR');
		return await this.#ledger.begin(
			PROVIDER_SETTLEMENT,
			{ walletId: 0, pool },
			{
				event: 'settle',
				facts: null,
				amounts: { net, fee },
				actor: operator,
				data: { reference, net, fee },
				claims: [`provider-settlement:${reference}`],
			},
		);
	}

	/**
	 * Compares the provider's report of a period with our orders. Each difference becomes one finding, however often
	 * the report is read.
	 */
	async reconcile(pool: Pool, lines: readonly ReportLine[], fromMs: number, toMs: number): Promise<Reconciled> {
		const orders = await this.#paidOrders(pool, fromMs, toMs);
		const byUtr = new Map(orders.map((order) => [String(order.data['utr']), order]));
		const findings: string[] = [];
		let matched = 0;
		const found = async (name: string, order: Workflow | null, data: Workflow['data']): Promise<void> => {
			findings.push(name);
			await this.#ledger.report(name, order ?? { walletId: 0, pool }, { ...data });
		};
		const seen = new Set<string>();
		for (const { reference, utr, amount } of lines) {
			const order = byUtr.get(utr);
			const known = { reference, utr, amount };
			if (seen.has(utr)) await found(`reported-twice:${utr}`, order ?? null, known);
			else if (!order) await found(`only-reported:${utr}`, null, known);
			else if (order.data['paid'] !== amount) {
				await found(`other-amount:${utr}`, order, { ...known, ours: order.data['paid'] as number });
			} else if (referenceOfOrder(order) !== reference) await found(`other-order:${utr}`, order, known);
			else matched++;
			seen.add(utr);
		}
		for (const order of orders) {
			const utr = String(order.data['utr']);
			if (!seen.has(utr)) await found(`not-reported:${utr}`, order, { utr, amount: order.data['paid'] as number });
		}
		return { lines: lines.length, matched, findings };
	}

	async #paidOrders(pool: Pool, fromMs: number, toMs: number): Promise<Workflow[]> {
		const { rows } = await this.#db.query<Workflow>(
			`select kind, id, wallet_id as "walletId", pool, data from workflow
			 where kind = 'PAYMENT' and pool = $1 and data ? 'utr' and (data ->> 'paidAtMs')::bigint between $2 and $3
			 order by id`,
			[pool, fromMs, toMs],
		);
		return rows;
	}
}

/** A second payment on a paid order has an order of its own here, and the first one's reference at the provider. */
const referenceOfOrder = ({ id, data }: Workflow): string =>
	referenceOf('BLP', (data['of'] as number | undefined) ?? id);
