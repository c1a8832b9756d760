/** The operators' key, derived from the server's secret so that there is only one to keep. */
import { createHmac } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { isSameSecret } from '#server/platform/keys/same-secret.ts';
import { Refused } from '#values/error-catalogue.ts';

export const operatorKeyOf = (tokenKey: string): string =>
	createHmac('sha256', tokenKey).update('operator').digest('base64url');

/** Of a route: the key is looked at before a body is read. */
export const behindOperatorKey = (key: string) => ({
	onRequest: async (request: FastifyRequest): Promise<void> => requireOperatorKey(request, key),
});

/** @throws Refused NOT_LOGGED_IN if the request does not carry the key */
export function requireOperatorKey({ headers }: Pick<FastifyRequest, 'headers'>, key: string): void {
	const shown = /^Operator (\S+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
	if (!isSameSecret(shown, key)) throw new Refused('NOT_LOGGED_IN');
}
