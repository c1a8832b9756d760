/** Which addresses a webhook may go to in production. Examples are those of the registries and of known attacks. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { postWebhook } from '#server/operators/webhooks/post-webhook.ts';
import { isPublicAddress, isSafeUrl, lookupPublic } from '#server/platform/outside/public-address.ts';
import { WebhookReceiver } from './webhook-receiver.ts';

let receiver: WebhookReceiver;
beforeAll(async () => {
	receiver = await WebhookReceiver.open();
});
afterAll(() => receiver.close());

it.each([
	'127.0.0.1',
	'0.0.0.0',
	'10.1.2.3',
	'100.64.0.1',
	'169.254.169.254',
	'172.31.255.255',
	'192.168.1.1',
	'198.19.0.1',
	'224.0.0.1',
	'255.255.255.255',
	'::1',
	'::',
	'::ffff:10.0.0.1',
	'64:ff9b::a00:1',
	'fc00::1',
	'fe80::1',
	'2002:a00:1::',
	'2001:db8::1',
	'ff02::1',
	'localhost',
])('%s is not public', (address) => expect(isPublicAddress(address)).toBe(false));

it.each(['1.1.1.1', '172.32.0.1', '192.0.1.1', '2606:4700:4700::1111'])('%s is public', (address) =>
	expect(isPublicAddress(address)).toBe(true),
);

it.each([
	['https://hooks.example.com/a?b=c', true],
	['https://1.1.1.1/hook', true],
	['http://hooks.example.com/', false],
	['https://user:password@hooks.example.com/', false],
	['https://intranet/hook', false],
	['https://db.localhost/hook', false],
	// An address in other digits: URL reads it as 127.0.0.1.
	['https://0x7f.1/hook', false],
	['https://2130706433/hook', false],
	['https://[::ffff:127.0.0.1]/hook', false],
])('%s may receive webhooks: %s', (url, isSafe) => expect(isSafeUrl(url)).toBe(isSafe));

const webhook = { id: 'an id', body: '{}', timestamp: 1, secrets: [Buffer.from('a secret')] };

it('posts to no private address in production, and to no name that leads to one', async () => {
	await expect(postWebhook(receiver.url(), webhook, true)).rejects.toThrow('not safe');
	const { promise, resolve } = Promise.withResolvers<Error | null>();
	lookupPublic('localhost', {}, resolve);
	expect((await promise)?.message).toContain('not public');
	expect([await postWebhook(receiver.url(), webhook, false), receiver.received.length]).toEqual([200, 1]);
});

it('gives up on a receiver that closes without an answer', async () => {
	receiver.answer = () => 'no answer';
	await expect(postWebhook(receiver.url(), webhook, false)).rejects.toThrow();
});

it('reads no answer without end', async () => {
	const closed = Promise.withResolvers<void>();
	const endless = createServer((_, response) => {
		response.on('close', closed.resolve).writeHead(200);
		const write = (): void => {
			while (!response.destroyed && response.write('x'.repeat(16_384)));
		};
		response.on('drain', write);
		write();
	}).listen(0, '127.0.0.1');
	await once(endless, 'listening');
	const { port } = endless.address() as AddressInfo;
	expect(await postWebhook(`http://127.0.0.1:${port}/`, webhook, false)).toBe(200);
	await closed.promise;
	endless.close();
});
