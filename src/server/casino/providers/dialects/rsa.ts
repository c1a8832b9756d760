/**
 * A dialect like Hub88's: JSON with amounts in hundred-thousandths of the currency, RSA-SHA256 over the body. The session
 * keeps the launch token. What a rule refuses is answered with 200 and a status.
 *
 * The signature knows no time. A request that is shown again is harmless: its transaction id is known, and is answered as
 * before. A provider that sends `X-Wallet-Timestamp` signs the time, a dot and the body, and its clock is checked.
 *
 * @see https://docs.hub88.io/developer-docs/operator-api-reference/wallet-api
 */
import { verify } from 'node:crypto';
import * as v from 'valibot';
import {
	type Dialect,
	headerOf,
	type RawRequest,
	type RequestSchemas,
	readRequest,
	stakeIn,
	Token,
	winIn,
} from '#server/casino/providers/dialects/dialect.ts';
import type { Provider } from '#server/casino/providers/provider.ts';
import type { WalletStatus } from '#server/casino/providers/wallet-request.ts';
import { isInWindow } from '#server/signature.ts';

const UNITS_PER_PAISA = 1_000;
/** Of a free bet that names no campaign. */
const UNNAMED_CAMPAIGN = 'unnamed';

const Id = v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,64}$/));
const Stake = stakeIn(UNITS_PER_PAISA);
const Win = winIn(UNITS_PER_PAISA);
const Asked = { request_uuid: Id };
const Transaction = { ...Asked, transaction_uuid: Id, round: Id };
const Reference = { ...Transaction, reference_transaction_uuid: Id };

/** Each call with its fields, as the wallet knows it. */
const REQUESTS: RequestSchemas = {
	'user/balance': v.pipe(
		v.object({ ...Asked, token: Token }),
		v.transform(({ token }) => ({ call: 'authenticate' as const, launchToken: token, keepsToken: true })),
	),
	'transaction/bet': v.pipe(
		v.object({
			...Transaction,
			token: Token,
			game_code: Id,
			amount: Stake,
			currency: v.string(),
			user: v.optional(v.string()),
			is_free: v.optional(v.boolean(), false),
			reward_uuid: v.optional(Id, UNNAMED_CAMPAIGN),
		}),
		v.transform(({ transaction_uuid: txId, round, token: sessionToken, game_code: game, currency, ...fields }) => {
			const { amount, user, is_free: isFree, reward_uuid: campaign } = fields;
			const asked = { txId, round, game, sessionToken, currency, ...(user === undefined ? {} : { userId: user }) };
			// A free bet may name an amount, which is the campaign's and not the player's.
			return isFree ? { call: 'freebet' as const, ...asked, campaign } : { call: 'bet' as const, ...asked, amount };
		}),
	),
	'transaction/win': v.pipe(
		v.object({ ...Reference, amount: Win, round_closed: v.optional(v.boolean(), false) }),
		v.transform(
			({ transaction_uuid: txId, reference_transaction_uuid: refTxId, round, amount, round_closed: closes }) => ({
				call: 'win' as const,
				txId,
				refTxId,
				round,
				amount,
				closes,
			}),
		),
	),
	'transaction/rollback': v.pipe(
		v.object(Reference),
		v.check((fields) => fields.transaction_uuid !== fields.reference_transaction_uuid),
		v.transform(({ transaction_uuid: txId, reference_transaction_uuid: refTxId }) => ({
			call: 'rollback' as const,
			txId,
			refTxId,
			round: null,
		})),
	),
};

const WORDS: Readonly<Record<WalletStatus, string>> = {
	OK: 'RS_OK',
	INSUFFICIENT_FUNDS: 'RS_ERROR_NOT_ENOUGH_MONEY',
	DUPLICATE_TRANSACTION: 'RS_ERROR_DUPLICATE_TRANSACTION',
	TRANSACTION_NOT_FOUND: 'RS_ERROR_TRANSACTION_DOES_NOT_EXIST',
	ALREADY_REFUNDED: 'RS_ERROR_TRANSACTION_ROLLED_BACK',
	// The dialect has no word of its own for a bet that was paid.
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

/** Any of the provider's public keys counts: the request names none. */
function isSignedByKey({ keys }: Provider, raw: RawRequest, nowMs: number): boolean {
	const timestamp = headerOf(raw, 'x-wallet-timestamp');
	if (timestamp !== '' && !isInWindow(timestamp, nowMs)) return false;
	const signed = timestamp === '' ? raw.body : Buffer.concat([Buffer.from(`${timestamp}.`), raw.body]);
	const signature = Buffer.from(headerOf(raw, 'x-hub88-signature'), 'base64');
	return [...keys.values()].some((key) => verify('RSA-SHA256', signed, key, signature));
}

/** The request's own id, which its answer repeats; empty where the body has none. */
function requestIdOf({ body }: RawRequest): string {
	try {
		return String((JSON.parse(body.toString('utf8')) as { request_uuid?: unknown }).request_uuid ?? '');
	} catch {
		return '';
	}
}

export const rsaDialect: Dialect = {
	isSigned: isSignedByKey,
	read: (raw) => readRequest(REQUESTS, raw),
	write: (_, { outcome: { status, userId: user, currency, balance } }, raw) => ({
		status: 200,
		body: JSON.stringify({
			status: WORDS[status],
			request_uuid: requestIdOf(raw),
			user,
			currency,
			balance: balance === undefined ? undefined : balance * UNITS_PER_PAISA,
		}),
	}),
	refuse: (status, raw) => ({
		status: status === 'UNKNOWN' ? 503 : 200,
		body: JSON.stringify({ status: WORDS[status], request_uuid: requestIdOf(raw) }),
	}),
};
