/**
 * The frame in a real browser: dialogs over a screen and how they close, by keyboard and by finger; favourites,
 * records, and unusual input to a page.
 */

import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { freshDatabase } from '../support/database.ts';
import { feedParts } from '../support/feed-parts.ts';
import { betOn, openTestMatch } from '../support/match.ts';
import { getUnder } from '../support/raw-request.ts';
import { TestServer } from '../support/server.ts';
import {
	closeContexts,
	demoLogin,
	goTo,
	mainlyOn,
	onlyOn,
	openBrowser,
	openContext,
	untilKept,
	type Width,
} from './browser.ts';
import { expectFine } from './fine-screen.ts';

const BRANDS = {
	localhost: { domainTitle: 'Open', allowSignUp: true },
	'festive.localhost': {
		domainTitle: 'Festive Exchange',
		allowSignUp: false,
		theme: 'light',
		news: ['Play money only.', 'Two per cent commission.'],
		slides: [{ title: 'Cup final', text: 'On Sunday', path: '/index' }],
		welcome: { title: 'Good to see you', text: 'Take your time.' },
	},
};
const LONG = `The Most Honourable ${'Very '.repeat(20)}Long Name Cricket Club`;
const RIGHT_TO_LEFT = 'الهلال السعودي';

let server: TestServer;
let browser: Browser;
const contexts: BrowserContext[] = [];
/** Pages on a desktop that tests share. */
let visitor: Page | null = null;
let player: Page | null = null;
beforeAll(async () => {
	const database = await freshDatabase();
	for (const [host, setting] of Object.entries(BRANDS)) {
		await database.db.query('insert into brand (host, setting) values ($1, $2)', [host, JSON.stringify(setting)]);
	}
	server = await TestServer.start(database);
	await feedParts(server);
	browser = await openBrowser();
	await openTestMatch(server);
});
afterEach(async ({ task }) => {
	await Promise.all(contexts.splice(0).map((context) => context.close()));
	// A test that failed leaves its page anywhere.
	if (task.result?.state !== 'fail') return;
	await closeContexts(browser);
	visitor = null;
	player = null;
});
afterAll(async () => {
	await closeContexts(browser);
	await server?.dispose();
});

async function open(
	path: string,
	width: Width = 'desktop',
	{ host = 'localhost', ...options }: BrowserContextOptions & { host?: string } = {},
): Promise<Page> {
	const context = await openContext(browser, width, server.url.replace('localhost', host), options);
	contexts.push(context);
	const page = await context.newPage();
	await page.goto(path);
	return page;
}

/** A page outside those that each test closes. */
async function openShared(options: BrowserContextOptions = {}): Promise<Page> {
	return await (await openContext(browser, 'desktop', server.url, options)).newPage();
}

/** The visitor's page, at an address that is loaded. */
async function visit(path: string): Promise<Page> {
	visitor ??= await openShared();
	await visitor.goto(path);
	return visitor;
}

/** The page of a demo player on the list of cricket. */
async function playerOnList(): Promise<Page> {
	const known = player;
	const page = known ?? (await openShared({ storageState: (await demoLogin(server.url)).storageState }));
	player = page;
	if (known) await goTo(page, '/matchlist/3');
	else await page.goto('/matchlist/3');
	await heading(page, 'Cricket').waitFor();
	return page;
}

/**
 * Opens an address while there is no network. The browser tells every new page that it has one, so it is told again; what
 * is returned takes that back.
 */
