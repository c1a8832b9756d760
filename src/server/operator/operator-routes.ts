/**
 * The operators' acts, used by the command line: they have routes and a key of their own, and a player's token opens none
 * of them. Every act is recorded with its outcome.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { OperatorOptions } from '#server/operator/act.ts';
import { operatorName } from '#server/operator/act-record.ts';
import { ACTS } from '#server/operator/all-acts.ts';
import { runAct } from '#server/operator/run-act.ts';
import { isSameSecret } from '#server/same-secret.ts';
import { Refused } from '#values/error-catalogue.ts';

/** Mounts the acts below the scope's prefix: `POST {act}`. */
export async function operatorRoutes(server: FastifyInstance, options: OperatorOptions): Promise<void> {
	server.addHook('onRequest', async (request) => {
		if (!isOperator(request, options.operatorKey)) throw new Refused('NOT_LOGGED_IN');
	});
	for (const [name, act] of Object.entries(ACTS)) {
		const limits = act.largestBody === null ? {} : { bodyLimit: act.largestBody };
		server.post(`/${name}`, limits, async (request) => {
			const by = { actor: operatorName(request), address: request.ip, member: null };
			const result = await runAct({ name, act, body: request.body }, options, by);
			return { success: true, result, error: null, unAuthorizedRequest: false };
		});
	}
}

function isOperator(request: FastifyRequest, key: string): boolean {
	const shown = /^Operator (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
	return isSameSecret(shown, key);
}
