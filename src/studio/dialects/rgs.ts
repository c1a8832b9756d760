/** A dialect like the open RGS of the Stake engine: play, end-round and rollback of one bet, in millionths of the currency. */
import { type StudioDialect, sharedSecret, signWithSecret, statusOf } from '#studio/dialects/dialect.ts';

const UNITS_PER_MINOR = 10_000;

const WORDS: StudioDialect['words'] = {
	OK: 'SUCCESS',
	INSUFFICIENT_FUNDS: 'ERR_IPB',
	TRANSACTION_NOT_FOUND: 'ERR_BNF',
	ALREADY_REFUNDED: 'ERR_BNF',
	ALREADY_SETTLED: 'ERR_BNF',
	TOKEN_EXPIRED: 'ERR_IS',
	INVALID_TOKEN: 'ERR_IS',
	LIMIT_REACHED: 'ERR_GLE',
	USER_DISABLED: 'ERR_GLE',
	WRONG_SYNTAX: 'ERR_VAL',
	DUPLICATE_TRANSACTION: 'ERR_VAL',
	WRONG_CURRENCY: 'ERR_VAL',
	INVALID_GAME: 'ERR_VAL',
	INVALID_SIGNATURE: 'ERR_ATE',
	UNKNOWN: 'ERR_GEN',
};

interface RgsAnswer {
	status?: { statusCode: string };
	userID?: string;
	balance?: { amount: number; currency: string };
}

export const rgsDialect: StudioDialect = {
	unitsPerMinor: UNITS_PER_MINOR,
	hasBetWin: false,
	keepsToken: true,
	hasWinIds: false,
	hasClock: true,
	currencyField: 'currency',
	userField: 'userID',
	freshKey: sharedSecret,
	words: WORDS,
	// A bet and its round are one, and both sides derive the ids of its events from its id.
	idsOf: (round) => ({ bet: round, win: `${round}:end`, rollback: `${round}:rollback` }),
	ask: (asked) => {
		switch (asked.call) {
			case 'open':
				return { path: 'wallet/authenticate', fields: { sessionID: asked.token } };
			case 'balance':
				return { path: 'wallet/balance', fields: { sessionID: asked.sessionToken } };
			case 'bet': {
				const { txId: betID, game: gameID, amount, sessionToken: sessionID, currency } = asked;
				const named = currency === undefined ? {} : { currency };
				return {
					path: 'wallet/play',
					fields: { sessionID, gameID, betID, mode: 'base', amount: amount * UNITS_PER_MINOR, ...named },
				};
			}
			case 'betwin':
				throw new Error('this dialect tells stake and win one after the other');
			case 'win':
				return {
					path: 'wallet/end-round',
					fields: { betID: asked.refTxId, payout: asked.amount * UNITS_PER_MINOR },
				};
			case 'rollback':
				return { path: 'wallet/rollback', fields: { betID: asked.refTxId } };
		}
	},
	write: JSON.stringify,
	sign: signWithSecret,
	read: (answer) => {
		const { status, userID, balance } = answer as RgsAnswer;
		return {
			status: statusOf({ words: WORDS }, status?.statusCode),
			...(userID === undefined ? {} : { userId: userID }),
			...(balance === undefined ? {} : { currency: balance.currency, balance: balance.amount / UNITS_PER_MINOR }),
		};
	},
};
