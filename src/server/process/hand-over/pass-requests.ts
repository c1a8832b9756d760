/**
 * Passes requests to the process that took over, unchanged: with their heads, the bytes of their bodies and their
 * source address, so that signatures hold and the successor sees the same client.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify';
import { behindOperatorKey } from '#server/operators/operator-key.ts';
import { askSuccessor } from '#server/process/hand-over/ask-successor.ts';
import { Refused } from '#values/error-catalogue.ts';

const PATH = '/operator/passed-request';
/** The largest body is a report of 16 MiB, in base64. */
const LARGEST_BYTES = 24 * 1024 * 1024;
const AGAIN_AFTER_MS = 25;
/** Of one connection, not of the message. */
const OF_CONNECTION = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'expect', 'date']);

type Headers = Record<string, string | string[] | number | undefined>;

export interface RawRequest {
	method: string;
	/** As the client wrote it. */
	url: string;
	headers: Headers;
	/** Of the connection: a client, or our own proxy, which names the client in a header. */
	remoteAddress: string;
	/** Base64. */
	body: string;
}

interface RawAnswer {
	status: number;
	headers: Headers;
	/** Base64. */
	body: string;
}

interface Passing {
	/** Of the successor. */
	address: string;
	untilMs: number;
	/** It may be sent again if its answer was lost. */
	isRepeatable: boolean;
}

/** @throws Refused OUTCOME_UNKNOWN if the answer was lost, DEADLINE_PASSED if the successor did not begin in time */
export type PassTo = (request: RawRequest, passing: Passing) => Promise<RawAnswer>;

/** @throws Refused DEADLINE_PASSED if its client is gone: its address is unknown, and must not be invented */
export function rawRequestOf({ method, raw, headers, socket, body }: FastifyRequest): RawRequest {
	const { remoteAddress } = socket;
	if (remoteAddress === undefined || raw.url === undefined) throw new Refused('DEADLINE_PASSED');
	// A body that was parsed has no signature over its bytes.
	const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body === undefined ? '' : JSON.stringify(body));
	return { method, url: raw.url, headers: ofMessage(headers), remoteAddress, body: bytes.toString('base64') };
}

/** Answers requests passed by another process, with the server's own routes. */
export function passedRequestRoute(server: FastifyInstance, operatorKey: string): void {
	server.post(PATH, { ...behindOperatorKey(operatorKey), bodyLimit: LARGEST_BYTES }, async (request, reply) => {
		const { method, url, headers, remoteAddress, body } = request.body as RawRequest;
		const answer = await server.inject({
			method: method as HTTPMethods,
			url,
			headers,
			remoteAddress,
			...(body === '' ? {} : { payload: Buffer.from(body, 'base64') }),
		});
		const { statusCode: status, rawPayload } = answer;
		const passed: RawAnswer = { status, headers: ofMessage(answer.headers), body: rawPayload.toString('base64') };
		return reply.send(passed);
	});
}

/**
 * A request that the successor has not begun is retried until its deadline; so is a repeatable one whose answer was
 * lost.
 */
export const passRequestsTo =
	(operatorKey: string): PassTo =>
	async (request, { address, untilMs, isRepeatable }) => {
		let isUncertain = false;
		for (;;) {
			try {
				const answer = await passOnce(request, { address, untilMs }, operatorKey);
				if (answer) return answer;
			} catch {
				isUncertain = true;
			}
			const isTooLate = performance.now() + AGAIN_AFTER_MS >= untilMs;
			if (isUncertain && (isTooLate || !isRepeatable)) throw new Refused('OUTCOME_UNKNOWN');
			if (isTooLate) throw new Refused('DEADLINE_PASSED');
			await delay(AGAIN_AFTER_MS);
		}
	};

/** Null if the successor has not begun. @throws if it may have */
async function passOnce(
	request: RawRequest,
	{ address, untilMs }: Pick<Passing, 'address' | 'untilMs'>,
	operatorKey: string,
): Promise<RawAnswer | null> {
	let response: Response;
	try {
		response = await askSuccessor({ address, path: PATH, operatorKey, body: request, untilMs });
	} catch (error) {
		if ((error as { cause?: { code?: string } }).cause?.code === 'ECONNREFUSED') return null;
		throw error;
	}
	if (response.ok) return (await response.json()) as RawAnswer;
	await response.text();
	// A process that does not serve has no such route, nor has an earlier release.
	if (response.status === 503 || response.status === 404) return null;
	throw new Error(`The successor answers ${response.status}.`);
}

const ofMessage = (headers: Headers): Headers =>
	Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_CONNECTION.has(name)));
