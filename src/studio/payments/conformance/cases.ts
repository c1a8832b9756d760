/** The cases of the suite for payment switches: each call as usual, repeated, in parallel, unknown and refused. */
import { type Case, Fault, type Verdict, verdictsOf } from '#studio/conformance/verdicts.ts';
import type { TriedSwitch } from '#studio/payments/conformance/tried-switch.ts';

interface SwitchCase extends Case<TriedSwitch> {
	/** It moves money out, unless the switch is a sandbox. */
	paysOut?: true;
}

const AT_ONCE = 5;
/** As published; a payment that no payer has seen yet cannot have ended well. */
const UNPAID = ['requires_customer_action', 'processing', 'requires_merchant_action'];
const PAYOUT_STATUSES = [
	'success',
	'failed',
	'cancelled',
	'initiated',
	'expired',
	'reversed',
	'pending',
	'ineligible',
	'requires_creation',
	'requires_confirmation',
	'requires_payout_method_data',
	'requires_fulfillment',
	'requires_vendor_account_creation',
];

function equal(what: string, got: unknown, wanted: unknown): void {
	if (got !== wanted) throw new Fault(`expected ${what} ${String(wanted)}, got ${String(got)}`);
}

function oneOf(what: string, got: unknown, wanted: readonly string[]): void {
	if (!wanted.includes(String(got))) throw new Fault(`expected ${what} to be ${wanted.join(', ')}, got ${String(got)}`);
}

/** How many of the requests, sent at once, were taken. */
async function takenAtOnce(tried: TriedSwitch, path: string, body: object): Promise<number> {
	const said = await Promise.all(Array.from({ length: AT_ONCE }, () => tried.ask('POST', path, body)));
	return said.filter(({ status }) => status === 200).length;
}

