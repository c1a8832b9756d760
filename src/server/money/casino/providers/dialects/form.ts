/**
 * A dialect like Pragmatic Play's: forms with amounts in the currency, and a hash among the fields: MD5 over the other
 * fields in alphabetical order and the secret. The session keeps the launch token, and the provider must be configured
 * to send it with each call; the player may change the game within the session. A result ends its round; a result of
 * free rounds is a promotion. Every answer has status 200 and an error number.
 *
 * The hash covers neither time nor call. A body is bound to one call by its fields and, once used, by the record of
 * signed bodies. The forms of `bet.html` and `result.html` have the same fields. Until one of them is used, only its
 * reference tells them apart, and a result needs the open round of a bet.
 */
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import {
	Absent,
	type Dialect,
	type RawRequest,
	type RequestSchemas,
	readRequest,
	Token,
} from '#server/money/casino/providers/dialects/dialect.ts';
import type { Provider } from '#server/money/casino/providers/provider.ts';
import type { WalletStatus } from '#server/money/casino/providers/wallet-request.ts';
import { isSameSecret } from '#server/platform/keys/same-secret.ts';
import { type AnyMinor, MINOR_PER_MAJOR } from '#values/money.ts';

const HASH = 'hash';
const AMOUNT = /^(-?)(\d{1,12})(?:\.(\d{1,8}))?$/;

/** Without a colon: a reference derived from it cannot equal that of another transaction. */
const Id = v.pipe(v.string(), v.regex(/^[\w.-]{1,50}$/));
const UserId = v.pipe(v.string(), v.regex(/^[1-9]\d{0,14}$/));

/** @returns minor units, truncated to whole minor units; null for parts of a minor unit if the amount has to be exact */
function minorIn(amount: string, isExact: boolean): AnyMinor | null {
	const [, sign = '', whole = '', parts = ''] = AMOUNT.exec(amount) ?? [];
	if (whole === '' || (isExact && /[1-9]/.test(parts.slice(2)))) return null;
	const minor = Number(whole) * MINOR_PER_MAJOR + Number(parts.slice(0, 2).padEnd(2, '0'));
	return sign === '' ? minor : -minor;
}

const amountIn = (isExact: boolean) =>
	v.pipe(
		v.string(),
		v.transform((amount) => minorIn(amount, isExact)),
		v.nonNullable(v.pipe(v.number(), v.safeInteger())),
	);
const Stake = v.pipe(amountIn(true), v.minValue(0));
const Win = v.pipe(amountIn(false), v.minValue(0));
const Correction = v.pipe(amountIn(true), v.notValue(0));

const Asked = { providerId: Id };
const Named = { userId: UserId, token: v.optional(Token), gameId: v.optional(Id), currency: v.optional(v.string()) };
const namedIn = ({ userId, token, gameId, currency }: v.InferOutput<v.ObjectSchema<typeof Named, undefined>>) => ({
	userId,
	sessionToken: token,
	game: gameId,
	currency,
});
const NoTransaction = { reference: Absent, amount: Absent };
/** These fields distinguish a call from a bet and from a result. */
const NoPrize = { bonusCode: Absent, campaignId: Absent, jackpotId: Absent, validBetAmount: Absent };
const InRound = { ...Asked, ...Named, gameId: Id, roundId: Id, reference: Id };

interface PrizeFields extends v.InferOutput<v.ObjectSchema<typeof Named, undefined>> {
	reference: string;
	amount: AnyMinor;
}

const prizeOf = ({ reference: txId, amount, ...fields }: PrizeFields) => ({
	call: 'promo' as const,
	...namedIn(fields),
	txId,
	amount,
});

