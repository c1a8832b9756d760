/** The settings of domains: their content, their cost, and the changes of operators. */
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DomainSetting } from '#contract/domain-setting.ts';
import { HubClient } from '../hub/hub-client.ts';
import { betOn, freshRequestId, openTestMatch } from '../support/match.ts';
import { getUnder } from '../support/raw-request.ts';
import { TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
	server = await TestServer.start();
});
afterAll(() => server.dispose());

const file = (name: string, headers: Record<string, string> = {}) =>
	fetch(`${server.url}/domain-settings/${name}.json?v=100`, { headers });

async function settingOf(name: string): Promise<DomainSetting> {
	const body = (await (await file(name)).json()) as { success: boolean; result: DomainSetting };
	expect(body.success).toBe(true);
	return body.result;
}

const set = (host: string, field: string, value: string) => server.operator('brand-set', { host, field, value });

describe('a domain’s file', () => {
	it('holds every field of the contract, the brand’s own and the defaults', async () => {
		const setting = await settingOf('royal.localhost');
		expect(Object.keys(setting).sort()).toEqual(Object.keys(DomainSetting.entries).sort());
		expect(setting).toMatchObject({
			domain: 'royal.localhost',
			domainTitle: 'Royal Exchange',
			theme: 'light',
			pool: 'PLAY',
			currency: 'INR',
			hubUrl: '/hub',
			encodeRequests: false,
			cricket: true,
			playerProtection: { depositLimitDay: 50_000, realityCheckMinutes: 60, lossLimitDay: null },
		});
		expect(v.is(DomainSetting, setting)).toBe(true);
	});

	it('is named without regard to case, and answers 404 with a code for a host that has none', async () => {
		expect((await settingOf('ROYAL.localhost')).domain).toBe('royal.localhost');
		const unknown = await file('nobody.localhost');
		expect(unknown.status).toBe(404);
		expect(await unknown.json()).toMatchObject({ success: false, error: { code: 'UNKNOWN_DOMAIN' } });
	});

	it('has a neutral default, under whose name no request is served', async () => {
		expect(await settingOf('default')).toMatchObject({
			domain: 'default',
			domainTitle: 'Exchange',
			allowSignUp: false,
		});
		const { status } = await getUnder(server.url, 'default', '/Event/TreeSportWithEvent');
		expect(status).toBe(404);
	});

	it.each([
		['the tag itself', (etag: string) => etag],
		['the tag made weak by a proxy', (etag: string) => `W/${etag}`],
		['a list with the tag in it', (etag: string) => `"other", ${etag}`],
		['any tag', () => '*'],
	])('answers 304 without a body to a client that holds %s', async (_, header) => {
		const etag = (await file('localhost')).headers.get('etag') ?? '';
		const again = await file('localhost', { 'If-None-Match': header(etag) });
		expect([again.status, await again.text()]).toEqual([304, '']);
	});

	it('is sent whole to a client that holds another version', async () => {
		const etag = (await file('royal.localhost')).headers.get('etag') ?? '';
		expect((await file('localhost', { 'If-None-Match': etag })).status).toBe(200);
	});

	it('needs no database', async () => {
		const client = await server.database.db.connect();
		try {
			await client.query('begin');
			// A reader of the table would now wait for this transaction to end.
			await client.query('lock table brand in access exclusive mode');
			const first = await file('localhost');
			const again = await file('localhost', { 'If-None-Match': first.headers.get('etag') ?? '' });
			expect([first.status, again.status]).toEqual([200, 304]);
		} finally {
			await client.query('rollback');
			client.release();
		}
	});
});

describe('the demo domains', () => {
	it('are six brands with looks and flags of their own', async () => {
		const { body } = await server.operator<{ host: string }[]>('brand-list', {});
		const hosts = (body.result ?? []).map(({ host }) => host).filter((host) => host !== '127.0.0.1');
		const settings = await Promise.all(hosts.map(settingOf));
		for (const field of ['domainTitle', 'mainLogo', 'favicon', 'description'] as const) {
			expect(new Set(settings.map((setting) => setting[field])).size, field).toBe(settings.length);
		}
		expect(settings.length).toBeGreaterThanOrEqual(5);
		expect(new Set(settings.map(({ themeTokens }) => themeTokens['brand'])).size).toBe(settings.length);
		expect(new Set(settings.map(({ theme }) => theme))).toEqual(new Set(['dark', 'light']));
		const having = (fits: (setting: DomainSetting) => boolean) => settings.filter(fits).map(({ domain }) => domain);
		expect(having(({ siteSuspended }) => siteSuspended)).toEqual(['harbour.localhost']);
		expect(having(({ skipVerification }) => skipVerification)).toEqual(['monsoon.localhost']);
		expect(having(({ encodeRequests }) => encodeRequests)).toEqual(['akhada.localhost']);
		expect(having(({ allowSignUp }) => !allowSignUp)).toContain('dune.localhost');
	});
});

