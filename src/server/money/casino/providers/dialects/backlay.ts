/**
 * Our own dialect: JSON with amounts in minor units, HMAC-SHA256 over `TIME.METHOD PATH.` and the raw body. A call has
 * exactly the fields listed here. A refusal is answered with 200 and a status; 401 means a wrong signature, and 503 an
 * unknown outcome.
 */
import * as v from 'valibot';
import {
	Units as Amount,
	type Dialect,
	isSignedBySecret,
	jsonIn,
	type RequestSchemas,
	readRequest,
	Token,
} from '#server/money/casino/providers/dialects/dialect.ts';
import type { Outcome } from '#server/money/casino/providers/wallet-request.ts';

const Id = v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,64}$/));
const UserId = v.pipe(v.string(), v.regex(/^[1-9]\d{0,14}$/));
const InSession = {
	txId: Id,
	gameCode: Id,
	sessionToken: Token,
	userId: v.optional(UserId),
	currency: v.optional(v.nullable(v.string()), null),
};
const Stake = { ...InSession, roundId: Id, amount: Amount };
/** Optional details about the subject of a call. */
const Named = {
	userId: v.optional(UserId),
	sessionToken: v.optional(Token),
	gameCode: v.optional(Id),
	currency: v.optional(v.string()),
};

/** Each call with its fields, and its translation for the wallet. */
const REQUESTS: RequestSchemas = {
	authenticate: v.pipe(
		v.strictObject({ launchToken: Token }),
		v.transform((fields) => ({ call: 'authenticate' as const, ...fields, keepsToken: false })),
	),
	balance: v.pipe(
		v.strictObject({ ...Named, sessionToken: Token }),
		v.transform(({ gameCode: game, ...fields }) => ({ call: 'balance' as const, game, ...fields })),
	),
	bet: v.pipe(
		v.strictObject(Stake),
		v.transform(({ roundId: round, gameCode: game, ...fields }) => ({ call: 'bet' as const, round, game, ...fields })),
	),
	betwin: v.pipe(
		v.strictObject({ ...Stake, winAmount: Amount }),
		v.transform(({ roundId: round, gameCode: game, winAmount: win, ...fields }) => ({
			call: 'betwin' as const,
			round,
			game,
			win,
			...fields,
		})),
	),
	freebet: v.pipe(
		v.strictObject({ ...InSession, roundId: Id, campaignId: Id }),
		v.transform(({ roundId: round, gameCode: game, campaignId: campaign, ...fields }) => ({
			call: 'freebet' as const,
			round,
			game,
			campaign,
			...fields,
		})),
	),
	tip: v.pipe(
		v.strictObject({ ...InSession, amount: v.pipe(Amount, v.minValue(1)) }),
		v.transform(({ gameCode: game, ...fields }) => ({ call: 'tip' as const, game, ...fields })),
	),
	win: v.pipe(
		v.strictObject({ ...Named, txId: Id, refTxId: Id, roundId: Id, amount: Amount, roundClosed: v.boolean() }),
		v.transform(({ roundId: round, roundClosed: closes, gameCode: game, ...fields }) => ({
			call: 'win' as const,
			round,
			closes,
			game,
			...fields,
		})),
	),
	rollback: v.union([
		v.pipe(
			v.strictObject({ ...Named, txId: Id, refTxId: Id, roundId: v.optional(Id) }),
			v.check(({ txId, refTxId }) => txId !== refTxId),
			v.transform(({ roundId: round, gameCode: game, ...fields }) => ({
				call: 'rollback' as const,
				round,
				game,
				...fields,
			})),
		),
		v.pipe(
			v.strictObject({ ...Named, txId: Id, refTxId: v.optional(v.null()), roundId: Id }),
			v.transform(({ refTxId = null, roundId: round, gameCode: game, ...fields }) => ({
				call: 'rollback' as const,
				refTxId,
				round,
				game,
				...fields,
			})),
		),
	]),
	endround: v.pipe(
		v.strictObject({ ...Named, roundId: Id }),
		v.transform(({ roundId: round, gameCode: game, ...fields }) => ({
			call: 'endround' as const,
			round,
			game,
			...fields,
		})),
	),
	adjust: v.pipe(
		v.strictObject({
			...Named,
			txId: Id,
			refTxId: Id,
			roundId: v.optional(Id),
			amount: v.pipe(v.number(), v.safeInteger(), v.notValue(0)),
		}),
		v.check(({ txId, refTxId }) => txId !== refTxId),
		v.transform(({ roundId: round, gameCode: game, ...fields }) => ({
			call: 'adjust' as const,
			round,
			game,
			...fields,
		})),
	),
	promo: v.pipe(
		v.strictObject({ ...Named, userId: UserId, txId: Id, amount: Amount }),
		v.transform(({ gameCode: game, ...fields }) => ({ call: 'promo' as const, game, ...fields })),
	),
	status: v.pipe(
		v.strictObject({ refTxId: Id }),
		v.transform((fields) => ({ call: 'status' as const, ...fields })),
	),
};

const HTTP: Partial<Record<Outcome['status'], number>> = { INVALID_SIGNATURE: 401, UNKNOWN: 503 };

export const backlayDialect: Dialect = {
	isSigned: isSignedBySecret,
	signedBody: () => null,
	read: (raw) => readRequest(REQUESTS, raw, jsonIn(raw)),
	write: (_, { outcome }) => {
		const { status, transactionId, userId, currency, balance, sessionToken, state } = outcome;
		const answer = { status, transactionId, userId, currency, balance, sessionToken, state };
		return { status: 200, body: JSON.stringify(answer) };
	},
	refuse: (status) => ({ status: HTTP[status] ?? 200, body: JSON.stringify({ status }) }),
};
