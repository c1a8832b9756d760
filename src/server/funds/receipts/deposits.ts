/** Deposits by receipt: reported by the player, read by OCR to confirm and to flag, approved by operators alone. */
import type { Exchange, RequestKey } from '#server/exchange/exchange.ts';
import type { Workflow } from '#server/exchange/workflow.ts';
import type { FundsLedger } from '#server/funds/funds-ledger.ts';
import { DEPOSIT } from '#server/funds/machines/deposit.ts';
import type { Depositor, Payments } from '#server/funds/payments/payments.ts';
import type { Protection } from '#server/funds/protection/protection.ts';
import type { Images, StoredImage } from '#server/funds/receipts/images.ts';
import type { ReceiptReader } from '#server/funds/receipts/read-receipt.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';
import type { AnyPaise } from '#values/money.ts';
import { type AmountFinding, amountIn, hasUtr, utrIn } from '#values/receipt-text.ts';

/** The data of a deposit's workflow. */
export interface DepositData {
	amount: AnyPaise;
	utr: string;
	imageRef: string;
	/** The findings of OCR; null when it could not read the picture. */
	read?: { utr: boolean; amount: AmountFinding } | null;
	reason?: string;
}

export const depositData = (workflow: Workflow): DepositData => workflow.data as unknown as DepositData;

export interface DepositsOptions {
	ledger: FundsLedger;
	exchange: Pick<Exchange, 'earlier' | 'wallet'>;
	images: Images;
	reader: ReceiptReader;
	payments: Pick<Payments, 'checkDeposit'>;
	protection: Pick<Protection, 'admit' | 'turnOf'>;
}

export class Deposits {
	readonly #options: DepositsOptions;
	/** Players whose picture is being read for them. */
	readonly #reading = new Set<PlayerId>();

	constructor(options: DepositsOptions) {
		this.#options = options;
	}

	/**
	 * Submits a deposit. A UTR or a picture that was submitted before makes it a DUPLICATE, which is shown and closed.
	 * @throws Refused FORBIDDEN, PAYMENT_UNAVAILABLE, NOT_FOUND for the picture, those of Payments.checkDeposit
	 */
	async submit(
		player: Depositor,
		{ amount, utr, imageRef }: { amount: AnyPaise; utr: string; imageRef: string },
		key: RequestKey,
	): Promise<Workflow> {
		const { ledger, exchange, images, protection } = this.#options;
		const image = await images.find(imageRef, player.playerId);
		const id = await ledger.turns.take(protection.turnOf(player.playerId), async () => {
			const earlier = await exchange.earlier(key);
			return earlier?.workflows?.[0]?.id ?? (await this.#begin(player, { amount, utr, imageRef }, image, key));
		});
		await images.use(imageRef);
		return await ledger.find('DEPOSIT', id);
	}

	async #begin(
		{ playerId, isDemo, setting }: Depositor,
		data: DepositData & Workflow['data'],
		image: StoredImage,
		key: RequestKey,
	): Promise<number> {
		const { ledger, exchange, payments, protection } = this.#options;
		const pool = exchange.wallet(playerId)?.pool;
		if (isDemo || pool === undefined) throw new Refused('FORBIDDEN');
		if (!setting.funds.receiptDeposits) throw new Refused('PAYMENT_UNAVAILABLE');
		await payments.checkDeposit(playerId, setting, data.amount, 'RECEIPT');
		const submit = async (isDuplicate: boolean): Promise<number> => {
			const claims = isDuplicate ? [] : [`utr:${data.utr}`, `image:${image.hash}`];
			const happening = { event: 'submit', facts: { isDuplicate }, amounts: {}, actor: 'player', data, claims };
			const admit = () => protection.admit(playerId, 'RECEIPT');
			return (await ledger.begin(DEPOSIT, { walletId: playerId, pool }, happening, { key, admit })).id;
		};
		try {
			return await submit(false);
		} catch (error) {
			if (!(error instanceof Refused && error.code === 'ALREADY_CLAIMED')) throw error;
			return await submit(true);
		}
	}

	/** Reads the receipt of a deposit, once. */
	async screen(id: number): Promise<void> {
		const { ledger, images, reader } = this.#options;
		const submitted = await ledger.find('DEPOSIT', id);
		if (submitted.state !== 'SUBMITTED') return;
		const { amount, utr, imageRef } = depositData(submitted);
		const image = await images.find(imageRef, submitted.walletId);
		const text = await reader.read(image.bytes);
		const read = text === null ? null : { utr: hasUtr(text, utr), amount: amountIn(text, amount) };
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
	 * The findings of OCR on a player's picture. A player's pictures are read one at a time: pictures are read in one
	 * queue, and a player who fills it would leave others' deposits unread.
	 * @throws Refused NOT_FOUND, THROTTLED
	 */
	async read(
		playerId: PlayerId,
		imageRef: string,
		amount: AnyPaise | null,
	): Promise<{ utr: string | null; amount: AmountFinding | null }> {
		const { images, reader } = this.#options;
		if (this.#reading.has(playerId)) throw new Refused('THROTTLED');
		this.#reading.add(playerId);
		try {
			const text = (await reader.read((await images.find(imageRef, playerId)).bytes)) ?? '';
			return { utr: utrIn(text), amount: amount === null ? null : amountIn(text, amount) };
		} finally {
			this.#reading.delete(playerId);
		}
	}
}
