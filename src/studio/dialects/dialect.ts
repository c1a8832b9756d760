/**
 * The studio's protocols for operators' wallets: one file per dialect, written from the dialect's description alone. A
 * dialect turns a provider's action into a request, signs it, and parses the answer.
 */
import { createHmac, randomBytes } from 'node:crypto';

/** A wallet's answer, in the terms of our own dialect. */
export type WalletStatus =
	| 'OK'
	| 'INSUFFICIENT_FUNDS'
	| 'DUPLICATE_TRANSACTION'
	| 'TRANSACTION_NOT_FOUND'
	| 'ALREADY_REFUNDED'
	| 'ALREADY_SETTLED'
	| 'INVALID_TOKEN'
	| 'TOKEN_EXPIRED'
	| 'USER_DISABLED'
	| 'WRONG_CURRENCY'
	| 'INVALID_GAME'
	| 'LIMIT_REACHED'
	| 'INVALID_SIGNATURE'
	| 'WRONG_SYNTAX'
	| 'UNKNOWN';

export interface Stake extends Seated {
	txId: string;
	round: string;
	/** Minor units. */
	amount: number;
}

/** The player and the currency, as named by the wallet at the first call of the visit, and the game. */
export interface Seated {
	sessionToken: string;
	userId: string;
	game: string;
	/** Missing where the wallet named none. */
	currency?: string | undefined;
}

/** A provider's request to a wallet. Amounts are minor units. */
export type WalletCall =
	/** The first call of a visit, with the token of the game's address. */
	| { call: 'open'; token: string; game: string }
	| ({ call: 'balance' } & Seated)
	| ({ call: 'bet' } & Stake)
	/** Stake and win in one step, in dialects that have it. */
	| ({ call: 'betwin'; win: number } & Stake)
	/** Ends the round; a lost one with zero. */
	| ({ call: 'win'; txId: string; refTxId: string; round: string; amount: number } & Seated)
	| ({ call: 'rollback'; txId: string; refTxId: string; round: string } & Seated);

/** A request, before it is signed. */
export interface Asked {
	/** After the wallet's address and a slash. */
	path: string;
	fields: object;
}

/** A request as it is sent. */
interface Signed {
	headers: Record<string, string>;
	body: string;
}

/** The signed content. */
interface ToSign {
	/** Of the whole address. */
	path: string;
	fields: object;
}

export interface WalletAnswer {
	status: WalletStatus;
	userId?: string;
	currency?: string;
	/** Minor units. */
	balance?: number;
	/** Missing if the session keeps its launch token. */
	sessionToken?: string;
}

/** The ids of a round's events; derived ids are the same on both sides. */
interface RoundIds {
	bet: string;
	win: string;
	rollback: string;
}

export interface Signer {
	keyId: string;
	/** A shared secret, or a private key as PEM. */
	secret: string;
}

interface KeyPair {
	/** The provider's signing key. */
	secret: string;
	/** The operator's key for checking signatures: the same, or the public key. */
	key: string;
}

export interface StudioDialect {
	/** The number of the dialect's units per minor unit. */
	unitsPerMinor: number;
	hasBetWin: boolean;
	/** The session keeps the launch token, which may be presented again. */
	keepsToken: boolean;
	/** A win has an id of its own, so a bet may have several. */
	hasWinIds: boolean;
	/** The signature covers the time. */
	hasClock: boolean;
	/** The field that names the currency, and the one that names the player; null where there is none. */
	currencyField: string | null;
	userField: string | null;
	/** The wallet's status codes; some stand for several statuses. */
	words: Readonly<Record<WalletStatus, string>>;
	idsOf: (round: string) => RoundIds;
	freshKey: () => KeyPair;
	ask: (call: WalletCall) => Asked;
	/** The body without a signature. */
	write: (fields: object) => string;
	sign: (signer: Signer, request: ToSign, nowMs: number) => Signed;
	read: (answer: unknown) => WalletAnswer;
}

export const JSON_TYPE = { 'Content-Type': 'application/json' };

/** The first status of a code. */
export function statusOf({ words }: Pick<StudioDialect, 'words'>, word: unknown): WalletStatus {
	const found = Object.entries(words).find(([, known]) => known === word);
	return (found?.[0] as WalletStatus | undefined) ?? 'UNKNOWN';
}

/** HMAC-SHA256 over time, method, path and body, in headers with the key's id. */
export function signWithSecret({ keyId, secret }: Signer, { path, fields }: ToSign, nowMs: number): Signed {
	const body = JSON.stringify(fields);
	const signature = createHmac('sha256', secret).update(`${nowMs}.POST ${path}.${body}`).digest('hex');
	const signed = { 'X-Wallet-Key-Id': keyId, 'X-Wallet-Timestamp': String(nowMs), 'X-Wallet-Signature': signature };
	return { headers: { ...JSON_TYPE, ...signed }, body };
}

export function sharedSecret(): KeyPair {
	const secret = randomBytes(32).toString('base64url');
	return { secret, key: secret };
}
