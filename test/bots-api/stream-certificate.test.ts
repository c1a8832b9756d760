/** The stream's own certificate, as `STREAM_TLS=self npm start` makes it: trusted by its authority alone, for its hosts. */
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer } from 'node:tls';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { DAY_MS } from '#values/time.ts';
import { certificateLines, makeCertificate, SERVICE_HOSTS, streamCertificate } from '../../tools/stream-certificate.ts';

const HOSTS = ['localhost', '127.0.0.1', '::1', ...SERVICE_HOSTS];

let folder: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'backlay-certificate-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Whether a client that trusts this authority alone takes the certificate under that name. */
async function isTaken(served: { certificate: string; key: string }, authority: string, servername: string) {
	const server = createServer({ cert: served.certificate, key: served.key });
	server.on('tlsClientError', () => undefined);
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as { port: number };
	const client = connect({ port, host: '127.0.0.1', servername, ca: authority });
	onTestFinished(() => {
		client.destroy();
		server.close();
	});
	return await new Promise<boolean | string>((resolve) => {
		client.once('secureConnect', () => resolve(true));
		client.on('error', (error: Error & { code: string }) => resolve(error.code));
	});
}

it('is taken by a client that trusts its authority, under the names of the service, too, and by no other', async () => {
	const made = makeCertificate(HOSTS, Date.now());
	for (const name of ['localhost', ...SERVICE_HOSTS])
		expect([name, await isTaken(made, made.authority, name)]).toEqual([name, true]);
	expect(await isTaken(made, made.authority, 'api.example.com')).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
	expect(await isTaken(made, makeCertificate(HOSTS, Date.now()).authority, 'localhost')).not.toBe(true);
});

it('is one of a server, made by an authority that can make no other authority', () => {
	const made = makeCertificate(HOSTS, Date.now());
	const [server, authority] = [new X509Certificate(made.certificate), new X509Certificate(made.authority)];
	expect([server.ca, authority.ca]).toEqual([false, true]);
	expect(server.verify(authority.publicKey)).toBe(true);
	expect(server.checkIssued(authority)).toBe(true);
	expect(server.checkIP('127.0.0.1')).toBe('127.0.0.1');
	expect(server.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
});

it('stays over starts, and is made anew when it is about to end or a host is new', async () => {
	const files = streamCertificate(folder, HOSTS);
	const first = await readFile(files.certificate, 'utf8');
	expect((await stat(files.key)).mode & 0o777).toBe(0o600);
	streamCertificate(folder, HOSTS);
	expect(await readFile(files.certificate, 'utf8')).toBe(first);
	streamCertificate(folder, [...HOSTS, 'another.test']);
	const second = await readFile(files.certificate, 'utf8');
	expect(second).not.toBe(first);
	streamCertificate(folder, HOSTS, Date.now() + 790 * DAY_MS);
	expect(await readFile(files.certificate, 'utf8')).not.toBe(second);
	expect(certificateLines(files).join('\n')).toContain(`SSL_CERT_FILE=${files.authority}`);
});
