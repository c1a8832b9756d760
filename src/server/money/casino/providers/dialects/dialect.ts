/**
 * The protocols of providers for the wallet: one file per dialect. A dialect verifies the signature of a request,
 * parses it into the wallet's own form, and writes the outcome in the provider's format. It decides nothing.
 */
import type { IncomingHttpHeaders } from 'node:http';
import * as v from 'valibot';
import type { Provider } from '#server/money/casino/providers/provider.ts';
import type { Answered, Outcome, WalletRequest } from '#server/money/casino/providers/wallet-request.ts';
import { isSigned } from '#server/platform/keys/signature.ts';
import { isStorable } from '#values/storable.ts';
import { parseUnique } from '#values/unique-keys.ts';

export interface RawRequest {
	method: string;
	/** The path of the address, as requested. */
	path: string;
	/** The last part of the address. */
	call: string;
	headers: IncomingHttpHeaders;
	/** As received: signatures are over these bytes. */
	body: Buffer;
}

export interface DialectAnswer {
	status: number;
	body: string;
}

export interface Dialect {
	/** @param nowMs of the wall clock */
	isSigned(provider: Provider, request: RawRequest, nowMs: number): boolean;
	/**
	 * For a signature that covers no path: the signed content, the same for every encoding of the request. After one
	 * call has used a body, every other call refuses it. Null if the signature names the call.
	 */
	signedBody(request: RawRequest): string | null;
	/** Null if it is not a request of the dialect. */
	read(request: RawRequest): WalletRequest | null;
	write(request: WalletRequest, answered: Answered, raw: RawRequest): DialectAnswer;
	/** For an unreadable request, or an unknown outcome. */
	refuse(status: Outcome['status'], raw: RawRequest): DialectAnswer;
}

/** The calls of a dialect, each with its fields and its translation for the wallet. */
export type RequestSchemas = Readonly<Record<string, v.GenericSchema<unknown, WalletRequest>>>;

export const Token = v.pipe(v.string(), v.maxLength(200));
/** Whole units of the dialect, zero included. */
export const Units = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** A stake in minor units. Parts of a minor unit are refused. */
export const stakeIn = (unitsPerMinor: number) =>
	v.pipe(
		Units,
		v.multipleOf(unitsPerMinor),
		v.transform((units) => units / unitsPerMinor),
	);

/** A win in minor units, truncated to whole minor units. */
export const winIn = (unitsPerMinor: number) =>
	v.pipe(
		Units,
		v.transform((units) => Math.floor(units / unitsPerMinor)),
	);

/** A field that the call must not have, because it marks another call. */
export const Absent = v.optional(v.undefined());

/** The JSON content of a body; null for invalid JSON and for duplicate names. */
export const jsonIn = ({ body }: RawRequest): unknown => parseUnique(body.toString('utf8'));

/**
 * @param fields the body, as the dialect parses it
 * @returns null for an unknown call, for a body without the call's fields, and for a text that cannot be stored
 */
export function readRequest(schemas: RequestSchemas, { call }: RawRequest, fields: unknown): WalletRequest | null {
	const schema = Object.hasOwn(schemas, call) ? schemas[call] : undefined;
	if (!schema) return null;
	const parsed = v.safeParse(schema, fields);
	return parsed.success && isStorable(fields) ? parsed.output : null;
}

export const headerOf = ({ headers }: RawRequest, name: string): string => String(headers[name] ?? '');

/** The signed bytes, for a signature that names the call. */
export const withTarget = ({ method, path, body }: RawRequest): Buffer =>
	Buffer.concat([Buffer.from(`${method} ${path}.`), body]);

/** Whether the signature over time, method, path and body was made with a shared secret, within the time window. */
export function isSignedBySecret({ keys }: Provider, request: RawRequest, nowMs: number): boolean {
	const signature = {
		keyId: headerOf(request, 'x-wallet-key-id'),
		timestamp: headerOf(request, 'x-wallet-timestamp'),
		signature: headerOf(request, 'x-wallet-signature'),
	};
	return isSigned(keys, signature, withTarget(request), nowMs);
}
