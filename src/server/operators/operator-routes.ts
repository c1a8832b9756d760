/**
 * The operators' acts, used by the command line: they have routes and a key of their own, and a player's token opens none
 * of them. Every act is recorded with its outcome.
 */
import type { FastifyInstance } from 'fastify';
import { KEY_CALLS, SHARED_CALLS } from '#contract/operators/registry.ts';
import type { OperatorOptions } from '#server/operators/act.ts';
import { operatorName } from '#server/operators/act-record.ts';
import { actsIn } from '#server/operators/all-acts.ts';
import { requireOperatorKey } from '#server/operators/operator-key.ts';
import { runAct } from '#server/operators/run-act.ts';

/** Mounts the acts below the scope's prefix: `POST {act}`. */
export async function operatorRoutes(server: FastifyInstance, options: OperatorOptions): Promise<void> {
	server.addHook('onRequest', async (request) => requireOperatorKey(request, options.operatorKey));
	for (const act of actsIn({ ...SHARED_CALLS, ...KEY_CALLS })) {
		const limits = act.largestBody === null ? {} : { bodyLimit: act.largestBody };
		server.post(`/${act.name}`, { ...limits, config: { onlyReads: act.looks, isOwn: act.isOwn } }, async (request) => {
			const by = { actor: operatorName(request), address: request.ip, member: null };
			const result = await runAct({ act, asked: act.read(request.body) }, options, by);
			return { success: true, result, error: null, unAuthorizedRequest: false };
		});
	}
}
