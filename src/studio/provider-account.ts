/**
 * The studio: a game provider of our own making, in a process of its own. It imports nothing of the server and reaches the
 * wallet over HTTP alone, as any other provider does. Tests, `npm start` and demonstrations play its games.
 *
 * This file has what a provider knows of an operator's wallet: its address, and how requests are signed.
 */
import { createHmac } from 'node:crypto';

export interface ProviderAccount {
	id: string;
	name: string;
	/** `https://operator.example/wallet/lantern`. */
	walletUrl: string;
	keyId: string;
	secret: string;
}

export interface WalletAnswer {
	status: string;
	userId?: string;
	currency?: string;
	/** Paise. */
	balance?: number;
	sessionToken?: string;
	state?: string;
}

const TIMEOUT_MS = 10_000;

/** How the line to the wallet fails, for tests and demonstrations. */
export interface LineFaults {
	/** So many answers are lost after the wallet has acted. */
	answersToLose: number;
}

/** @throws when there is no answer, or one that says that the outcome is not known */
export async function askWallet(
	{ walletUrl, keyId, secret }: ProviderAccount,
	call: string,
	fields: object,
	faults: LineFaults,
): Promise<WalletAnswer> {
	const body = JSON.stringify(fields);
	const timestamp = String(Date.now());
	const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
	const response = await fetch(`${walletUrl}/${call}`, {
		method: 'POST',
		body,
		headers: {
			'Content-Type': 'application/json',
			'X-Wallet-Key-Id': keyId,
			'X-Wallet-Timestamp': timestamp,
			'X-Wallet-Signature': signature,
		},
		redirect: 'error',
		signal: AbortSignal.timeout(TIMEOUT_MS),
	});
	const answer = (await response.json()) as WalletAnswer;
	if (faults.answersToLose > 0) {
		faults.answersToLose--;
		throw new Error('the answer was lost');
	}
	if (response.status >= 500) throw new Error(`the wallet answered ${response.status}`);
	return answer;
}
