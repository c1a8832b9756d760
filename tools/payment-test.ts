/**
 * `npm run payment-test -- URL`: tests a server that speaks Hyperswitch's API, the studio's or any other, and reports
 * its violations. Exits with 0 if everything holds, 1 if something does not, and 2 if no case could run.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { MINOR_PER_MAJOR } from '#values/money.ts';
import { printSum, printVerdict } from '../src/studio/conformance/verdicts.ts';
import { trySwitch } from '../src/studio/payments/conformance/cases.ts';
import { TriedSwitch } from '../src/studio/payments/conformance/tried-switch.ts';

const USAGE = `npm run payment-test -- URL [--key-file FILE] [--amount RUPEES] [--profile ID] [--payouts --upi ID]

URL        the switch's address, such as https://sandbox.hyperswitch.io
FILE       the API key; without it HYPERSWITCH_API_KEY has it
--payouts  also pays out, six times the amount: to the UPI id, and to a bank account that does not exist`;

function unusable(why: string): never {
	console.error(`${why}\n\n${USAGE}`);
	process.exit(2);
}

function readArguments() {
	try {
		return parseArgs({
			allowPositionals: true,
			options: {
				'key-file': { type: 'string' },
				amount: { type: 'string', default: '10' },
				profile: { type: 'string', default: '' },
				payouts: { type: 'boolean', default: false },
				upi: { type: 'string', default: '' },
			},
		});
	} catch (error) {
		return unusable((error as Error).message);
	}
}

const { positionals, values } = readArguments();
const [url] = positionals;
const { 'key-file': keyFile, profile: profileId, payouts: triesPayouts, upi: upiId } = values;
const apiKey = keyFile === undefined ? process.env['HYPERSWITCH_API_KEY'] : readFileSync(keyFile, 'utf8').trim();
const amount = Number(values.amount) * MINOR_PER_MAJOR;
if (!url || !URL.canParse(url)) unusable('Name the address of the switch.');
if (!apiKey) unusable('Name the file with the API key.');
if (!Number.isSafeInteger(amount) || amount <= 0) unusable('The amount is in rupees.');
if (triesPayouts && upiId === '') unusable('Name the UPI id that payouts go to.');

const tried = new TriedSwitch({
	url: url.replace(/\/$/, ''),
	apiKey,
	amount,
	currency: 'INR',
	profileId,
	triesPayouts,
	upiId,
});
await tried
	.ask('GET', `/payments/${tried.freshId('pay')}`)
	.catch((error: unknown) => unusable(`The switch does not answer: ${(error as Error).message}`));
console.log(`${tried.options.url}\n`);
process.exitCode = printSum(await trySwitch(tried, printVerdict));
