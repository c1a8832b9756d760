/**
 * Domains in a real browser: the looks of a brand, an operator's changes on open pages, the site under maintenance and
 * back, an unknown host, and a bad network.
 */
import type { Browser, BrowserContext, Locator, Page, Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { LayoutFlags } from '#web/store/layout.ts';
import { openTestMatch } from '../support/match.ts';
import { getUnder } from '../support/raw-request.ts';
import { TestServer } from '../support/server.ts';
import { closeContexts, mainlyOn, openBrowser, openContext, type Width } from './browser.ts';
import { expectFine } from './fine-screen.ts';

let server: TestServer;
let browser: Browser;
const contexts: BrowserContext[] = [];
beforeAll(async () => {
	server = await TestServer.start();
	browser = await openBrowser();
	for (const sportId of [1, 2, 3]) await openTestMatch(server, { sportId });
});
afterEach(async () => {
	await Promise.all(contexts.splice(0).map((context) => context.close()));
});
afterAll(async () => {
	await closeContexts(browser);
	await server?.dispose();
});

/** An act of the operators, as their command line asks for it. */
async function operator(act: string, body: object): Promise<void> {
	const { body: answer } = await server.operator(act, body);
	if (!answer.success) throw new Error(JSON.stringify(answer.error));
}
const set = (host: string, field: string, value: string) => operator('brand-set', { host, field, value });

/** Sets it for the test that runs; what it was before comes back when the test ends, however it ends. */
async function change(host: string, field: string, value: string, before: string): Promise<void> {
	onTestFinished(() => set(host, field, before));
	await set(host, field, value);
}

/** The news of a brand as its setting has them. */
async function newsOf(host: string): Promise<unknown> {
	const { body } = await server.operator<{ setting: { news: string[] } }>('brand-show', { host });
	return body.result?.setting.news ?? [];
}

async function open(host: string, path: string, width: Width = 'desktop'): Promise<Page> {
	const context = await openContext(browser, width, server.url.replace('localhost', host));
	contexts.push(context);
	const page = await context.newPage();
	await page.goto(path);
	return page;
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const SETTINGS = '**/domain-settings/*';

interface Look {
	title: string;
	icon: string | null;
	description: string | null;
	theme: string;
	brandColour: string;
	logo: string | null;
}

/** What the page says it is. */
const lookOf = (page: Page): Promise<Look> =>
	page.evaluate(() => ({
		title: document.title,
		icon: document.querySelector('link[rel="icon"]')?.getAttribute('href') ?? null,
		description: document.querySelector('meta[name="description"]')?.getAttribute('content') ?? null,
		theme: document.documentElement.className,
		brandColour: getComputedStyle(document.documentElement).getPropertyValue('--brand').trim(),
		logo: document.querySelector('header img')?.getAttribute('src') ?? null,
	}));

const BRANDS = [
	['localhost', 'backlay', 'Backlay', 'dark', '#c6ef4e', 'Back and lay at prices players set themselves.'],
	['royal.localhost', 'royal', 'Royal Exchange', 'light', '#7c2d92', 'The exchange for those who know the price.'],
	[
		'dune.localhost',
		'dune',
		'Dune',
		'dark',
		'#f5a524',
		'Cricket and racing for members. Accounts are made by invitation.',
	],
	['monsoon.localhost', 'monsoon', 'Monsoon', 'light', '#0f766e', 'Sign up in one step and play.'],
	['akhada.localhost', 'akhada', 'Akhada', 'dark', '#ff5c77', 'Kabaddi and cricket, nothing else.'],
] as const;

/** Sets flags in the page's layout store, which one of its scripts exports. Text, because the test runner rewrites imports. */
const setFlags = (page: Page, flags: Partial<LayoutFlags>) =>
	page.evaluate(`(async () => {
		const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
		for (const script of loaded.filter((name) => new URL(name).pathname.endsWith('.js')))
			for (const store of Object.values(await import(script)))
				if (typeof store?.getState === 'function' && 'topHeader' in store.getState())
					return store.setState(${JSON.stringify(flags)});
		throw new Error('no script of the page exports the layout flags');
	})()`);

describe.each(['desktop', 'phone'] as const)('on a %s', (width) => {
	it('each layout flag hides its part of the frame, and shows it again', { tags: 'thorough' }, async () => {
		const page = await open('royal.localhost', '/matchlist/3', width);
		const parts: Partial<Record<keyof LayoutFlags, Locator>> = {
			newsMarquee: page.locator('.marquee'),
			topHeader: page.getByRole('banner'),
			scrollableNavbar: page.getByRole('navigation', { name: 'Sports' }).getByRole('link', { name: 'Tennis' }),
			imageSliderHeader: page.locator('.slider'),
			search: page.getByRole('button', { name: 'Search' }),
			...(width === 'desktop'
				? {
						sidebar: page.getByRole('complementary', { name: 'Fixtures by sport' }),
						sideColumn: page.getByRole('complementary', { name: 'Bet slip' }),
					}
				: {}),
		};
		for (const [flag, part] of Object.entries(parts)) {
			await part.waitFor();
			await setFlags(page, { [flag]: false });
			await part.waitFor({ state: 'detached' });
			await setFlags(page, { [flag]: true });
			await part.waitFor();
		}
		await setFlags(page, { overlay: true });
		const overlay = page.locator('.boot');
		await overlay.getByRole('status', { name: 'Loading' }).waitFor();
		expect(await overlay.locator('img').getAttribute('src')).toBe('/brands/royal/logo-light.svg');
		await setFlags(page, { overlay: false });
		await overlay.waitFor({ state: 'detached' });
	});

	describe.each(BRANDS)('%s', (host, folder, title, theme, brandColour, description) => {
		it('is a brand of its own', { tags: 'thorough' }, async () => {
			const page = await open(host, '/matchlist/3', width);
			await page.locator('.match-row').first().waitFor();
			await expect
				.poll(() => lookOf(page))
				.toEqual({
					title: `${title} · Match List`,
					icon: `/brands/${folder}/favicon.svg`,
					description,
					theme,
					brandColour,
					logo: `/brands/${folder}/${theme === 'light' ? 'logo-light' : 'logo'}.svg`,
				});
			await expectFine(page, width);
		});
	});

	it.each([
		['dune.localhost', 'light'],
		['royal.localhost', 'dark'],
	])('%s can be read in the %s theme of a player’s own choice', { tags: 'thorough' }, async (host, theme) => {
		const page = await open(host, '/auth/login', width);
		await heading(page, 'Log in').waitFor();
		await page.evaluate((own) => localStorage.setItem('theme', own), theme);
		await page.goto('/matchlist/3');
		await page.locator('.match-row').first().waitFor();
		expect((await lookOf(page)).theme).toBe(theme);
		await expectFine(page, width);
	});

	it('the logo follows the theme, and looks the same whichever colour scheme the system prefers', {
		tags: 'thorough',
	}, async () => {
		const page = await open('dune.localhost', '/matchlist/3', width);
		const logo = page.getByRole('img', { name: 'Dune' });
		const drawn = async (colorScheme: 'dark' | 'light') => {
			await page.emulateMedia({ colorScheme });
			await page.reload();
			await page.locator('.match-row').first().waitFor();
			return (await logo.screenshot()).toString('base64');
		};
		const ofBrand = await drawn('dark');
		expect(await drawn('light')).toBe(ofBrand);
		await page.evaluate(() => localStorage.setItem('theme', 'light'));
		const onLight = await drawn('light');
		expect(onLight).not.toBe(ofBrand);
		expect(await drawn('dark')).toBe(onLight);
		expect(await logo.getAttribute('src')).toBe('/brands/dune/logo-light.svg');
	});

	it('a host that is none shows a page that says so', mainlyOn('phone', width), async () => {
		const page = await open('nobody.localhost', '/matchlist/3', width);
		await heading(page, 'There is no site at this address').waitFor();
		await expectFine(page, width);
	});

	it('a suspended domain shows its maintenance page on every path, in its own looks', {
		tags: 'thorough',
	}, async () => {
		const page = await open('harbour.localhost', '/matchlist/3', width);
		await page.waitForURL('**/under-maintenance');
		await heading(page, 'Under Maintenance').waitFor();
		expect(await page.getByRole('img', { name: 'Harbour' }).isVisible()).toBe(true);
		expect(await page.getByRole('link', { name: 'Help and support' }).getAttribute('href')).toBe(
			'mailto:support@harbour.example',
		);
		await expectFine(page, width);
		await page.goto('/settings');
		await page.waitForURL('**/under-maintenance');
	});

	it('a brand shows its offers and its support link, and has a picture of its own behind the login', {
		tags: 'thorough',
	}, async () => {
		const monsoon = await open('monsoon.localhost', '/matchlist/3', width);
		await monsoon.getByRole('region', { name: 'Bonuses' }).getByText('₹20,000 to begin with').waitFor();
		expect(await monsoon.getByRole('link', { name: 'Help and support' }).count()).toBe(0);
		const dune = await open('dune.localhost', '/matchlist/3', width);
		const support = dune.getByRole('link', { name: 'Help and support' });
		expect(await support.getAttribute('href')).toBe('https://wa.me/910000000000');
		expect(await support.getAttribute('rel')).toContain('noopener');
		await dune.goto('/auth/login');
		await heading(dune, 'Log in').waitFor();
		const picture = await dune.locator('main').evaluate((main) => getComputedStyle(main).backgroundImage);
		expect(picture).toContain('/brands/dune/night.svg');
		await expectFine(dune, width);
	});

	// A dark brand on the one and a light one on the other.
	const host = width === 'desktop' ? 'localhost' : 'royal.localhost';
	describe(`on ${host}`, () => {
		it(
			'an operator suspends the site: every page leads to maintenance, and back to its path afterwards',
			mainlyOn('desktop', width),
			async () => {
				const page = await open(host, '/matchlist/0', width);
				await heading(page, 'All sports').waitFor();
				await change(host, 'siteSuspended', 'true', 'false');
				await page.waitForURL('**/under-maintenance');
				await heading(page, 'Under Maintenance').waitFor();
				expect(await page.evaluate(() => localStorage.getItem('siteSuspended'))).toBe('true');
				await expectFine(page, width);
				await set(host, 'siteSuspended', 'false');
				await page.waitForURL('**/matchlist/0');
				await heading(page, 'All sports').waitFor();
			},
		);

		it('an operator closes a sport: it is gone from the lists, and comes back with its flag', {
			tags: 'thorough',
		}, async () => {
			const page = await open(host, '/matchlist/3', width);
			const sports = page.getByRole('navigation', { name: 'Sports' }).filter({ visible: true });
			const tennis = sports.getByText('Tennis', { exact: true });
			await tennis.waitFor();
			await change(host, 'tennis', 'false', 'true');
			await tennis.waitFor({ state: 'detached' });
			await page.goto('/matchlist/2');
			await page.getByText('Tennis is not offered here').waitFor();
			await expectFine(page, width);
			await set(host, 'tennis', 'true');
			await page.locator('.match-row').first().waitFor();
			await tennis.waitFor();
		});

		it('an operator changes the brand: the page follows without being asked, by the hub’s word', {
			tags: 'thorough',
		}, async () => {
			const news = await newsOf(host);
			const page = await open(host, '/matchlist/3', width);
			await page.locator('.match-row').first().waitFor();
			const { held } = await withoutPolls(page);
			await held;
			const [, folder, title, , colour] = BRANDS.find(([name]) => name === host) ?? BRANDS[0];
			await change(host, 'domainTitle', 'Changed Live', title);
			await page.waitForFunction(() => document.title === 'Changed Live · Match List');
			await change(host, 'themeTokens.brand', '#2f855a', colour);
			await change(host, 'news', '["Said while you were looking."]', JSON.stringify(news));
			await change(host, 'favicon', '/brands/default/favicon.svg', `/brands/${folder}/favicon.svg`);
			await page.getByText('Said while you were looking.').waitFor();
			await page.waitForFunction(() => document.querySelector('link[rel="icon"][href*="default"]') !== null);
			expect(await lookOf(page)).toMatchObject({ brandColour: '#2f855a' });
			await set(host, 'domainTitle', title);
			await page.waitForFunction((wanted) => document.title === `${wanted} · Match List`, title);
		});
	});
});

/**
 * From now on the next poll waits for an answer that never comes, and the page does not give it up, so that no other begins;
 * what else is asked goes through. @returns what resolves once that poll is under way
 */
async function withoutPolls(page: Page): Promise<{ held: Promise<void> }> {
	const { promise: held, resolve } = Promise.withResolvers<void>();
	let isHeld = false;
	await page.evaluate(() => void Object.assign(AbortSignal, { timeout: () => new AbortController().signal }));
	await page.route(SETTINGS, (route) => {
		if (isHeld) return route.continue();
		isHeld = true;
		resolve();
		return undefined;
	});
	return { held };
}

/** Answers the page's requests for its setting so, until it is told otherwise. */
async function answerSettings(page: Page, status: number, body = ''): Promise<void> {
	await page.route(SETTINGS, (route) => route.fulfill({ status, body, contentType: 'application/json' }));
}

/** Resolves when the page has asked for its setting that often. */
async function polls(page: Page, times: number): Promise<void> {
	for (let count = 0; count < times; count++) await page.waitForResponse(SETTINGS);
}

describe('the poll of each second', () => {
	it('carries a key between 100 and 1000, and the tag of the held setting', { tags: 'thorough' }, async () => {
		const page = await open('localhost', '/matchlist/3');
		await polls(page, 1);
		const request = await page.waitForRequest(SETTINGS);
		const key = Number(new URL(request.url()).searchParams.get('v'));
		expect(key).toBeGreaterThanOrEqual(100);
		expect(key).toBeLessThanOrEqual(1000);
		expect((await request.allHeaders())['if-none-match']).toMatch(/^".+"$/);
		expect((await request.response())?.status()).toBe(304);
	});

	it('changes nothing when it is lost or answered badly once', { tags: 'thorough' }, async () => {
		const page = await open('localhost', '/matchlist/3');
		await heading(page, 'Cricket').waitFor();
		for (const lose of ['abort', 'fulfill'] as const) {
			let lost = 0;
			await page.route(SETTINGS, (route) => {
				lost += 1;
				if (lost > 1) return route.continue();
				return lose === 'abort' ? route.abort() : route.fulfill({ status: 502, body: 'Bad Gateway' });
			});
			await polls(page, 3);
			await page.unroute(SETTINGS);
		}
		expect(new URL(page.url()).pathname).toBe('/matchlist/3');
		await heading(page, 'Cricket').waitFor();
	});

	it('leads to the maintenance page when it is answered badly again and again, and out of it by itself', {
		tags: 'thorough',
	}, async () => {
		const page = await open('localhost', '/matchlist/3');
		await heading(page, 'Cricket').waitFor();
		await answerSettings(page, 503);
		await page.waitForURL('**/under-maintenance');
		await page.getByText('HTTP error 503').waitFor();
		await page.unroute(SETTINGS);
		await page.waitForURL('**/matchlist/3');
	});
});

describe('the page as it is sent', () => {
	it('has the brand’s head before any script runs, and its words as words', async () => {
		const page = await open('monsoon.localhost', '/matchlist/3');
		await change('monsoon.localhost', 'domainTitle', `Tom & "Jerry's"`, 'Monsoon');
		await page.waitForFunction(() => document.title.startsWith(`Tom & "Jerry's"`));
		const { body: html } = await getUnder(server.url, 'monsoon.localhost', '/', ['Accept: text/html']);
		expect(html).toContain(`<title>Tom &amp; &quot;Jerry's&quot;</title>`);
		expect(html).toMatch(/<html[^>]* class="light" style="[^"]*--brand:#0f766e/);
		expect(html).toContain('href="/brands/monsoon/favicon.svg"');
	});
});

describe('the first load', () => {
	async function fresh(prepare: (page: Page) => Promise<void>): Promise<Page> {
		const context = await openContext(browser, 'desktop', server.url);
		contexts.push(context);
		const page = await context.newPage();
		await prepare(page);
		await page.goto('/matchlist/3');
		return page;
	}

	it('is tried again before the site counts as down', { tags: 'thorough' }, async () => {
		let asked = 0;
		const page = await fresh(async (opened) => {
			await opened.route(SETTINGS, (route) => {
				asked += 1;
				return asked < 3 ? route.fulfill({ status: 500, body: '' }) : route.continue();
			});
		});
		await expect.poll(() => asked).toBeGreaterThanOrEqual(3);
		await heading(page, 'Cricket').waitFor();
	});

	it('that fails shows HTTP error and status on the maintenance page, and the server’s message in a toast', {
		tags: 'thorough',
	}, async () => {
		const said = { success: false, result: null, error: { code: 'OVERLOADED', message: 'We are moving house.' } };
		const page = await fresh((opened) => answerSettings(opened, 503, JSON.stringify(said)));
		await page.waitForURL('**/under-maintenance');
		await page.getByText('HTTP error 503').waitFor();
		await page.getByText('We are moving house.').waitFor();
	});

	it('that reports no success suspends the site, with the server’s sentence', { tags: 'thorough' }, async () => {
		const said = { success: false, result: null, error: { code: 'INTERNAL', message: 'No setting today.' } };
		const page = await fresh((opened) => answerSettings(opened, 200, JSON.stringify(said)));
		await page.waitForURL('**/under-maintenance');
		await page.getByText('No setting today.').first().waitFor();
	});

	it('takes the default domain’s file where the host has none', { tags: 'thorough' }, async () => {
		const page = await fresh(async (opened) => {
			await opened.route('**/domain-settings/localhost.json*', (route) => route.fulfill({ status: 404, body: '' }));
		});
		await page.waitForFunction(() => document.title === 'Exchange · Match List');
	});
});

describe('a page that becomes visible', () => {
	/** Headless Chromium never hides a page by itself: the test dispatches the event that a browser would. */
	const becomeVisible = (page: Page) => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));

	it('asks for its setting again, and goes to the maintenance page when that fails', { tags: 'thorough' }, async () => {
		const page = await open('localhost', '/matchlist/3');
		await heading(page, 'Cricket').waitFor();
		await page.route(SETTINGS, (route) => route.abort());
		await becomeVisible(page);
		await page.waitForURL('**/under-maintenance');
		await page.getByText('Please Check Your Network Connection...').waitFor();
		await page.unroute(SETTINGS);
		await page.waitForURL('**/matchlist/3');
	});
});

