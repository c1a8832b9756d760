/**
 * A dialect like the open RGS of the Stake engine: a bet is played, may report events, and is ended with its payout.
 * Amounts are millionths of the currency, requests are signed as in our own dialect, and the session keeps the launch
 * token. A refusal is answered with 400 and a status code; 401 means a wrong signature, and 500 an unknown outcome.
 *
 * The open interface lets the operator's server draw the result. Here the provider draws it, so `end-round` names the
 * payout, and `rollback` is added for a `play` whose answer was lost.
 *
 * @see https://stakeengine.github.io/math-sdk/rgs_docs/RGS/
 */
import * as v from 'valibot';
import {
	type Dialect,
	isSignedBySecret,
	jsonIn,
	type RequestSchemas,
	readRequest,
	stakeIn,
	Token,
	winIn,
} from '#server/money/casino/providers/dialects/dialect.ts';
import type { Outcome, WalletRequest, WalletStatus } from '#server/money/casino/providers/wallet-request.ts';
import type { AnyMinor } from '#values/money.ts';

const UNITS_PER_MINOR = 10_000;

/** Without a colon: an id derived from it cannot equal the id of another bet. */
const Id = v.pipe(v.string(), v.regex(/^[\w-]{1,50}$/));
const Stake = stakeIn(UNITS_PER_MINOR);
const Payout = winIn(UNITS_PER_MINOR);

/** Optional details about the bet of a call. */
const Named = {
	sessionID: v.optional(Token),
	userID: v.optional(v.string()),
	gameID: v.optional(v.string()),
	currency: v.optional(v.string()),
};
const namedIn = ({ sessionID, userID, gameID, currency }: v.InferOutput<v.ObjectSchema<typeof Named, undefined>>) => ({
	sessionToken: sessionID,
	userId: userID,
	game: gameID,
	currency,
});

/** Each call with its fields, and its translation for the wallet. The bet's id is also that of its round. */
const REQUESTS: RequestSchemas = {
	'wallet/authenticate': v.pipe(
		v.object({ sessionID: Token }),
		v.transform(({ sessionID }) => ({ call: 'authenticate' as const, launchToken: sessionID, keepsToken: true })),
	),
	'wallet/balance': v.pipe(
		v.object({ ...Named, sessionID: Token }),
		v.transform((fields) => ({ call: 'balance' as const, ...namedIn(fields), sessionToken: fields.sessionID })),
	),
	'wallet/play': v.pipe(
		v.object({ ...Named, sessionID: Token, gameID: v.pipe(v.string(), v.maxLength(64)), betID: Id, amount: Stake }),
		v.transform(({ sessionID, gameID, betID, amount, currency = null, userID }) => ({
			call: 'bet' as const,
			txId: betID,
			round: betID,
			game: gameID,
			amount,
			sessionToken: sessionID,
			currency,
			userId: userID,
		})),
	),
	'wallet/end-round': v.pipe(
		v.object({ ...Named, betID: Id, payout: Payout }),
		v.transform(({ betID, payout: amount, ...fields }) => ({
			call: 'win' as const,
			...namedIn(fields),
			txId: `${betID}:end`,
			refTxId: betID,
			round: betID,
			amount,
			closes: true,
			isOnly: true as const,
		})),
	),
	'wallet/rollback': v.pipe(
		v.object({ ...Named, betID: Id }),
		v.transform(({ betID, ...fields }) => ({
			call: 'rollback' as const,
			...namedIn(fields),
			txId: `${betID}:rollback`,
			refTxId: betID,
			round: betID,
			isOnly: true as const,
		})),
	),
	'bet/event': v.pipe(
		v.object({ ...Named, betID: Id, event: v.pipe(v.string(), v.maxLength(500)) }),
		v.transform(({ betID: round, event, ...fields }) => ({ call: 'event' as const, ...namedIn(fields), round, event })),
	),
};

const WORDS: Readonly<Record<WalletStatus, string>> = {
	OK: 'SUCCESS',
	INSUFFICIENT_FUNDS: 'ERR_IPB',
	DUPLICATE_TRANSACTION: 'ERR_VAL',
	TRANSACTION_NOT_FOUND: 'ERR_BNF',
	ALREADY_REFUNDED: 'ERR_BNF',
	ALREADY_SETTLED: 'ERR_BNF',
	INVALID_TOKEN: 'ERR_IS',
	TOKEN_EXPIRED: 'ERR_IS',
	USER_DISABLED: 'ERR_GLE',
	WRONG_CURRENCY: 'ERR_VAL',
	INVALID_GAME: 'ERR_VAL',
	LIMIT_REACHED: 'ERR_GLE',
	INVALID_SIGNATURE: 'ERR_ATE',
	WRONG_SYNTAX: 'ERR_VAL',
	UNKNOWN: 'ERR_GEN',
};
const HTTP: Partial<Record<WalletStatus, number>> = { OK: 200, INVALID_SIGNATURE: 401, UNKNOWN: 500 };

const said = (status: WalletStatus, more: object = {}) => ({
	status: HTTP[status] ?? 400,
	body: JSON.stringify({ status: { statusCode: WORDS[status] }, ...more }),
});

const units = (amount: AnyMinor): number => amount * UNITS_PER_MINOR;

/** The bet of an answer: the open bet of the session, or the one in the request. */
function roundOf(request: WalletRequest, { opened }: Outcome): object | null {
	if (opened?.round) {
		const { name: betID, stake, event } = opened.round;
		return { betID, amount: units(stake), active: true, event };
	}
	if (request.call === 'bet') return { betID: request.txId, amount: units(request.amount), active: true, event: null };
	return null;
}

export const rgsDialect: Dialect = {
	isSigned: isSignedBySecret,
	signedBody: () => null,
	read: (raw) => readRequest(REQUESTS, raw, jsonIn(raw)),
	write: (request, { outcome }) => {
		const { status, userId, currency, balance, opened, isTombstone } = outcome;
		// The bet is refused permanently, and the provider is told that there was none.
		if (isTombstone) return said('TRANSACTION_NOT_FOUND');
		const money = balance === undefined ? {} : { balance: { amount: units(balance), currency } };
		if (status !== 'OK') return said(status, money);
		if (request.call === 'event') return said(status, { event: request.event });
		const stakes = opened && {
			minBet: units(opened.minStake),
			maxBet: units(opened.maxStake),
			stepBet: units(opened.step),
		};
		const session = stakes ? { userID: userId, config: stakes } : {};
		return said(status, { ...money, ...session, round: roundOf(request, outcome) });
	},
	refuse: (status) => said(status),
};
