/** The JSON protocol: objects ended by a separator. */

import { SEPARATOR } from '#server/doors/hub/protocols/handshake.ts';
import {
	checkSize,
	type Encoded,
	type HubProtocol,
	type IncomingParts,
	incomingOf,
	type Outgoing,
	TYPE,
} from '#server/doors/hub/protocols/protocol.ts';

const SEPARATOR_TEXT = String.fromCharCode(SEPARATOR);

function contentOf(message: Outgoing): object {
	switch (message.kind) {
		case 'invocation':
			return { type: TYPE.invocation, target: message.target, arguments: [message.argument] };
		case 'completion':
			return { type: TYPE.completion, invocationId: message.invocationId, result: message.result };
		case 'failure':
			return { type: TYPE.completion, invocationId: message.invocationId, error: message.error };
		case 'close':
			return { type: TYPE.close, error: message.error, allowReconnect: message.allowReconnect };
		case 'ping':
			return { type: TYPE.ping };
		default:
			return { type: TYPE[message.kind], sequenceId: message.sequenceId };
	}
}

export const jsonProtocol: HubProtocol = {
	name: 'json',
	format: 'Text',
	read: (data) => {
		if (data.at(-1) !== SEPARATOR) throw new Error('a record without its end');
		const records = data.toString('utf8').slice(0, -1).split(SEPARATOR_TEXT);
		return records.map((record) => {
			checkSize(Buffer.byteLength(record));
			const message: unknown = JSON.parse(record);
			if (typeof message !== 'object' || message === null || Array.isArray(message)) {
				throw new Error('a record that is no object');
			}
			return incomingOf((message as { type?: unknown }).type, message as IncomingParts);
		});
	},
	write: (message): Encoded => ({
		bytes: Buffer.from(JSON.stringify(contentOf(message)) + SEPARATOR_TEXT),
		format: 'Text',
	}),
};
