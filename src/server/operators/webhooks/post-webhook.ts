/**
 * Posts one webhook by the scheme of Standard Webhooks (standardwebhooks.com): the headers webhook-id, webhook-timestamp
 * (seconds) and webhook-signature, one `v1,` signature for each secret, HMAC-SHA256 over id, timestamp and body.
 */
import { createHmac } from 'node:crypto';
import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isSafeUrl, lookupPublic } from '#server/platform/outside/public-address.ts';

/** From the connection to the end of the answer; a stop waits as long. */
const ANSWER_WITHIN_MS = 5_000;
/** An answer's body says nothing; a longer one closes the connection. */
const LONGEST_ANSWER = 64 * 1024;
/** Connections to one endpoint. */
export const MOST_CONNECTIONS = 4;

const AGENTS = {
	http: new HttpAgent({ keepAlive: true, maxSockets: MOST_CONNECTIONS }),
	https: new HttpsAgent({ keepAlive: true, maxSockets: MOST_CONNECTIONS }),
};

interface SignedWebhook {
	id: string;
	body: string;
	/** When it is sent, seconds since 1970. */
	timestamp: number;
	/** The bytes of the secrets that sign. */
	secrets: readonly Buffer[];
}

function webhookHeaders({ id, body, timestamp, secrets }: SignedWebhook): Record<string, string> {
	const signatures = secrets.map((secret) => {
		const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64');
		return `v1,${signature}`;
	});
	return {
		'content-type': 'application/json',
		'content-length': String(Buffer.byteLength(body)),
		'user-agent': 'Backlay-Webhooks',
		'webhook-id': id,
		'webhook-timestamp': String(timestamp),
		'webhook-signature': signatures.join(' '),
	};
}

/**
 * Resolves with the status of the answer, a redirection included: none is followed.
 * @param isGuarded refuses everything but HTTPS to public addresses
 * @throws Error without an answer in time, and for an address that is refused
 */
export async function postWebhook(url: string, webhook: SignedWebhook, isGuarded: boolean): Promise<number> {
	if (isGuarded && !isSafeUrl(url)) throw new Error('the address is not safe');
	const isSecure = new URL(url).protocol === 'https:';
	const { promise, resolve, reject } = Promise.withResolvers<number>();
	const asked = (isSecure ? httpsRequest : httpRequest)(url, {
		method: 'POST',
		agent: isSecure ? AGENTS.https : AGENTS.http,
		headers: webhookHeaders(webhook),
		signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
		...(isGuarded ? { lookup: lookupPublic } : {}),
	});
	asked.on('error', reject);
	asked.on('response', (answer) => {
		let length = 0;
		answer.on('error', () => undefined);
		answer.on('data', (part: Buffer) => {
			length += part.length;
			if (length > LONGEST_ANSWER) answer.destroy();
		});
		resolve(answer.statusCode ?? 0);
	});
	asked.end(webhook.body);
	return await promise;
}