/** Each call with its fields, and its translation for the wallet. Addresses are matched in lower case. */
const REQUESTS: RequestSchemas = {
	'authenticate.html': v.pipe(
		v.object({ ...Asked, token: Token, userId: Absent, ...NoTransaction }),
		v.transform(({ token }) => ({ call: 'authenticate' as const, launchToken: token, keepsToken: true })),
	),
	'balance.html': v.pipe(
		v.object({ ...Asked, ...Named, token: Token, roundId: Absent, ...NoTransaction }),
		v.transform(({ token, userId, currency }) => ({ call: 'balance' as const, sessionToken: token, userId, currency })),
	),
	'bet.html': v.pipe(
		v.object({ ...InRound, token: Token, amount: Stake, ...NoPrize }),
		v.transform(({ reference: txId, roundId: round, amount, currency = null, ...fields }) => ({
			call: 'bet' as const,
			txId,
			round,
			game: fields.gameId,
			amount,
			sessionToken: fields.token,
			currency,
			userId: fields.userId,
			mayChangeGame: true as const,
		})),
	),
	'result.html': v.union([
		v.pipe(
			v.object({ ...InRound, amount: Win, ...NoPrize }),
			v.transform(({ reference: txId, roundId: round, amount, ...fields }) => ({
				call: 'win' as const,
				...namedIn(fields),
				txId,
				refTxId: null,
				round,
				amount,
				closes: true,
			})),
		),
		// Free rounds have no bets.
		v.pipe(
			v.object({ ...InRound, amount: Win, ...NoPrize, bonusCode: Id }),
			v.transform((fields) => prizeOf(fields)),
		),
	]),
	// Reports the total win of the free rounds, after each of them was paid.
	'bonuswin.html': v.pipe(
		v.object({ ...Asked, ...Named, token: Token, bonusCode: Id, amount: Win }),
		v.transform(({ token, userId, currency }) => ({ call: 'balance' as const, sessionToken: token, userId, currency })),
	),
	'jackpotwin.html': v.pipe(
		v.object({ ...InRound, amount: Win, ...NoPrize, jackpotId: Id }),
		v.transform((fields) => prizeOf(fields)),
	),
	'promowin.html': v.pipe(
		v.object({ ...Asked, ...Named, reference: Id, amount: Win, campaignId: Id, roundId: Absent }),
		v.transform((fields) => prizeOf(fields)),
	),
	'refund.html': v.pipe(
		v.object({ ...Asked, ...Named, reference: Id, roundId: v.optional(Id), ...NoPrize }),
		v.transform(({ reference: refTxId, roundId: round, ...fields }) => ({
			call: 'rollback' as const,
			...namedIn(fields),
			txId: `${refTxId}:refund`,
			refTxId,
			...(round === undefined ? {} : { round }),
		})),
	),
	'endround.html': v.pipe(
		v.object({ ...Asked, ...Named, gameId: Id, roundId: Id, ...NoTransaction }),
		v.transform(({ roundId: round, ...fields }) => ({ call: 'endround' as const, ...namedIn(fields), round })),
	),
	'adjustment.html': v.pipe(
		v.object({ ...InRound, amount: Correction, ...NoPrize, validBetAmount: v.string() }),
		v.transform(({ reference: txId, roundId: round, amount, ...fields }) => ({
			call: 'adjust' as const,
			...namedIn(fields),
			txId,
			refTxId: null,
			round,
			amount,
		})),
	),
};

/** The number of an error, and its description. */
const WORDS: Readonly<Record<WalletStatus, readonly [error: number, description: string]>> = {
	OK: [0, 'Success'],
	INSUFFICIENT_FUNDS: [1, 'Insufficient balance'],
	INVALID_TOKEN: [4, 'Player authentication failed'],
	TOKEN_EXPIRED: [4, 'Player authentication failed'],
	INVALID_SIGNATURE: [5, 'Invalid hash'],
	USER_DISABLED: [6, 'Player is frozen'],
	WRONG_SYNTAX: [7, 'Bad parameters'],
	WRONG_CURRENCY: [7, 'Bad parameters'],
	INVALID_GAME: [8, 'Game is not found or disabled'],
	LIMIT_REACHED: [50, 'Bet limit has been reached'],
	UNKNOWN: [100, 'Internal server error, repeat the request'],
	DUPLICATE_TRANSACTION: [120, 'Internal server error, do not repeat the request'],
	TRANSACTION_NOT_FOUND: [120, 'Internal server error, do not repeat the request'],
	ALREADY_REFUNDED: [120, 'Internal server error, do not repeat the request'],
	ALREADY_SETTLED: [120, 'Internal server error, do not repeat the request'],
};

/**
 * The fields of a form; an empty field counts as missing.
 * @returns null for duplicate names, and if the signed text could be parsed into other fields
 */
function fieldsIn({ body }: RawRequest): Record<string, string> | null {
	const pairs = [...new URLSearchParams(body.toString('utf8'))].filter(([, value]) => value !== '');
	if (new Set(pairs.map(([name]) => name)).size < pairs.length) return null;
	if (pairs.some(([name, value]) => /[&=]/.test(name) || value.includes('&'))) return null;
	return Object.fromEntries(pairs);
}

/** The hashed text, without the secret. */
function signedText(fields: Readonly<Record<string, string>>): string {
	const names = Object.keys(fields).filter((name) => name !== HASH);
	return names
		.sort()
		.map((name) => `${name}=${fields[name]}`)
		.join('&');
}

/** Any of the provider's secrets is valid: the form names none. */
function isHashed({ keys }: Provider, raw: RawRequest): boolean {
	const fields = fieldsIn(raw);
	const hash = fields?.[HASH]?.toLowerCase();
	if (!fields || hash === undefined) return false;
	const text = signedText(fields);
	return [...keys.values()].some((key) => isSameSecret(hash, createHash('md5').update(`${text}${key}`).digest('hex')));
}

const said = (status: WalletStatus, more: object = {}) => {
	const [error, description] = WORDS[status];
	return { status: 200, body: JSON.stringify({ ...more, error, description }) };
};

export const formDialect: Dialect = {
	isSigned: isHashed,
	signedBody: (raw) => signedText(fieldsIn(raw) ?? {}),
	read: (raw) => readRequest(REQUESTS, raw, fieldsIn(raw)),
	write: ({ call }, { outcome: { status, userId, currency, balance, transactionId } }) => {
		if (status !== 'OK') return said(status);
		const money = balance === undefined ? {} : { currency, cash: balance / MINOR_PER_MAJOR, bonus: 0 };
		const seat = call === 'authenticate' ? { userId } : {};
		const promo = call === 'bet' ? { usedPromo: 0 } : {};
		return said(status, { transactionId, ...seat, ...money, ...promo });
	},
	refuse: (status) => said(status),
};
