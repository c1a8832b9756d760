/** A dialect like Pragmatic Play's: forms with amounts in the currency, hashed with MD5; a result names its round. */
import { createHash } from 'node:crypto';
import { type Seated, type StudioDialect, sharedSecret, statusOf } from '#studio/dialects/dialect.ts';

const MINOR_PER_MAJOR = 100;
const PROVIDER = 'studio';

/** The number of an error, as text. */
const WORDS: StudioDialect['words'] = {
	OK: '0',
	INSUFFICIENT_FUNDS: '1',
	INVALID_TOKEN: '4',
	TOKEN_EXPIRED: '4',
	INVALID_SIGNATURE: '5',
	USER_DISABLED: '6',
	WRONG_SYNTAX: '7',
	WRONG_CURRENCY: '7',
	INVALID_GAME: '8',
	LIMIT_REACHED: '50',
	UNKNOWN: '100',
	DUPLICATE_TRANSACTION: '120',
	TRANSACTION_NOT_FOUND: '120',
	ALREADY_REFUNDED: '120',
	ALREADY_SETTLED: '120',
};

interface FormAnswer {
	error?: number;
	userId?: string;
	currency?: string;
	cash?: number;
}

const amountOf = (minor: number): string => String(minor / MINOR_PER_MAJOR);
const seatOf = ({ sessionToken: token, userId, game: gameId }: Seated) => ({ token, userId, gameId });

/** MD5 over the fields in alphabetical order and the secret. */
function hashOf(fields: object, secret: string): string {
	const sorted = Object.entries(fields).sort(([one], [other]) => (one < other ? -1 : 1));
	const text = sorted.map(([name, value]) => `${name}=${value}`).join('&');
	return createHash('md5').update(`${text}${secret}`).digest('hex');
}

const written = (fields: object): string =>
	new URLSearchParams(
		Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]),
	).toString();

export const formDialect: StudioDialect = {
	unitsPerMinor: 1,
	hasBetWin: false,
	keepsToken: true,
	hasWinIds: true,
	hasClock: false,
	currencyField: 'currency',
	userField: 'userId',
	freshKey: sharedSecret,
	words: WORDS,
	idsOf: (round) => ({ bet: `${round}-bet`, win: `${round}-win`, rollback: `${round}-bet:refund` }),
	ask: (asked) => {
		const providerId = PROVIDER;
		switch (asked.call) {
			case 'open':
				return { path: 'authenticate.html', fields: { providerId, token: asked.token } };
			case 'balance': {
				const { token, userId } = seatOf(asked);
				return { path: 'balance.html', fields: { providerId, token, userId } };
			}
			case 'bet': {
				const { txId: reference, round: roundId, amount, currency } = asked;
				const named = currency === undefined ? {} : { currency };
				const fields = { providerId, ...seatOf(asked), reference, roundId, amount: amountOf(amount), ...named };
				return { path: 'bet.html', fields: { ...fields, roundDetails: 'spin' } };
			}
			case 'betwin':
				throw new Error('this dialect tells stake and win one after the other');
			case 'win': {
				const { txId: reference, round: roundId, amount } = asked;
				const fields = { providerId, ...seatOf(asked), reference, roundId, amount: amountOf(amount) };
				return { path: 'result.html', fields: { ...fields, roundDetails: 'spin' } };
			}
			case 'rollback': {
				const { refTxId: reference, round: roundId } = asked;
				return { path: 'refund.html', fields: { providerId, ...seatOf(asked), reference, roundId } };
			}
		}
	},
	write: written,
	sign: ({ secret }, { fields }) => ({
		headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
		body: written({ ...fields, hash: hashOf(fields, secret) }),
	}),
	read: (answer) => {
		const { error, userId, currency, cash } = answer as FormAnswer;
		return {
			status: statusOf({ words: WORDS }, String(error)),
			...(userId === undefined ? {} : { userId }),
			...(currency === undefined ? {} : { currency }),
			...(cash === undefined ? {} : { balance: Math.round(cash * MINOR_PER_MAJOR) }),
		};
	},
};
