/** Calls without a log-in, as a browser on a network makes them. The server has to trust 127.0.0.1 as a proxy. */
import { CALLS } from '../../src/contract/registry.ts';
import type { TestServer } from './server.ts';

/** @returns the code of the refusal, null for a success, and the first cookie of the answer */
export async function askFrom(
	{ url }: TestServer,
	address: string,
	name: 'sendResetCode' | 'resetPassword' | 'sendUnlockCode' | 'unlockAccount',
	input: object,
	cookie = '',
): Promise<{ code: string | null; cookie: string }> {
	const { path, method } = CALLS[name];
	const headers = { 'Content-Type': 'application/json', 'X-Forwarded-For': address, Cookie: cookie };
	const response = await fetch(`${url}/${path}`, { method, headers, body: JSON.stringify(input) });
	const { error } = (await response.json()) as { error: { code: string } | null };
	return { code: error?.code ?? null, cookie: response.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
}
