/**
 * The modal in Chromium, Firefox and WebKit: what the browser's own dialog does, and what the page does about it. No
 * other environment of the tests has a top layer, so it is shown in browsers alone.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { feedParts } from '../support/feed-parts.ts';
import { endMatches, openTestMatch } from '../support/match.ts';
import type { TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { type Engine, SIZES } from './engines/engine-driver.ts';
import { button, EnginePage, inDialog, type Target } from './engines/engine-page.ts';
import { CHROMIUM, FIREFOX } from './engines/puppeteer-driver.ts';
import { WEBKIT } from './engines/webkit-driver.ts';

const ENGINES: readonly Engine[] = [CHROMIUM, FIREFOX, WEBKIT];
const CORNER = { x: 5, y: 5 };
const MORE_THAN_ITS_STOPS = 40;

let server: TestServer;
beforeAll(async () => {
	server = await sharedServer();
	await feedParts(server);
	await endMatches(server);
});

const MENU: Target = { css: 'dialog[open] h2', words: 'Menu' };
const LOGIN: Target = { css: 'dialog[open] h2', words: 'Log in' };
const DIALOG: Target = { css: 'dialog[open]' };
const DEPTH = 'Depth and price history';
const SHEET: Target = { css: '.bottom-sheet' };
const field = (label: string): Target => ({ css: '.slip-card input', words: label });

/** Of what has the focus: whether it is in a dialog, and its name. */
const focused = ({ driver }: EnginePage) =>
	driver.read(() => {
		const { activeElement } = document;
		const { name } = activeElement instanceof HTMLInputElement ? activeElement : { name: '' };
		return {
			inside: activeElement?.closest('dialog[open]') != null,
			name: activeElement?.ariaLabel || name || activeElement?.textContent,
		};
	});

/** Where the page is scrolled to, how wide it is, and where its header stands. */
const place = ({ driver }: EnginePage) =>
	driver.read(() => [scrollY, document.body.clientWidth, document.querySelector('header')?.getBoundingClientRect().x]);

/** Where the name of the open dialog stands. */
const title = ({ driver }: EnginePage) =>
	driver.read(() => {
		const { x, y, height } = document.querySelector('dialog[open] h2')?.getBoundingClientRect() ?? new DOMRect();
		return { x: x + 2, y: y + height / 2 };
	});

/** By key, because it may be behind the sheet. */
async function openBy(page: EnginePage, name: string, shown: Target): Promise<void> {
	await page.see(button(new RegExp(`^${name}`)));
	await page.driver.read((start) => {
		const all = [...document.querySelectorAll('button')];
		all.find(({ ariaLabel, textContent }) => (ariaLabel ?? textContent).startsWith(start))?.focus();
	}, name);
	await page.driver.pressKey('Enter');
	await page.see(shown);
}
const openMenu = (page: EnginePage): Promise<void> => openBy(page, 'Menu', MENU);

async function seeClosed(page: EnginePage, opener = 'Menu'): Promise<void> {
	await page.seeNoMore(DIALOG);
	expect(await focused(page)).toEqual({ inside: false, name: opener });
}

