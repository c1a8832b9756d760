/** Members of staff at the operators' console, each at a browser of their own. */
import type { Browser, Locator, Page } from 'playwright-core';
import { hashPassword } from '#server/people/players/passwords.ts';
import type { TestServer } from '../support/server.ts';
import { PATIENCE_MS } from '../support/whole-run.ts';
import { closeContexts, openBrowser } from './browser.ts';

/** A host that browsers find by themselves; the server is started with it. */
export const CONSOLE_HOST = 'console.localhost';
/** Every member's. */
export const PASSWORD = 'Correct-horse-9';
export const BY_TEST = { actor: 'test', address: null };

/** How long after a change a key comes that was meant for what stood there before. */
const ON_ITS_WAY_MS = 100;

/**
 * Watches the part for what it comes to say, and then presses a key that was on its way, where the focus is.
 * @returns what resolves when the key was pressed
 */
export async function pressWhen(part: Locator, says: string, key: string): Promise<() => Promise<void>> {
	const watch = await part.evaluateHandle(
		(shown, [text, pressed, afterMs]) => ({
			pressed: new Promise<void>((resolve) => {
				const press = () => {
					const event = new KeyboardEvent('keydown', { key: pressed, bubbles: true, cancelable: true });
					(document.activeElement ?? document.body).dispatchEvent(event);
					resolve();
				};
				const change = new MutationObserver(() => {
					if (!shown.textContent?.includes(text)) return;
					change.disconnect();
					setTimeout(press, afterMs);
				});
				change.observe(shown, { subtree: true, childList: true, characterData: true });
			}),
		}),
		[says, key, ON_ITS_WAY_MS] as const,
	);
	return () => watch.evaluate(({ pressed }) => pressed);
}

export class Desk {
	readonly #server: TestServer;
	readonly #browser: Browser;

	private constructor(server: TestServer, browser: Browser) {
		this.#server = server;
		this.#browser = browser;
	}

	/** @param server started with CONSOLE_HOST; not closed with the desk */
	static async open(server: TestServer): Promise<Desk> {
		return new Desk(server, await openBrowser());
	}

	async close(): Promise<void> {
		await closeContexts(this.#browser);
	}

	/** @returns the id of the member, who may be known already */
	async addMember(name: string, roles: string[]): Promise<number> {
		const { directory } = this.#server.running.staff;
		const passwordHash = await hashPassword(PASSWORD);
		const known = directory.byName(name) ?? (await directory.add({ name, passwordHash, roles, brands: null }, BY_TEST));
		return known.staffId;
	}

	async logIn(page: Page, name: string): Promise<void> {
		await page.goto('/');
		await page.getByLabel('Name').fill(name);
		await page.getByLabel('Password').fill(PASSWORD);
		await page.getByRole('button', { name: 'Log in' }).click();
	}

	/** A member at a browser of their own; scripts that the page runs against its policy fail the test. */
	async member(name: string, roles: string[], width = 1280): Promise<Page> {
		await this.addMember(name, roles);
		const page = await this.freshPage(width);
		await this.logIn(page, name);
		await page.getByRole('heading', { name: 'Today' }).waitFor();
		return page;
	}

	async freshPage(width = 1280): Promise<Page> {
		const context = await this.#browser.newContext({
			baseURL: this.#server.url.replace('localhost', CONSOLE_HOST),
			viewport: { width, height: 900 },
			reducedMotion: 'reduce',
		});
		context.setDefaultTimeout(PATIENCE_MS);
		const page = await context.newPage();
		page.on('dialog', () => {
			throw new Error('a text was run as a script');
		});
		return page;
	}
}
