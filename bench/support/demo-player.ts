/** A demo player on the site itself, so that the browser stores what the site stores. */
import type { Page } from 'playwright-core';

/** Logs in on a match's page and waits for its prices. */
export async function enterAsDemoPlayer(page: Page, address: string): Promise<void> {
	await page.goto(address);
	await page.getByRole('banner').getByRole('button', { name: 'Log in' }).click();
	await page.getByRole('button', { name: 'Login with Demo ID' }).click();
	await page.getByRole('dialog').waitFor({ state: 'detached' });
	await page.locator('.market .price:enabled').first().waitFor();
}
