/**
 * What a page of ours may load and whom it may ask: its own origin, and the others that are configured. A browser refuses
 * everything else, so that what slipped into a page could send nothing away.
 */
import type { DomainSetting } from '#contract/domain-setting.ts';
import { isStreamAddress } from '#values/stream-address.ts';

/** A host and its port as a URL writes them; with any other sign in it a host could say more than where it is. */
const HOST = /^[\w.-]+(:\d+)?$/;

/** Where addresses lead, each place once; paths of our own and what is no web address are left out. */
function originsOf(addresses: readonly string[]): string[] {
	const origins = addresses.flatMap((address) => {
		const url = URL.parse(address);
		return url && /^https?:$/.test(url.protocol) && HOST.test(url.host) ? url.origin : [];
	});
	return [...new Set(origins)];
}

/** A stream is put together in the page, by a worker, from blobs. */
const policy = (asked: readonly string[], played: readonly string[]): string =>
	[
		"default-src 'self'",
		"img-src 'self' data: blob:",
		"style-src 'self' 'unsafe-inline'",
		["connect-src 'self'", ...asked].join(' '),
		["media-src 'self' blob:", ...played].join(' '),
		"worker-src 'self' blob:",
		"base-uri 'none'",
		"form-action 'self'",
		"frame-ancestors 'none'",
		"object-src 'none'",
	].join('; ');

/** Of everything we send that is not a brand's page. */
export const STRICT_POLICY = policy([], []);

/**
 * Of a brand's page, as it is configured when it is sent: a page that was open before has to be loaded anew to reach an
 * origin that came later.
 * @param setting.streamUrl whatever streams come from, so that the ones to come may be watched in pages that are open
 * @param streams addresses of the streams that matches have now
 */
export function pagePolicy(
	{ baseUrl, hubUrl, casinoUrl, paymentUrl, streamUrl }: DomainSetting,
	streams: readonly string[],
): string {
	const services = originsOf([baseUrl, hubUrl, casinoUrl, paymentUrl]);
	const lines = originsOf([baseUrl, hubUrl]).map((origin) => origin.replace(/^http/, 'ws'));
	const videos = originsOf([streamUrl, ...streams].filter(isStreamAddress));
	return policy([...new Set([...services, ...lines, ...videos])], videos);
}
