/** The SignalR JSON protocol: records of JSON ended by a separator. Source: the public SignalR hub protocol. */

const SEPARATOR = '\u001e';

/** A call of one of the hub's methods; without an id nobody waits for the answer. */
export interface Invocation {
	invocationId: string | null;
	target: string;
	arguments: unknown[];
}

/** What a client may send after the handshake. */
export type Incoming =
	| { kind: 'invocation'; invocation: Invocation }
	| { kind: 'ping' }
	| { kind: 'close' }
	| { kind: 'other' };

/** Splits a frame into records; throws on one that is cut short. */
export function recordsOf(frame: string): string[] {
	if (!frame.endsWith(SEPARATOR)) throw new Error('a record without its end');
	return frame.slice(0, -1).split(SEPARATOR);
}

/** The error of a handshake, or null when it asks for what we speak. */
export function handshakeError(record: string): string | null {
	const handshake: unknown = JSON.parse(record);
	if (typeof handshake !== 'object' || handshake === null) return 'The handshake is not an object.';
	const { protocol, version } = handshake as Record<string, unknown>;
	return protocol === 'json' && version === 1 ? null : 'Only the JSON protocol, version 1, is spoken here.';
}

export function parseRecord(record: string): Incoming {
	const message: unknown = JSON.parse(record);
	if (typeof message !== 'object' || message === null || Array.isArray(message)) {
		throw new Error('a record that is no object');
	}
	const { type, invocationId, target, arguments: args } = message as Record<string, unknown>;
	if (type === 6) return { kind: 'ping' };
	if (type === 7) return { kind: 'close' };
	if (type !== 1 || typeof target !== 'string' || !Array.isArray(args)) return { kind: 'other' };
	return {
		kind: 'invocation',
		invocation: { invocationId: typeof invocationId === 'string' ? invocationId : null, target, arguments: args },
	};
}

const record = (message: object): string => JSON.stringify(message) + SEPARATOR;

export const handshakeAnswer = (error: string | null): string => record(error === null ? {} : { error });
export const pingRecord = (): string => record({ type: 6 });
export const closeRecord = (error?: string): string =>
	record({ type: 7, ...(error ? { error } : {}), allowReconnect: true });
export const completionRecord = (invocationId: string, result: unknown): string =>
	record({ type: 3, invocationId, result });
export const errorRecord = (invocationId: string, error: string): string => record({ type: 3, invocationId, error });
/** A call of the client's method `Message` with the one argument the site expects. */
export const messageRecord = (argument: object): string =>
	record({ type: 1, target: 'Message', arguments: [argument] });
