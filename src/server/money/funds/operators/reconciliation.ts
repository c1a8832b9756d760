/**
 * Reconciliation: the payment provider's report against our orders and lost disputes, and the bank's statement against
 * receipts, withdrawals and the provider's settlements. Each difference becomes a finding, once however often a report
 * is read.
 */
import type pg from 'pg';
import type { FundsLedger } from '#server/money/funds/funds-ledger.ts';
import {
	compareBooks,
	type Difference,
	type OutsideEntry,
	type OwnEntry,
} from '#server/money/funds/operators/compare-books.ts';
import { referenceOf } from '#server/money/funds/payments/order-reference.ts';
import type { EvidenceBooks } from '#server/money/funds/receipts/evidence.ts';
import type { AnyMinor } from '#values/money.ts';
import type { Pool } from '#values/pools.ts';

/** Near the end of a period the outside's clock and ours may put a payment into different periods. */
const BORDER_MS = 10 * 60_000;

export type Source = 'PROVIDER' | 'BANK';

interface Period {
	fromMs: number;
	toMs: number;
}

interface Reconciled {
	lines: number;
	matched: number;
	/** Names of the findings, including those that existed before. */
	findings: string[];
}

interface Row extends Omit<OwnEntry, 'isDue'> {
	atMs: number;
	kind: string;
	id: number;
	of: number | null;
}

/** The entries of our books that each source has to know: a key, the amount, and the time. */
const OWN: Readonly<Record<Source, string>> = {
	PROVIDER: `
		select kind, id, wallet_id, (data ->> 'of')::bigint as of, '+' || (data ->> 'utr') as key,
		  (data ->> 'paid')::bigint as amount, (data ->> 'paidAtMs')::bigint as at
		from workflow where kind = 'PAYMENT' and pool = $1 and data ? 'utr'
		union all select 'PAYMENT', payment.id, dispute.wallet_id, (payment.data ->> 'of')::bigint,
		  '-' || upper(coalesce(dispute.data ->> 'name', payment.data ->> 'utr')), (dispute.data ->> 'amount')::bigint,
		  (dispute.data ->> 'lostAtMs')::bigint
		from workflow as dispute join workflow as payment on payment.kind = 'PAYMENT'
		  and payment.id = (dispute.data ->> 'payment')::bigint
		where dispute.kind = 'DISPUTE' and dispute.pool = $1 and dispute.state in ('OWED', 'LOST')`,
	BANK: `
		select kind, id, wallet_id, null::bigint as of, '+' || (data ->> 'utr') as key,
		  (data ->> 'amount')::bigint as amount, (data ->> 'paidAtMs')::bigint as at
		from workflow where kind = 'DEPOSIT' and pool = $1 and state in ('APPROVED', 'REVERSED')
		union all select kind, id, wallet_id, null, '-' || (data ->> 'utr'), (data ->> 'amount')::bigint, at
		from workflow where kind = 'WITHDRAWAL' and pool = $1 and state in ('PAID', 'RETURNED') and data ? 'utr'
		union all select kind, id, wallet_id, null, '+' || (data ->> 'reference'), (data ->> 'net')::bigint, at
		from workflow where kind = 'PROVIDER_SETTLEMENT' and pool = $1`,
};

interface ReconciliationOptions {
	ledger: FundsLedger;
	db: pg.Pool;
	clock: () => number;
	evidence: Pick<EvidenceBooks, 'confirmByBank'>;
}

export class Reconciliation {
	readonly #ledger: FundsLedger;
	readonly #db: pg.Pool;
	readonly #clock: () => number;
	readonly #evidence: Pick<EvidenceBooks, 'confirmByBank'>;

	constructor({ ledger, db, clock, evidence }: ReconciliationOptions) {
		this.#ledger = ledger;
		this.#evidence = evidence;
		this.#db = db;
		this.#clock = clock;
	}

	async reconcile(
		{ source, pool }: { source: Source; pool: Pool },
		lines: readonly OutsideEntry[],
		period: Period,
	): Promise<Reconciled> {
		const own = await this.#own({ source, pool }, lines, period);
		const known = await this.#known({ source, pool }, own);
		const { matched, differences } = compareBooks(lines, own, (key) => known.has(key));
		const findings: string[] = [];
		for (const difference of differences) {
			const { name, data } = findingOf(source, difference);
			findings.push(name);
			await this.#ledger.report(name, difference.own?.owner ?? { walletId: 0, pool }, data);
			// An operator may have misread a receipt: the statement takes precedence.
			const { kind, key, reported } = difference;
			if (source === 'BANK' && kind === 'only-reported' && reported && key.startsWith('+'))
				await this.#evidence.confirmByBank(key.slice(1), reported.amount);
		}
		await this.#remember({ source, pool }, lines);
		return { lines: lines.length, matched, findings };
	}

	/** Entries of the period, and those that the report names: they may lie on either side of its end. */
	async #own(
		{ source, pool }: { source: Source; pool: Pool },
		lines: readonly OutsideEntry[],
		{ fromMs, toMs }: Period,
	): Promise<OwnEntry[]> {
		const { rows } = await this.#db.query<Row & { walletId: number }>(
			`select kind, id, wallet_id as "walletId", of, key, amount, at as "atMs" from (${OWN[source]}) as own
			 where at between $2 and $3 or key = any($4) order by at`,
			[pool, fromMs - BORDER_MS, toMs, lines.map(({ key }) => key)],
		);
		return rows.map(({ kind, id, walletId, of, key, amount, atMs }) => ({
			key,
			amount,
			// A second payment on a paid order has an order of its own here, but the first one's reference there.
			reference: kind === 'PAYMENT' ? referenceOf('BLP', of ?? id) : null,
			owner: { walletId, pool },
			// The last minutes may appear in the next report.
			isDue: atMs >= fromMs - BORDER_MS && atMs <= toMs - BORDER_MS,
		}));
	}

	async #known({ source, pool }: { source: Source; pool: Pool }, own: readonly OwnEntry[]): Promise<Set<string>> {
		const { rows } = await this.#db.query<{ key: string }>(
			'select key from report_line where source = $1 and pool = $2 and key = any($3)',
			[source, pool, own.map(({ key }) => key)],
		);
		return new Set(rows.map(({ key }) => key));
	}

	async #remember({ source, pool }: { source: Source; pool: Pool }, lines: readonly OutsideEntry[]): Promise<void> {
		await this.#db.query(
			`insert into report_line (source, pool, key, amount, at)
			 select $1, $2, key, amount, $5 from unnest($3::text[], $4::bigint[]) as line (key, amount) on conflict do nothing`,
			[source, pool, lines.map(({ key }) => key), lines.map(({ amount }) => amount), this.#clock()],
		);
	}
}

function findingOf(
	source: Source,
	{ kind, key, reported, own }: Difference,
): { name: string; data: Record<string, string | number> } {
	const [direction, utr] = [key.slice(0, 1), key.slice(1)];
	const name =
		source === 'BANK' ? `bank-${kind}:${direction}${utr}` : `${direction === '-' ? 'chargeback-' : ''}${kind}:${utr}`;
	const amounts: { amount?: AnyMinor; ours?: AnyMinor } = {
		...(reported ? { amount: reported.amount } : { amount: own?.amount ?? 0 }),
		...(kind === 'other-amount' && own ? { ours: own.amount } : {}),
	};
	const reference = reported?.reference ?? own?.reference;
	return { name, data: { utr, ...(reference ? { reference } : {}), ...amounts } };
}
