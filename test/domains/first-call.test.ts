/** The call that a page asks before its files are there, and the policy that lets its script run. */
import { describe, expect, it } from 'vitest';
import { pagePolicy, scriptHashes } from '#server/doors/http/content-policy.ts';
import { firstCall } from '#server/doors/http/first-call.ts';

const SPORTS = { football: true, tennis: false, cricket: true, kabaddi: true, horseRacing: true, trade: true };
const OPEN = { siteSuspended: false, baseUrl: '', encodeRequests: false, ...SPORTS };

describe('the first call of a page', () => {
	it.each([
		['/', '/event/GetBySportName?sportName=Cricket'],
		['/?ref=AB12', '/event/GetBySportName?sportName=Cricket'],
		['/matchlist/26', '/event/GetBySportName?sportName=Horse+Racing'],
		['/MatchList/1/?x=1', '/event/GetBySportName?sportName=Football'],
		['/matchlist/0', '/Event/Closest?take=100&skip=0'],
		['/markets/17', '/Market/GetByEventId?eventId=17'],
		['/markets/9/17', '/Market/GetByEventId?eventId=17'],
	])('of %s is %s', (url, call) => {
		expect(firstCall(url, OPEN)).toBe(call);
	});

	it.each([
		'/matchlist/99',
		'/matchlist/',
		'/markets/',
		'/markets/x',
		'/markets/1/2/3',
		'/rules',
		'/markets/17"onload="x',
	])('is none of %s', (url) => {
		expect(firstCall(url, OPEN)).toBeNull();
	});

	it.each([{ siteSuspended: true }, { baseUrl: 'https://api.example' }, { encodeRequests: true }])(
		'is none where %o',
		(own) => {
			expect(firstCall('/matchlist/1', { ...OPEN, ...own })).toBeNull();
		},
	);
});

describe('a script within the page', () => {
	const page =
		'<script data-call="">go()</script><script type="module" src="/a.js"></script><script type="application/json">{}</script>';

	it('is allowed by the hash of what it says, whatever call it is given, and no other is', () => {
		// printf 'go()' | openssl dgst -sha256 -binary | base64
		const hash = "'sha256-5KYv+PUboo5h+0+YAtGRPbwv5d/QxzHslP4YGnUaxRw='";
		expect(scriptHashes(page)).toEqual([hash]);
		expect(scriptHashes(page.replace('""', '"/event/x?a=1&amp;b=2"'))).toEqual([hash]);
		const setting = { baseUrl: '', hubUrl: '', casinoUrl: '', paymentUrl: '', streamUrl: '' };
		const policy = pagePolicy(setting as Parameters<typeof pagePolicy>[0], [], [], [hash]);
		expect(policy).toContain(`; script-src 'self' ${hash}; `);
		expect(policy).not.toMatch(/script-src[^;]*unsafe/);
	});
});
