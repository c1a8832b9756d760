/** Network addresses, as counted by limits. */

const MAPPED_IPV4 = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;
const GROUPS_OF_A_NETWORK = 4;

/** The sixteen-bit groups of an IPv6 address, with those omitted by `::` as zeros. */
function groupsOf(address: string): string[] {
	const [head = '', tail] = address.split('::');
	const before = head === '' ? [] : head.split(':');
	if (tail === undefined) return before;
	const after = tail === '' ? [] : tail.split(':');
	// An IPv4 address at the end stands for two groups.
	const count = before.length + after.length + (tail.includes('.') ? 1 : 0);
	return [...before, ...Array.from({ length: Math.max(0, 8 - count) }, () => '0'), ...after];
}

/**
 * The network that counts as one visitor: the address itself for IPv4, the first 64 bits for IPv6. A household or a
 * rented server has all 2^64 addresses of its /64, so counting each alone would be no limit.
 * @param address as given by the socket or a trusted proxy; an IPv4 address mapped into IPv6 counts as that IPv4
 *   address
 */
export function networkOf(address: string): string {
	const mapped = MAPPED_IPV4.exec(address)?.[1];
	if (mapped !== undefined) return mapped;
	if (!address.includes(':')) return address;
	const [plain = ''] = address.split('%');
	const groups = groupsOf(plain.toLowerCase()).slice(0, GROUPS_OF_A_NETWORK);
	return `${groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`;
}

const LOOPBACK_NAME = /^(?:localhost|(?:[\w-]+\.)+localhost)$/i;

/** Whether a socket's address is this machine. */
export const isLoopback = (address: string): boolean => {
	const ipv4 = MAPPED_IPV4.exec(address)?.[1] ?? address;
	return ipv4 === '::1' || /^127(?:\.\d{1,3}){3}$/.test(ipv4);
};

/** Whether a host name is `localhost` or ends in `.localhost`, which browsers resolve to this machine (RFC 6761). */
export const isLocalhostName = (host: string): boolean => LOOPBACK_NAME.test(host);
