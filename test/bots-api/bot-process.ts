/** The server as a process of its own with a stream, and bots on it. */
import { createServer } from 'node:net';
import { selectionOfName } from '#server/doors/bots-api/fields.ts';
import { ServerProcess } from '../browser/server-process.ts';
import { PASSWORD } from '../support/sign-up.ts';

export interface ProcessBot {
	userName: string;
	appKey: string;
	token: string;
}

/** Selections of the runners of markets that the tests' operators open. */
export const [ASHA, BELA] = [selectionOfName('Asha'), selectionOfName('Bela')];

/** A server with a stream, not started yet. It has the stream's port at every start. */
export async function streamingProcess(): Promise<{ server: ServerProcess; streamPort: number }> {
	const streamPort = await freePort();
	return { server: await ServerProcess.create({ environment: { STREAM_PORT: String(streamPort) } }), streamPort };
}

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
	const probe = createServer();
	await new Promise<void>((listening) => {
		probe.listen(0, '127.0.0.1', listening);
	});
	const { port } = probe.address() as { port: number };
	await new Promise((closed) => {
		probe.close(closed);
	});
	return port;
}

/** Signs up a player of that name, and opens a session with a new app key. */
export async function openBotAt(
	server: Pick<ServerProcess, 'url' | 'call' | 'operator'>,
	userName: string,
): Promise<ProcessBot> {
	for (const field of ['allowSignUp', 'skipVerification'])
		await server.operator('brand-set', { host: 'localhost', field, value: 'true' });
	const mobile = `+91900${String(Date.now()).slice(-7)}`;
	const form = { userName, password: PASSWORD, confirmPassword: PASSWORD, mobile, referralCode: '' };
	const { autoVerifyCode = '' } = await server.call('register', form);
	const { accessToken } = await server.call('verificationUser', { userName, mobile, otp: autoVerifyCode });
	const asked = { name: 'bot', mayTrade: true, addresses: [], callsPerSecond: 100, password: PASSWORD };
	const { appKey } = await server.call('createApiKey', asked, accessToken);
	const response = await fetch(`${server.url}/api/login`, {
		method: 'POST',
		headers: { 'X-Application': appKey },
		body: new URLSearchParams({ username: userName, password: PASSWORD }),
	});
	const { token } = (await response.json()) as { token: string };
	return { userName, appKey, token };
}
