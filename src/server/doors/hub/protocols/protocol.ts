/**
 * A hub protocol encodes and decodes the messages of a connection. Each protocol is a file and a row of
 * `protocols.ts`. Source: the public SignalR hub protocol, and the behaviour of the official client.
 */

export type TransferFormat = 'Text' | 'Binary';

/** An invocation of a hub method; without an id the client expects no answer. */
export interface Invocation {
	invocationId: string | null;
	target: string;
	arguments: unknown[];
	/** Asks for a stream or sends one; no hub method has streams. */
	streams: boolean;
}

/** The messages of a client after the handshake. */
export type Incoming =
	| { kind: 'invocation'; invocation: Invocation }
	| { kind: 'ack' | 'sequence'; sequenceId: number }
	| { kind: 'ping' | 'close' }
	/** Parts and ends of streams, and answers to calls we never make: counted and passed over. */
	| { kind: 'stream-part' }
	/** A type of a later version, which the protocol says to ignore. */
	| { kind: 'unknown' };

export type Outgoing =
	| { kind: 'invocation'; target: string; argument: object }
	| { kind: 'completion'; invocationId: string; result: unknown }
	| { kind: 'failure'; invocationId: string; error: string }
	| { kind: 'close'; error?: string; allowReconnect: boolean }
	| { kind: 'ack' | 'sequence'; sequenceId: number }
	| { kind: 'ping' };

/** One or more whole records, ready to be sent. All subscribers of a message share the object. */
export interface Encoded {
	readonly bytes: Buffer;
	readonly format: TransferFormat;
}

export interface HubProtocol {
	/** Its name in the handshake. */
	readonly name: string;
	readonly format: TransferFormat;
	/** All records of a chunk. @throws on a truncated record and on anything that the protocol does not allow */
	read(data: Buffer): Incoming[];
	write(message: Outgoing): Encoded;
}

/** The numbers of message types on the wire. */
export const TYPE = {
	invocation: 1,
	streamItem: 2,
	completion: 3,
	streamInvocation: 4,
	cancelInvocation: 5,
	ping: 6,
	close: 7,
	ack: 8,
	sequence: 9,
} as const;

export const LARGEST_MESSAGE_BYTES = 32 * 1024;

/** @throws if one message exceeds the limit; many small ones may arrive together */
export function checkSize(bytes: number): void {
	if (bytes > LARGEST_MESSAGE_BYTES) throw new Error(`a message above ${LARGEST_MESSAGE_BYTES} bytes`);
}

/** The parts of message parsing common to both protocols. @throws on parts of the wrong type */
export function incomingOf(type: unknown, parts: IncomingParts): Incoming {
	switch (type) {
		case TYPE.invocation:
		case TYPE.streamInvocation:
			return { kind: 'invocation', invocation: invocationOf(type === TYPE.streamInvocation, parts) };
		case TYPE.streamItem:
		case TYPE.completion:
		case TYPE.cancelInvocation:
			return { kind: 'stream-part' };
		case TYPE.ping:
			return { kind: 'ping' };
		case TYPE.close:
			return { kind: 'close' };
		case TYPE.ack:
			return { kind: 'ack', sequenceId: sequenceOf(parts.sequenceId) };
		case TYPE.sequence:
			return { kind: 'sequence', sequenceId: sequenceOf(parts.sequenceId) };
		default:
			if (!Number.isInteger(type)) throw new Error('a message without a type');
			return { kind: 'unknown' };
	}
}

export interface IncomingParts {
	invocationId?: unknown;
	target?: unknown;
	arguments?: unknown;
	streamIds?: unknown;
	sequenceId?: unknown;
}

const LONGEST_INVOCATION_ID = 100;

function invocationOf(asksForStream: boolean, parts: IncomingParts): Invocation {
	const { invocationId = null, target, arguments: args, streamIds } = parts;
	const hasId = typeof invocationId === 'string' && invocationId !== '' && invocationId.length <= LONGEST_INVOCATION_ID;
	if (invocationId !== null && !hasId) throw new Error('an invocation id that is no text');
	if (typeof target !== 'string' || target === '') throw new Error('an invocation without a target');
	if (!Array.isArray(args)) throw new Error('an invocation without arguments');
	const bringsStream = Array.isArray(streamIds) && streamIds.length > 0;
	return {
		invocationId: invocationId as string | null,
		target,
		arguments: args,
		streams: asksForStream || bringsStream,
	};
}

function sequenceOf(value: unknown): number {
	if (!Number.isSafeInteger(value) || (value as number) < 0) throw new Error('a sequence id that is no number');
	return value as number;
}
