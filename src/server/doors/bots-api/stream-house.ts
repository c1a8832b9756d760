/** Shared by the connections of the stream, and the refusals of the stream. */
import type { BotCaller, BotCallers } from '#server/doors/bots-api/caller.ts';
import type { MarketSources } from '#server/doors/bots-api/market-subscription.ts';
import type { OrderLog } from '#server/doors/bots-api/order-log.ts';
import type { StreamClock } from '#server/doors/bots-api/stream-clock.ts';

/** The stream's own error codes, beside those of exceptions. */
export type StreamError =
	| 'INVALID_INPUT'
	| 'TIMEOUT'
	| 'NOT_AUTHORIZED'
	| 'NO_APP_KEY'
	| 'INVALID_APP_KEY'
	| 'NO_SESSION'
	| 'INVALID_SESSION_INFORMATION'
	| 'MAX_CONNECTION_LIMIT_EXCEEDED'
	| 'SUBSCRIPTION_LIMIT_EXCEEDED'
	| 'INVALID_REQUEST'
	| 'TOO_MANY_REQUESTS'
	| 'CONNECTION_FAILED'
	| 'UNEXPECTED_ERROR';

/** Refuses a client's message; some refusals close its connection. */
export class StreamRefusal extends Error {
	readonly code: StreamError;
	readonly closes: boolean;
	constructor(code: StreamError, message: string, closes = false) {
		super(message);
		this.code = code;
		this.closes = closes;
	}
}

export interface StreamHouse {
	sources: MarketSources;
	orders: OrderLog;
	clock: StreamClock;
	callers: BotCallers;
	/**
	 * The caller of an app key and a session. A line of the client counts as a request of its session, a look of the server
	 * does not. @throws ApingException
	 */
	callerOf(named: { appKey: string; session: string; address: string }, by: 'line' | 'look'): BotCaller;
	/**
	 * Counts a connection for its player. @returns the number of further connections allowed; null if there are too many
	 */
	admit(session: object, caller: BotCaller): number | null;
	/** A fault that no client caused. */
	onFault(error: unknown): void;
}
