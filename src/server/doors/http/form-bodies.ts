/** Bodies that are forms, for the calls that take them beside JSON. */
import type { FastifyInstance } from 'fastify';
import { Invalid } from '#server/doors/http/envelope.ts';

/** The routes of this scope also read forms. */
export function readForms(scope: FastifyInstance): void {
	scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'buffer' }, (_, body, done) => {
		try {
			done(null, fieldsIn(body as Buffer));
		} catch (error) {
			done(error as Error);
		}
	});
}

/** @throws Invalid for a duplicate field, because a proxy or a log may have read the other value */
function fieldsIn(body: Buffer): Record<string, string> {
	const fields = new Map<string, string>();
	for (const [member, value] of new URLSearchParams(body.toString('utf8'))) {
		if (fields.has(member)) throw new Invalid([{ member, message: 'This field is there twice.' }]);
		fields.set(member, value);
	}
	return Object.fromEntries(fields);
}