describe('a domain that starts with crash', () => {
	it('leads a login to the lobby, with the game in front', { tags: 'thorough' }, async () => {
		await change('royal.localhost', 'startsWithCrash', 'true', 'false');
		const page = await open('royal.localhost', '/matchlist/3');
		await page.getByRole('button', { name: 'Log in' }).first().click();
		await page.getByRole('button', { name: 'Login with Demo ID' }).click();
		await page.waitForURL('**/lobby');
		const inFront = page.getByRole('link', { name: 'Crash Play the next round' });
		await inFront.waitFor();
		expect(await page.evaluate(() => localStorage.getItem('gameUrl'))).toBe('/casino/crash');
		await inFront.click();
		await page.waitForURL('**/casino/crash');
	});
});

describe('a domain whose requests are encoded', () => {
	/** Whether the page's script sent it as a call: the setting and the hub have forms of their own. */
	const isCall = (request: Request): boolean =>
		['fetch', 'xhr'].includes(request.resourceType()) &&
		!/^\/(hub|domain-settings|assets)\b/.test(new URL(request.url()).pathname);

	it('encodes every call, header and fields alike, and works as any other', { tags: 'thorough' }, async () => {
		const page = await open('akhada.localhost', '/matchlist/3');
		const calls: Request[] = [];
		page.on('request', (request) => {
			if (isCall(request)) calls.push(request);
		});
		await page.getByRole('button', { name: 'Log in' }).first().click();
		await page.getByRole('button', { name: 'Login with Demo ID' }).click();
		await page.locator('[data-figure="Balance"]').filter({ hasText: '20,000' }).waitFor();
		await page.goto('/change-button-values');
		await page.getByRole('button', { name: 'Save' }).click();
		await page.getByText('Stake buttons saved.').waitFor();
		const saved = calls.find((request) => request.url().endsWith('/UserStake/Add'));
		expect(saved?.postDataJSON()).toEqual({ d: expect.stringMatching(/^[\w-]+$/) });
		for (const request of calls) {
			expect(request.headers()['x-enc']).toBe('1');
			expect([...new URL(request.url()).searchParams.keys()].filter((name) => name !== 'd')).toEqual([]);
			const body: unknown = request.postData() === null ? {} : request.postDataJSON();
			expect(Object.keys(body as object).filter((name) => name !== 'd')).toEqual([]);
		}
		expect(calls.length).toBeGreaterThan(3);
	});
});