const PAYMENTS: readonly SwitchCase[] = [
	{
		name: 'key: a request with another key is refused with IR_01',
		run: async (tried) =>
			tried.checkError(await tried.ask('POST', '/payments', tried.payment(), 'another key'), ['IR_01']),
	},
	{
		name: 'payment: is made under the merchant’s id, in minor units, and is not paid yet',
		run: async (tried) => {
			const asked = tried.payment();
			const made = await tried.expect('POST', '/payments', asked);
			equal('the payment_id', made['payment_id'], asked['payment_id']);
			equal('the amount', made['amount'], asked['amount']);
			equal('the currency', made['currency'], asked['currency']);
			oneOf('the status', made['status'], UNPAID);
		},
	},
	{
		name: 'payment: names a link that a UPI app opens',
		run: async (tried) => {
			const { next_action: action } = await tried.expect('POST', '/payments', tried.payment());
			const { sdk_uri: link, redirect_to_url: page } = (action ?? {}) as Record<string, unknown>;
			if (!/^(upi|https):\/\//.test(String(link ?? page)))
				throw new Fault(`expected next_action with sdk_uri or redirect_to_url, got ${JSON.stringify(action ?? null)}`);
		},
	},
	{
		name: 'payment: the same id again is refused with HE_01, and the first one stands',
		run: async (tried) => {
			const asked = tried.payment();
			await tried.expect('POST', '/payments', asked);
			await tried.expectError(['HE_01'], 'POST', '/payments', { ...asked, amount: 2 * Number(asked['amount']) });
			const kept = await tried.expect('GET', `/payments/${String(asked['payment_id'])}`);
			equal('the amount', kept['amount'], asked['amount']);
		},
	},
	{
		name: 'payment: the same id five times at once makes one',
		run: async (tried) => equal('the payments', await takenAtOnce(tried, '/payments', tried.payment()), 1),
	},
	{
		name: 'payment: is retrieved by its id, with its order and its metadata',
		run: async (tried) => {
			const asked = tried.payment({ merchant_order_reference_id: 'order-1', metadata: { expires_at_ms: '17' } });
			await tried.expect('POST', '/payments', asked);
			const kept = await tried.expect('GET', `/payments/${String(asked['payment_id'])}?force_sync=true`);
			equal('the order', kept['merchant_order_reference_id'], 'order-1');
			equal('the metadata', (kept['metadata'] as Record<string, unknown> | null)?.['expires_at_ms'], '17');
			oneOf('the status', kept['status'], UNPAID);
		},
	},
	{
		name: 'payment: an unknown id is refused with HE_02 or HE_04',
		run: (tried) => tried.expectError(['HE_02', 'HE_04'], 'GET', `/payments/${tried.freshId('pay')}`),
	},
	{
		name: 'payment: without an amount is refused before anything is made',
		run: async (tried) => {
			const { amount: _, ...asked } = tried.payment();
			await tried.expectError(['IR_04', 'IR_05', 'IR_06'], 'POST', '/payments', asked);
			await tried.expectError(['HE_02', 'HE_04'], 'GET', `/payments/${String(asked['payment_id'])}`);
		},
	},
	{
		name: 'payment: is cancelled, and has no link any more',
		run: async (tried) => {
			const asked = tried.payment();
			await tried.expect('POST', '/payments', asked);
			const path = `/payments/${String(asked['payment_id'])}`;
			await tried.expect('POST', `${path}/cancel`, { cancellation_reason: 'abandoned' });
			equal('the status', (await tried.expect('GET', `${path}?force_sync=true`))['status'], 'cancelled');
		},
	},
	{
		name: 'refund: of a payment that was not paid is refused',
		run: async (tried) => {
			const asked = tried.payment();
			await tried.expect('POST', '/payments', asked);
			const { payment_id, amount } = asked;
			const refund = { refund_id: tried.freshId('ref'), payment_id, amount };
			await tried.expectError(['IR_13', 'IR_14', 'IR_16'], 'POST', '/refunds', refund);
		},
	},
	{
		name: 'refund: an unknown id is refused with HE_02 or HE_04',
		run: (tried) => tried.expectError(['HE_02', 'HE_04'], 'GET', `/refunds/${tried.freshId('ref')}`),
	},
];

const PAYOUTS: readonly SwitchCase[] = [
	{
		name: 'payout: to a UPI id is made under the merchant’s id, in minor units',
		paysOut: true,
		run: async (tried) => {
			const asked = tried.payout();
			const made = await tried.expect('POST', '/payouts/create', asked);
			equal('the payout_id', made['payout_id'], asked['payout_id']);
			equal('the amount', made['amount'], asked['amount']);
			oneOf('the status', made['status'], PAYOUT_STATUSES);
		},
	},
	{
		name: 'payout: to a bank account with its IFSC is made',
		paysOut: true,
		run: async (tried) => {
			const bank = { bank_account_number: '000123456789', bank_routing_number: 'HDFC0000001', bank_country_code: 'IN' };
			await tried.expect(
				'POST',
				'/payouts/create',
				tried.payout({ payout_type: 'bank', payout_method_data: { bank } }),
			);
		},
	},
	{
		name: 'payout: the same id again is refused with HE_01',
		paysOut: true,
		run: async (tried) => {
			const asked = tried.payout();
			await tried.expect('POST', '/payouts/create', asked);
			await tried.expectError(['HE_01'], 'POST', '/payouts/create', asked);
		},
	},
	{
		name: 'payout: the same id five times at once pays once',
		paysOut: true,
		run: async (tried) => equal('the payouts', await takenAtOnce(tried, '/payouts/create', tried.payout()), 1),
	},
	{
		name: 'payout: is retrieved by its id, and listed by its order',
		paysOut: true,
		run: async (tried) => {
			const asked = tried.payout();
			await tried.expect('POST', '/payouts/create', asked);
			const kept = await tried.expect('GET', `/payouts/${String(asked['payout_id'])}?force_sync=true`);
			oneOf('the status', kept['status'], PAYOUT_STATUSES);
			const { merchant_order_reference_id, currency } = asked;
			const wanted = { merchant_order_reference_id, currency, entity_type: 'Individual' };
			const { data } = await tried.expect('POST', '/payouts/list', wanted);
			equal('the payouts of the order', Array.isArray(data) ? data.length : 'no list', 1);
		},
	},
	{
		name: 'payout: an unknown id is refused with HE_02 or HE_04',
		run: (tried) => tried.expectError(['HE_02', 'HE_04'], 'GET', `/payouts/${tried.freshId('out')}`),
	},
	{
		name: 'payout: without a target is refused before anything is made',
		run: async (tried) => {
			const { payout_method_data: _, ...asked } = tried.payout({ confirm: true });
			await tried.expectError(['IR_04', 'IR_05', 'IR_06', 'IR_16'], 'POST', '/payouts/create', asked);
		},
	},
];

export const SWITCH_CASES: readonly SwitchCase[] = [...PAYMENTS, ...PAYOUTS];

/** Runs every case, in order; those that pay out only where they are wanted. */
export const trySwitch = (tried: TriedSwitch, onVerdict?: (verdict: Verdict) => void): Promise<Verdict[]> =>
	verdictsOf(
		SWITCH_CASES.filter(({ paysOut }) => !paysOut || tried.options.triesPayouts),
		tried,
		onVerdict,
	);
