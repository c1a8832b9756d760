/** Starts a process of clients beside those that are measured; it begins when it is told. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** @param name of its file in this folder */
export async function openCrowd(name: string, port: number, tokenKey: string): Promise<ChildProcess> {
	const env = { ...process.env, TOKEN_KEY: tokenKey };
	const crowd = fork(new URL(`./${name}.ts`, import.meta.url), [String(port)], { env });
	await once(crowd, 'message');
	return crowd;
}