describe('a player', () => {
	it('does not see a closed sport that visitors see', { tags: 'thorough' }, async () => {
		const password = 'a long enough Passw0rd!';
		const userName = `nila${Date.now()}`;
		const football = (allowed: boolean) =>
			operator('player-sport', { userName, host: 'localhost', sport: 'football', allowed });
		await operator('create-player', { userName, password });
		await football(false);
		const page = await open('localhost', '/matchlist/3');
		const sports = page.getByRole('navigation', { name: 'Sports' }).first();
		await sports.getByText('Football', { exact: true }).waitFor();
		await page.getByRole('button', { name: 'Log in' }).first().click();
		const dialog = page.getByRole('dialog');
		await dialog.getByLabel('Username').fill(userName);
		await dialog.getByLabel('Password', { exact: true }).fill(password);
		await dialog.getByRole('button', { name: 'Login', exact: true }).click();
		// The dialog hides the lists from a screen reader, so they are read after it has closed.
		await page.getByRole('button', { name: `Account: ${userName}` }).waitFor();
		await sports.getByText('Tennis', { exact: true }).waitFor();
		await sports.getByText('Football', { exact: true }).waitFor({ state: 'detached' });
		await page.goto('/matchlist/1');
		await page.getByText('Football is not offered here').waitFor();
		await football(true);
		await page.reload();
		await page.locator('.match-row').first().waitFor();
	});
});
