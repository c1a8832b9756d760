/**
 * The conformance suite for payment switches: what an adapter relies on, of any server that speaks Hyperswitch's
 * published API. `npm run payment-test` runs it against an address; our own tests run it against the studio, sound and
 * with planted faults.
 *
 * This file has a switch in the form for the suite's cases.
 */
import { randomUUID } from 'node:crypto';
import { Fault } from '#studio/conformance/verdicts.ts';

const TIMEOUT_MS = 15_000;
const SHOWN_CHARACTERS = 300;
const ID_LENGTH = 30;

interface Said {
	status: number;
	/** Null for a body that is not JSON. */
	body: Record<string, unknown> | null;
	text: string;
}

interface SwitchOptions {
	/** Without a trailing slash. */
	url: string;
	apiKey: string;
	/** Minor units of each payment, payout and refund. */
	amount: number;
	currency: string;
	/** The business profile; empty for the merchant's default one. */
	profileId: string;
	/** Whether payouts are tried: they move money unless the switch is a sandbox. */
	triesPayouts: boolean;
	/** The UPI id that payouts go to. */
	upiId: string;
}

export class TriedSwitch {
	readonly options: SwitchOptions;

	constructor(options: SwitchOptions) {
		this.options = options;
	}

	/** An identifier of the published length that was never used. */
	freshId(kind: 'pay' | 'out' | 'ref'): string {
		return `${kind}_${randomUUID().replaceAll('-', '')}`.slice(0, ID_LENGTH);
	}

	/** The request of a payment by UPI. */
	payment(changes: Record<string, unknown> = {}): Record<string, unknown> {
		const { amount, currency } = this.options;
		return {
			payment_id: this.freshId('pay'),
			amount,
			currency,
			confirm: true,
			capture_method: 'automatic',
			payment_method: 'upi',
			payment_method_type: 'upi_intent',
			payment_method_data: { upi: { upi_intent: {} } },
			...this.#profile(),
			...changes,
		};
	}

	payout(changes: Record<string, unknown> = {}): Record<string, unknown> {
		const { amount, currency, upiId } = this.options;
		const id = this.freshId('out');
		return {
			payout_id: id,
			merchant_order_reference_id: `order-${id}`,
			amount,
			currency,
			payout_method_data: { passthrough: { psp_token: upiId, token_type: 'upi_collect' } },
			confirm: true,
			auto_fulfill: true,
			entity_type: 'Individual',
			customer: { id: `customer-${id}` },
			...this.#profile(),
			...changes,
		};
	}

	async ask(method: 'GET' | 'POST', path: string, body?: object, apiKey = this.options.apiKey): Promise<Said> {
		const response = await fetch(`${this.options.url}${path}`, {
			method,
			headers: { 'api-key': apiKey, 'Content-Type': 'application/json' },
			...(body ? { body: JSON.stringify(body) } : {}),
			redirect: 'manual',
			signal: AbortSignal.timeout(TIMEOUT_MS),
		});
		const text = await response.text();
		return { status: response.status, body: fromJson(text), text: text.slice(0, SHOWN_CHARACTERS) };
	}

	/** The body of a success. @throws Fault */
	async expect(method: 'GET' | 'POST', path: string, body?: object): Promise<Record<string, unknown>> {
		const said = await this.ask(method, path, body);
		if (said.status !== 200 || said.body === null) throw new Fault(`expected 200 and JSON, got ${shown(said)}`);
		return said.body;
	}

	/** @throws Fault */
	async expectError(codes: readonly string[], method: 'GET' | 'POST', path: string, body?: object): Promise<void> {
		this.checkError(await this.ask(method, path, body), codes);
	}

	/** @throws Fault */
	checkError(said: Said, codes: readonly string[]): void {
		const code = (said.body?.['error'] as { code?: unknown } | undefined)?.code;
		if (said.status < 400 || said.status > 499 || !codes.includes(String(code)))
			throw new Fault(`expected the error ${codes.join(' or ')}, got ${shown(said)}`);
	}

	#profile(): object {
		const { profileId } = this.options;
		return profileId === '' ? {} : { profile_id: profileId };
	}
}

const shown = ({ status, text }: Said): string => `${status} ${text}`;

function fromJson(text: string): Record<string, unknown> | null {
	try {
		const parsed: unknown = JSON.parse(text);
		return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : null;
	} catch {
		return null;
	}
}
