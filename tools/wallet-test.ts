/**
 * `npm run wallet-test -- URL --game CODE --token LAUNCH-TOKEN`: tests a game wallet, ours or any other, and reports
 * its violations. Exits with 0 if everything holds, 1 if something does not, and 2 if no case could run.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { MINOR_PER_MAJOR } from '#values/money.ts';
import { tryWallet } from '../src/studio/conformance/cases.ts';
import { TriedWallet } from '../src/studio/conformance/tried-wallet.ts';
import { printSum, printVerdict } from '../src/studio/conformance/verdicts.ts';
import { type DialectName, STUDIO_DIALECTS } from '../src/studio/provider-account.ts';

const USAGE = `npm run wallet-test -- URL --game CODE --token TOKEN [--dialect ${Object.keys(STUDIO_DIALECTS).join('|')}]
  [--key-id ID] [--key-file FILE] [--stake RUPEES]

URL      the wallet's address for the provider, such as https://HOST/wallet/lantern
TOKEN    a launch token of a player with twenty stakes, not older than a minute
FILE     the shared secret, or the private key as PEM; without it WALLET_KEY has it`;

function unusable(why: string): never {
	console.error(`${why}\n\n${USAGE}`);
	process.exit(2);
}

function readArguments() {
	try {
		return parseArgs({
			allowPositionals: true,
			options: {
				game: { type: 'string' },
				token: { type: 'string' },
				dialect: { type: 'string', default: 'backlay' },
				'key-id': { type: 'string', default: 'test' },
				'key-file': { type: 'string' },
				stake: { type: 'string', default: '10' },
			},
		});
	} catch (error) {
		return unusable((error as Error).message);
	}
}

const { positionals, values } = readArguments();
const [walletUrl] = positionals;
const { game, token: launchToken, dialect, 'key-id': keyId, 'key-file': keyFile } = values;
const secret = keyFile === undefined ? process.env['WALLET_KEY'] : readFileSync(keyFile, 'utf8').trim();
const stake = Number(values.stake) * MINOR_PER_MAJOR;
if (!walletUrl || !URL.canParse(walletUrl)) unusable('Name the address of the wallet.');
if (!game || !launchToken) unusable('Name a game and a launch token.');
if (!secret) unusable('Name the file with the key.');
if (!Object.hasOwn(STUDIO_DIALECTS, dialect)) unusable(`There is no dialect ${dialect}.`);
if (!Number.isSafeInteger(stake) || stake <= 0) unusable('The stake is an amount in rupees.');

const account = {
	id: 'tried',
	name: 'tried',
	walletUrl: walletUrl.replace(/\/$/, ''),
	dialect: dialect as DialectName,
	keyId,
	secret,
};
console.log(`${account.walletUrl}, dialect ${dialect}\n`);
try {
	process.exitCode = printSum(await tryWallet(new TriedWallet({ account, game, launchToken, stake }), printVerdict));
} catch (error) {
	console.error(`Nothing could be tried: ${(error as Error).message}`);
	process.exitCode = 2;
}
