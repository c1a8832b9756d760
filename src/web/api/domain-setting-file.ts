/** Fetches the domain setting of this host: cache-buster, ETag, and the default file where the host has none. */

import type { DomainSetting } from '#contract/domain-setting.ts';

export interface DomainFile {
	setting: DomainSetting;
	etag: string | null;
}

export interface FetchDomainOptions {
	host: string;
	/** Of the file held already; an unchanged file then answers null. */
	etag?: string | null;
	/** 'default' asks for the file of hosts that have none of their own. */
	file?: 'host' | 'default';
	signal?: AbortSignal;
}

/** 100 to 1000, as the specification's cache-busting key. */
export const cacheBuster = (random: () => number = Math.random): number => 100 + Math.floor(random() * 901);

/**
 * @returns the setting, or null when the server says nothing changed since `etag`
 * @throws Error `HTTP error {status}` on any other answer, the server's message when it reports no success
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
	if (!response.ok) throw new Error(`HTTP error ${response.status}`);
	const body = (await response.json()) as {
		success?: unknown;
		result?: DomainSetting;
		error?: { message?: string } | null;
	};
	if (body.success !== true || !body.result)
		throw new Error(body.error?.message ?? 'The site setting is not available.');
	return { setting: body.result, etag: response.headers.get('ETag') };
}