describe.each(ENGINES.map((engine) => [engine.name, engine] as const))('in %s', (name, engine) => {
	const isMain = engine === CHROMIUM;
	/** What every dialog has is shown in `npm test`, too. */
	const tags = isMain ? {} : { tags: 'thorough' as const };
	const thorough = { tags: 'thorough' as const };
	let page: EnginePage;
	const opened = async (): Promise<EnginePage> => (page ??= new EnginePage(await engine.start('dark')));
	afterAll(() => page?.driver.close());

	it.skipIf(!engine.isInstalled)('holds the focus, and the page behind stays where it is', tags, async () => {
		const { driver } = await opened();
		await driver.resize(SIZES.desktop);
		await driver.open(`${server.url}/matchlist/3`);
		await page.see(button('Log in'));
		await driver.read(() => {
			document.body.style.minHeight = '4000px';
			document.documentElement.style.overflowAnchor = 'none';
			scrollTo(0, 300);
		});
		const before = await place(page);
		expect(before[0]).toBe(300);
		// It has no entry in the history, of which the router restores the place.
		await openBy(page, 'Log in', LOGIN);
		expect(await place(page)).toEqual(before);
		for (let stop = 0; stop < MORE_THAN_ITS_STOPS; stop++) {
			expect((await focused(page)).inside, `after ${stop} × Tab`).toBe(true);
			await driver.pressKey('Tab');
		}
		await driver.pressKey('Escape');
		await seeClosed(page, 'Log in');
		expect(await place(page)).toEqual(before);
	});

	it.skipIf(!engine.isInstalled)('is left by a press that begins and ends on its backdrop', tags, async () => {
		await openMenu(await opened());
		const within = await title(page);
		await page.driver.drag(within, CORNER);
		await page.driver.drag(CORNER, within);
		expect(await page.count(MENU)).toBe(1);
		await page.driver.click(CORNER.x, CORNER.y);
		await seeClosed(page);
	});

	it.skipIf(!engine.isInstalled)('gives the focus back to what opened the dialog before it', thorough, async () => {
		await openMenu(await opened());
		await page.click(inDialog('Login'));
		await page.see(LOGIN);
		await page.waitFor('the first field has the focus', async () => (await focused(page)).name === 'userName');
		await page.driver.pressKey('Escape');
		await seeClosed(page);
	});

	it.skipIf(!engine.isInstalled)(
		'has the toasts within it, where they take a press, and gives the focus back past an opener that is gone',
		thorough,
		async () => {
			const match = await openTestMatch(server, { title: `${name} by toast` });
			await match.market.quote([
				{ back: [{ price: 200, size: 10_000_000 }], lay: [] },
				{ back: [], lay: [] },
			]);
			const { driver } = await opened();
			await driver.open(`${server.url}/markets/${match.eventId}`);
			await page.click(button('Log in'));
			await page.click(button('Login with Demo ID'));
			await page.seeNoMore(DIALOG);
			await page.click(button(/^Back India 2\.00/));
			await page.fill(field('Odds'), '3');
			await page.fill(field('Stake'), '50');
			await page.click(button('Back India 3.00 · risk ₹50'));
			await openBy(page, DEPTH, DIALOG);
			await driver.pressKey('Escape');
			await page.seeNoMore(DIALOG);
			await page.click({ css: '.own-strip-button', words: /unmatched/ });
			await page.click(inDialog(/^Cancel Back India/));
			const said: Target = { css: 'dialog[open] .Toastify__toast', words: '₹50 cancelled.' };
			await page.see(said);
			await page.click({ css: '.Toastify__toast button' });
			await page.seeNoMore(said);
			expect(await page.count(DIALOG)).toBe(1);
			await driver.pressKey('Escape');
			await page.seeNoMore(DIALOG);
			// The strip's button has gone with the bet.
			expect((await focused(page)).name).toContain(DEPTH);
			await page.see({ css: 'body > div > .Toastify' });
			await openBy(page, DEPTH, { css: 'dialog[open] > div > .Toastify' });
			await driver.pressKey('Escape');
			await page.seeNoMore(DIALOG);
		},
	);

	it.skipIf(!engine.isInstalled)(
		'over the slip’s sheet: Esc closes the dialog alone, then the sheet',
		thorough,
		async () => {
			const { driver } = await opened();
			await driver.resize(SIZES.phone);
			await page.click(button(/^Back India 2\.00/));
			await page.see(SHEET);
			await openBy(page, DEPTH, DIALOG);
			await driver.pressKey('Escape');
			await page.seeNoMore(DIALOG);
			expect(await page.count(SHEET)).toBe(1);
			await driver.pressKey('Escape');
			await page.seeNoMore(SHEET);
		},
	);
});
