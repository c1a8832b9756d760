/**
 * Other servers, as this one asks them. This file keeps webhooks and notifications from addresses that only this server
 * reaches: an operator or a player could name one, and read and act on the network behind it. The address that was
 * checked is the one that is connected to, so a name cannot change in between.
 */
import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Of the registries of special-purpose addresses (RFC 6890 and its successors). */
const NOT_PUBLIC: readonly (readonly [address: string, prefix: number])[] = [
	['0.0.0.0', 8],
	['10.0.0.0', 8],
	['100.64.0.0', 10],
	['127.0.0.0', 8],
	['169.254.0.0', 16],
	['172.16.0.0', 12],
	['192.0.0.0', 24],
	['192.0.2.0', 24],
	['192.88.99.0', 24],
	['192.168.0.0', 16],
	['198.18.0.0', 15],
	['198.51.100.0', 24],
	['203.0.113.0', 24],
	['224.0.0.0', 3],
];
/** Inside the one block of global unicast addresses; the second and third reach IPv4 addresses. */
const NOT_PUBLIC_6: readonly (readonly [address: string, prefix: number])[] = [
	['2001::', 23],
	['2002::', 16],
	['2001:db8::', 32],
	['3fff::', 20],
];
const UNICAST_6 = ['2000::', 3] as const;

const refused4 = new BlockList();
for (const [address, prefix] of NOT_PUBLIC) refused4.addSubnet(address, prefix, 'ipv4');
const refused6 = new BlockList();
for (const [address, prefix] of NOT_PUBLIC_6) refused6.addSubnet(address, prefix, 'ipv6');
const unicast6 = new BlockList();
unicast6.addSubnet(...UNICAST_6, 'ipv6');

export function isPublicAddress(address: string): boolean {
	switch (isIP(address)) {
		case 4:
			return !refused4.check(address, 'ipv4');
		case 6:
			return unicast6.check(address, 'ipv6') && !refused6.check(address, 'ipv6');
		default:
			return false;
	}
}

/** Whether a URL may receive webhooks in production, as far as its text says. */
export function isSafeUrl(text: string): boolean {
	const { protocol, hostname, username, password } = new URL(text);
	const address = hostname.replace(/^\[|\]$/g, '');
	if (protocol !== 'https:' || username !== '' || password !== '') return false;
	return isIP(address) === 0 ? address.includes('.') && !address.endsWith('.localhost') : isPublicAddress(address);
}

/** Resolves a host like `dns.lookup`, and fails if any of its addresses is not public. */
export const lookupPublic: LookupFunction = (hostname, options, callback) => {
	lookup(hostname, { ...options, all: true }, (error, addresses) => {
		if (error) return callback(error, '', 0);
		const [first] = addresses;
		if (!first || addresses.some(({ address }) => !isPublicAddress(address)))
			return callback(new Error('the host has an address that is not public'), '', 0);
		if (options.all) callback(null, addresses);
		else callback(null, first.address, first.family);
	});
};
