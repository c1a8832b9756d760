/**
 * The precedence of evidence about one transfer of money: the payment provider before the bank's statement, the
 * statement before an operator's reading, that before OCR, and OCR before the player. A pending receipt is a soft claim
 * on its bank reference: it excludes no other claim. An approved receipt is a hard claim, and falls when the provider
 * is paid the same reference. Credit for a reference is decided in the turn of the reference, so it is credited once.
 */
import type pg from 'pg';
import type { TransferKind } from '#engine/effect.ts';
import type { Workflow } from '#server/exchange/order/workflow.ts';
import { storedWorkflows } from '#server/exchange/recovery/stored-workflows.ts';
import type { FundsLedger } from '#server/money/funds/funds-ledger.ts';
import { DEPOSIT } from '#server/money/funds/machines/deposit.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { WalletId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';

/** A payment or a receipt about a transfer. */
export interface Evidence {
	kind: TransferKind;
	id: number;
	state: string;
	walletId: WalletId;
	/** It has the reference, and not only the picture. */
	hasReference: boolean;
}

/** Receipts that are pending for an operator. */
const WAITS: ReadonlySet<string> = new Set(['SUBMITTED', 'SCREENED']);
/** Receipts that the provider's word displaces. */
const STANDS: ReadonlySet<string> = new Set([...WAITS, 'APPROVED']);
/** A step may come between reading a receipt and displacing it; more retries than these indicate a fault. */
const MOST_TRIES = 5;
/** Why a receipt is a duplicate, for the player. */
const PAID = 'The payment provider received this payment.';
const REFERENCE_SENT = 'You sent this reference before, and that request stands.';
const PICTURE_SENT = 'You sent this picture before, and that request stands.';

/**
 * SQL: the payments and receipts with the reference `$1`, and the receipts with the picture `$2`, as
 * `kind, id, state, "walletId", "hasReference"`.
 */
export const SAME_TRANSFER = `
	select kind, id, state, wallet_id as "walletId", data ->> 'utr' is not distinct from $1 as "hasReference" from workflow
	where kind in ('PAYMENT', 'DEPOSIT') and data ? 'utr' and data ->> 'utr' = $1
	union
	select kind, id, state, wallet_id, data ->> 'utr' is not distinct from $1 from workflow
	where kind = 'DEPOSIT' and data ->> 'imageRef' in (
	  select other.image_ref from stored_image as own join stored_image as other using (hash) where own.image_ref = $2
	)`;

interface EvidenceBooksOptions {
	ledger: FundsLedger;
	db: Pick<pg.Pool, 'query'>;
}

export class EvidenceBooks {
	readonly #options: EvidenceBooksOptions;

	constructor(options: EvidenceBooksOptions) {
		this.#options = options;
	}

	/** Decisions about the credit for a reference are serialized. Takes no other turn within. */
	async inTurn<Result>(utr: string, decide: () => Promise<Result>): Promise<Result> {
		return await this.#options.ledger.turns.take(`reference ${utr}`, decide);
	}

