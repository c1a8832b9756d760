/**
 * `GET /public-log/…`: the public log as files that never change, but for its checkpoints, so that a cache or a plain
 * folder can serve them. `/public-log/logs.json` names the logs and their keys, `/public-log/receipts-key` is the key of receipts,
 * and `/public-log/receipts/ID.INDEX` gives the receipt of a reference.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { tileOfPath } from '#public-log/tiles.ts';
import { answerOf } from '#server/doors/http/envelope.ts';
import { send } from '#server/doors/http/plain-server.ts';
import type { LogFiles } from '#server/platform/public-log/log-files.ts';
import type { PublishedLog } from '#server/platform/public-log/log-rows.ts';

const NEVER_CHANGES = 'public, max-age=31536000, immutable';
const AT_MOST_SECONDS_OLD = 'public, max-age=1';

type Path = { Params: { log: string; '*': string } };

export function publicLogFiles(server: FastifyInstance, files: LogFiles): void {
	const found = (reply: FastifyReply, cache: string): FastifyReply =>
		// Verifiers on pages of other sites read the log, too.
		reply.header('Cache-Control', cache).header('Access-Control-Allow-Origin', '*');
	const missing = (request: FastifyRequest, reply: FastifyReply) => send(request, reply, answerOf('NOT_FOUND'));

	server.get('/public-log/receipts-key', (_, reply) =>
		found(reply, AT_MOST_SECONDS_OLD).type('text/plain; charset=utf-8').send(`${files.receiptKey}\n`),
	);
	server.get<{ Params: { reference: string } }>('/public-log/receipts/:reference', async (request, reply) => {
		const receipt = await files.receipt(request.params.reference);
		return receipt ? found(reply, NEVER_CHANGES).send(receipt) : missing(request, reply);
	});
	server.get('/public-log/logs.json', async (_, reply) => {
		const logs = await files.logs();
		return found(reply, AT_MOST_SECONDS_OLD).send(logs.map(shown));
	});
	server.get<Path>('/public-log/:log/*', async (request, reply) => {
		const { log, '*': path } = request.params;
		if (!/^[1-9]\d{0,5}$/.test(log)) return missing(request, reply);
		if (path === 'checkpoint') {
			const checkpoint = await files.checkpoint(Number(log));
			if (checkpoint === null) return missing(request, reply);
			return found(reply, AT_MOST_SECONDS_OLD).type('text/plain; charset=utf-8').send(checkpoint);
		}
		const name = tileOfPath(path);
		const file = name && (await files.file(Number(log), name));
		if (!file) return missing(request, reply);
		return found(reply, NEVER_CHANGES).type('application/octet-stream').send(file);
	});
}

const shown = ({ log, origin, key, reason, begunAt, size }: PublishedLog) => ({
	log,
	origin,
	key,
	reason,
	begunAt: new Date(begunAt).toISOString(),
	size,
});
