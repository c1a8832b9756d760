/**
 * A dialect like Hub88's: JSON with amounts in hundred-thousandths of the currency, RSA-SHA256 over the body. The
 * session keeps the launch token, and the player may change the game within it. A win without a bet is a promotion of
 * the provider's. A refusal is answered with 200 and a status.
 *
 * The signature covers neither time nor call. A replayed request is harmless: its transaction id is known, and it gets
 * the first answer. A body is bound to one call by its fields and, once used, by the record of signed bodies. A
 * provider that sends `X-Wallet-Timestamp` signs `TIME.METHOD PATH.` and the body, and its clock is checked.
 *
 * @see https://docs.hub88.io/developer-docs/operator-api-reference/wallet-api
 */
import { verify } from 'node:crypto';
import * as v from 'valibot';
import {
	Absent,
	type Dialect,
	headerOf,
	jsonIn,
	type RawRequest,
	type RequestSchemas,
	readRequest,
	stakeIn,
	Token,
	winIn,
	withTarget,
} from '#server/money/casino/providers/dialects/dialect.ts';
import type { Provider } from '#server/money/casino/providers/provider.ts';
import type { WalletStatus } from '#server/money/casino/providers/wallet-request.ts';
import { isInWindow } from '#server/platform/keys/signature.ts';

const UNITS_PER_MINOR = 1_000;
/** Of a free bet that names no campaign. */
const UNNAMED_CAMPAIGN = 'unnamed';

const Id = v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,64}$/));
const Stake = stakeIn(UNITS_PER_MINOR);
const Win = winIn(UNITS_PER_MINOR);
const Asked = { request_uuid: Id };
/** Optional details about the subject of a call. */
const Named = {
	user: v.optional(v.string()),
	token: v.optional(Token),
	game_code: v.optional(v.nullable(Id)),
	currency: v.optional(v.string()),
};
const namedIn = ({ user, token, game_code, currency }: v.InferOutput<v.ObjectSchema<typeof Named, undefined>>) => ({
	userId: user,
	sessionToken: token,
	game: game_code ?? undefined,
	currency,
});
const Transaction = { ...Asked, ...Named, transaction_uuid: Id, round: Id };
const NoTransaction = { transaction_uuid: Absent, reference_transaction_uuid: Absent, amount: Absent };
const refersToAnother = (fields: { transaction_uuid: string; reference_transaction_uuid: string }) =>
	fields.transaction_uuid !== fields.reference_transaction_uuid;

/** Each call with its fields, and its translation for the wallet. */
const REQUESTS: RequestSchemas = {
	'user/info': v.pipe(
		v.object({ ...Asked, user: v.string(), token: Absent, game_code: Absent, ...NoTransaction }),
		v.transform(({ user }) => ({ call: 'info' as const, userId: user })),
	),
	'user/balance': v.pipe(
		v.object({ ...Asked, ...Named, token: Token, ...NoTransaction }),
		v.transform(({ token, ...fields }) => ({
			call: 'authenticate' as const,
			launchToken: token,
			keepsToken: true,
			userId: fields.user,
		})),
	),
	'transaction/bet': v.pipe(
		v.object({
			...Transaction,
			token: Token,
			game_code: Id,
			currency: v.string(),
			amount: Stake,
			is_free: v.optional(v.boolean(), false),
			reward_uuid: v.optional(v.nullable(Id)),
			reference_transaction_uuid: Absent,
		}),
		v.transform(({ transaction_uuid: txId, round, token: sessionToken, game_code: game, currency, ...fields }) => {
			const { amount, user: userId, is_free: isFree, reward_uuid } = fields;
			const asked = { txId, round, game, sessionToken, currency, userId, mayChangeGame: true as const };
			// A free bet may name an amount, which is the campaign's and not the player's.
			if (isFree) return { call: 'freebet' as const, ...asked, campaign: reward_uuid ?? UNNAMED_CAMPAIGN };
			return { call: 'bet' as const, ...asked, amount };
		}),
	),
	'transaction/win': v.union([
		v.pipe(
			v.object({
				...Transaction,
				reference_transaction_uuid: Id,
				amount: Win,
				round_closed: v.optional(v.boolean(), false),
				is_supplier_promo: v.optional(v.literal(false)),
			}),
			v.check((fields) => refersToAnother(fields)),
			v.transform(
				({ transaction_uuid: txId, reference_transaction_uuid: refTxId, round, amount, round_closed, ...fields }) => ({
					call: 'win' as const,
					...namedIn(fields),
					txId,
					refTxId,
					round,
					amount,
					closes: round_closed,
				}),
			),
		),
		// A tournament prize names the player's session, which may have ended, and need not name a bet.
		v.pipe(
			v.object({ ...Transaction, token: Token, game_code: Id, amount: Win, is_supplier_promo: v.literal(true) }),
			v.transform(({ transaction_uuid: txId, amount, ...fields }) => ({
				call: 'promo' as const,
				...namedIn(fields),
				txId,
				amount,
			})),
		),
	]),
	'transaction/rollback': v.pipe(
		v.object({ ...Transaction, reference_transaction_uuid: Id, amount: Absent }),
		v.check((fields) => refersToAnother(fields)),
		v.transform(({ transaction_uuid: txId, reference_transaction_uuid: refTxId, round, ...fields }) => ({
			call: 'rollback' as const,
			...namedIn(fields),
			txId,
			refTxId,
			round,
		})),
	),
};

