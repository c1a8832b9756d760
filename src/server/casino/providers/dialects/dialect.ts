/**
 * How providers speak to the wallet: one file a dialect. A dialect tells whether the provider signed a request, reads it
 * into the wallet's own form, and writes the outcome as the provider expects it. It decides nothing.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Provider } from '#server/casino/providers/provider.ts';
import type { Answered, Outcome, WalletRequest } from '#server/casino/providers/wallet-request.ts';

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
	write(request: WalletRequest, answered: Answered): DialectAnswer;
	/** For a request that was not read, or whose outcome is not known. */
	refuse(status: Outcome['status'], request: RawRequest): DialectAnswer;
}
