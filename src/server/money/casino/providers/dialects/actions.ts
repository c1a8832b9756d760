/**
 * A dialect like SoftSwiss's: JSON with amounts in minor units, several actions of a round in one call, HMAC-SHA256 over the
 * body in `X-REQUEST-SIGN`. The session keeps the launch token, as `session_id`, and the player may change the game
 * within it. A win names its round and no bet. A refusal is answered with 412 and a code; 403 means a wrong signature,
 * and 500 an unknown outcome. Operators issue free spins in this protocol; Backlay issues none, so there is no call for
 * them.
 *
 * The signature covers neither time nor call. A body is bound to one call by its actions and, once used, by the record
 * of signed bodies.
 */
import { createHmac } from 'node:crypto';
import * as v from 'valibot';
import {
	type Dialect,
	headerOf,
	jsonIn,
	type RawRequest,
	type RequestSchemas,
	readRequest,
	Token,
	Units,
} from '#server/money/casino/providers/dialects/dialect.ts';
import type { Provider } from '#server/money/casino/providers/provider.ts';
import type { Outcome, WalletRequest, WalletStatus } from '#server/money/casino/providers/wallet-request.ts';
import { isSameSecret } from '#server/platform/keys/same-secret.ts';

const MOST_ACTIONS = 20;

/** Without a colon: an id derived from it cannot equal the id of another action. */
const Id = v.pipe(v.string(), v.regex(/^[\w.-]{1,60}$/));
const UserId = v.pipe(v.string(), v.regex(/^[1-9]\d{0,14}$/));
const Round = { user_id: UserId, currency: v.string(), game: Id, game_id: Id };
const Money = v.object({ action: v.picklist(['bet', 'win']), action_id: Id, amount: Units });
const Rollback = v.object({ action: v.literal('rollback'), action_id: Id, original_action_id: Id });

const hasOwnIds = (actions: readonly { action_id: string }[]): boolean =>
	new Set(actions.map(({ action_id }) => action_id)).size === actions.length;
const Moneys = v.pipe(
	v.array(Money),
	v.minLength(1),
	v.maxLength(MOST_ACTIONS),
	v.check((actions) => hasOwnIds(actions)),
);
const Rollbacks = v.pipe(
	v.array(Rollback),
	v.minLength(1),
	v.maxLength(MOST_ACTIONS),
	v.check((actions) => hasOwnIds(actions)),
);

/** Each call with its fields, and its translation for the wallet. */
const REQUESTS: RequestSchemas = {
	play: v.union([
		v.pipe(
			v.object({ ...Round, session_id: Token, finished: v.optional(v.boolean(), false), actions: Moneys }),
			v.transform(({ user_id: userId, session_id: sessionToken, game_id: round, finished, actions, ...fields }) => {
				const named = { userId, sessionToken, round, ...fields };
				return {
					call: 'batch' as const,
					...named,
					closes: finished,
					requests: actions.map(({ action, action_id: txId, amount }) =>
						action === 'bet'
							? { call: 'bet' as const, ...named, txId, amount, mayChangeGame: true as const }
							: { call: 'win' as const, ...named, txId, refTxId: null, amount, closes: false },
					),
				};
			}),
		),
		v.pipe(
			v.object({ ...Round, session_id: Token, finished: v.literal(true), actions: v.optional(v.strictTuple([])) }),
			v.transform(({ user_id: userId, session_id: sessionToken, game_id: round, currency, game }) => ({
				call: 'endround' as const,
				userId,
				sessionToken,
				round,
				currency,
				game,
			})),
		),
		// Without an action it asks for the balance, and the first one opens the session.
		v.pipe(
			v.object({
				user_id: v.optional(UserId),
				session_id: Token,
				finished: v.optional(v.literal(false)),
				actions: v.optional(v.strictTuple([])),
			}),
			v.transform(({ user_id: userId, session_id: launchToken }) => ({
				call: 'authenticate' as const,
				launchToken,
				keepsToken: true,
				userId,
			})),
		),
	]),
	rollback: v.pipe(
		v.object({ ...Round, session_id: v.optional(Token), actions: Rollbacks }),
		v.check(({ actions }) => actions.every(({ action_id, original_action_id }) => action_id !== original_action_id)),
		v.transform(({ user_id: userId, session_id: sessionToken, game_id: round, actions, currency, game }) => {
			const named = { userId, sessionToken, round, currency, game };
			return {
				call: 'batch' as const,
				...named,
				closes: false,
				requests: actions.map(({ action_id: txId, original_action_id: refTxId }) => ({
					call: 'rollback' as const,
					...named,
					txId,
					refTxId,
				})),
			};
		}),
	),
};

/** The code of a refusal, its message, and the status of HTTP. */
const WORDS: Readonly<Record<Exclude<WalletStatus, 'OK'>, readonly [code: number, message: string, http: number]>> = {
	INSUFFICIENT_FUNDS: [100, 'The player has not enough funds.', 412],
	INVALID_TOKEN: [101, 'The player is not known.', 412],
	TOKEN_EXPIRED: [101, 'The player is not known.', 412],
	LIMIT_REACHED: [105, 'A limit has been reached.', 412],
	INVALID_GAME: [107, 'The game is not open to the player.', 412],
	USER_DISABLED: [110, 'The player may not play.', 412],
	WRONG_CURRENCY: [154, 'The player has another currency.', 412],
	DUPLICATE_TRANSACTION: [155, 'The action was something else before.', 412],
	ALREADY_REFUNDED: [155, 'The action was something else before.', 412],
	ALREADY_SETTLED: [155, 'The action was something else before.', 412],
	WRONG_SYNTAX: [400, 'The request cannot be read.', 400],
	INVALID_SIGNATURE: [403, 'The signature is wrong.', 403],
	TRANSACTION_NOT_FOUND: [404, 'There is no such action.', 412],
	UNKNOWN: [500, 'The outcome is not known.', 500],
};

/** Any of the provider's secrets is valid: the request names none. */
function isSignedOverBody({ keys }: Provider, raw: RawRequest): boolean {
	const signature = headerOf(raw, 'x-request-sign').toLowerCase();
	return [...keys.values()].some((key) =>
		isSameSecret(signature, createHmac('sha256', key).update(raw.body).digest('hex')),
	);
}

function refusal(status: Exclude<WalletStatus, 'OK'>, more: object = {}) {
	const [code, message, http] = WORDS[status];
	return { status: http, body: JSON.stringify({ code, message, ...more }) };
}

function done(request: WalletRequest, { balance, userId, currency, parts = [] }: Outcome) {
	const transactions = parts.map(({ txId, transactionId }) => ({ action_id: txId, tx_id: transactionId }));
	const round = request.call === 'batch' ? { game_id: request.round, transactions } : { user_id: userId, currency };
	return { status: 200, body: JSON.stringify({ balance, ...round }) };
}

const isRollback = (request: WalletRequest): boolean =>
	request.call === 'batch' && request.requests.every(({ call }) => call === 'rollback');

export const actionsDialect: Dialect = {
	isSigned: isSignedOverBody,
	signedBody: (raw) => raw.body.toString('base64'),
	read: (raw) => readRequest(REQUESTS, raw, jsonIn(raw)),
	write: (request, { outcome }) => {
		const { status, balance } = outcome;
		// An earlier rollback has the effect that the provider wants.
		if (status === 'OK' || (status === 'ALREADY_REFUNDED' && isRollback(request))) return done(request, outcome);
		return refusal(status, balance === undefined ? {} : { balance });
	},
	refuse: (status) => refusal(status === 'OK' ? 'UNKNOWN' : status),
};
