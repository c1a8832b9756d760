/** Starts a process of clients beside the measured ones; it begins on a message. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** @param name of its file in this folder */
export async function openCrowd(name: string, port: number, tokenKey: string): Promise<ChildProcess> {
	const env = { ...process.env, TOKEN_KEY: tokenKey };
	const crowd = fork(new URL(`./${name}.ts`, import.meta.url), [String(port)], { env });
	await heardFrom(crowd);
	return crowd;
}

/** The next message of the process. @throws Error if it ends instead */
export async function heardFrom(crowd: ChildProcess): Promise<unknown> {
	const heard = new AbortController();
	const { signal } = heard;
	try {
		const [said] = await Promise.race([
			once(crowd, 'message', { signal }),
			once(crowd, 'exit', { signal }).then(([code]) => {
				throw new Error(`A process of clients ended with ${code}.`);
			}),
		]);
		return said;
	} finally {
		heard.abort();
	}
}
