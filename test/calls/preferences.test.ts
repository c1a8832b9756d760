/** What a player chose to see, kept with the account. */
import { beforeAll, expect, it } from 'vitest';
import type { TestServer } from '../support/server.ts';
import { restartShared, sharedServer } from '../support/shared-server.ts';
import { PASSWORD, signUp } from '../support/sign-up.ts';

let server: TestServer;
beforeAll(async () => {
	server = await sharedServer();
});

it('setPreferences: success, each change alone, and the next login has them after a restart, too', async () => {
	const { token, userName } = await signUp(server);
	expect(await server.result('setPreferences', {}, token)).toEqual({
		pinnedEvents: [],
		showBalance: null,
		showExposure: null,
		oddsFormat: null,
		theme: null,
	});
	await server.result('setPreferences', { pin: ['4'], showBalance: false }, token);
	await server.result('setPreferences', { pin: ['3', '4'] }, token);
	await server.result('setPreferences', { oddsFormat: 'FRACTIONAL' }, token);
	await server.result('setPreferences', { oddsFormat: 'AMERICAN' }, token);
	await server.result('setPreferences', { theme: 'light' }, token);
	await server.result('setLanguage', { language: 'hi' }, token);
	const kept = await server.result('setPreferences', { pin: ['5'], unpin: ['3'], showExposure: true }, token);
	expect(kept).toEqual({
		pinnedEvents: ['4', '5'],
		showBalance: false,
		showExposure: true,
		oddsFormat: 'AMERICAN',
		theme: 'light',
	});
	server = await restartShared();
	const input = { userNameOrEmailAddress: userName, password: PASSWORD };
	expect(await server.result('authenticate', input)).toMatchObject({ preferences: kept, language: 'hi' });
});

it('setPreferences: success in parallel, no pin of two devices is lost, and the oldest go above 500', async () => {
	const { token } = await server.demoPlayer();
	const ids = Array.from({ length: 20 }, (_, at) => String(1000 + at));
	await Promise.all(ids.map((id) => server.result('setPreferences', { pin: [id] }, token)));
	const { pinnedEvents } = await server.result('setPreferences', {}, token);
	expect(pinnedEvents.toSorted()).toEqual(ids);
	const more = Array.from({ length: 490 }, (_, at) => String(2000 + at));
	const full = await server.result('setPreferences', { pin: more }, token);
	expect(full.pinnedEvents.length).toBe(500);
	expect(full.pinnedEvents.filter((id) => id >= '2000')).toEqual(more);
});

it.each([
	['too many events', { pin: Array.from({ length: 501 }, String) }],
	['an event that is none', { pin: ['a b'] }],
	['a format of odds that is none', { oddsFormat: 'HONG_KONG' }],
	['a theme that is none', { theme: 'sepia' }],
	['an unknown field', { fontSize: 12 }],
])('setPreferences: refusal of %s', async (_, change) => {
	const { token } = await server.demoPlayer();
	expect((await server.raw('setPreferences', change, token)).code).toBe('VALIDATION_FAILED');
});

it('setPreferences: not logged in', async () => {
	expect((await server.call('setPreferences', {})).status).toBe(401);
});
