/** The operations over JSON-RPC, single and in batches, and over REST; refusals in the shape of each. */
import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import * as v from 'valibot';
import { readyToStake } from '#server/calls/answer-calls.ts';
import { ACCOUNT_OPERATIONS } from '#server/doors/bots-api/account-operations.ts';
import { BOOK_OPERATIONS } from '#server/doors/bots-api/book-operations.ts';
import type { BotCaller, BotCallers } from '#server/doors/bots-api/caller.ts';
import { CATALOGUE_OPERATIONS, navigationMenu } from '#server/doors/bots-api/catalogue-operations.ts';
import {
	APING_NUMBERS,
	type ApingCode,
	ApingException,
	COUNTERPARTS,
	HEARTBEAT_NUMBERS,
} from '#server/doors/bots-api/errors.ts';
import { GROUP_OPERATIONS } from '#server/doors/bots-api/group-operations.ts';
import { HEARTBEAT_OPERATIONS } from '#server/doors/bots-api/heartbeat-operations.ts';
import type { BotParts, Operation } from '#server/doors/bots-api/operation.ts';
import { ORDER_OPERATIONS } from '#server/doors/bots-api/order-operations.ts';
import { RECORD_OPERATIONS } from '#server/doors/bots-api/record-operations.ts';
import { SANDBOX_OPERATIONS } from '#server/doors/bots-api/sandbox-operations.ts';
import { SCORE_OPERATIONS } from '#server/doors/bots-api/score-operations.ts';
import { parseJson } from '#server/doors/http/strict-json.ts';
import { Refused } from '#values/error-catalogue.ts';

interface Service {
	/** The prefix of methods, and of exceptions. */
	name: 'SportsAPING' | 'AccountAPING' | 'HeartbeatAPING' | 'ScoresAPING' | 'SandboxAPING';
	exception: 'APINGException' | 'AccountAPINGException';
	/** The prefix of numbered errors. */
	letters: 'ANGX' | 'AANGX' | 'HBT';
	numbers: Readonly<Record<ApingCode, number>>;
	path: string;
	operations: Readonly<Record<string, Operation>>;
}

export const SERVICES: readonly Service[] = [
	{
		name: 'SportsAPING',
		exception: 'APINGException',
		letters: 'ANGX',
		numbers: APING_NUMBERS,
		path: '/exchange/betting',
		operations: {
			...CATALOGUE_OPERATIONS,
			...BOOK_OPERATIONS,
			...ORDER_OPERATIONS,
			...GROUP_OPERATIONS,
			...RECORD_OPERATIONS,
			listExchangeRates: ACCOUNT_OPERATIONS.listCurrencyRates,
		},
	},
	{
		name: 'AccountAPING',
		exception: 'AccountAPINGException',
		letters: 'AANGX',
		numbers: APING_NUMBERS,
		path: '/exchange/account',
		operations: ACCOUNT_OPERATIONS,
	},
	{
		name: 'HeartbeatAPING',
		exception: 'APINGException',
		letters: 'HBT',
		numbers: HEARTBEAT_NUMBERS,
		path: '/exchange/heartbeat',
		operations: HEARTBEAT_OPERATIONS,
	},
	{
		name: 'ScoresAPING',
		exception: 'APINGException',
		letters: 'ANGX',
		numbers: APING_NUMBERS,
		path: '/exchange/scores',
		operations: SCORE_OPERATIONS,
	},
	{
		name: 'SandboxAPING',
		exception: 'APINGException',
		letters: 'ANGX',
		numbers: APING_NUMBERS,
		path: '/exchange/sandbox',
		operations: SANDBOX_OPERATIONS,
	},
];

/** Calls in one batch. */
const MOST_CALLS = 100;
/** A larger body is read for a caller with a key and a session alone. */
const LARGE_BODY = 64 * 1024;

export interface RpcOptions {
	parts: BotParts;
	callers: BotCallers;
	log: Logger;
}

/** Errors of the protocol, before any operation is called. */
const RPC_ERRORS = {
	'DSC-0008': -32700, // no JSON
	'DSC-0018': -32602, // no parameters of the operation
	'DSC-0021': -32601, // no such operation
	'DSC-0009': -32600, // no call
} as const;
class RpcError extends Error {
	readonly code: keyof typeof RPC_ERRORS;
	constructor(code: keyof typeof RPC_ERRORS) {
		super(code);
		this.code = code;
	}
}