	/** Payments and receipts with the reference, and receipts with the same picture. @param imageRef null for no picture */
	async about(utr: string, imageRef: string | null): Promise<Evidence[]> {
		const { rows } = await this.#options.db.query<Evidence>({
			name: 'evidence-about',
			text: `${SAME_TRANSFER} order by kind, id`,
			values: [utr, imageRef],
		});
		return rows;
	}

	/**
	 * Why a new receipt adds no evidence: the provider has the reference, or the same person has sent the reference or
	 * the picture in a pending or approved receipt. A stranger's receipt does not count.
	 * @returns a sentence for the player; null for a new receipt
	 */
	async knownBecause(utr: string, imageRef: string, person: readonly WalletId[]): Promise<string | null> {
		const found = await this.about(utr, imageRef);
		if (found.some(({ kind, hasReference }) => kind === 'PAYMENT' && hasReference)) return PAID;
		const sent = found.filter(
			({ kind, state, walletId }) => kind === 'DEPOSIT' && STANDS.has(state) && person.includes(walletId),
		);
		if (sent.length === 0) return null;
		return sent.some(({ hasReference }) => hasReference) ? REFERENCE_SENT : PICTURE_SENT;
	}

	/** Whether the provider was paid this reference. */
	async isPaid(utr: string): Promise<boolean> {
		return (await this.about(utr, null)).some(({ kind }) => kind === 'PAYMENT');
	}

	/**
	 * Applies an operator's approval of a receipt by `approve`, unless another receipt with the reference is approved.
	 * If the provider's word comes first in the turn, it has displaced the receipt, and the receipt's state shows it.
	 * @throws Refused ALREADY_CLAIMED with the other receipt, which an operator reverses first
	 */
	async approving<Result>({ id, data: { utr } }: Workflow<'DEPOSIT'>, approve: () => Promise<Result>): Promise<Result> {
		return await this.inTurn(utr, async () => {
			const other = (await this.about(utr, null)).find((one) => one.state === 'APPROVED' && one.id !== id);
			if (!other) return await approve();
			const about = { kind: other.kind, id: String(other.id) };
			throw new Refused('ALREADY_CLAIMED', about, `Receipt ${other.id} was approved for this reference.`);
		});
	}

	/**
	 * The provider was paid the reference: receipts with it become duplicates, and credit for one is taken back. Called
	 * in the turn of the reference.
	 */
	async displaceReceipts(utr: string): Promise<void> {
		for (const { kind, id, state } of await this.about(utr, null))
			if (kind === 'DEPOSIT' && STANDS.has(state)) await this.#displace(id);
	}

	/** @returns the state of the receipt, displaced by the provider's word, or before that by an operator */
	async #displace(id: number): Promise<string> {
		const { ledger } = this.#options;
		for (let tries = 0; ; tries++) {
			const receipt = await ledger.find('DEPOSIT', id);
			if (!STANDS.has(receipt.state)) return receipt.state;
			const { amount } = receipt.data;
			try {
				const facts = { isDuplicate: true };
				const data = { reason: PAID, proposed: null };
				const happening = { event: 'displace', facts, amounts: { amount }, actor: 'provider', data };
				const { state } = await ledger.happen(DEPOSIT, receipt, happening);
				// An operator had approved it: a finding asks why.
				if (receipt.state === 'APPROVED') await ledger.report(`receipt-displaced:${id}`, receipt, { id, amount });
				return state;
			} catch (error) {
				const hasMoved = error instanceof Refused && error.code === 'WRONG_STATE';
				if (!hasMoved || tries === MOST_TRIES) throw error;
			}
		}
	}

	/** Displaces a pending receipt if the provider was paid its reference, as after a crash. @returns whether it did */
	async displacePaid(receipt: Workflow<'DEPOSIT'>): Promise<boolean> {
		const { utr } = receipt.data;
		return await this.inTurn(utr, async () => {
			if (!(await this.isPaid(utr))) return false;
			await this.#displace(receipt.id);
			return true;
		});
	}

	/**
	 * The bank's statement has a reference: a rejected receipt with that reference and amount becomes pending again,
	 * unless the reference is credited. If there are several, the operator finds the right one.
	 */
	async confirmByBank(utr: string, amount: AnyMinor): Promise<void> {
		const { ledger, db } = this.#options;
		await this.inTurn(utr, async () => {
			const about = await this.about(utr, null);
			if (about.some(({ kind, state }) => kind === 'PAYMENT' || state === 'APPROVED' || WAITS.has(state))) return;
			const rejected = await storedWorkflows(db, {
				kind: 'DEPOSIT',
				where: `state = 'REJECTED' and data ? 'utr' and data ->> 'utr' = $1 and (data ->> 'amount')::bigint = $2
				 and not data ? 'bankAtMs'`,
				values: [utr, amount],
			});
			for (const receipt of rejected) {
				const data = { bankAtMs: ledger.now(), reason: 'The bank’s statement has this payment.' };
				const happening = { event: 'reopen', facts: { isDuplicate: false }, amounts: {}, actor: 'bank', data };
				await ledger.happen(DEPOSIT, receipt, happening);
			}
		});
	}
}
