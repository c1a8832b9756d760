/** `POST /api/Sms/Receipt`: a gateway says whether a message arrived. It is not part of the players' contract. */
import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import type { Outbox } from '#server/people/players/outbox.ts';
import { isSameSecret } from '#server/platform/keys/same-secret.ts';
import { Refused } from '#values/error-catalogue.ts';

const Receipt = v.object({
	/** As the message had it. */
	id: v.pipe(v.string(), v.regex(/^[0-9a-f-]{36}\.\d{1,3}$/)),
	status: v.picklist(['DELIVERED', 'FAILED']),
});

/** @param key shown by gateways as a bearer token; null: receipts are refused */
export const smsReceiptRoute =
	(outbox: Pick<Outbox, 'receive'>, key: string | null) =>
	async (scope: FastifyInstance): Promise<void> => {
		scope.post('/api/Sms/Receipt', { config: { isRepeatable: true } }, async ({ headers, body }) => {
			const shown = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
			if (key === null || !isSameSecret(shown, key)) throw new Refused('FORBIDDEN');
			const parsed = v.safeParse(Receipt, body);
			if (!parsed.success) throw new Refused('VALIDATION_FAILED');
			const [messageId = '', gateway = ''] = parsed.output.id.split('.');
			await outbox.receive({ messageId, gateway: Number(gateway) }, parsed.output.status);
			return { success: true, result: null, error: null, unAuthorizedRequest: false };
		});
	};
