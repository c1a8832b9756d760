/** The host of a request, read in the same way by calls and by the hub. */
import type { IncomingMessage } from 'node:http';
import { Refused } from '#values/error-catalogue.ts';

const HOST = /^([a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;

/** A second Host header smuggles a request past a proxy that reads the other one. */
function hostHeaders(rawHeaders: readonly string[]): number {
	let count = 0;
	for (let at = 0; at < rawHeaders.length; at += 2) {
		const name = rawHeaders[at] as string;
		if (name.length === 4 && name.toLowerCase() === 'host') count++;
	}
	return count;
}

/**
 * The host that a request names, in lower case, without its port.
 * @param request.host of its Host header, or the forwarded one of a trusted proxy
 * @throws Refused BAD_HOST
 */
export function hostOf({ raw, host }: { raw: IncomingMessage; host: string }): string {
	// An absolute target has a host of its own that could contradict the header.
	const clear = raw.url?.startsWith('/') && hostHeaders(raw.rawHeaders) === 1;
	const name = clear ? HOST.exec(host.toLowerCase())?.[1] : undefined;
	if (name === undefined) throw new Refused('BAD_HOST');
	return name;
}
