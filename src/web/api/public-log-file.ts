/** The files of the public log, which is plain files beside the calls. */
import { serverAddress } from '#web/api/server-address.ts';

/** @param path below `/public-log/` @throws Error if there is none */
export async function readLogFile(path: string): Promise<Uint8Array> {
	const response = await fetch(`${serverAddress()}/public-log/${path}`);
	if (!response.ok) throw new Error(`${path}: ${response.status}`);
	return new Uint8Array(await response.arrayBuffer());
}
