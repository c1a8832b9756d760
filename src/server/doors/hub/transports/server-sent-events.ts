/** Server-Sent Events: one answer that never ends carries text to the browser; the browser sends by POST. */
import type { ServerResponse } from 'node:http';
import type { Encoded } from '#server/doors/hub/protocols/protocol.ts';
import type {
	HttpTransport,
	Transport,
	TransportListener,
	TransportOffer,
} from '#server/doors/hub/transports/transport.ts';

const offer: TransportOffer = { transport: 'ServerSentEvents', transferFormats: ['Text'] };

const events = new WeakMap<Encoded, string>();

/** A JSON record contains no line break, so it is one line of data. */
function eventOf(encoded: Encoded): string {
	const held = events.get(encoded);
	if (held !== undefined) return held;
	const event = `data: ${encoded.bytes.toString('utf8')}\r\n\r\n`;
	events.set(encoded, event);
	return event;
}

function open(response: ServerResponse, headers: Record<string, string>, end: TransportListener): Transport {
	const transport: Transport = {
		keepsAlive: false,
		takesPosts: true,
		formats: offer.transferFormats,
		write: (encoded) => response.write(eventOf(encoded)),
		close: () => response.end(),
		cut: () => response.destroy(),
	};
	response.writeHead(200, {
		...headers,
		'Content-Type': 'text/event-stream',
		'cache-control': 'no-store',
		// A proxy that buffered the answer would hold back every message.
		'X-Accel-Buffering': 'no',
	});
	// A comment shows the client immediately that the transport works.
	response.write(':\r\n');
	response.on('drain', () => end.ready(transport));
	response.on('error', () => response.destroy());
	response.on('close', () => end.gone(transport));
	return transport;
}

export const serverSentEvents: HttpTransport = {
	offer,
	serves: ({ accept }) => accept?.includes('text/event-stream') ?? false,
	open,
	again: () => false,
};
