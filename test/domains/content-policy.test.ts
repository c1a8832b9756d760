/**
 * The origins that a brand's page may request: those of its setting and the matches, and none that an address could
 * inject.
 */
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { DomainSetting } from '#contract/domain-setting.ts';
import { pagePolicy, STRICT_POLICY } from '#server/doors/http/content-policy.ts';

const setting = (own: object) => v.parse(DomainSetting, { domain: 'play.example', version: 1, ...own });

/** The allowed origins, by directive. */
function allowed(policy: string): Record<string, string[]> {
	const directives = policy.split(';').map((directive) => directive.trim().split(/\s+/));
	return Object.fromEntries(directives.map(([name = '', ...sources]) => [name, sources]));
}

describe('a brand’s page', () => {
	it('has no base but its own address', () => {
		expect(allowed(pagePolicy(setting({}), []))['base-uri']).toEqual(["'none'"]);
	});

	it('loads from its own origin alone where everything is there', () => {
		const policy = pagePolicy(setting({}), []);
		expect(allowed(policy)['connect-src']).toEqual(["'self'"]);
		expect(allowed(policy)['media-src']).toEqual(["'self'", 'blob:']);
		expect(policy).toBe(STRICT_POLICY);
	});

	it('connects to the services of its setting, and to the hub over WebSockets', () => {
		const policy = allowed(
			pagePolicy(
				setting({
					baseUrl: 'https://api.play.example/v1',
					hubUrl: 'https://hub.play.example:8443/hub',
					casinoUrl: 'https://api.play.example/casino',
					paymentUrl: 'https://pay.example',
				}),
				[],
			),
		);
		expect(policy['connect-src']?.toSorted()).toEqual([
			"'self'",
			'https://api.play.example',
			'https://hub.play.example:8443',
			'https://pay.example',
			'wss://api.play.example',
			'wss://hub.play.example:8443',
		]);
		expect(policy['media-src']).toEqual(["'self'", 'blob:']);
	});

	it('plays the configured streams, each origin named once', () => {
		const streams = [
			'https://One.Example:443/a.m3u8',
			'https://one.example/b.m3u8?key=1',
			'http://localhost:8080/c.m3u8',
		];
		const policy = allowed(pagePolicy(setting({ streamUrl: 'https://tv.example/live' }), streams));
		const origins = ['https://tv.example', 'https://one.example', 'http://localhost:8080'];
		expect(policy['connect-src']).toEqual(["'self'", ...origins]);
		expect(policy['media-src']).toEqual(["'self'", 'blob:', ...origins]);
	});

	it.each([
		'https://a;script-src.example/x',
		'https://a,b.example/',
		'https://*.example/',
		'https://[::1]/',
		'javascript:alert(1)',
		'data:text/plain,x',
		'blob:https://a.example/1',
		'file:///etc/passwd',
		'nowhere',
		'http://plain.example/a.m3u8',
		'https://me:secret@two.example/',
	])('is allowed nothing by %s', (address) => {
		expect(pagePolicy(setting({}), [address])).toBe(STRICT_POLICY);
	});
});
