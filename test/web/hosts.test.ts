/** Where the site's calls go: the server, and the hosts that the domain setting names for the casino and for payments. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { call } from '#web/api/client.ts';
import { setHosts } from '#web/api/server-address.ts';
import { clearStored, writeStored } from '#web/api/storage.ts';
import { gameDefinitionQuery, launchUrl } from '#web/store/casino-queries.ts';
import { queryClient } from '#web/store/query-client.ts';

interface Host {
	url: string;
	server: Server;
	/** What it was asked for, encoded or not. */
	requests: string[];
	answer: unknown;
}

async function host(): Promise<Host> {
	const seen = ({ url, headers }: IncomingMessage) => `${url}${headers['x-enc'] === '1' ? ' encoded' : ''}`;
	const made: Host = {
		url: '',
		requests: [],
		answer: { success: true, result: { url: 'a game' } },
		server: createServer((request, response) => {
			request.resume();
			made.requests.push(seen(request));
			response.end(JSON.stringify(made.answer));
		}).listen(0, '127.0.0.1'),
	};
	await once(made.server, 'listening');
	made.url = `http://127.0.0.1:${(made.server.address() as AddressInfo).port}`;
	return made;
}

let own: Host;
let casino: Host;
let payments: Host;
beforeAll(async () => {
	[own, casino, payments] = await Promise.all([host(), host(), host()]);
});
afterAll(() => {
	for (const { server } of [own, casino, payments]) server.closeAllConnections();
	for (const { server } of [own, casino, payments]) server.close();
});
afterEach(() => {
	for (const one of [own, casino, payments]) one.requests.length = 0;
	setHosts({ casinoUrl: '', paymentUrl: '', encodeRequests: false });
	queryClient.clear();
	clearStored();
});

const NEVER = new AbortController().signal;
const ORDER = { amount: 100, clientRequestId: 'request-1' } as Parameters<typeof call<'generatePayment'>>[1];

async function askAll(): Promise<void> {
	await launchUrl('a-game', 'login', NEVER);
	await launchUrl('a-game', 'token', NEVER);
	await call('generatePayment', ORDER);
	await call('checkPayment', { orderId: '1' });
	await call('treeSportWithEvent', {});
}
const OF_CASINO = ['/login', '/api/token'];
const OF_PAYMENTS = ['/api/Payment/Generate', '/api/Payment/Check'];

it('log-ins of games and payments go to the hosts that the domain setting names, and the server alone is asked in the encoding mode', async () => {
	writeStored('baseUrl', own.url);
	setHosts({ casinoUrl: `${casino.url}/`, paymentUrl: payments.url, encodeRequests: true });
	await askAll();
	expect(casino.requests).toEqual(OF_CASINO);
	expect(payments.requests).toEqual(OF_PAYMENTS);
	expect(own.requests).toEqual([expect.stringMatching(/^\/Event\/TreeSportWithEvent\?d=.* encoded$/)]);
});

it('payments stay with a server whose stored base URL contains testapi', async () => {
	writeStored('baseUrl', `${own.url}/testapi`);
	setHosts({ casinoUrl: casino.url, paymentUrl: payments.url, encodeRequests: false });
	await askAll();
	expect(own.requests).toEqual([...OF_PAYMENTS, '/Event/TreeSportWithEvent'].map((path) => `/testapi${path}`));
	expect(casino.requests).toEqual(OF_CASINO);
});

it('all go to the server where no other host is named', async () => {
	writeStored('baseUrl', own.url);
	await askAll();
	expect(own.requests).toEqual([...OF_CASINO, ...OF_PAYMENTS, '/Event/TreeSportWithEvent']);
});

it.each([[{}], [null], [{ rules: 'all' }], [{ rules: [1] }], [[]]])(
	'a game’s definition of the casino’s host is none when it is %j',
	async (sent) => {
		setHosts({ casinoUrl: casino.url, paymentUrl: '', encodeRequests: false });
		casino.answer = { rules: ['One rule.'] };
		const asked = { ...gameDefinitionQuery('a-game'), retry: false, staleTime: 0 };
		expect(await queryClient.fetchQuery(asked)).toEqual({ rules: ['One rule.'] });
		casino.answer = sent;
		await expect(queryClient.fetchQuery(asked)).rejects.toThrow('another shape');
		casino.answer = { success: true, result: { url: 'a game' } };
	},
);