const WORDS: Readonly<Record<WalletStatus, string>> = {
	OK: 'RS_OK',
	INSUFFICIENT_FUNDS: 'RS_ERROR_NOT_ENOUGH_MONEY',
	DUPLICATE_TRANSACTION: 'RS_ERROR_DUPLICATE_TRANSACTION',
	TRANSACTION_NOT_FOUND: 'RS_ERROR_TRANSACTION_DOES_NOT_EXIST',
	ALREADY_REFUNDED: 'RS_ERROR_TRANSACTION_ROLLED_BACK',
	// The dialect has no status of its own for a bet that was paid.
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

/** Any of the provider's public keys is valid: the request names none. */
function isSignedByKey({ keys }: Provider, raw: RawRequest, nowMs: number): boolean {
	const timestamp = headerOf(raw, 'x-wallet-timestamp');
	if (timestamp !== '' && !isInWindow(timestamp, nowMs)) return false;
	const signed = timestamp === '' ? raw.body : Buffer.concat([Buffer.from(`${timestamp}.`), withTarget(raw)]);
	const signature = Buffer.from(headerOf(raw, 'x-hub88-signature'), 'base64');
	return [...keys.values()].some((key) => verify('RSA-SHA256', signed, key, signature));
}

/** The request's own id, echoed in its answer; empty if the body has none. */
function requestIdOf({ body }: RawRequest): string {
	try {
		return String((JSON.parse(body.toString('utf8')) as { request_uuid?: unknown }).request_uuid ?? '');
	} catch {
		return '';
	}
}

export const rsaDialect: Dialect = {
	isSigned: isSignedByKey,
	signedBody: (raw) => (headerOf(raw, 'x-wallet-timestamp') === '' ? raw.body.toString('base64') : null),
	read: (raw) => readRequest(REQUESTS, raw, jsonIn(raw)),
	write: ({ call }, { outcome }, raw) => {
		const { status, userId: user, currency, balance, country, brand: sub_partner_id, transactionId } = outcome;
		const answer = { status: WORDS[status], request_uuid: requestIdOf(raw), user };
		if (call === 'info') return { status: 200, body: JSON.stringify({ ...answer, country, sub_partner_id }) };
		const money = { currency, balance: balance === undefined ? undefined : balance * UNITS_PER_MINOR };
		return { status: 200, body: JSON.stringify({ ...answer, ...money, operator_transaction_id: transactionId }) };
	},
	refuse: (status, raw) => ({
		status: status === 'UNKNOWN' ? 503 : 200,
		body: JSON.stringify({ status: WORDS[status], request_uuid: requestIdOf(raw) }),
	}),
};
