/** Carries bytes between one browser and its connection; a connection has at most one transport at a time. */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Encoded, TransferFormat } from '#server/hub/protocols/protocol.ts';

export interface Transport {
	/** Hands over; false when it takes no more until it says `ready`. What is handed over all the same is not lost. */
	write(encoded: Encoded): boolean;
	/** Ends it after what was handed over. */
	close(): void;
	/** Ends it at once. */
	cut(): void;
	/** The transport shows by itself that the client is there, now: no pings are needed either way. */
	readonly keepsAlive: boolean;
	/** What the client says comes by POST. */
	readonly takesPosts: boolean;
	/** What it can carry. */
	readonly formats: readonly TransferFormat[];
}

/** The connection, as its transport reports to it. */
export interface TransportListener {
	/** Bytes arrived, in a frame of this format or, without frames, of none. */
	received(data: Buffer, format: TransferFormat | null): void;
	/** The transport accepts more bytes. */
	ready(transport: Transport): void;
	/** The transport is gone. */
	gone(transport: Transport): void;
}

/** How negotiation offers a transport. */
export interface TransportOffer {
	transport: 'WebSockets' | 'ServerSentEvents' | 'LongPolling';
	transferFormats: readonly TransferFormat[];
}

/** A transport of plain HTTP requests; what the client says comes by POST. */
export interface HttpTransport {
	offer: TransportOffer;
	/** Whether a GET with these headers is for it. */
	serves(headers: IncomingHttpHeaders): boolean;
	/** Begins a transport with the first GET. @param headers go with every answer */
	open(response: ServerResponse, headers: Record<string, string>, end: TransportListener): Transport;
	/** A further GET on a transport of its own; false when it takes none. */
	again(transport: Transport, response: ServerResponse, headers: Record<string, string>): boolean;
}