describe('an operator', () => {
	it('changes a field at once, and the version and the tag with it', async () => {
		const before = await file('royal.localhost');
		const { version } = await settingOf('royal.localhost');
		const { body } = await set('royal.localhost', 'description', 'Another sentence.');
		expect(body.result).toEqual({
			host: 'royal.localhost',
			field: 'description',
			value: 'Another sentence.',
			version: version + 1,
		});
		const after = await file('royal.localhost', { 'If-None-Match': before.headers.get('etag') ?? '' });
		expect(after.status).toBe(200);
		expect(await settingOf('royal.localhost')).toMatchObject({
			description: 'Another sentence.',
			version: version + 1,
		});
	});

	it('changes one part of a field, and leaves the others as they are', async () => {
		const { themeTokens } = await settingOf('royal.localhost');
		await set('royal.localhost', 'themeTokens.brand', '#123456');
		expect((await settingOf('royal.localhost')).themeTokens).toEqual({ ...themeTokens, brand: '#123456' });
	});

	it('changes the protection of players without own limits', async () => {
		await set('royal.localhost', 'playerProtection.depositLimitDay', '100');
		expect((await settingOf('royal.localhost')).playerProtection.depositLimitDay).toBe(100);
	});

	it('reaches the browsers of that domain, and no others', async () => {
		const [here, elsewhere] = [
			await HubClient.connect(server.url),
			await HubClient.connect(server.url.replace('localhost', '127.0.0.1')),
		];
		await set('localhost', 'description', 'Said to everybody here.');
		const { version } = await settingOf('localhost');
		expect(await here.message('DomainSettingChanged')).toEqual({ domain: 'localhost', version });
		await set('127.0.0.1', 'description', 'Said to those there.');
		expect(await elsewhere.message('DomainSettingChanged')).toMatchObject({ domain: '127.0.0.1' });
		expect(elsewhere.received.filter(({ code }) => code === 'DomainSettingChanged')).toHaveLength(1);
		await Promise.all([here.stop(), elsewhere.stop()]);
	});

	it('survives a restart, and the seed does not undo the change', async () => {
		await set('monsoon.localhost', 'domainTitle', 'Rain');
		await server.stop();
		server = await TestServer.start(server.database);
		expect((await settingOf('monsoon.localhost')).domainTitle).toBe('Rain');
	});

	it('loses nothing when two change the same domain at the same moment', async () => {
		const { version } = await settingOf('dune.localhost');
		await Promise.all([
			set('dune.localhost', 'description', 'One.'),
			set('dune.localhost', 'news', '["Two."]'),
			set('dune.localhost', 'kabaddi', 'false'),
		]);
		expect(await settingOf('dune.localhost')).toMatchObject({
			description: 'One.',
			news: ['Two.'],
			kabaddi: false,
			version: version + 3,
		});
	});

	it.each([
		['a field there is none of', 'shoeSize', '44'],
		['what every object inherits', '__proto__', '{}'],
		['the domain’s name', 'domain', 'other.example'],
		['the pool', 'pool', 'REAL'],
		['a flag that is neither', 'allowSignUp', 'perhaps'],
		['a theme there is none of', 'theme', 'pink'],
		['markup in a text', 'domainTitle', '<script>alert(1)</script>'],
		['a control character', 'domainTitle', 'Back\u0007lay'],
		['an empty title', 'domainTitle', ''],
		['a title without an end', 'domainTitle', 'x'.repeat(61)],
		['a picture from elsewhere', 'mainLogo', 'https://elsewhere.example/logo.svg'],
		['a picture outside the site', 'favicon', '/brands/../../etc/passwd.svg'],
		['a link that runs', 'supportLink', 'javascript:alert(1)'],
		['an address that is a host', 'hubUrl', '//elsewhere.example/hub'],
		['a token that ends its rule', 'themeTokens.brand', 'red;} body{display:none'],
		['a token that loads', 'themeTokens.brand', 'url(//elsewhere.example)'],
		['a token with a wrong name', 'themeTokens.BRAND', '#fff'],
		['a part of a text', 'domainTitle.x', 'y'],
		['a bonus without words', 'bonuses', '[{}]'],
		['a stake of nothing', 'defaultStakes', '[{"title":"0","value":0}]'],
		['JSON without an end', 'news', '["'],
		['a language without texts', 'languages', '["en","fr"]'],
		['no language', 'languages', '[]'],
		['a language twice', 'languages', '["en","en"]'],
		['languages without the default one', 'languages', '["hi"]'],
		['a default language that is not offered', 'defaultLanguage', 'fr'],
	])('is refused %s', async (_, field, value) => {
		const before = await settingOf('royal.localhost');
		const { status, code, body } = await set('royal.localhost', field, value);
		expect([status, code]).toEqual([400, 'VALIDATION_FAILED']);
		expect(body.error?.message.length).toBeGreaterThan(10);
		expect(await settingOf('royal.localhost')).toEqual(before);
	});

	it('is refused an unknown domain', async () => {
		expect((await set('nobody.localhost', 'theme', 'dark')).code).toBe('UNKNOWN_DOMAIN');
		expect((await server.operator('brand-show', { host: 'nobody.localhost' })).code).toBe('UNKNOWN_DOMAIN');
	});

	it('adds a domain that is served at once, and not twice', async () => {
		expect((await server.operator('brand-add', { host: 'fresh.localhost' })).status).toBe(200);
		expect((await getUnder(server.url, 'fresh.localhost', '/Event/TreeSportWithEvent')).status).toBe(200);
		expect((await server.operator('brand-add', { host: 'fresh.localhost' })).code).toBe('NAME_TAKEN');
	});

	it.each(['', 'Upper.example', 'a..b', 'a:80', '-a.example', 'default', 'x/y', "'; drop table brand;--"])(
		'cannot add the host “%s”',
		async (host) => {
			expect((await server.operator('brand-add', { host })).code).toBe('VALIDATION_FAILED');
		},
	);
});

