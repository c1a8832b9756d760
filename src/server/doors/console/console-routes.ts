/**
 * The operators' console: a host of its own, with its files, its sessions and the operators' calls. No other host answers
 * them, and the console's host answers nothing of the players'.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { CONSOLE_CALLS } from '#contract/operators/registry.ts';
import { SESSION_CALLS, type SessionCallName } from '#contract/operators/session.ts';
import { ConsoleCookies } from '#server/doors/console/console-cookies.ts';
import { consoleFiles } from '#server/doors/console/console-files.ts';
import { sessionHandlers } from '#server/doors/console/session-handlers.ts';
import { succeeded } from '#server/doors/http/envelope.ts';
import { named } from '#server/doors/http/named-plugin.ts';
import { type Act, type Actor, inputOf, type OperatorOptions } from '#server/operators/act.ts';
import { subjectOf } from '#server/operators/act-record.ts';
import { actsIn } from '#server/operators/all-acts.ts';
import { authorize } from '#server/operators/authorize.ts';
import { runAct, withoutSecrets } from '#server/operators/run-act.ts';
import type { Present } from '#server/people/staff/staff-access.ts';
import { Refused } from '#values/error-catalogue.ts';

interface ConsoleOptions {
	operators: OperatorOptions;
	/** Without a port; null where there is no console. */
	consoleHost: string | null;
	production: boolean;
}

/** The header that scripts of the console send, and forms and links of other sites cannot. */
const CONSOLE_HEADER = 'x-console';
/** Its value on a request that a screen repeats in the background. */
const REPEATED = 'repeated';

const ofHost = (host: string): RegExp => new RegExp(`^${host.replaceAll('.', '\\.')}(?::\\d+)?$`, 'i');

/** Mounts the console; its routes match on its own host alone. */
export async function consoleRoutes(
	server: FastifyInstance,
	{ operators, consoleHost, production }: ConsoleOptions,
): Promise<void> {
	if (consoleHost === null) return;
	server.addHook('onRoute', (route) => {
		route.constraints = { host: ofHost(consoleHost) };
		route.config = { ...route.config, isConsole: true };
	});
	const calls = (scope: FastifyInstance) => callRoutes(scope, operators, production);
	await server.register(named('calls of the console', calls), { prefix: '/api' });
	await consoleFiles(server, () => operators.brands.all().map(({ host }) => host));
}

async function callRoutes(server: FastifyInstance, operators: OperatorOptions, production: boolean): Promise<void> {
	server.addHook('onRequest', async (request) => refuseOtherSites(request));
	const cookies = new ConsoleCookies(production);
	const handlers = sessionHandlers(operators, cookies, production);
	for (const [name, call] of Object.entries(SESSION_CALLS)) {
		const handler = handlers[name as SessionCallName] as (
			input: unknown,
			request: FastifyRequest,
			reply: FastifyReply,
		) => unknown;
		server.post(`/${name}`, async (request, reply) => {
			const input = inputOf(call as { input: v.GenericSchema }, request.body);
			return succeeded(await handler(input, request, reply));
		});
	}
	server.get('/changes', (request, reply) => {
		const { access } = operators.staff;
		const token = cookies.session(request);
		access.require(token, false);
		const isPresent = () => access.standing(token, false)?.stage === 'IN';
		if (!operators.changes.open(reply.raw, isPresent)) throw new Refused('OVERLOADED');
		reply.hijack();
	});
	// Before a body is read.
	const onRequest = async (request: FastifyRequest) =>
		void operators.staff.access.require(cookies.session(request), false);
	for (const act of actsIn(CONSOLE_CALLS)) {
		const limits = act.largestBody === null ? {} : { bodyLimit: act.largestBody };
		server.post(`/${act.name}`, { ...limits, onRequest, config: { onlyReads: act.looks } }, async (request) => {
			const present = operators.staff.access.require(
				cookies.session(request),
				request.headers[CONSOLE_HEADER] !== REPEATED,
			);
			return succeeded(await makeCall(act, request, present, operators));
		});
	}
}

/**
 * A page of another site can send a request with a member's cookies only where the browser is old or the cookie's
 * SameSite is ignored. It cannot set a header of its own.
 * @throws Refused FORBIDDEN
 */
function refuseOtherSites({ headers }: FastifyRequest): void {
	const site = headers['sec-fetch-site'];
	const isOther = site !== undefined && site !== 'same-origin';
	if (isOther || headers[CONSOLE_HEADER] === undefined) throw new Refused('FORBIDDEN');
}

async function makeCall(
	act: Act,
	request: FastifyRequest,
	{ member, permissions }: Present,
	operators: OperatorOptions,
): Promise<unknown> {
	const { staffId, brands } = member;
	const by: Actor = { actor: member.name, address: request.ip, member: { staffId, permissions, brands } };
	const asked = act.read(request.body);
	const { input } = asked;
	try {
		await authorize({ staffId, permissions, brands }, act, input, operators);
		// An act that a second member has to confirm.
		if (act.confirm) throw new Refused('SAME_PERSON');
	} catch (error) {
		// Denied attempts are recorded like acts.
		const outcome = error instanceof Refused ? error.code : 'INTERNAL';
		const { actor, address } = by;
		const details = withoutSecrets(input);
		await operators.journal.write({ actor, address, act: act.name, subject: subjectOf(input), details, outcome });
		throw error;
	}
	return await runAct({ act, asked }, operators, by);
}
