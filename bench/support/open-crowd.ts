/** Starts a process of clients beside those that are measured; it begins when it is told. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** @param name of its file in this folder */
export async function openCrowd(name: string, port: number, tokenKey: string): Promise<ChildProcess> {
	const env = { ...process.env, TOKEN_KEY: tokenKey };
	const crowd = fork(new URL(`./${name}.ts`, import.meta.url), [String(port)], { env });
	await heardFrom(crowd);
	return crowd;
}

/** What the process says next. @throws Error when it ends instead */
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