/** The service's error for a thrown value. */
function exceptionOf(error: unknown, service: Service, log: Logger) {
	let code: ApingCode = 'UNEXPECTED_ERROR';
	let details = '';
	if (error instanceof ApingException) {
		code = error.code;
		details = error.message;
	} else if (error instanceof Refused) {
		code = COUNTERPARTS[error.code].aping;
		details = error.code;
	} else log.error({ err: error }, 'a call of a bot failed');
	return {
		number: `${service.letters}-${String(service.numbers[code]).padStart(4, '0')}`,
		exception: {
			[service.exception]: { requestUUID: randomUUID(), errorCode: code, errorDetails: details },
			exceptionname: service.exception,
		},
	};
}

/** @throws RpcError, ApingException, Refused */
async function run(options: RpcOptions, operation: Operation, input: unknown, caller: BotCaller): Promise<unknown> {
	const { parts, callers } = options;
	callers.count(caller);
	if (operation.trades && !caller.key.mayTrade) throw new ApingException('ACCESS_DENIED');
	const parsed = v.safeParse(operation.request, input ?? {}, { abortEarly: true });
	if (!parsed.success) throw new RpcError('DSC-0018');
	await parts.exchange.fresh(caller.untilMs);
	const { players, funds } = parts;
	if (operation.stakes) await readyToStake({ players, protection: funds.protection }, caller.login, caller);
	if (!operation.readsHistory) return await operation.run(parts, parsed.output, caller);
	return await parts.reading.take(caller.login.playerId, async () => {
		if (performance.now() > caller.untilMs) throw new Refused('DEADLINE_PASSED');
		return await operation.run(parts, parsed.output, caller);
	});
}

const jsonOf = ({ body }: Pick<FastifyRequest, 'body'>): unknown => {
	try {
		return parseJson(Buffer.isBuffer(body) ? body : Buffer.alloc(0));
	} catch (error) {
		if (error instanceof Refused && error.code !== 'BODY_TOO_LARGE') throw new RpcError('DSC-0008');
		throw error;
	}
};

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** The id by which the client knows the answer to a call; null for none. */
const idOf = (call: unknown): unknown =>
	isObject(call) && ['string', 'number'].includes(typeof call['id']) ? call['id'] : null;

/** The answer to one call of JSON-RPC. Never throws. */
async function answerCall(options: RpcOptions, service: Service, call: unknown, caller: () => BotCaller) {
	const id = idOf(call);
	try {
		if (!isObject(call) || typeof call['method'] !== 'string') throw new RpcError('DSC-0009');
		const [prefix, name = ''] = call['method'].split('/v1.0/');
		const operation = Object.hasOwn(service.operations, name) ? service.operations[name] : undefined;
		if (prefix !== service.name || !operation) throw new RpcError('DSC-0021');
		return { jsonrpc: '2.0', result: await run(options, operation, call['params'], caller()), id };
	} catch (error) {
		return { jsonrpc: '2.0', error: rpcErrorOf(error, service, options.log), id };
	}
}

function rpcErrorOf(error: unknown, service: Service, log: Logger) {
	if (error instanceof RpcError) return { code: RPC_ERRORS[error.code], message: error.code };
	const { number, exception } = exceptionOf(error, service, log);
	return { code: -32_099, message: number, data: exception };
}

/** The answer to the body of a request, which is one call or a batch of them. Never throws. */
export async function answerJsonRpc(
	options: RpcOptions,
	service: Service,
	request: Pick<FastifyRequest, 'body'>,
	caller: () => BotCaller,
): Promise<unknown> {
	let body: unknown;
	try {
		body = jsonOf(request);
	} catch (error) {
		return { jsonrpc: '2.0', error: rpcErrorOf(error, service, options.log), id: null };
	}
	if (!Array.isArray(body)) return await answerCall(options, service, body, caller);
	if (body.length === 0 || body.length > MOST_CALLS) {
		const error = new ApingException('REQUEST_SIZE_EXCEEDS_LIMIT');
		return { jsonrpc: '2.0', error: rpcErrorOf(error, service, options.log), id: null };
	}
	const answers: unknown[] = [];
	// One after another: a batch may cancel what it has placed.
	for (const call of body) answers.push(await answerCall(options, service, call, caller));
	return answers;
}

