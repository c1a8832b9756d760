/** Deposits by receipt: reported by the player, read by OCR to confirm and to flag, approved only by operators. */
import type { Exchange, RequestKey } from '#server/exchange/exchange.ts';
import type { Workflow } from '#server/exchange/order/workflow.ts';
import type { FundsLedger } from '#server/money/funds/funds-ledger.ts';
import { DEPOSIT } from '#server/money/funds/machines/deposit.ts';
import type { Depositor, Payments } from '#server/money/funds/payments/payments.ts';
import type { Protection } from '#server/money/funds/protection/protection.ts';
import type { EvidenceBooks } from '#server/money/funds/receipts/evidence.ts';
import type { Images } from '#server/money/funds/receipts/images.ts';
import type { Media, Reading } from '#server/platform/media/media.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import { isDemoPool } from '#values/pools.ts';
import { type AmountFinding, amountIn, hasUtr, utrIn } from '#values/receipt-text.ts';

interface DepositsOptions {
	ledger: FundsLedger;
	exchange: Pick<Exchange, 'earlier' | 'wallet'>;
	images: Images;
	media: Pick<Media, 'read'>;
	payments: Pick<Payments, 'checkDeposit'>;
	protection: Pick<Protection, 'admit' | 'limits' | 'turnOf'>;
	evidence: EvidenceBooks;
}

export class Deposits {
	readonly #options: DepositsOptions;
	/** Players with a picture in the reader. */
	readonly #reading = new Set<PlayerId>();

	constructor(options: DepositsOptions) {
		this.#options = options;
	}

	/** Pictures of anonymous players reach neither OCR nor operators. @throws Refused NO_DEMO_RECEIPTS */
	admitPicture(playerId: PlayerId): void {
		if (isDemoPool(this.#options.exchange.wallet(playerId)?.pool)) throw new Refused('NO_DEMO_RECEIPTS');
	}

	/**
	 * Submits a deposit. A deposit without new evidence becomes a DUPLICATE, which is shown and closed: see
	 * EvidenceBooks.knownBecause.
	 * @throws Refused NO_DEMO_RECEIPTS, FORBIDDEN, PAYMENT_UNAVAILABLE, NOT_FOUND for the picture, those of
	 * Payments.checkDeposit
	 */
	async submit(
		player: Depositor,
		{ amount, utr, imageRef }: { amount: AnyMinor; utr: string; imageRef: string },
		key: RequestKey,
	): Promise<Workflow<'DEPOSIT'>> {
		const { ledger, exchange, images, protection } = this.#options;
		this.admitPicture(player.playerId);
		await images.find(imageRef, player.playerId);
		const id = await ledger.turns.take(protection.turnOf(player.playerId), async () => {
			const earlier = await exchange.earlier(key);
			return earlier?.workflows?.[0]?.id ?? (await this.#begin(player, { amount, utr, imageRef }, key));
		});
		await images.use(imageRef);
		return await ledger.find('DEPOSIT', id);
	}

	async #begin(
		{ playerId, setting }: Depositor,
		data: { amount: AnyMinor; utr: string; imageRef: string },
		key: RequestKey,
	): Promise<number> {
		const { ledger, exchange, payments, protection, evidence } = this.#options;
		const pool = exchange.wallet(playerId)?.pool;
		if (pool === undefined) throw new Refused('FORBIDDEN');
		if (!setting.funds.receiptDeposits) throw new Refused('PAYMENT_UNAVAILABLE');
		await payments.checkDeposit(playerId, setting, data.amount, 'RECEIPT');
		return await evidence.inTurn(data.utr, async () => {
			const reason = await evidence.knownBecause(data.utr, data.imageRef, protection.limits.accounts(playerId));
			const isDuplicate = reason !== null;
			const known = { ...data, ...(isDuplicate ? { reason } : {}) };
			const happening = { event: 'submit', facts: { isDuplicate }, amounts: {}, actor: 'player', data: known };
			const admit = () => protection.admit(playerId, 'RECEIPT');
			return (await ledger.begin(DEPOSIT, { walletId: playerId, pool }, happening, { key, admit })).id;
		});
	}

	/**
	 * Reads the receipt of a deposit, once. If the provider has meanwhile been paid its reference, the deposit is a
	 * duplicate.
	 */
	async screen(id: number): Promise<void> {
		const { ledger, images, media, evidence } = this.#options;
		const submitted = await ledger.find('DEPOSIT', id);
		if (await evidence.displacePaid(submitted)) return;
		if (submitted.state !== 'SUBMITTED') return;
		const { amount, utr, imageRef } = submitted.data;
		const image = await images.find(imageRef, submitted.walletId);
		const reading = await media.read(image.bytes, Number.POSITIVE_INFINITY);
		// It stays SUBMITTED until the next attempt.
		if (reading.state === 'NOT_READ_YET') return;
		const read =
			reading.state === 'READ' ? { utr: hasUtr(reading.lines, utr), amount: amountIn(reading.lines, amount) } : null;
		await ledger.turns.take(`deposit ${id}`, async () => {
			const workflow = await ledger.find('DEPOSIT', id);
			if (workflow.state !== 'SUBMITTED') return;
			const happening = {
				event: 'screen',
				facts: { isDuplicate: false },
				amounts: {},
				actor: 'server',
				data: { read },
			};
			await ledger.happen(DEPOSIT, workflow, happening);
		});
	}

	/**
	 * The findings of OCR on a player's picture. A player's pictures are read one at a time. All players share one
	 * queue, and a player who fills it would delay all other deposits.
	 * @param untilMs of the monotonic clock
	 * @throws Refused NO_DEMO_RECEIPTS, NOT_FOUND, THROTTLED
	 */
	async read(
		playerId: PlayerId,
		{ imageRef, amount }: { imageRef: string; amount: AnyMinor | null },
		untilMs: number,
	): Promise<{ state: Reading['state']; utr: string | null; amount: AmountFinding | null }> {
		const { images, media } = this.#options;
		this.admitPicture(playerId);
		if (this.#reading.has(playerId)) throw new Refused('THROTTLED');
		this.#reading.add(playerId);
		try {
			const reading = await media.read((await images.find(imageRef, playerId)).bytes, untilMs);
			if (reading.state !== 'READ') return { state: reading.state, utr: null, amount: null };
			const { state, lines } = reading;
			return { state, utr: utrIn(lines), amount: amount === null ? null : amountIn(lines, amount) };
		} finally {
			this.#reading.delete(playerId);
		}
	}
}
