/** Requests that reach a standby while it takes over, over real connections. */
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { EarlyRequests } from '#server/process/early-requests.ts';

const LONGEST_HELD_MS = 2_000;

let servers: FastifyInstance[];
let url: string;
let requests: EarlyRequests;
/** A server whose answers say which it is. */
async function server(name: string, ...paths: string[]): Promise<FastifyInstance> {
	const made = Fastify();
	servers.push(made);
	for (const path of paths) made.get(path, async () => name);
	made.setNotFoundHandler(async (_, reply) => reply.code(503).send(`refused by ${name}`));
	await made.ready();
	return made;
}
const answer = async (path: string): Promise<string> => await (await fetch(`${url}${path}`)).text();

beforeEach(async () => {
	servers = [];
	const http = await server('standby', '/live');
	url = await http.listen({ port: 0, host: '127.0.0.1' });
	requests = new EarlyRequests({ http, calls: await server('calls', '/a-call') });
});
afterEach(async () => {
	for (const each of servers) {
		each.server.closeAllConnections();
		await each.close();
	}
});

it('are refused as long as the standby follows', async () => {
	expect(await answer('/a-call')).toBe('refused by standby');
	expect(await answer('/live')).toBe('standby');
});

it('wait in a takeover, calls until calls are answered and the others until everything is', async () => {
	requests.hold();
	const answered: string[] = [];
	const ask = async (path: string): Promise<void> => {
		answered.push(await answer(path));
	};
	const asked = [ask('/a-call?with=query'), ask('/a-page')];
	expect(await answer('/live')).toBe('standby');
	expect(answered).toEqual([]);
	await requests.openCalls();
	await asked[0];
	expect(await answer('/a-call')).toBe('calls');
	expect(answered).toEqual(['calls']);
	requests.passTo(await server('server', '/a-call', '/a-page'));
	await asked[1];
	expect(answered).toEqual(['calls', 'server']);
	expect(await answer('/a-call')).toBe('server');
});

it('lets the others wait for the answers to calls that waited, but not for long', async () => {
	const slow = Promise.withResolvers<string>();
	const calls = Fastify();
	servers.push(calls);
	const given: string[] = [];
	calls.get('/quick', async () => {
		await new Promise((resume) => setImmediate(resume));
		given.push('quick');
		return 'quick';
	});
	calls.get('/slow', () => slow.promise);
	await calls.ready();
	const http = await server('standby', '/live');
	url = await http.listen({ port: 0, host: '127.0.0.1' });
	requests = new EarlyRequests({ http, calls });
	requests.hold();
	const answered: string[] = [];
	const quick = answer('/quick').then((text) => answered.push(text));
	const late = answer('/slow').then((text) => answered.push(text));
	// What came before has been received when this is answered.
	while (requests.held < 2) await answer('/live');
	await requests.openCalls();
	expect(given).toEqual(['quick']);
	await quick;
	slow.resolve('slow');
	await late;
	// Nothing waits: it resolves at once.
	await requests.openCalls();
	expect(answered).toEqual(['quick', 'slow']);
});

it('are refused when the takeover takes too long', async () => {
	const from = performance.now();
	requests.hold();
	expect(await answer('/a-call')).toBe('refused by standby');
	expect(performance.now() - from).toBeGreaterThan(LONGEST_HELD_MS * 0.9);
	expect(await answer('/a-call')).toBe('refused by standby');
});
