/** The hub's plain HTTP: negotiation, the transports that need no upgrade, and the CORS rules of both. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Connections, Visit } from '#server/doors/hub/connections.ts';
import type { HubRequest } from '#server/doors/hub/requests.ts';
import { HTTP_TRANSPORTS } from '#server/doors/hub/transports/http-transports.ts';
import { LARGEST_FRAME_BYTES, webSockets } from '#server/doors/hub/transports/web-sockets.ts';
import { Refused } from '#values/error-catalogue.ts';

const OFFERS = [webSockets, ...HTTP_TRANSPORTS.map(({ offer }) => offer)];
const PREFLIGHT_SECONDS = '600';

interface HubRoutesOptions {
	connections: Connections;
	read: (request: FastifyRequest['raw']) => HubRequest;
}

/** Registers `/hub` and the paths below it, in a scope of their own. */
export async function hubRoutes(scope: FastifyInstance, { connections, read }: HubRoutesOptions): Promise<void> {
	const visits = new WeakMap<FastifyRequest, Visit>();
	const visitOf = (request: FastifyRequest): Visit => visits.get(request) as Visit;

	scope.removeAllContentTypeParsers();
	scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: LARGEST_FRAME_BYTES }, (_, body, done) =>
		done(null, body),
	);
	// Set before the body is read, so that the calling page can read every error.
	scope.addHook('onRequest', async (request, reply) => {
		reply.header('Vary', 'Origin');
		const visit = await connections.admit(read(request.raw));
		visits.set(request, visit);
		const { origin } = visit.request;
		if (origin === null) return;
		reply.header('Access-Control-Allow-Origin', origin).header('Access-Control-Allow-Credentials', 'true');
	});

	scope.options('/hub', (request, reply) => preflight(request, reply));
	scope.options('/hub/negotiate', (request, reply) => preflight(request, reply));
	scope.route({
		method: 'POST',
		url: '/hub/negotiate',
		handler: async (request) => {
			const visit = visitOf(request);
			await connections.checkToken(visit);
			return negotiate(connections, visit);
		},
	});
	scope.get('/hub', async (request, reply) => {
		const visit = visitOf(request);
		const connection = connections.find(visit);
		await connections.checkToken(visit);
		const headers = reply.getHeaders() as Record<string, string>;
		const { transport } = connection;
		// The transport that this GET is for must be the connection's transport.
		const requested = HTTP_TRANSPORTS.find(({ serves }) => serves(request.headers));
		if (!requested) throw new Refused('WRONG_TRANSPORT');
		if (transport) {
			if (!requested.again(transport, reply.raw, headers)) throw new Refused('WRONG_TRANSPORT');
		} else {
			if (!connection.acceptsTransport) throw new Refused('WRONG_TRANSPORT');
			connection.attach(requested.open(reply.raw, headers, connection));
		}
		reply.hijack();
	});
	scope.post('/hub', async (request, reply) => {
		const visit = visitOf(request);
		const connection = connections.find(visit);
		await connections.checkToken(visit);
		if (!connection.transport?.takesPosts) throw new Refused('WRONG_TRANSPORT');
		if (Buffer.isBuffer(request.body) && request.body.length > 0) connection.received(request.body, null);
		return reply.type('text/plain').send('');
	});
	scope.delete('/hub', async (request, reply) => {
		const connection = connections.find(visitOf(request));
		if (!connection.transport?.takesPosts) throw new Refused('WRONG_TRANSPORT');
		connection.cut();
		return reply.code(202).type('text/plain').send('');
	});
}

function preflight(request: FastifyRequest, reply: FastifyReply): FastifyReply {
	const headers = request.headers['access-control-request-headers'];
	return reply
		.code(204)
		.header('Access-Control-Allow-Methods', 'GET, POST, DELETE')
		.header('Access-Control-Allow-Headers', headers ?? '')
		.header('Access-Control-Max-Age', PREFLIGHT_SECONDS)
		.send();
}

/** Version 0 has one id; version 1 has a secret token and a public id. */
function negotiate(connections: Connections, visit: Visit): object {
	const { query } = visit.request;
	const requested = query.get('negotiateVersion') ?? '0';
	if (!/^\d{1,3}$/.test(requested)) throw new Refused('VALIDATION_FAILED');
	const secret = Number(requested) > 0;
	const stateful = query.get('useStatefulReconnect') === 'true';
	const { connectionId, token } = connections.create(visit, { stateful, secret });
	return {
		negotiateVersion: secret ? 1 : 0,
		connectionId,
		...(secret ? { connectionToken: token } : {}),
		availableTransports: OFFERS,
		...(stateful ? { useStatefulReconnect: true } : {}),
	};
}
