/** Who makes a request of the hub, from the request alone: the same for plain HTTP and for upgrades. */
import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';
import { hostOf } from '#server/http/host-name.ts';

export interface HubRequest {
	/** Of the browser, past our own proxies. */
	address: string;
	/** Asked for, without a port, in lower case. */
	host: string;
	/** Of the page, as the browser states it; null outside browsers. */
	origin: string | null;
	/** In the query, where browsers must put it, or in the header; empty for none. */
	token: string;
	query: URLSearchParams;
	/** Lower case, without a slash at the end. */
	path: string;
}

/**
 * @param trustedProxies addresses whose forwarded host and address are believed
 * @returns what reads a request; it throws Refused BAD_HOST
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

/** The nearest proxy writes last. */
const lastOf = (header: string | string[] | undefined): string =>
	String(header ?? '')
		.split(',')
		.at(-1)
		?.trim() ?? '';

/** Whether a page of this origin may speak with the hub in the name of a visitor of that brand: those of its own host. */
export function isOriginOf(origin: string, host: string): boolean {
	const url = URL.parse(origin);
	return url !== null && /^https?:$/.test(url.protocol) && url.origin === origin && url.hostname === host;
}
