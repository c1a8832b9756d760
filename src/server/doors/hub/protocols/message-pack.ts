/** The MessagePack protocol: arrays, each behind its length as a variable number of seven-bit groups, lowest first. */
import { Decoder, Encoder } from '@msgpack/msgpack';
import {
	checkSize,
	type Encoded,
	type HubProtocol,
	type Incoming,
	incomingOf,
	LARGEST_MESSAGE_BYTES,
	type Outgoing,
	TYPE,
} from '#server/doors/hub/protocols/protocol.ts';

/** Limit of entries of a list or a map, so that a claimed length costs no memory. */
const MOST_ENTRIES = 1000;
const LONGEST_PREFIX_BYTES = 5;
const FAILED = 1;
const SUCCEEDED = 3;

const encoder = new Encoder();

function newDecoder(): Decoder {
	const size = LARGEST_MESSAGE_BYTES;
	return new Decoder(undefined, undefined, size, size, MOST_ENTRIES, MOST_ENTRIES, size);
}
let decoder = newDecoder();

function decode(bytes: Buffer): unknown {
	try {
		return decoder.decode(bytes);
	} catch (error) {
		// A decoder that failed keeps its partial state.
		decoder = newDecoder();
		throw error;
	}
}

/** The records in these bytes. @throws on a length that is cut, too large, or longer than the bytes that follow */
function* recordsOf(data: Buffer): Generator<Buffer> {
	let at = 0;
	while (at < data.length) {
		let size = 0;
		let read = 0;
		let byte: number;
		do {
			byte = data[at + read] ?? 0x80;
			size += (byte & 0x7f) * 2 ** (7 * read);
			read += 1;
		} while (byte >= 0x80 && read < LONGEST_PREFIX_BYTES);
		if (byte >= 0x80) throw new Error('a length without its end');
		checkSize(size);
		at += read;
		if (at + size > data.length) throw new Error('a record without its end');
		yield data.subarray(at, at + size);
		at += size;
	}
}

function incoming(record: Buffer): Incoming {
	const parts = decode(record);
	if (!Array.isArray(parts)) throw new Error('a record that is no list');
	const type: unknown = parts[0];
	if (type === TYPE.ack || type === TYPE.sequence) return incomingOf(type, { sequenceId: parts[1] });
	// parts[1] holds headers, which are ignored.
	const [, , invocationId, target, args, streamIds] = parts as unknown[];
	return incomingOf(type, { invocationId, target, arguments: args, streamIds });
}

function contentOf(message: Outgoing): unknown[] {
	switch (message.kind) {
		case 'invocation':
			return [TYPE.invocation, {}, null, message.target, [message.argument], []];
		case 'completion':
			return [TYPE.completion, {}, message.invocationId, SUCCEEDED, message.result];
		case 'failure':
			return [TYPE.completion, {}, message.invocationId, FAILED, message.error];
		case 'close':
			return [TYPE.close, message.error ?? null, message.allowReconnect];
		case 'ping':
			return [TYPE.ping];
		default:
			return [TYPE[message.kind], message.sequenceId];
	}
}

function lengthPrefix(size: number): number[] {
	const groups: number[] = [];
	for (let rest = size; ; rest = Math.floor(rest / 128)) {
		if (rest < 128) return [...groups, rest];
		groups.push((rest % 128) + 128);
	}
}

export const messagePackProtocol: HubProtocol = {
	name: 'messagepack',
	format: 'Binary',
	read: (data) => Array.from(recordsOf(data), incoming),
	write: (message): Encoded => {
		const content = encoder.encode(contentOf(message));
		return { bytes: Buffer.concat([Buffer.from(lengthPrefix(content.length)), content]), format: 'Binary' };
	},
};
