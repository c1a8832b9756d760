/**
 * Our own dialect: JSON with amounts in paise, HMAC-SHA256 over the time, a dot and the raw body. What a rule refuses is
 * answered with 200 and a status; 401 means a wrong signature, and 503 that the outcome is not known.
 */
import * as v from 'valibot';
import {
	Units as Amount,
	type Dialect,
	isSignedBySecret,
	type RequestSchemas,
	readRequest,
	Token,
} from '#server/casino/providers/dialects/dialect.ts';
import type { Outcome } from '#server/casino/providers/wallet-request.ts';

const Id = v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,64}$/));
const InSession = {
	txId: Id,
	gameCode: Id,
	sessionToken: Token,
	currency: v.optional(v.nullable(v.string()), null),
};
const Stake = { ...InSession, roundId: Id, amount: Amount };

/** Each call with its fields, as the wallet knows it. */
const REQUESTS: RequestSchemas = {
	authenticate: v.pipe(
		v.object({ launchToken: Token }),
		v.transform((fields) => ({ call: 'authenticate' as const, ...fields, keepsToken: false })),
	),
	balance: v.pipe(
		v.object({ sessionToken: Token }),
		v.transform((fields) => ({ call: 'balance' as const, ...fields })),
	),
	bet: v.pipe(
		v.object(Stake),
		v.transform(({ roundId: round, gameCode: game, ...fields }) => ({ call: 'bet' as const, round, game, ...fields })),
	),
	betwin: v.pipe(
		v.object({ ...Stake, winAmount: Amount }),
		v.transform(({ roundId: round, gameCode: game, winAmount: win, ...fields }) => ({
			call: 'betwin' as const,
			round,
			game,
			win,
			...fields,
		})),
	),
	freebet: v.pipe(
		v.object({ ...InSession, roundId: Id, campaignId: Id }),
		v.transform(({ roundId: round, gameCode: game, campaignId: campaign, ...fields }) => ({
			call: 'freebet' as const,
			round,
			game,
			campaign,
			...fields,
		})),
	),
	tip: v.pipe(
		v.object({ ...InSession, amount: v.pipe(Amount, v.minValue(1)) }),
		v.transform(({ gameCode: game, ...fields }) => ({ call: 'tip' as const, game, ...fields })),
	),
	win: v.pipe(
		v.object({ txId: Id, refTxId: Id, roundId: Id, amount: Amount, roundClosed: v.boolean() }),
		v.transform(({ roundId: round, roundClosed: closes, ...fields }) => ({
			call: 'win' as const,
			round,
			closes,
			...fields,
		})),
	),
	rollback: v.union([
		v.pipe(
			v.object({ txId: Id, refTxId: Id }),
			v.check(({ txId, refTxId }) => txId !== refTxId),
			v.transform((fields) => ({ call: 'rollback' as const, ...fields, round: null })),
		),
		v.pipe(
			v.object({ txId: Id, refTxId: v.optional(v.null()), roundId: Id }),
			v.transform(({ txId, roundId: round }) => ({ call: 'rollback' as const, txId, refTxId: null, round })),
		),
	]),
	endround: v.pipe(
		v.object({ roundId: Id }),
		v.transform(({ roundId: round }) => ({ call: 'endround' as const, round })),
	),
	adjust: v.pipe(
		v.object({ txId: Id, refTxId: Id, amount: v.pipe(v.number(), v.safeInteger(), v.notValue(0)) }),
		v.check(({ txId, refTxId }) => txId !== refTxId),
		v.transform((fields) => ({ call: 'adjust' as const, ...fields })),
	),
	promo: v.pipe(
		v.object({ txId: Id, userId: v.pipe(v.string(), v.regex(/^[1-9]\d{0,14}$/)), amount: Amount }),
		v.transform((fields) => ({ call: 'promo' as const, ...fields })),
	),
	status: v.pipe(
		v.object({ refTxId: Id }),
		v.transform((fields) => ({ call: 'status' as const, ...fields })),
	),
};

const HTTP: Partial<Record<Outcome['status'], number>> = { INVALID_SIGNATURE: 401, UNKNOWN: 503 };

export const backlayDialect: Dialect = {
	isSigned: isSignedBySecret,
	read: (raw) => readRequest(REQUESTS, raw),
	write: (_, { outcome }) => {
		const { status, userId, currency, balance, sessionToken, state } = outcome;
		return { status: 200, body: JSON.stringify({ status, userId, currency, balance, sessionToken, state }) };
	},
	refuse: (status) => ({ status: HTTP[status] ?? 200, body: JSON.stringify({ status }) }),
};
