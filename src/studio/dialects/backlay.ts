/** The dialect of the operator whose studio this is: JSON in minor units, signed with a shared secret. */
import {
	type StudioDialect,
	sharedSecret,
	signWithSecret,
	statusOf,
	type WalletAnswer,
} from '#studio/dialects/dialect.ts';

const WORDS: StudioDialect['words'] = {
	OK: 'OK',
	INSUFFICIENT_FUNDS: 'INSUFFICIENT_FUNDS',
	DUPLICATE_TRANSACTION: 'DUPLICATE_TRANSACTION',
	TRANSACTION_NOT_FOUND: 'TRANSACTION_NOT_FOUND',
	ALREADY_REFUNDED: 'ALREADY_REFUNDED',
	ALREADY_SETTLED: 'ALREADY_SETTLED',
	INVALID_TOKEN: 'INVALID_TOKEN',
	TOKEN_EXPIRED: 'TOKEN_EXPIRED',
	USER_DISABLED: 'USER_DISABLED',
	WRONG_CURRENCY: 'WRONG_CURRENCY',
	INVALID_GAME: 'INVALID_GAME',
	LIMIT_REACHED: 'LIMIT_REACHED',
	INVALID_SIGNATURE: 'INVALID_SIGNATURE',
	WRONG_SYNTAX: 'WRONG_SYNTAX',
	UNKNOWN: 'UNKNOWN',
};

export const backlayDialect: StudioDialect = {
	unitsPerMinor: 1,
	hasBetWin: true,
	keepsToken: false,
	hasWinIds: true,
	hasClock: true,
	currencyField: 'currency',
	userField: 'userId',
	freshKey: sharedSecret,
	words: WORDS,
	idsOf: (round) => ({ bet: `${round}-bet`, win: `${round}-win`, rollback: `${round}-rollback` }),
	ask: (asked) => {
		switch (asked.call) {
			case 'open':
				return { path: 'authenticate', fields: { launchToken: asked.token } };
			case 'balance':
				return { path: 'balance', fields: { sessionToken: asked.sessionToken } };
			case 'bet':
			case 'betwin': {
				const { call, txId, round: roundId, game: gameCode, amount, sessionToken, currency } = asked;
				const named = currency === undefined ? {} : { currency };
				const win = call === 'betwin' ? { winAmount: asked.win } : {};
				return { path: call, fields: { txId, roundId, gameCode, amount, sessionToken, ...named, ...win } };
			}
			case 'win': {
				const { txId, refTxId, round: roundId, amount } = asked;
				return { path: 'win', fields: { txId, refTxId, roundId, amount, roundClosed: true } };
			}
			case 'rollback':
				return { path: 'rollback', fields: { txId: asked.txId, refTxId: asked.refTxId } };
		}
	},
	write: JSON.stringify,
	sign: signWithSecret,
	read: (answer) => {
		const said = answer as WalletAnswer;
		return { ...said, status: statusOf({ words: WORDS }, said.status) };
	},
};
