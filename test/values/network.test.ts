/** The network that limits count by, names of this machine, and where streams may come from. */
import { describe, expect, it } from 'vitest';
import { isLocalhostName, isLoopback, networkOf } from '#values/network.ts';
import { isStreamAddress } from '#values/stream-address.ts';

describe('a network', () => {
	it.each([
		['203.0.113.9', '203.0.113.9'],
		['::ffff:203.0.113.9', '203.0.113.9'],
		['::FFFF:203.0.113.9', '203.0.113.9'],
		['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
		['2001:DB8:1:2::', '2001:db8:1:2::/64'],
		['2001:0db8:0001:0002::6', '2001:db8:1:2::/64'],
		['2001:db8::6', '2001:db8:0:0::/64'],
		['2001:db8::1:2:3:4:5', '2001:db8:0:1::/64'],
		['::1', '0:0:0:0::/64'],
		['64:ff9b::203.0.113.9', '64:ff9b:0:0::/64'],
		['fe80::1%eth0', 'fe80:0:0:0::/64'],
	])('of %s is %s', (address, network) => {
		expect(networkOf(address)).toBe(network);
	});

	it('is the same for all addresses of a /64 and another for the next', () => {
		const networks = Array.from({ length: 500 }, (_, at) => networkOf(`2001:db8:a:b:${at.toString(16)}::${at}`));
		expect(new Set(networks)).toEqual(new Set([networkOf('2001:db8:a:b::1')]));
		expect(networkOf('2001:db8:a:c::1')).not.toBe(networkOf('2001:db8:a:b::1'));
	});
});

describe('this machine', () => {
	it.each(['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1'])('is %s', (address) => {
		expect(isLoopback(address)).toBe(true);
	});

	it.each(['128.0.0.1', '10.0.0.1', '::2', '2001:db8::1', '127.0.0.1.example', ''])('is not %j', (address) => {
		expect(isLoopback(address)).toBe(false);
	});

	it('is called localhost, or ends in .localhost', () => {
		expect(['localhost', 'royal.localhost', 'a.b.localhost'].filter(isLocalhostName)).toHaveLength(3);
		expect(['localhost.example', 'notlocalhost', 'localhost.', '127.0.0.1'].filter(isLocalhostName)).toEqual([]);
	});
});

describe('a stream', () => {
	it.each([
		'https://tv.example/live/a.m3u8?key=1',
		'https://tv.example',
		'HTTPS://tv.example:8443/a',
		'http://localhost:8080/a.m3u8',
		'http://tv.localhost/a.m3u8',
		'http://127.0.0.1:8080/a.m3u8',
		'http://[::1]:8080/a.m3u8',
	])('may come from %s', (address) => {
		expect(isStreamAddress(address)).toBe(true);
	});

	it.each([
		'http://tv.example/a.m3u8',
		'http://localhost.example/a.m3u8',
		'http://127.0.0.1@tv.example/a.m3u8',
		'https://me:secret@tv.example/a.m3u8',
		'ftp://localhost/a',
		'javascript:alert(1)//https://tv.example',
		'//tv.example/a',
		'/live/a.m3u8',
		'',
	])('may not come from %j', (address) => {
		expect(isStreamAddress(address)).toBe(false);
	});
});
