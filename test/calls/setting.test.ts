import { request } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

let server: TestServer;
beforeAll(async () => {
	server = await sharedServer();
});

it('getSettingExpiry: success, the version of the host’s setting and a future time', async () => {
	const { version, expiresAt } = await server.result('getSettingExpiry', {});
	const { result } = (await (await fetch(`${server.url}/domain-settings/localhost.json?v=100`)).json()) as {
		result: { version: number };
	};
	expect(version).toBe(result.version);
	expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
});

it('getSettingExpiry: refusal under a host without a brand', async () => {
	const { hostname, port } = new URL(server.url);
	const status = await new Promise((resolve, reject) => {
		const headers = { host: 'elsewhere.example' };
		request({ hostname, port, path: '/api/setting/GetSettingExpiry', headers }, (response) => {
			response.resume();
			resolve(response.statusCode);
		})
			.on('error', reject)
			.end();
	});
	expect(status).toBe(404);
});

describe('getSetting', () => {
	it('getSetting: success, a field of the host’s own setting', async () => {
		expect(await server.result('getSetting', { name: 'domainTitle' })).toEqual({
			name: 'domainTitle',
			value: 'Backlay',
		});
		const elsewhere = await fetch(`${server.url.replace('localhost', '127.0.0.1')}/Setting/GetSetting?name=domain`);
		expect(((await elsewhere.json()) as { result: unknown }).result).toEqual({ name: 'domain', value: '127.0.0.1' });
	});

	it.each(['', 'toString', 'password'])('getSetting: refusal of the name “%s”', async (name) => {
		const refused = await server.raw('getSetting', { name });
		expect([refused.status, refused.code]).toEqual([400, 'VALIDATION_FAILED']);
	});
});