async function rest(options: RpcOptions, service: Service, request: FastifyRequest, reply: FastifyReply) {
	try {
		const { operation: name } = request.params as { operation: string };
		const operation = Object.hasOwn(service.operations, name) ? service.operations[name] : undefined;
		if (!operation) throw new RpcError('DSC-0021');
		const caller = options.callers.of(request);
		const body = Buffer.isBuffer(request.body) && request.body.length > 0 ? jsonOf(request) : {};
		return await run(options, operation, body, caller);
	} catch (error) {
		return restError(error, service, reply, options.log);
	}
}

function restError(error: unknown, service: Service, reply: FastifyReply, log: Logger) {
	if (error instanceof RpcError) {
		reply.code(error.code === 'DSC-0021' ? 404 : 400);
		return { faultcode: 'Client', faultstring: error.code, detail: {} };
	}
	const { number, exception } = exceptionOf(error, service, log);
	const isServers = ['UNEXPECTED_ERROR', 'SERVICE_BUSY', 'TIMEOUT_ERROR'].includes(
		(exception[service.exception] as { errorCode: ApingCode }).errorCode,
	);
	reply.code(isServers ? 500 : 400);
	return { faultcode: isServers ? 'Server' : 'Client', faultstring: number, detail: exception };
}

/**
 * The refusal of a request that came to no operation, such as one that waited at a hand-over for too long, in the shape
 * of its route. Of several calls each gets it, under its own id.
 */
export function refusalTo(request: FastifyRequest, reply: FastifyReply, error: unknown, log: Logger): object {
	const [betting] = SERVICES as [Service];
	const service = SERVICES.find(({ path }) => request.url.startsWith(`${path}/`)) ?? betting;
	if (!request.url.startsWith(`${service.path}/json-rpc/`)) return restError(error, service, reply, log);
	reply.code(200);
	const refused = rpcErrorOf(error, service, log);
	const refusal = (call: unknown) => ({ jsonrpc: '2.0', error: refused, id: idOf(call) });
	const body = callsIn(request);
	return Array.isArray(body) && body.length > 0 && body.length <= MOST_CALLS ? body.map(refusal) : refusal(body);
}

/** The body of a request that may not have been read, or is no JSON; then null. */
function callsIn(request: FastifyRequest): unknown {
	try {
		return jsonOf(request);
	} catch {
		return null;
	}
}

/** Whether the body may be large; one of undeclared length may. */
const mayBeLarge = ({ headers }: FastifyRequest): boolean =>
	headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > LARGE_BODY;

/** Refuses a stranger before a large body is read. */
const knownCaller =
	({ callers }: RpcOptions, refusal: (error: unknown, reply: FastifyReply) => object) =>
	async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
		if (!mayBeLarge(request)) return;
		try {
			callers.of(request);
		} catch (error) {
			await reply.send(refusal(error, reply));
		}
	};

export function rpcRoutes(scope: FastifyInstance, options: RpcOptions): void {
	const { log } = options;
	for (const service of SERVICES) {
		const onRpc = knownCaller(options, (error) => ({
			jsonrpc: '2.0',
			error: rpcErrorOf(error, service, log),
			id: null,
		}));
		const onRest = knownCaller(options, (error, reply) => restError(error, service, reply, log));
		// Some clients repeat the method in the path; the body names it.
		for (const path of [`${service.path}/json-rpc/v1`, `${service.path}/json-rpc/v1/*`])
			scope.post(path, { onRequest: onRpc }, (request) =>
				answerJsonRpc(options, service, request, () => options.callers.of(request)),
			);
		scope.post(`${service.path}/rest/v1.0/:operation`, { onRequest: onRest }, (request, reply) =>
			rest(options, service, request, reply),
		);
	}
	const [betting] = SERVICES as [Service];
	scope.get('/exchange/betting/rest/v1/:locale/navigation/menu.json', (request, reply) => {
		try {
			const caller = options.callers.of(request);
			options.callers.count(caller);
			return navigationMenu(options.parts, caller);
		} catch (error) {
			return restError(error, betting, reply, log);
		}
	});
}
