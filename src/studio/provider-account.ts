/**
 * The studio: a game provider of our own, in a separate process. It imports nothing of the server and reaches the
 * wallet only over HTTP, as any other provider does. Tests, `npm start` and demonstrations play its games.
 *
 * This file has a provider's data about an operator's wallet: its address, its dialect, and the key for requests.
 */
import { actionsDialect } from '#studio/dialects/actions.ts';
import { backlayDialect } from '#studio/dialects/backlay.ts';
import type { Asked, Signer, StudioDialect, WalletAnswer, WalletCall } from '#studio/dialects/dialect.ts';
import { formDialect } from '#studio/dialects/form.ts';
import { rgsDialect } from '#studio/dialects/rgs.ts';
import { rsaDialect } from '#studio/dialects/rsa.ts';

export const STUDIO_DIALECTS = {
	backlay: backlayDialect,
	rsa: rsaDialect,
	rgs: rgsDialect,
	form: formDialect,
	actions: actionsDialect,
} as const;
export type DialectName = keyof typeof STUDIO_DIALECTS;

export interface ProviderAccount extends Signer {
	id: string;
	name: string;
	/** `https://operator.example/wallet/lantern`. */
	walletUrl: string;
	dialect: DialectName;
	/** Authenticates the operator's request for the report of a day; without it there is none. */
	reportKey?: string;
}

const TIMEOUT_MS = 10_000;

/** The simulated failures of the connection to the wallet, for tests and demonstrations. */
export interface LineFaults {
	/** This number of answers is lost after the wallet has acted. */
	answersToLose: number;
}

export const dialectOf = ({ dialect }: Pick<ProviderAccount, 'dialect'>): StudioDialect => STUDIO_DIALECTS[dialect];

/** Signs and sends a request. @returns the raw answer */
export async function sendToWallet(account: ProviderAccount, { path, fields }: Asked): Promise<Response> {
	const url = `${account.walletUrl}/${path}`;
	const { headers, body } = dialectOf(account).sign(account, { path: new URL(url).pathname, fields }, Date.now());
	return await fetch(url, {
		method: 'POST',
		body,
		headers,
		redirect: 'error',
		signal: AbortSignal.timeout(TIMEOUT_MS),
	});
}

/** @throws if there is no answer, or one with an unknown outcome */
export async function askWallet(
	account: ProviderAccount,
	call: WalletCall,
	faults: LineFaults = { answersToLose: 0 },
): Promise<WalletAnswer> {
	const dialect = dialectOf(account);
	const response = await sendToWallet(account, dialect.ask(call));
	const answer = dialect.read(await response.json());
	if (faults.answersToLose > 0) {
		faults.answersToLose--;
		throw new Error('the answer was lost');
	}
	if (response.status >= 500 || answer.status === 'UNKNOWN') throw new Error(`the wallet answered ${response.status}`);
	return answer;
}
