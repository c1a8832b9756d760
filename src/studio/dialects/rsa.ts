/** A dialect like Hub88's: hundred-thousandths of the currency, RSA-SHA256 over the body, one token from launch to end. */
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { JSON_TYPE, type Seated, type StudioDialect, statusOf } from '#studio/dialects/dialect.ts';

const UNITS_PER_MINOR = 1_000;

const WORDS: StudioDialect['words'] = {
	OK: 'RS_OK',
	INSUFFICIENT_FUNDS: 'RS_ERROR_NOT_ENOUGH_MONEY',
	DUPLICATE_TRANSACTION: 'RS_ERROR_DUPLICATE_TRANSACTION',
	TRANSACTION_NOT_FOUND: 'RS_ERROR_TRANSACTION_DOES_NOT_EXIST',
	ALREADY_REFUNDED: 'RS_ERROR_TRANSACTION_ROLLED_BACK',
	ALREADY_SETTLED: 'RS_ERROR_DUPLICATE_TRANSACTION',
	INVALID_TOKEN: 'RS_ERROR_INVALID_TOKEN',
	TOKEN_EXPIRED: 'RS_ERROR_TOKEN_EXPIRED',
	USER_DISABLED: 'RS_ERROR_USER_DISABLED',
	WRONG_CURRENCY: 'RS_ERROR_WRONG_CURRENCY',
	INVALID_GAME: 'RS_ERROR_INVALID_GAME',
	LIMIT_REACHED: 'RS_ERROR_LIMIT_REACHED',
	INVALID_SIGNATURE: 'RS_ERROR_INVALID_SIGNATURE',
	WRONG_SYNTAX: 'RS_ERROR_WRONG_SYNTAX',
	UNKNOWN: 'RS_ERROR_UNKNOWN',
};

const seatOf = ({ sessionToken: token, userId: user, game: game_code }: Seated) => ({ token, user, game_code });

export const rsaDialect: StudioDialect = {
	unitsPerMinor: UNITS_PER_MINOR,
	hasBetWin: false,
	keepsToken: true,
	hasWinIds: true,
	hasClock: true,
	currencyField: 'currency',
	userField: 'user',
	freshKey: () => {
		const { privateKey, publicKey } = generateKeyPairSync('rsa', {
			modulusLength: 2048,
			privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
			publicKeyEncoding: { type: 'spki', format: 'pem' },
		});
		return { secret: privateKey, key: publicKey };
	},
	words: WORDS,
	idsOf: (round) => ({ bet: `${round}-bet`, win: `${round}-win`, rollback: `${round}-rollback` }),
	ask: (asked) => {
		const request = { request_uuid: randomUUID() };
		switch (asked.call) {
			case 'open':
				return { path: 'user/balance', fields: { ...request, token: asked.token, game_code: asked.game } };
			case 'balance':
				return { path: 'user/balance', fields: { ...request, token: asked.sessionToken, game_code: asked.game } };
			case 'bet': {
				const { txId: transaction_uuid, round, amount, currency } = asked;
				const about = { ...request, ...seatOf(asked), transaction_uuid, round, currency };
				return { path: 'transaction/bet', fields: { ...about, amount: amount * UNITS_PER_MINOR, round_closed: false } };
			}
			case 'betwin':
				throw new Error('this dialect tells stake and win one after the other');
			case 'win': {
				const { txId: transaction_uuid, refTxId: reference_transaction_uuid, round, amount, currency } = asked;
				const about = {
					...request,
					...seatOf(asked),
					transaction_uuid,
					reference_transaction_uuid,
					round,
					currency,
				};
				return { path: 'transaction/win', fields: { ...about, amount: amount * UNITS_PER_MINOR, round_closed: true } };
			}
			case 'rollback': {
				const { txId: transaction_uuid, refTxId: reference_transaction_uuid, round } = asked;
				const about = { ...request, ...seatOf(asked), transaction_uuid, reference_transaction_uuid, round };
				return { path: 'transaction/rollback', fields: { ...about, round_closed: true } };
			}
		}
	},
	write: JSON.stringify,
	sign: ({ secret }, { path, fields }, nowMs) => {
		const body = JSON.stringify(fields);
		const signature = sign('RSA-SHA256', Buffer.from(`${nowMs}.POST ${path}.${body}`), secret).toString('base64');
		return { headers: { ...JSON_TYPE, 'X-Wallet-Timestamp': String(nowMs), 'X-Hub88-Signature': signature }, body };
	},
	read: (answer) => {
		const { status, user: userId, currency, balance } = answer as Record<string, string> & { balance?: number };
		return {
			status: statusOf({ words: WORDS }, status),
			...(userId === undefined ? {} : { userId }),
			...(currency === undefined ? {} : { currency }),
			...(balance === undefined ? {} : { balance: balance / UNITS_PER_MINOR }),
		};
	},
};
