/** Whose site a request is for: the Host header and nothing else, and no two readings of it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getUnder, type RawAnswer, rawRequest } from '../support/raw-request.ts';
import { TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

let server: TestServer;
beforeAll(async () => {
	server = await sharedServer();
});

const TREE = '/Event/TreeSportWithEvent';

it('the console’s host answers nothing of the players’ or of bots’', async () => {
	const paths = [
		TREE,
		'/openapi.json',
		'/docs',
		'/asyncapi.json',
		'/client.ts',
		'/development/outbox',
		'/domain-settings/localhost.json',
	];
	for (const path of paths) {
		expect([path, (await getUnder(server.url, 'console.test', path)).status]).toEqual([path, 404]);
		expect([path, (await getUnder(server.url, 'console.test', path, ['Accept: text/html'])).status]).toEqual([
			path,
			404,
		]);
	}
	for (const path of [
		'/Account/LoginAsDemoUser',
		'/exchange/betting/json-rpc/v1',
		'/api/login',
		'/api/Payment/Webhook',
	]) {
		const lines = [`POST ${path} HTTP/1.1`, 'Host: console.test', 'Content-Length: 0'];
		expect([path, (await rawRequest(server.url, lines)).status]).toEqual([path, 404]);
	}
	expect((await getUnder(server.url, 'console.test', '/live')).status).toBe(200);
	const session = ['POST /api/staff-list HTTP/1.1', 'Host: console.test', 'Content-Length: 0', 'X-Console: 1'];
	expect((await rawRequest(server.url, session)).status).toBe(401);
});

const said = ({ status, body }: RawAnswer) => [status, (JSON.parse(body) as { error: { code: string } }).error.code];

/** The domain a login made by this request belongs to. */
async function domainOf(lines: readonly string[]): Promise<string> {
	const { body } = await rawRequest(server.url, ['GET /Account/LoginAsDemoUser HTTP/1.1', ...lines]);
	return (JSON.parse(body) as { result: { domain: string } }).result.domain;
}

describe('a host', () => {
	it.each([
		['as it is written', 'royal.localhost'],
		['with a port', 'royal.localhost:3000'],
		['in capitals', 'ROYAL.LocalHost'],
	])('is found %s', async (_, host) => {
		expect(await domainOf([`Host: ${host}`])).toBe('royal.localhost');
	});

	it.each([
		['of nobody', 'nobody.localhost'],
		['that only ends like ours', 'evil-localhost'],
		['below ours', 'x.royal.localhost'],
		['that is every object’s', '__proto__'],
		['of the default file', 'default'],
		['that is an address', '[::1]:3000'],
	])('%s is unknown', async (_, host) => {
		expect(said(await getUnder(server.url, host, TREE))).toEqual([404, 'UNKNOWN_DOMAIN']);
	});

	it.each([
		['with a name before it', 'royal.localhost@evil.example'],
		['with a name after it', 'localhost:3000@evil.example'],
		['with a dot at its end', 'royal.localhost.'],
		['of two names', 'localhost, royal.localhost'],
		['with a path', 'localhost/royal.localhost'],
		['with a port that is none', 'localhost:royal'],
		['with a port that is too long', 'localhost:300000'],
		['with a space', 'royal localhost'],
		['with markup', '<script>alert(1)</script>'],
		['with a quote', "localhost' or '1'='1"],
		['of nothing', ''],
	])('%s is refused', async (_, host) => {
		expect(said(await getUnder(server.url, host, TREE))).toEqual([400, 'BAD_HOST']);
	});

	it('given twice is refused, even when both are the same', async () => {
		for (const second of ['royal.localhost', 'localhost']) {
			const lines = [`GET ${TREE} HTTP/1.1`, 'Host: localhost', `Host: ${second}`];
			expect(said(await rawRequest(server.url, lines))).toEqual([400, 'BAD_HOST']);
		}
	});

	it('in the target beside the header is refused', async () => {
		const lines = [`GET http://royal.localhost${TREE} HTTP/1.1`, 'Host: localhost'];
		expect(said(await rawRequest(server.url, lines))).toEqual([400, 'BAD_HOST']);
	});

	it('that is missing is refused', async () => {
		expect((await rawRequest(server.url, [`GET ${TREE} HTTP/1.1`])).status).toBe(400);
		expect(said(await rawRequest(server.url, [`GET ${TREE} HTTP/1.0`]))).toEqual([400, 'BAD_HOST']);
	});

	it.each([
		'X-Forwarded-Host: royal.localhost',
		'Forwarded: host=royal.localhost',
		'X-Host: royal.localhost',
		'X-Original-Host: royal.localhost',
		'Origin: http://royal.localhost',
		'Referer: http://royal.localhost/',
	])('is not taken from “%s” of an untrusted client', async (header) => {
		expect(await domainOf(['Host: localhost', header])).toBe('localhost');
	});

	it('is not taken from a body', async () => {
		const body = JSON.stringify({ userNameOrEmailAddress: 'x', password: 'y', domain: 'royal.localhost' });
		const answer = await rawRequest(
			server.url,
			[
				'POST /Account/Authenticate HTTP/1.1',
				'Host: localhost',
				'Content-Type: application/json',
				`Content-Length: ${body.length}`,
			],
			body,
		);
		expect(said(answer)).toEqual([400, 'VALIDATION_FAILED']);
	});
});

describe('behind a configured proxy', () => {
	let proxied: TestServer;
	beforeAll(async () => {
		proxied = await TestServer.start(undefined, { trustedProxies: ['127.0.0.1'] });
	});
	afterAll(() => proxied.dispose());

	it('the forwarded host is believed', async () => {
		const { body } = await rawRequest(proxied.url, [
			'GET /Account/LoginAsDemoUser HTTP/1.1',
			'Host: inside',
			'X-Forwarded-Host: royal.localhost',
		]);
		expect(JSON.parse(body)).toMatchObject({ result: { domain: 'royal.localhost' } });
	});

	it('a forwarded host is read as strictly', async () => {
		const lines = [`GET ${TREE} HTTP/1.1`, 'Host: inside', 'X-Forwarded-Host: royal.localhost@evil.example'];
		expect(said(await rawRequest(proxied.url, lines))).toEqual([400, 'BAD_HOST']);
	});
});

describe('a browser under a wrong host', () => {
	const HTML = ['Accept: text/html'];

	it('sees a page that names no brand', async () => {
		for (const path of ['/', '/matchlist/3', '/index', '/domain-settings', '/old-page.html']) {
			const { status, headers, body } = await getUnder(server.url, 'nobody.localhost', path, HTML);
			expect(status).toBe(404);
			expect(headers['content-type']).toContain('text/html');
			expect(body).toContain('There is no site at this address');
			expect(body).not.toMatch(/backlay|royal|dune|monsoon|akhada|harbour|brands\//i);
			expect(body).not.toContain('nobody');
		}
	});

	it('gets no brand’s picture', async () => {
		const { status } = await getUnder(server.url, 'nobody.localhost', '/brands/royal/logo.svg');
		expect(status).toBe(404);
	});

	it('still serves operators and monitors', async () => {
		expect((await getUnder(server.url, 'nobody.localhost', '/healthz')).status).toBe(200);
		const { status } = await rawRequest(server.url, [
			'POST /operator/api/markets HTTP/1.1',
			'Host: 10.0.0.7',
			'Content-Length: 0',
		]);
		expect(status).toBe(401);
	});
});
