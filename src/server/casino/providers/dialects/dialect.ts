/**
 * How providers speak to the wallet: one file a dialect. A dialect tells whether the provider signed a request, reads it
 * into the wallet's own form, and writes the outcome as the provider expects it. It decides nothing.
 */
import type { IncomingHttpHeaders } from 'node:http';
import * as v from 'valibot';
import type { Provider } from '#server/casino/providers/provider.ts';
import type { Answered, Outcome, WalletRequest } from '#server/casino/providers/wallet-request.ts';
import { isSigned } from '#server/signature.ts';
import { isStorable } from '#values/storable.ts';

export interface RawRequest {
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

/** @returns null for an unknown call, for a body that the call does not have, and for a text that cannot be stored */
export function readRequest(schemas: RequestSchemas, { call, body }: RawRequest): WalletRequest | null {
	const schema = Object.hasOwn(schemas, call) ? schemas[call] : undefined;
	if (!schema) return null;
	try {
		const sent: unknown = JSON.parse(body.toString('utf8'));
		const parsed = v.safeParse(schema, sent);
		return parsed.success && isStorable(sent) ? parsed.output : null;
	} catch {
		return null;
	}
}

export const headerOf = ({ headers }: RawRequest, name: string): string => String(headers[name] ?? '');

/** Whether a shared secret made the signature over time and body, within the window. */
export function isSignedBySecret({ keys }: Provider, request: RawRequest, nowMs: number): boolean {
	const signature = {
		keyId: headerOf(request, 'x-wallet-key-id'),
		timestamp: headerOf(request, 'x-wallet-timestamp'),
		signature: headerOf(request, 'x-wallet-signature'),
	};
	return isSigned(keys, signature, request.body, nowMs);
}