describe('a suspended domain', () => {
	it('refuses new bets, sign-ups and the catalogue with a code, while existing bets are settled', async () => {
		const match = await openTestMatch(server);
		const [backer, layer] = [await server.demoPlayer(), await server.demoPlayer()];
		await server.result('placeBetV2', betOn(match, { price: 3, stake: 100 }), backer.token);
		await server.result('placeBetV2', betOn(match, { price: 3, stake: 100, side: 'LAY' }), layer.token);
		await set('localhost', 'siteSuspended', 'true');
		for (const refused of [
			await server.call('placeBetV2', betOn(match), backer.token),
			await server.call('treeSportWithEvent', {}),
			await server.call('loginAsDemoUser', {}),
		]) {
			expect([refused.status, refused.code]).toEqual([403, 'SITE_SUSPENDED']);
		}
		// The file that says so is still there, and so are the other domains.
		expect((await settingOf('localhost')).siteSuspended).toBe(true);
		expect((await getUnder(server.url, 'royal.localhost', '/Event/TreeSportWithEvent')).status).toBe(200);
		await match.settle(0);
		await set('localhost', 'siteSuspended', 'false');
		// 100 at 3.00 won 200, less 2 per cent.
		expect(await server.result('getUserInfo', {}, backer.token)).toMatchObject({ balance: 20_196, exposure: 0 });
		expect(await server.result('getUserInfo', {}, layer.token)).toMatchObject({ balance: 19_800, exposure: 0 });
	});
});

describe('a sport', () => {
	it('is missing from every list and call of a domain that does not show it', async () => {
		const match = await openTestMatch(server);
		const { token } = await server.demoPlayer();
		const { betId } = await server.result('placeBetV2', betOn(match, { price: 9 }), token);
		await set('localhost', 'cricket', 'false');
		expect((await server.result('treeSportWithEvent', {})).map(({ id }) => id)).toEqual([1, 2, 25, 26, 40]);
		expect(await server.result('getBySportName', { sportName: 'cricket' })).toEqual([]);
		const { eventId, marketId } = match;
		for (const refused of [
			await server.call('getMarketsByEventId', { eventId }),
			await server.call('getUserOddsV2', { marketIds: marketId }),
			await server.call('getUserOdds', { marketId }),
			await server.call('getScoreCard', { eventId }),
			await server.call('getUserLimits', { marketId }, token),
			await server.call('getPriceHistory', { marketId, runnerId: match.runnerIds[0] }, token),
			await server.call('placeBetV2', betOn(match), token),
			await server.call('replaceBet', { betId, price: 8, clientRequestId: freshRequestId() }, token),
		]) {
			expect([refused.status, refused.code]).toEqual([403, 'SPORT_NOT_ALLOWED']);
		}
		// What waits there can still be taken back.
		expect((await server.call('cancelBet', { betId, clientRequestId: freshRequestId() }, token)).status).toBe(200);
		await set('localhost', 'cricket', 'true');
		expect((await server.call('placeBetV2', betOn(match), token)).status).toBe(200);
	});

	it('is closed to one player by the player’s own flag, and to no other', async () => {
		const match = await openTestMatch(server);
		const brand = { host: 'localhost', pool: 'PLAY' } as const;
		const password = 'a long enough Passw0rd!';
		await server.running.players.createPlayer({ userName: 'kiran', password, brand });
		const { accessToken } = await server.result('authenticate', { userNameOrEmailAddress: 'kiran', password });
		const act = (allowed: boolean) =>
			server.operator('player-sport', { userName: 'kiran', host: 'localhost', sport: 'cricket', allowed });
		expect((await act(false)).body.result).toMatchObject({ closed: ['cricket'] });
		expect(await server.result('getUserInfo', {}, accessToken)).toMatchObject({ cricket: false, tennis: true });
		const sports = (await server.result('treeSportWithEvent', {}, accessToken)).map(({ id }) => id);
		expect(sports).not.toContain(3);
		expect((await server.call('placeBetV2', betOn(match), accessToken)).code).toBe('SPORT_NOT_ALLOWED');
		expect((await server.result('treeSportWithEvent', {})).map(({ id }) => id)).toContain(3);
		await server.stop();
		server = await TestServer.start(server.database);
		expect((await server.result('getUserInfo', {}, accessToken)).cricket).toBe(false);
		await act(true);
		expect((await server.result('getUserInfo', {}, accessToken)).cricket).toBe(true);
	});
});