async function openOffline(page: Page, path: string): Promise<() => Promise<void>> {
	await page.goto(path);
	const session = await page.context().newCDPSession(page);
	const emulate = (offline: boolean) =>
		session.send('Network.emulateNetworkConditions', {
			offline,
			latency: 0,
			downloadThroughput: -1,
			uploadThroughput: -1,
		});
	await session.send('Network.enable');
	await emulate(true);
	return async () => {
		await emulate(false);
		await session.detach();
	};
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

/** Logs a demo player in and returns his token. */
async function enter(page: Page): Promise<string> {
	await page.getByRole('banner').getByRole('button', { name: 'Log in' }).click();
	await page.getByRole('button', { name: 'Login with Demo ID' }).click();
	await page.getByText('₹20,000', { exact: true }).waitFor();
	return (await page.evaluate(() => localStorage.getItem('accessToken'))) ?? '';
}

describe.each(['desktop', 'phone'] as const)('on a %s', (width) => {
	it('the menu leads everywhere, and the way back from there is one step', mainlyOn('phone', width), async () => {
		const page = await open('/matchlist/3', width);
		await heading(page, 'Cricket').waitFor();
		await page.getByRole('button', { name: 'Menu' }).filter({ visible: true }).click();
		const menu = page.getByRole('dialog', { name: 'Menu' });
		await menu.getByRole('link', { name: 'Casino' }).waitFor();
		await expectFine(page, width);
		for (const [name, there] of [
			['Login', true],
			['Register', true],
			['Deposit', false],
			['My Bets', false],
			['Home', true],
		] as const) {
			expect(await menu.getByText(name, { exact: true }).count(), name).toBe(there ? 1 : 0);
		}
		await menu.getByRole('button', { name: 'American +150' }).click();
		await menu.getByRole('button', { name: 'American +150', pressed: true }).waitFor();
		await menu.getByRole('link', { name: 'Football' }).click();
		await heading(page, 'Football').waitFor();
		await menu.waitFor({ state: 'detached' });
		await page.goBack();
		await heading(page, 'Cricket').waitFor();
		expect(await page.getByRole('dialog').count()).toBe(0);
	});

	it('the menu’s Home leads to the matches of cricket', { tags: 'thorough' }, async () => {
		const page = await open('/index', width);
		await page.getByRole('button', { name: 'Menu' }).filter({ visible: true }).click();
		await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Home' }).click();
		await heading(page, 'Cricket').waitFor();
	});

	it('a player’s menu has deposit, withdrawal, bonuses and bets; a visitor of a closed brand cannot register', {
		tags: 'thorough',
	}, async () => {
		const page = await open('/matchlist/3', width);
		await enter(page);
		await page.getByRole('button', { name: 'Menu' }).filter({ visible: true }).click();
		const menu = page.getByRole('dialog', { name: 'Menu' });
		for (const name of ['Deposit', 'Withdrawal', 'Bonuses', 'My Bets'])
			await menu.getByRole('link', { name }).waitFor();
		await menu.getByRole('link', { name: 'Bonuses' }).click();
		await page.waitForURL('**/bonus');
		await page.getByRole('button', { name: 'Menu' }).filter({ visible: true }).click();
		await menu.getByRole('link', { name: 'My Bets' }).click();
		// What is open now; what has ended is one more press from there.
		await heading(page, 'Open bets').waitFor();
		const closed = await open('/matchlist/3', width, { host: 'festive.localhost' });
		await closed.getByRole('button', { name: 'Close' }).click();
		await closed.getByRole('button', { name: 'Menu' }).filter({ visible: true }).click();
		await closed.getByRole('dialog').getByText('Login', { exact: true }).waitFor();
		expect(await closed.getByRole('dialog').getByText('Register', { exact: true }).count()).toBe(0);
	});

	it('the menu’s Login opens the dialog over the same screen; Back closes it and stays', {
		tags: 'thorough',
	}, async () => {
		const page = await open('/index', width);
		await page.getByRole('navigation', { name: 'Sports' }).getByRole('link', { name: 'Cricket' }).click();
		await heading(page, 'Cricket').waitFor();
		await page.getByRole('button', { name: 'Menu' }).filter({ visible: true }).click();
		await page.getByRole('dialog').getByRole('button', { name: 'Login', exact: true }).click();
		await page.getByRole('button', { name: 'Login with Demo ID' }).waitFor();
		await page.goBack();
		await page.getByRole('dialog').waitFor({ state: 'detached' });
		await heading(page, 'Cricket').waitFor();
	});

	onlyOn('desktop', width)(
		'the search finds a team and goes to its match, by keyboard alone',
		{ tags: 'thorough' },
		async () => {
			const page = await open('/matchlist/1', width);
			await heading(page, 'Football').waitFor();
			await page.keyboard.press('/');
			const field = page.getByRole('combobox', { name: 'Search for a team, a competition or a match' });
			await field.waitFor();
			await page.keyboard.type('ind');
			const options = page.getByRole('option');
			await options.first().waitFor();
			await expectFine(page, width);
			const first = await field.getAttribute('aria-activedescendant');
			await page.keyboard.press('ArrowDown');
			expect(await field.getAttribute('aria-activedescendant')).not.toBe(first);
			await page.keyboard.press('ArrowUp');
			await page.keyboard.press('Enter');
			// A market needs a login, so the dialog asks for it over the list one was on.
			await page.getByRole('button', { name: 'Login with Demo ID' }).click();
			await page.waitForURL('**/markets/**');
			await heading(page, 'India v Nepal').waitFor();
		},
	);

	onlyOn('phone', width)(
		'the search says when it finds nothing, and the way back closes it',
		{ tags: 'thorough' },
		async () => {
			const page = await open('/matchlist/1', width);
			await page.getByRole('button', { name: 'Search' }).click();
			await page.getByRole('combobox', { name: /^Search for/ }).fill('zzzz');
			await page.getByText('Nothing found for “zzzz”').waitFor();
			await expectFine(page, width);
			await page.goBack();
			await page.getByRole('dialog').waitFor({ state: 'detached' });
			await heading(page, 'Football').waitFor();
		},
	);

	onlyOn('desktop', width)(
		'the lobby replaces the sports by a way back, and leaving it restores them once',
		{ tags: 'thorough' },
		async () => {
			const page = await playerOnList();
			const sports = page.getByRole('navigation', { name: 'Sports' });
			await sports.getByRole('link', { name: 'Casino' }).click();
			await heading(page, 'Casino').waitFor();
			expect(await sports.getByRole('link').allTextContents()).toEqual(['Back to sports']);
			const asked: string[] = [];
			page.on('request', (request) => {
				if (/GetUser(OpenBets|ExpectedProfitLoss)/.test(request.url())) asked.push(new URL(request.url()).pathname);
			});
			await page.getByRole('link', { name: 'Tables', exact: true }).click();
			await page.getByRole('link', { name: /^Roulette/ }).click();
			await heading(page, 'Roulette').waitFor();
			expect(asked).toEqual([]);
			await sports.getByRole('link', { name: 'Back to sports' }).click();
			await heading(page, 'Cricket').waitFor();
			await sports.getByRole('link', { name: 'Tennis' }).waitFor();
			await expect.poll(() => asked.toSorted()).toEqual(['/Bet/GetUserExpectedProfitLoss', '/Bet/GetUserOpenBets']);
		},
	);

	onlyOn('phone', width)(
		'a star makes a favourite, kept on the device, and one that is gone can be cleared away',
		{ tags: 'thorough' },
		async () => {
			const page = await open('/matchlist/3', width);
			await page.getByRole('button', { name: 'Add India v Nepal to favourites' }).first().click();
			await page.evaluate(() => {
				const pinned = JSON.parse(localStorage.getItem('pinnedEvents') ?? '[]');
				localStorage.setItem('pinnedEvents', JSON.stringify([...pinned, '987654']));
			});
			await page.goto('/favorites');
			await page.locator('.match-row').getByRole('button', { name: 'Remove India v Nepal from favourites' }).waitFor();
			await page.getByText('1 favourite is no longer listed').waitFor();
			await expectFine(page, width);
			await page.getByRole('button', { name: 'Remove them' }).click();
			await page.getByText('1 favourite is no longer listed').waitFor({ state: 'detached' });
			expect(await page.evaluate(() => JSON.parse(localStorage.getItem('pinnedEvents') ?? '[]'))).toHaveLength(1);
		},
	);

	onlyOn('desktop', width)(
		'the brand’s welcome appears once a day, its news and slides on every visit',
		{ tags: 'thorough' },
		async () => {
			const page = await open('/matchlist/3', width, { host: 'festive.localhost' });
			const welcome = page.getByRole('dialog', { name: 'Good to see you' });
			await welcome.getByText('Take your time.').waitFor();
			await expectFine(page, width);
			await page.mouse.click(5, 5);
			await welcome.waitFor({ state: 'detached' });
			await page.getByText('Play money only.').waitFor();
			await page.getByRole('region', { name: 'Highlights' }).getByRole('link', { name: 'Cup final' }).waitFor();
			await page.reload();
			await page.getByText('Play money only.').waitFor();
			expect(await page.getByRole('dialog').count()).toBe(0);
			await expectFine(page, width);
		},
	);

	it('news and highlights move, and stop at a press', { tags: 'thorough' }, async () => {
		const page = await open('/matchlist/3', width, { host: 'festive.localhost', reducedMotion: 'no-preference' });
		await page.getByRole('button', { name: 'Let’s go' }).click();
		const playState = () =>
			page.locator('.marquee-items').evaluate((items) => getComputedStyle(items).animationPlayState);
		expect(await playState()).toBe('running');
		await page.getByRole('button', { name: 'Pause the news' }).click();
		await page.getByRole('button', { name: 'Play the news' }).waitFor();
		expect(await playState()).toBe('paused');
		// Fingers move the highlights themselves.
		if (width === 'desktop') {
			await page.getByRole('button', { name: 'Pause the highlights' }).click();
			await page.getByRole('button', { name: 'Play the highlights' }).waitFor();
		}
		await page.getByRole('button', { name: 'Hide the highlights' }).click();
		await page.getByRole('region', { name: 'Highlights' }).waitFor({ state: 'detached' });
	});

	it.runIf(width === 'phone')(
		'the slip’s sheet counts the picks, and Back closes it and stays',
		{ tags: 'thorough' },
		async () => {
			const page = await open('/matchlist/3', width);
			await enter(page);
			const match = await openTestMatch(server);
			const layer = await server.demoPlayer();
			await server.result('placeBetV2', betOn(match, { side: 'LAY', price: 3, stake: 100 }), layer.token);
			await page.goto(`/markets/${match.eventId}`);
			const price = page.getByRole('button', { name: /^Back India 3\.00, / });
			await price.click();
			const sheet = page.getByRole('region', { name: 'Bet slip' });
			await sheet.waitFor();
			expect(await price.getAttribute('aria-pressed')).toBe('true');
			await page.getByRole('button', { name: 'Bet slip 1 selections' }).waitFor();
			await expectFine(page, width);
			await page.goBack();
			await sheet.waitFor({ state: 'detached' });
			await heading(page, 'India v Nepal').waitFor();
			await page.getByRole('button', { name: /^Bet slip/ }).click();
			await sheet.waitFor();
			await page.keyboard.press('Escape');
			await sheet.waitFor({ state: 'detached' });
		},
	);

	it('very long and right-to-left names keep their place', { tags: 'thorough' }, async () => {
		const runners = [LONG, RIGHT_TO_LEFT].map((name, at) => ({ id: String(at), name }));
		await openTestMatch(server, { sportId: 2, title: `${LONG} v ${RIGHT_TO_LEFT}`, competition: LONG, runners });
		const page = await open('/matchlist/2', width);
		await page.locator('.match-names').getByText(RIGHT_TO_LEFT).first().waitFor();
		await expectFine(page, width);
		const price = page.locator('.match-row .price').first();
		const box = await price.boundingBox();
		expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
	});

	onlyOn('phone', width)(
		'storage that is cleared or full of rubbish under the page breaks nothing',
		{ tags: 'thorough' },
		async () => {
			const page = await open('/matchlist/3', width);
			await enter(page);
			await page.evaluate(() => {
				for (const key of Object.keys(localStorage)) localStorage.setItem(key, '{"not":[what it was');
			});
			await page.goto('/matchlist/3');
			await page.locator('.match-row').first().waitFor();
			await page.evaluate(() => localStorage.clear());
			await page.goto('/bet-history');
			await page.getByRole('dialog').waitFor();
			await expectFine(page, width);
		},
	);
});

describe('screens for visitors', () => {
	it.each([
		['/index', 'Highlights'],
		['/favorites', 'Favourites'],
	])('%s asks for no login', { tags: 'thorough' }, async (path, title) => {
		const page = await open(path);
		await heading(page, title).waitFor();
		expect(await page.getByRole('dialog').count()).toBe(0);
	});

	it('the highlights request two events of each sport', { tags: 'thorough' }, async () => {
		const page = await visit('/favorites');
		const asked = page.waitForRequest((request) => request.url().includes('perSport='));
		await goTo(page, '/index');
		expect(new URL((await asked).url()).searchParams.get('perSport')).toBe('2');
	});
});

describe('a failure', () => {
	it('of an unknown path with an extension is a page for a browser and JSON for a script', {
		tags: 'thorough',
	}, async () => {
		const page = await visit('/nowhere.png');
		await heading(page, 'Page Not Found').waitFor();
		expect(new URL(page.url()).pathname).toBe('/error-404');
		const answer = await fetch(`${server.url}/nowhere.png`);
		expect([answer.status, ((await answer.json()) as { success: boolean }).success]).toEqual([404, false]);
	});

	it('of the sport tree is shown, and a press loads it', { tags: 'thorough' }, async () => {
		const page = await open('/rules');
		await page.route('**/Event/TreeSportWithEvent*', (route) => route.abort());
		await page.goto('/matchlist/3');
		const retry = page.getByRole('complementary').getByRole('button', { name: 'Try again' }).first();
		await retry.waitFor();
		await page.unroute('**/Event/TreeSportWithEvent*');
		await retry.click();
		await page.getByRole('complementary').getByText('Cricket', { exact: true }).first().waitFor();
	});
});

describe('the exposure', () => {
	it('is hidden at a press, and after a reload, too', { tags: 'thorough' }, async () => {
		const page = await open('/matchlist/3');
		await enter(page);
		const exposure = page.locator('[data-figure="Bets held"]');
		await page.getByRole('button', { name: 'Hide bets held' }).click();
		expect(await exposure.textContent()).toBe('••••');
		await page.reload();
		await page.getByRole('button', { name: 'Show bets held' }).waitFor();
		expect(await exposure.textContent()).toBe('••••');
	});
});

describe('login-required routes', () => {
	const GUARDED = [
		'/inplay /markets/1 /settings /casino /lobby /lobby-page/tables /open-bets /rules /change-password',
		'/account-cash-statement /bet-history /current-bet /un-selected-bet /ProfitLoss /dwrequests /deposit',
		'/withdrawal /referral /change-button-values /comingsoon /bonus /login-attempts /activity',
	].flatMap((line) => line.split(' '));

	it('open the login dialog, each of them, and show nothing of themselves', { tags: 'thorough' }, async () => {
		const page = await visit('/inplay');
		const dialog = page.getByRole('dialog', { name: 'Log in' });
		for (const path of GUARDED) {
			await dialog.waitFor();
			expect(new URL(page.url()).pathname, path).toBe('/matchlist/3');
			await page.keyboard.press('Escape');
			await dialog.waitFor({ state: 'detached' });
			await page.evaluate((to) => history.pushState(null, '', to), path);
		}
		await dialog.waitFor();
	});

	it('lead to the requested screen after the login', { tags: 'thorough' }, async () => {
		const page = await open('/ProfitLoss');
		await page.getByRole('button', { name: 'Login with Demo ID' }).click();
		await page.waitForURL('**/ProfitLoss');
		await heading(page, 'Profit and loss').waitFor();
	});

	it('are not requested by pointing at a link or focusing it, nor is a player logged out', {
		tags: 'thorough',
	}, async () => {
		const page = await open('/matchlist/3');
		const sports = page.getByRole('navigation', { name: 'Sports' });
		// The screen behind a link is loaded ahead; by then its guard has been asked too.
		const loaded = page.waitForResponse(/lobby-screen/);
		await sports.getByRole('link', { name: 'Casino' }).hover();
		await loaded;
		expect(await page.getByRole('dialog').count()).toBe(0);
		await enter(page);
		await page.getByRole('button', { name: 'Account: Demo' }).click();
		await page.getByRole('link', { name: 'Log out' }).hover();
		await page.getByRole('link', { name: 'Bet history' }).click();
		await heading(page, 'Bet history').waitFor();
		expect(await page.evaluate(() => localStorage.getItem('accessToken'))).not.toBeNull();
	});

	it('lead to the login page at log-out, in any case of letters', { tags: 'thorough' }, async () => {
		for (const path of ['/auth/logout', '/Auth/Logout', '/AUTH/LOGOUT']) {
			const page = await open(path);
			await page.waitForURL('**/auth/login');
			await heading(page, 'Log in').waitFor();
		}
	});
});

describe('a narrow screen', () => {
	describe.each([320, 720])('of %i px', (px) => {
		it('(a phone of old, a desktop at 200 %) has everything and scrolls one way', { tags: 'thorough' }, async () => {
			const page = await playerOnList();
			const whole = page.viewportSize();
			onTestFinished(() => (whole ? page.setViewportSize(whole) : undefined));
			await page.setViewportSize({ width: px, height: 640 });
			for (const [path, title] of [
				['/matchlist/3', 'Cricket'],
				['/index', 'Highlights'],
				['/ProfitLoss', 'Profit and loss'],
				['/account-cash-statement', 'Cash statement'],
				['/settings', 'Settings'],
				['/lobby', 'Casino'],
			] as const) {
				await goTo(page, path);
				await heading(page, title).waitFor();
				await expectFine(page, 'desktop');
			}
		});
	});
});

describe('by keyboard alone', () => {
	it('the skip link comes first, then logo, search and sports in visual order', { tags: 'thorough' }, async () => {
		const page = await visit('/matchlist/3');
		await page.locator('.match-row').first().waitFor();
		const names: string[] = [];
		for (let stop = 0; stop < 7; stop++) {
			await page.keyboard.press('Tab');
			names.push(
				await page.evaluate(() => {
					const { activeElement: focused } = document;
					return (focused?.ariaLabel || focused?.querySelector('img')?.alt || focused?.textContent || '').trim();
				}),
			);
		}
		expect(names).toEqual([
			'Skip to content',
			'Menu',
			'Open',
			expect.stringMatching(/^Search/),
			'Log in',
			'In-Play',
			'Favourites',
		]);
	});

	it('a dialog holds the focus and gives it back', { tags: 'thorough' }, async () => {
		const page = visitor ?? (await visit('/matchlist/3'));
		const button = page.getByRole('banner').getByRole('button', { name: 'Menu' });
		await button.focus();
		await page.keyboard.press('Enter');
		await page.getByRole('dialog').waitFor();
		for (let stop = 0; stop < 24; stop++) {
			await page.keyboard.press('Tab');
			// At either end a guard passes the focus on.
			await page.waitForFunction(() => document.activeElement?.closest('dialog[open]'));
		}
		await page.keyboard.press('Escape');
		await page.getByRole('dialog').waitFor({ state: 'detached' });
		await page.waitForFunction(() => document.activeElement?.ariaLabel === 'Menu');
	});
});

describe('installed', () => {
	it('has a manifest of the brand’s own', async () => {
		for (const [host, { domainTitle }] of Object.entries(BRANDS)) {
			const manifest = await getUnder(server.url, host, '/manifest.webmanifest');
			const expected = { name: domainTitle, display: 'standalone', start_url: '/matchlist/3' };
			const { icons, screenshots = [], ...said } = JSON.parse(manifest.body) as Record<string, { src: string }[]>;
			expect(said).toMatchObject(expected);
			expect(icons?.map(({ src }) => src)).toHaveLength(6);
			for (const { src } of [...(icons ?? []), ...screenshots])
				expect((await getUnder(server.url, host, src)).body).not.toBe('');
			const page = await getUnder(server.url, host, '/', ['Accept: text/html']);
			expect(page.body).toContain('<link rel="manifest" href="/manifest.webmanifest" />');
		}
	});

	it('opens without a network, says so, keeps no answers, and works again by itself', {
		tags: 'thorough',
	}, async () => {
		const page = await open('/matchlist/3', 'phone', { serviceWorkers: 'allow' });
		await page.locator('.match-row').first().waitFor();
		await page.evaluate(async () => {
			await navigator.serviceWorker.ready;
		});
		await page.reload();
		await page.locator('.match-row').first().waitFor();
		const kept = await untilKept(page);
		expect(kept).toContain('/');
		expect(kept.filter((path) => !/^\/($|assets\/|brands\/)/.test(path))).toEqual([]);
		await page.context().setOffline(true);
		const first = await openOffline(page, '/favorites');
		await page.getByText('You are offline. Prices are paused; your bets stand.').waitFor();
		await heading(page, 'Favourites').waitFor();
		const second = await openOffline(page, '/matchlist/3');
		await page.getByText('This did not load').waitFor();
		// At once, and not when its turn comes, which is 15 s after the last.
		const askedAgain = page.waitForRequest(/GetBySportName/, { timeout: 10_000 });
		for (const end of [first, second]) await end();
		await page.context().setOffline(false);
		await askedAgain;
		await page.locator('.match-row').first().waitFor();
		await page.getByText('You are offline').waitFor({ state: 'detached' });
	});
});
