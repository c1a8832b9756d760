/** What players, operators and the provider do about payments, on a server in the test's own process. */
import sharp from 'sharp';
import { expect } from 'vitest';
import type { TransferKind } from '#engine/effect.ts';
import { DEPOSIT } from '#server/money/funds/machines/deposit.ts';
import type { ProviderWord } from '#server/money/funds/payments/provider.ts';
import { simulatorKey } from '#server/money/funds/payments/webhook-keys.ts';
import { signatureOf } from '#server/platform/keys/signature.ts';
import { freshRequestId } from '../support/match.ts';
import { type Player, type TestServer, TOKEN_KEY } from '../support/server.ts';

/** Nothing happens by polling while a test looks. */
export const QUIET_PAYMENTS = { orderMs: 60_000, simulatedDelayMs: 3_600_000, pollMs: 600_000, webhookKeys: {} };

/** A webhook's body, which the provider may send again. */
export interface Webhook {
	eventId: string;
	body: string;
}

export type SaidWord = Partial<ProviderWord> & Pick<ProviderWord, 'reference' | 'status'>;

let webhooks = 0;
export function webhookOf(word: SaidWord): Webhook {
	const eventId = `event-${++webhooks}`;
	const whole = { providerId: 'p', currency: 'INR', amount: 500_00, utr: null, ...word };
	return { eventId, body: JSON.stringify({ eventId, word: whole }) };
}

export interface ShownDispute {
	id: number;
	state: string;
	/** Amounts are rupees. */
	amount: number;
	held: number;
	taken: number;
	rest: number;
}

export class PaymentDesk {
	readonly #server: () => TestServer;
	#number: number;

	/** @param server that runs now */
	constructor(server: () => TestServer, firstNumber = 500_000_000_000) {
		this.#server = server;
		this.#number = firstNumber;
	}

	freshUtr(): string {
		return String(++this.#number);
	}

	cash(player: Player): number {
		return this.#server().money(player)[0];
	}

	hold({ userId }: Player): number {
		return (this.#server().running.exchange.wallet(userId)?.hold ?? 0) / 100;
	}

	/** Base64. */
	async picture(): Promise<string> {
		const number = ++this.#number;
		const background = { r: (number * 37) % 256, g: (number * 91) % 256, b: (number * 53) % 256 };
		const image = sharp({ create: { width: 8, height: 8, channels: 3, background } });
		return (await image.png().toBuffer()).toString('base64');
	}

	async receipt(player: Player, utr: string, rupees = 500, image?: string): Promise<{ id: number; state: string }> {
		const server = this.#server();
		const stored = { image: image ?? (await this.picture()) };
		const { imageRef } = await server.result('storeImage', stored, player.token);
		const asked = { amount: rupees, utr, imageRef, clientRequestId: freshRequestId() };
		const { id, status } = await server.result('createDeposit', asked, player.token);
		return { id: Number(id.replace('DEPOSIT-', '')), state: status };
	}

	/** A receipt as it is stored when it is reported, without its picture: for tests in which no operator looks at that. */
	async waitingReceipt({ userId: walletId }: Player, rupees: number, utr = this.freshUtr()): Promise<number> {
		const data = { amount: rupees * 100, utr, imageRef: '' };
		const happening = { event: 'submit', facts: { isDuplicate: false }, amounts: {}, actor: 'player', data };
		const { ledger } = this.#server().running.funds;
		return (await ledger.begin(DEPOSIT, { walletId, pool: 'PLAY' }, happening)).id;
	}

	async order(player: Player, rupees = 500): Promise<{ id: number; reference: string }> {
		const asked = { amount: rupees, clientRequestId: freshRequestId() };
		const { orderId, upiLink } = await this.#server().result('generatePayment', asked, player.token);
		return { id: Number(orderId), reference: /tr=(\w+)/.exec(upiLink)?.[1] ?? '' };
	}

	/** The provider says something; it is applied when this resolves. */
	async hear(word: SaidWord): Promise<void> {
		await this.send(webhookOf(word));
	}

	async send({ eventId, body }: Webhook): Promise<void> {
		const { id, secret } = simulatorKey(TOKEN_KEY);
		const timestamp = String(Date.now());
		const answer = await this.#server().post('api/Payment/Webhook', body, {
			'x-payment-key-id': id,
			'x-payment-timestamp': timestamp,
			'x-payment-signature': signatureOf(secret, timestamp, Buffer.from(body)),
		});
		expect(answer.status).toBe(200);
		const { db } = this.#server().database;
		const state = async () =>
			(await db.query<{ state: string }>('select state from payment_webhook where event_id = $1', [eventId])).rows[0]
				?.state;
		await expect.poll(state).toBe('DONE');
	}

	async stateOf(kind: TransferKind, id: number): Promise<string> {
		return (await this.#server().running.funds.ledger.find(kind, id)).state;
	}

	/** The state after it, "proposed", or the code of the refusal. */
	async decide(kind: TransferKind, id: number, event: string, operator = 'asha', rupees?: number): Promise<string> {
		const amount = rupees === undefined ? {} : { amount: rupees * 100 };
		const decision = { kind, id, event, operator, reason: 'looked at', ...amount };
		return await this.#server()
			.running.funds.decisions.decide(decision)
			.then(
				({ state, isProposed }) => (isProposed ? 'proposed' : state),
				({ code }: { code: string }) => code,
			);
	}

	async byTwo(kind: TransferKind, id: number, event: string): Promise<string> {
		await this.decide(kind, id, event, 'asha');
		return await this.decide(kind, id, event, 'bala');
	}

	/** The bank's statement with one line. */
	async statement(utr: string, rupees: number): Promise<void> {
		const period = { from: new Date(Date.now() - 1_000).toISOString(), to: new Date().toISOString() };
		const report = `utr,amount\n${utr},${rupees}`;
		await this.#server().act('reconcile', { pool: 'PLAY', source: 'BANK', report, ...period });
	}

	async hasFinding(name: string): Promise<boolean> {
		const { db } = this.#server().database;
		return (await db.query('select 1 from workflow_claim where name like $1', [`finding:${name}`])).rowCount === 1;
	}

	async disputesOf(paymentId: number): Promise<ShownDispute[]> {
		const { disputes, ledger } = this.#server().running.funds;
		const cycles = await disputes.of(await ledger.find('PAYMENT', paymentId));
		return cycles.map(({ id, state, data }) => {
			const { amount, held, taken, rest } = data;
			return { id, state, amount: amount / 100, held: held / 100, taken: taken / 100, rest: rest / 100 };
		});
	}
}
