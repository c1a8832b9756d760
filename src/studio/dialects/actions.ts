/** A dialect like SoftSwiss's: several actions of a round in one call, in minor units, HMAC-SHA256 over the body. */
import { createHmac } from 'node:crypto';
import { JSON_TYPE, type Seated, type StudioDialect, sharedSecret, statusOf } from '#studio/dialects/dialect.ts';

/** The code of a refusal, as text. */
const WORDS: StudioDialect['words'] = {
	OK: '200',
	INSUFFICIENT_FUNDS: '100',
	INVALID_TOKEN: '101',
	TOKEN_EXPIRED: '101',
	LIMIT_REACHED: '105',
	INVALID_GAME: '107',
	USER_DISABLED: '110',
	WRONG_CURRENCY: '154',
	DUPLICATE_TRANSACTION: '155',
	ALREADY_REFUNDED: '155',
	ALREADY_SETTLED: '155',
	WRONG_SYNTAX: '400',
	INVALID_SIGNATURE: '403',
	TRANSACTION_NOT_FOUND: '404',
	UNKNOWN: '500',
};

interface ActionsAnswer {
	/** Missing if everything was carried out. */
	code?: number;
	user_id?: string;
	currency?: string;
	balance?: number;
}

const seatOf = ({ sessionToken: session_id, userId: user_id, game, currency }: Seated) => ({
	session_id,
	user_id,
	game,
	currency,
});

export const actionsDialect: StudioDialect = {
	unitsPerMinor: 1,
	hasBetWin: false,
	keepsToken: true,
	hasWinIds: true,
	hasClock: false,
	currencyField: 'currency',
	userField: 'user_id',
	freshKey: sharedSecret,
	words: WORDS,
	idsOf: (round) => ({ bet: `${round}-bet`, win: `${round}-win`, rollback: `${round}-rollback` }),
	ask: (asked) => {
		switch (asked.call) {
			case 'open':
				return { path: 'play', fields: { session_id: asked.token, game: asked.game } };
			case 'balance':
				return { path: 'play', fields: seatOf(asked) };
			case 'bet': {
				const { txId: action_id, round: game_id, amount } = asked;
				const actions = [{ action: 'bet', action_id, amount }];
				return { path: 'play', fields: { ...seatOf(asked), game_id, actions } };
			}
			case 'betwin':
				throw new Error('this dialect tells stake and win as two actions');
			case 'win': {
				const { txId: action_id, round: game_id, amount } = asked;
				const actions = [{ action: 'win', action_id, amount }];
				return { path: 'play', fields: { ...seatOf(asked), game_id, finished: true, actions } };
			}
			case 'rollback': {
				const { txId: action_id, refTxId: original_action_id, round: game_id } = asked;
				const actions = [{ action: 'rollback', action_id, original_action_id }];
				return { path: 'rollback', fields: { ...seatOf(asked), game_id, actions } };
			}
		}
	},
	write: JSON.stringify,
	sign: ({ secret }, { fields }) => {
		const body = JSON.stringify(fields);
		const signature = createHmac('sha256', secret).update(body).digest('hex');
		return { headers: { ...JSON_TYPE, 'X-Request-Sign': signature }, body };
	},
	read: (answer) => {
		const { code = 200, user_id: userId, currency, balance } = answer as ActionsAnswer;
		return {
			status: statusOf({ words: WORDS }, String(code)),
			...(userId === undefined ? {} : { userId }),
			...(currency === undefined ? {} : { currency }),
			...(balance === undefined ? {} : { balance }),
		};
	},
};
