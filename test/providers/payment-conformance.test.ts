/** The conformance suite for payment switches: the studio passes it, and planted faults of the studio are named. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { SWITCH_CASES, trySwitch } from '#studio/payments/conformance/cases.ts';
import { TriedSwitch } from '#studio/payments/conformance/tried-switch.ts';
import { PaymentStudio } from '#studio/payments/payment-studio.ts';
import type { PlantedFault } from '#studio/payments/switch-books.ts';

const API_KEY = 'key';

async function studioWith(planted: PlantedFault | null): Promise<string> {
	const studio = new PaymentStudio({ apiKey: API_KEY, target: null, actsAfterMs: null, planted });
	onTestFinished(() => studio.stop());
	return await studio.listen();
}

/** The names of the cases that fail. */
async function faultsOf(planted: PlantedFault | null): Promise<string[]> {
	const url = await studioWith(planted);
	const options = {
		apiKey: API_KEY,
		amount: 1_000,
		currency: 'INR',
		profileId: '',
		triesPayouts: true,
		upiId: 'a@bank',
	};
	const verdicts = await trySwitch(new TriedSwitch({ url, ...options }));
	expect(verdicts).toHaveLength(SWITCH_CASES.length);
	return verdicts.filter(({ fault }) => fault !== null).map(({ name }) => name);
}

it('the studio conforms', async () => {
	expect(await faultsOf(null)).toEqual([]);
});

it.each<[PlantedFault, string]>([
	['keys are not looked at', 'key: a request with another key is refused with IR_01'],
	['a repeated payment is another one', 'payment: the same id again is refused with HE_01, and the first one stands'],
	['a repeated payout is another one', 'payout: the same id five times at once pays once'],
	['payouts are numbered anew', 'payout: to a UPI id is made under the merchant’s id, in minor units'],
	['an unknown payment is answered', 'payment: an unknown id is refused with HE_02 or HE_04'],
	['an unknown payout is answered', 'payout: an unknown id is refused with HE_02 or HE_04'],
	['amounts come back as rupees', 'payment: is made under the merchant’s id, in minor units, and is not paid yet'],
	['a cancelled payment can be paid', 'payment: is cancelled, and has no link any more'],
	['a refund may be larger than its payment', 'refund: of a payment that was not paid is refused'],
	['a status is not published', 'payment: is made under the merchant’s id, in minor units, and is not paid yet'],
	['no link is given', 'payment: names a link that a UPI app opens'],
])('is found out: %s', async (planted, name) => {
	expect(await faultsOf(planted)).toContain(name);
});

it('npm run payment-test ends with 0 when everything holds, 1 with the fault, and 2 without a switch', {
	tags: 'thorough',
}, async () => {
	const tool = join(import.meta.dirname, '..', '..', 'tools', 'payment-test.ts');
	const run = (url: string) =>
		promisify(execFile)(process.execPath, [tool, url], { env: { ...process.env, HYPERSWITCH_API_KEY: API_KEY } }).then(
			({ stdout }) => ({ code: 0, printed: stdout }),
			({ code, stdout, stderr }) => ({ code: code as number, printed: `${stdout}${stderr}` }),
		);
	const urls = [await studioWith(null), await studioWith('no link is given'), 'http://127.0.0.1:9'];
	const [sound, unsound, away] = await Promise.all(urls.map(run));
	expect(sound).toMatchObject({ code: 0, printed: expect.stringMatching(/(\d+) of \1 hold/) });
	expect(unsound).toMatchObject({ code: 1, printed: expect.stringContaining('FAIL  payment: names a link') });
	expect(away).toMatchObject({ code: 2, printed: expect.stringContaining('does not answer') });
});
