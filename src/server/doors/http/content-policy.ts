/**
 * The origins that a page may load from and connect to: its own, and the configured ones. Browsers refuse all others,
 * so injected content can send no data away.
 */
import { createHash } from 'node:crypto';
import type { DomainSetting } from '#contract/domain-setting.ts';
import { isStreamAddress } from '#values/stream-address.ts';

/** A host and its port as in a URL. Other characters could add sources to the policy. */
const HOST = /^[\w.-]+(:\d+)?$/;

/** The origins of these addresses, each once. Own paths and invalid addresses are left out. */
function originsOf(addresses: readonly string[]): string[] {
	const origins = addresses.flatMap((address) => {
		const url = URL.parse(address);
		return url && /^https?:$/.test(url.protocol) && HOST.test(url.host) ? url.origin : [];
	});
	return [...new Set(origins)];
}

interface Allowed {
	asked?: readonly string[];
	played?: readonly string[];
	framed?: readonly string[];
	/** Hashes of the scripts within the page. */
	scripts?: readonly string[];
}

/** The player assembles a stream in the page, in a worker, from blobs. */
const policy = ({ asked = [], played = [], framed = [], scripts = [] }: Allowed): string =>
	[
		"default-src 'self'",
		...scriptSources(scripts),
		"img-src 'self' data: blob:",
		"style-src 'self' 'unsafe-inline'",
		["connect-src 'self'", ...asked].join(' '),
		["media-src 'self' blob:", ...played].join(' '),
		"worker-src 'self' blob:",
		...(framed.length > 0 ? [['frame-src', ...framed].join(' ')] : []),
		"base-uri 'none'",
		"form-action 'self'",
		"frame-ancestors 'none'",
		"object-src 'none'",
	].join('; ');

/** A script within the page has no attributes but data. */
const WITHIN = /<script(?: data-[\w-]+="[^"]*")?>([\s\S]*?)<\/script>/g;

/** The hashes of a page's own scripts, by which a policy allows them and no others. */
export const scriptHashes = (page: string): string[] =>
	[...page.matchAll(WITHIN)].map(
		([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
	);

/** Without scripts within the page, those of its origin are allowed by default. */
export const scriptSources = (hashes: readonly string[]): string[] =>
	hashes.length > 0 ? [["script-src 'self'", ...hashes].join(' ')] : [];

/**
 * The policy of the worker that reads receipts: it may compile its WebAssembly and fetch its own files, nothing else.
 */
export const READER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

/** The policy of every answer that is not a brand's page. */
export const STRICT_POLICY = policy({});

/**
 * The policy of a brand's page, as configured when it is sent. A page that is open must be reloaded to reach an origin
 * that was added later.
 * @param setting.streamUrl the origin of all streams, so that future streams play in pages that are open
 * @param streams addresses of the current streams
 * @param framed addresses of providers, whose games are shown in frames
 * @param scripts hashes of the scripts within the page
 */
export function pagePolicy(
	{ baseUrl, hubUrl, casinoUrl, paymentUrl, streamUrl }: DomainSetting,
	streams: readonly string[],
	framed: readonly string[] = [],
	scripts: readonly string[] = [],
): string {
	const services = originsOf([baseUrl, hubUrl, casinoUrl, paymentUrl]);
	const lines = originsOf([baseUrl, hubUrl]).map((origin) => origin.replace(/^http/, 'ws'));
	const videos = originsOf([streamUrl, ...streams].filter(isStreamAddress));
	const asked = [...new Set([...services, ...lines, ...videos])];
	return policy({ asked, played: videos, framed: originsOf(framed), scripts });
}
