/**
 * The address and the encoding of each call. The domain setting defines them; until it arrives, its stored copy does.
 */
import type { Call } from '#contract/call.ts';
import type { DomainSetting } from '#contract/domain-setting.ts';
import { readStored, readStoredJson } from '#web/api/storage.ts';

const hasBaseUrl = (value: unknown): value is { baseUrl: string } =>
	typeof value === 'object' && value !== null && typeof (value as { baseUrl?: unknown }).baseUrl === 'string';

type Hosts = Pick<DomainSetting, 'casinoUrl' | 'paymentUrl' | 'encodeRequests'>;

let hosts: Hosts = { casinoUrl: '', paymentUrl: '', encodeRequests: false };

export function setHosts({ casinoUrl, paymentUrl, encodeRequests }: Hosts): void {
	hosts = { casinoUrl, paymentUrl, encodeRequests };
}

const withoutSlash = (address: string): string => address.replace(/\/+$/, '');

/**
 * The address of the server's own calls, without a trailing slash: the stored base URL, the stored domain setting's, or
 * the page's own origin (empty).
 */
export function serverAddress(): string {
	return withoutSlash(readStored('baseUrl') || readStoredJson('domainSetting', hasBaseUrl)?.baseUrl || '');
}

/** A base URL that names the test API takes payments itself (product specification, section 7). */
const takesPaymentsItself = (): boolean => readStored('baseUrl')?.includes('testapi') ?? false;

/** The address of a host without a trailing slash; the server's own by default. */
export function addressOf(host: Call['host']): string {
	if (host === 'casino') return withoutSlash(hosts.casinoUrl) || serverAddress();
	if (host === 'payments' && !takesPaymentsItself()) return withoutSlash(hosts.paymentUrl) || serverAddress();
	return serverAddress();
}

/** Whether requests to this address use the encoding mode, which only the server supports. */
export const encodesRequestsTo = (address: string): boolean => hosts.encodeRequests && address === serverAddress();
