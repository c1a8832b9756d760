/**
 * Hyperswitch's published values and their meanings: each status, event and error of its public description has one,
 * and nothing has that is not published. `published/hyperswitch.json` lists them as the description does.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { HyperswitchIds } from '#server/money/funds/payments/hyperswitch/ids.ts';
import {
	DISPUTE_STAGES,
	DISPUTE_STATUSES,
	ERRORS,
	EVENTS,
	meantBy,
	PAYMENT_STATUSES,
	PAYOUT_STATUSES,
	REFUND_STATUSES,
} from '#server/money/funds/payments/hyperswitch/published.ts';
import { idOf, referenceOf } from '#server/money/funds/payments/order-reference.ts';
import type { PaymentProviders } from '#server/money/funds/payments/provider.ts';
import { SimulatedProvider } from '#server/money/funds/payments/simulated-provider.ts';

const PUBLISHED = JSON.parse(
	readFileSync(join(import.meta.dirname, 'published', 'hyperswitch.json'), 'utf8'),
) as Record<string, string[]>;

it.each([
	['IntentStatus', Object.keys(PAYMENT_STATUSES)],
	['PayoutStatus', Object.keys(PAYOUT_STATUSES)],
	['RefundStatus', Object.keys(REFUND_STATUSES)],
	['DisputeStatus', Object.keys(DISPUTE_STATUSES)],
	['DisputeStage', DISPUTE_STAGES],
	['EventType', Object.keys(EVENTS)],
	['ErrorCode', Object.keys(ERRORS)],
])('every %s that is published has a meaning, and no other', (name, meant) => {
	expect([...meant].sort()).toEqual([...(PUBLISHED[name] ?? [])].sort());
});

it('an event is about a content that is published', () => {
	const contents = new Set(Object.values(EVENTS).filter((content) => content !== null));
	expect([...contents].filter((content) => !PUBLISHED['OutgoingWebhookContent']?.includes(content))).toEqual([]);
});

it('a value that is not published has no meaning, not even the name of a method', () => {
	for (const value of ['almost_there', 'toString', '__proto__'])
		expect(() => meantBy(PAYOUT_STATUSES, value)).toThrow();
});

it('only a refusal from before anything was made is a verdict on a payout', () => {
	const verdicts = Object.keys(ERRORS).filter((code) => ERRORS[code] === 'REFUSED');
	// By the description: no such API, key, address, method, or fields; no right to the resource.
	const described = ['00', '01', '02', '03', '04', '05', '17', '18', '21', '22'].map((number) => `IR_${number}`);
	expect(verdicts.sort()).toEqual(described);
});

it('identifiers have thirty characters and name our references, of one installation alone', () => {
	const ids = new HyperswitchIds('ab');
	for (const id of [1, 31, 987_654, 32 ** 10 - 1, 2 ** 53 - 1]) {
		const [order, withdrawal] = [referenceOf('BLP', id), referenceOf('BLW', id)];
		const made = [ids.ofPayment(order), ids.ofPayout(withdrawal), ids.ofRefund(order, 12)];
		expect(made.map(({ length }) => length)).toEqual([30, 30, 30]);
		expect(idOf('BLP', ids.referenceIn(made[0] ?? '') ?? '')).toBe(id);
		expect(idOf('BLW', ids.referenceIn(made[1] ?? '') ?? '')).toBe(id);
		expect(ids.refundIn(made[2] ?? '')).toEqual({ reference: order, attempt: 12 });
		expect(new HyperswitchIds('abc').referenceIn(made[0] ?? '')).toBeNull();
	}
	expect(ids.referenceIn('pay_of_another_merchant_000000')).toBeNull();
});

it('the types refuse a simulator in the place of real money', () => {
	const put = (play: SimulatedProvider): PaymentProviders => ({
		play,
		// @ts-expect-error: it moves play money alone
		real: play,
	});
	expect(put).toBeTypeOf('function');
});
