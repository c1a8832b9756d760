/** Fetches the domain setting of this host: cache-buster, ETag, and the default file where the host has none. */

import type { DomainSetting } from '#contract/domain-setting.ts';

interface DomainFile {
	setting: DomainSetting;
	etag: string | null;
}

interface FetchDomainOptions {
	host: string;
	/** Of the file held already; an unchanged file then answers null. */
	etag?: string | null;
	/** 'default' asks for the file of hosts that have none of their own. */
	file?: 'host' | 'default';
	signal?: AbortSignal;
}

/** The server answered, but with no setting. */
export class DomainFailure extends Error {
	readonly status: number;
	/** The server's own sentence, when it gave one. */
	readonly said: string | null;

	constructor(status: number, message: string, said: string | null) {
		super(message);
		this.name = 'DomainFailure';
		this.status = status;
		this.said = said;
	}
}

/** 100 to 1000, as the specification's cache-busting key. */
const cacheBuster = (random: () => number = Math.random): number => 100 + Math.floor(random() * 901);

interface Body {
	success?: unknown;
	result?: DomainSetting;
	error?: { message?: string } | null;
}

/** The body, or null if it is not JSON, such as a proxy's page. */
async function bodyOf(response: Response): Promise<Body | null> {
	try {
		return (await response.json()) as Body | null;
	} catch {
		return null;
	}
}

/**
 * @returns the setting, or null if it has not changed since `etag`
 * @throws DomainFailure `HTTP error {status}` on any other answer, the server's message if it reports no success
 */
export async function fetchDomainSetting(options: FetchDomainOptions): Promise<DomainFile | null> {
	const name = options.file === 'default' ? 'default' : encodeURIComponent(options.host);
	const headers: Record<string, string> = { Accept: 'application/json' };
	if (options.etag) headers['If-None-Match'] = options.etag;
	const response = await fetch(`/domain-settings/${name}.json?v=${cacheBuster()}`, {
		headers,
		cache: 'no-store',
		...(options.signal ? { signal: options.signal } : {}),
	});
	if (response.status === 304) return null;
	const body = await bodyOf(response);
	const said = body?.error?.message ?? null;
	if (!response.ok) throw new DomainFailure(response.status, `HTTP error ${response.status}`, said);
	if (body?.success !== true || !body.result) {
		throw new DomainFailure(response.status, said ?? 'The site setting is not available.', said);
	}
	return { setting: body.result, etag: response.headers.get('ETag') };
}
