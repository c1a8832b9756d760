/**
 * How providers speak to the wallet: one file a dialect. A dialect tells whether the provider signed a request, reads it
 * into the wallet's own form, and writes the outcome as the provider expects it. It decides nothing.
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
	/** Of the address, as it was asked for. */
	path: string;
	/** The last part of the address. */
	call: string;
	headers: IncomingHttpHeaders;
	/** As it came: signatures are over these bytes. */
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
	 * Of a signature that covers no path: what it is over, the same however the request is written. A body that was taken by
	 * one call is then refused by every other. Null where the signature says which call it is for.
	 */
	signedBody(request: RawRequest): string | null;
	/** Null for what is no request of the dialect. */
	read(request: RawRequest): WalletRequest | null;
	write(request: WalletRequest, answered: Answered, raw: RawRequest): DialectAnswer;
	/** For a request that was not read, or whose outcome is not known. */
	refuse(status: Outcome['status'], raw: RawRequest): DialectAnswer;
}

/** The calls of a dialect, each with its fields and how the wallet understands them. */
export type RequestSchemas = Readonly<Record<string, v.GenericSchema<unknown, WalletRequest>>>;

export const Token = v.pipe(v.string(), v.maxLength(200));
/** Whole units of the dialect, zero included. */
export const Units = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** A stake in paise. One that is finer than a paisa is refused. */
export const stakeIn = (unitsPerPaisa: number) =>
	v.pipe(
		Units,
		v.multipleOf(unitsPerPaisa),
		v.transform((units) => units / unitsPerPaisa),
	);

/** A win in paise, cut down to whole ones. */
export const winIn = (unitsPerPaisa: number) =>
	v.pipe(
		Units,
		v.transform((units) => Math.floor(units / unitsPerPaisa)),
	);

/** A field that the call does not have, because another call is told apart by it. */
export const Absent = v.optional(v.undefined());

/** What a body has in JSON; null for what is none, and where a name is there twice. */
export const jsonIn = ({ body }: RawRequest): unknown => parseUnique(body.toString('utf8'));

/**
 * @param fields the body, as the dialect reads it
 * @returns null for an unknown call, for a body that the call does not have, and for a text that cannot be stored
 */
export function readRequest(schemas: RequestSchemas, { call }: RawRequest, fields: unknown): WalletRequest | null {
	const schema = Object.hasOwn(schemas, call) ? schemas[call] : undefined;
	if (!schema) return null;
	const parsed = v.safeParse(schema, fields);
	return parsed.success && isStorable(fields) ? parsed.output : null;
}

export const headerOf = ({ headers }: RawRequest, name: string): string => String(headers[name] ?? '');

/** The bytes of a signature that says which call it is for. */
export const withTarget = ({ method, path, body }: RawRequest): Buffer =>
	Buffer.concat([Buffer.from(`${method} ${path}.`), body]);

/** Whether a shared secret made the signature over time, method, path and body, within the window. */
export function isSignedBySecret({ keys }: Provider, request: RawRequest, nowMs: number): boolean {
	const signature = {
		keyId: headerOf(request, 'x-wallet-key-id'),
		timestamp: headerOf(request, 'x-wallet-timestamp'),
		signature: headerOf(request, 'x-wallet-signature'),
	};
	return isSigned(keys, signature, withTarget(request), nowMs);
}
