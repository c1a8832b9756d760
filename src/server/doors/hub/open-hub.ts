/** The hub of a process: its routes for the HTTP server, its upgrades, and its shutdown. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { WebSocketServer } from 'ws';
import type { HubConnection } from '#server/doors/hub/connection.ts';
import { Connections } from '#server/doors/hub/connections.ts';
import type { HubBackend, HubBuses } from '#server/doors/hub/hub.ts';
import { hubRoutes } from '#server/doors/hub/hub-routes.ts';
import { type HubRequest, requestReader } from '#server/doors/hub/requests.ts';
import { LARGEST_FRAME_BYTES, openWebSocket } from '#server/doors/hub/transports/web-sockets.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import { ERRORS, Refused } from '#values/error-catalogue.ts';

export interface HubOptions {
	buses: HubBuses;
	backend: HubBackend;
	log: Logger;
	trustedProxies: string[];
	/** Limits of connections from one address and of one player; one more closes the oldest. */
	hubLimits: { perAddress: number; perPlayer: number };
	/** Multiplies the limits of what a connection may send. */
	rateLimitFactor: number;
	/** A random name when empty. */
	nodeId: string;
	clock?: () => number;
	/** Between two looks at what is due at each connection; a second by default. */
	pulseMs?: number;
}

const PULSE_MS = 1000;

export interface Hub {
	/** Registers the hub's plain HTTP. */
	routes(scope: FastifyInstance): Promise<void>;
	/** Handles the upgrades of a server. */
	attach(server: Server): void;
	/** Messages of this bus may have been lost: each of its clients gets its images again. */
	refresh(bus: Bus): void;
	/** The number of clients. */
	connections(): number;
	/** Closes all connections; resolves when they are closed or were cut off. */
	close(): Promise<void>;
}

/** Connections that are still open after this time are cut off. */
const FAREWELL_MS = 500;

export function openHub(options: HubOptions): Hub {
	const read = requestReader(options.trustedProxies);
	const connections = new Connections({
		buses: options.buses,
		backend: options.backend,
		log: options.log,
		rateLimitFactor: options.rateLimitFactor,
		clock: options.clock ?? Date.now,
		nodeId: options.nodeId || randomBytes(6).toString('base64url'),
		mostPerAddress: options.hubLimits.perAddress,
		mostPerPlayer: options.hubLimits.perPlayer,
		pulseMs: options.pulseMs ?? PULSE_MS,
	});
	const sockets = new WebSocketServer({ noServer: true, maxPayload: LARGEST_FRAME_BYTES, clientTracking: false });
	const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
		socket.on('error', () => socket.destroy());
		const accept = (connection: HubConnection): void =>
			sockets.handleUpgrade(request, socket, head, (webSocket) => {
				connection.attach(openWebSocket(webSocket, socket, connection));
			});
		connectionFor(connections, () => read(request)).then(accept, (error: unknown) => {
			if (!(error instanceof Refused)) options.log.error({ err: error }, 'an upgrade failed');
			refuse(socket, error instanceof Refused ? error.code : 'INTERNAL');
		});
	};
	let server: Server | null = null;

	return {
		routes: (scope) => hubRoutes(scope, { connections, read }),
		attach: (to) => {
			server = to.on('upgrade', upgrade);
		},
		refresh: (bus) => void connections.refresh(bus),
		connections: () => connections.count,
		close: async () => {
			server?.off('upgrade', upgrade);
			connections.endAll('The server is being restarted.');
			const until = Date.now() + FAREWELL_MS;
			while (connections.count > 0 && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 10));
			connections.cutAll();
		},
	};
}

/** The negotiated connection that an upgrade names, or a new one for a client that did not negotiate. */
async function connectionFor(connections: Connections, read: () => HubRequest): Promise<HubConnection> {
	const request = read();
	if (request.path !== '/hub') throw new Refused('NOT_FOUND');
	const visit = await connections.admit(request);
	await connections.checkToken(visit);
	if (!request.query.has('id')) return connections.create(visit, { stateful: false, secret: true }).connection;
	const connection = connections.find(visit);
	if (!connection.acceptsTransport) throw new Refused('WRONG_TRANSPORT');
	return connection;
}

function refuse(socket: Duplex, code: keyof typeof ERRORS): void {
	// A client that does not close its end is cut off.
	socket.once('finish', () => socket.destroy());
	const body = JSON.stringify({ success: false, error: { code, message: ERRORS[code].message } });
	socket.end(
		`HTTP/1.1 ${ERRORS[code].status} ${code}\r\nConnection: close\r\nContent-Type: application/json\r\n` +
			`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
	);
}
