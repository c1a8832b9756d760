/** The route of a provider's webhooks, with raw bodies. It is not part of the players' contract. */
import type { FastifyInstance } from 'fastify';
import { FORGED, type WebhookInbox } from '#server/money/funds/payments/webhook-inbox.ts';

/** Serialized once, so a repeated webhook is cheap. */
const RECEIVED = JSON.stringify({ success: true, result: null, error: null, unAuthorizedRequest: false });

interface WebhookDoor {
	/** The path. */
	url: string;
	largestBytes: number;
	/** In small letters. A body that comes without it is not read. */
	signatureHeader: string;
	inbox: Pick<WebhookInbox, 'receive'>;
}

export const webhookRoute =
	({ url, largestBytes: bodyLimit, signatureHeader, inbox }: WebhookDoor) =>
	async (scope: FastifyInstance): Promise<void> => {
		scope.removeAllContentTypeParsers();
		scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_, body, done) => done(null, body));
		scope.route({
			method: 'POST',
			url,
			// Each event is stored once.
			config: { isRepeatable: true },
			onRequest: async ({ headers }) => {
				if (headers[signatureHeader] === undefined) throw FORGED;
			},
			handler: async (request, reply) => {
				await inbox.receive((request.body as Buffer | undefined) ?? Buffer.alloc(0), request.headers);
				reply.type('application/json; charset=utf-8');
				return RECEIVED;
			},
		});
	};
