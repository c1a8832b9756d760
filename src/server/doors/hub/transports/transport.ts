/** Carries bytes between one browser and its connection. A connection has at most one transport at a time. */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Encoded, TransferFormat } from '#server/doors/hub/protocols/protocol.ts';

export interface Transport {
	/** Sends; false if the caller should stop until `ready`. Bytes sent nevertheless are not lost. */
	write(encoded: Encoded): boolean;
	/** Ends the transport after the bytes handed over. */
	close(): void;
	/** Ends it immediately. */
	cut(): void;
	/** The transport shows by itself that the client is present, so no pings are needed either way. */
	readonly keepsAlive: boolean;
	/** The client sends by POST. */
	readonly takesPosts: boolean;
	/** The formats that it can carry. */
	readonly formats: readonly TransferFormat[];
}

/** The connection as its transport sees it. */
export interface TransportListener {
	/** Bytes arrived, in a frame of this format, or of no format when there are no frames. */
	received(data: Buffer, format: TransferFormat | null): void;
	/** The transport accepts more bytes. */
	ready(transport: Transport): void;
	/** The transport has ended. */
	gone(transport: Transport): void;
}

/** How negotiation offers a transport. */
export interface TransportOffer {
	transport: 'WebSockets' | 'ServerSentEvents' | 'LongPolling';
	transferFormats: readonly TransferFormat[];
}

/** A transport over plain HTTP requests; the client sends by POST. */
export interface HttpTransport {
	offer: TransportOffer;
	/** Whether a GET with these headers belongs to it. */
	serves(headers: IncomingHttpHeaders): boolean;
	/**
	 * Starts a transport with the first GET.
	 * @param headers added to every answer
	 */
	open(response: ServerResponse, headers: Record<string, string>, end: TransportListener): Transport;
	/** Handles a further GET of its transport; false when it accepts none. */
	again(transport: Transport, response: ServerResponse, headers: Record<string, string>): boolean;
}
