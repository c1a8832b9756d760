/** `POST /api/Payment/Webhook`: the provider's route, with raw bodies. It is not part of the players' contract. */
import type { FastifyInstance } from 'fastify';
import type { WebhookInbox } from '#server/money/funds/payments/webhook-inbox.ts';

const LARGEST_BYTES = 16 * 1024;
/** Serialized once, so a repeated webhook is cheap. */
const RECEIVED = JSON.stringify({ success: true, result: null, error: null, unAuthorizedRequest: false });

export const webhookRoute =
	(inbox: Pick<WebhookInbox, 'receive'>) =>
	async (scope: FastifyInstance): Promise<void> => {
		scope.removeAllContentTypeParsers();
		scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: LARGEST_BYTES }, (_, body, done) =>
			done(null, body),
		);
		scope.route({
			method: 'POST',
			url: '/api/Payment/Webhook',
			// Each event is stored once.
			config: { isRepeatable: true },
			handler: async (request, reply) => {
				await inbox.receive((request.body as Buffer | undefined) ?? Buffer.alloc(0), request.headers);
				reply.type('application/json; charset=utf-8');
				return RECEIVED;
			},
		});
	};
