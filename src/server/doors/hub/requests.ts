/** The sender of a hub request, read in the same way from plain HTTP and from upgrades. */
import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';
import { hostOf } from '#server/doors/http/host-name.ts';

export interface HubRequest {
	/** The browser's address, past our own proxies. */
	address: string;
	/** The requested host, without a port, in lower case. */
	host: string;
	/** The page's origin as the browser states it; null outside browsers. */
	origin: string | null;
	/** From the query, where browsers must put it, or from the header; empty without a token. */
	token: string;
	query: URLSearchParams;
	/** Lower case, without a slash at the end. */
	path: string;
}

/**
 * @param trustedProxies addresses whose forwarded host and address are trusted
 * @returns a function that reads a request and throws Refused BAD_HOST
 */
export function requestReader(trustedProxies: string[]): (request: IncomingMessage) => HubRequest {
	const trusts = proxyAddr.compile(trustedProxies);
	return (request) => {
		const { headers, socket } = request;
		const forwarded = trusts(socket.remoteAddress ?? '', 0) ? lastOf(headers['x-forwarded-host']) : '';
		const [path = '', ...rest] = (request.url ?? '').split('?');
		const query = new URLSearchParams(rest.join('?'));
		const bearer = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];
		return {
			address: proxyAddr(request, trusts),
			host: hostOf({ raw: request, host: forwarded || (headers.host ?? '') }),
			origin: headers.origin ?? null,
			token: query.get('access_token') ?? bearer ?? '',
			query,
			path: path.toLowerCase().replace(/\/+$/, ''),
		};
	};
}

/** The nearest proxy appends last. */
const lastOf = (header: string | string[] | undefined): string =>
	String(header ?? '')
		.split(',')
		.at(-1)
		?.trim() ?? '';

/** Whether a page of this origin may use the hub of that brand: only pages of the brand's own host may. */
export function isOriginOf(origin: string, host: string): boolean {
	const url = URL.parse(origin);
	return url !== null && /^https?:$/.test(url.protocol) && url.origin === origin && url.hostname === host;
}
