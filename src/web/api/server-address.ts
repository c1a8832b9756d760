import { readStored, readStoredJson } from '#web/api/storage.ts';

const hasBaseUrl = (value: unknown): value is { baseUrl: string } =>
	typeof value === 'object' && value !== null && typeof (value as { baseUrl?: unknown }).baseUrl === 'string';

let encodes = false;

/** Where the calls go, without a trailing slash: the stored base URL, the stored domain setting's, or the page's own origin (empty). */
export function serverAddress(): string {
	const address = readStored('baseUrl') || readStoredJson('domainSetting', hasBaseUrl)?.baseUrl || '';
	return address.replace(/\/+$/, '');
}

/** Whether requests travel in the encoding mode; set by the domain setting. */
export const encodesRequests = (): boolean => encodes;
export function setEncodesRequests(on: boolean): void {
	encodes = on;
}
