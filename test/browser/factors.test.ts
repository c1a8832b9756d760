/** Passkeys and the authenticator on the site: added, used at the next log-in, and removed. */
import { TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PASSWORD } from '../support/sign-up.ts';
import { goTo } from './browser.ts';
import { expectFine } from './fine-screen.ts';
import { Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
	scene = await Scene.share();
});
afterAll(() => scene?.close());

/** A phone with a finger that is recognized whenever it is asked for. */
async function giveFinger(page: Page): Promise<void> {
	const chromium = await page.context().newCDPSession(page);
	await chromium.send('WebAuthn.enable');
	await chromium.send('WebAuthn.addVirtualAuthenticator', {
		options: {
			protocol: 'ctap2',
			transport: 'internal',
			hasResidentKey: true,
			hasUserVerification: true,
			isUserVerified: true,
			automaticPresenceSimulation: true,
		},
	});
}

/** The answer to the next call of the site at that path. */
const answerOf = (page: Page, path: string) =>
	page.waitForResponse((response) => new URL(response.url()).pathname === path);

async function logOut(page: Page): Promise<void> {
	// The log-in ends with this answer; a page that is left before it may take the call along.
	const answered = answerOf(page, '/Account/Logout');
	await page.goto('/Auth/Logout');
	expect((await answered).status()).toBe(200);
	await page.goto('/auth/login');
	await page.getByRole('heading', { name: 'Log in' }).waitFor();
}

it('a passkey is added under a name, logs in without a password, and opens nothing once it is removed', async () => {
	const { page } = await scene.member('phone');
	await giveFinger(page);
	await page.goto('/security');
	await page.getByRole('button', { name: 'Add a passkey' }).tap();
	const adding = page.getByRole('dialog', { name: 'Add a passkey' });
	await adding.getByLabel('Name').fill('my phone');
	await adding.getByLabel('Password', { exact: true }).fill('a wrong one');
	await adding.getByRole('button', { name: 'Go on' }).tap();
	await adding.getByText('The current password is wrong.').waitFor();
	await expectFine(page, 'phone');
	await adding.getByLabel('Password', { exact: true }).fill(PASSWORD);
	await adding.getByRole('button', { name: 'Go on' }).tap();
	await page.getByRole('listitem').filter({ hasText: 'my phone' }).waitFor();
	await expectFine(page, 'phone');
	await logOut(page);
	await page.getByRole('button', { name: 'Log in with a passkey' }).tap();
	await page.waitForURL(/matchlist/);
	await goTo(page, '/security');
	await page.getByText(/last used/).waitFor();
	const ended = answerOf(page, '/Account/LogoutElsewhere');
	await page.getByRole('button', { name: 'Log out everywhere else' }).tap();
	expect(await (await ended).json()).toMatchObject({ result: { ended: 0 } });
	await page.getByText('You are logged in nowhere else.').waitFor();
	await page.getByRole('button', { name: 'Rename the passkey my phone' }).tap();
	const renaming = page.getByRole('dialog', { name: 'Rename the passkey my phone' });
	await renaming.getByLabel('Name').fill('my tablet');
	await renaming.getByLabel('Password', { exact: true }).fill(PASSWORD);
	await expectFine(page, 'phone');
	await renaming.getByRole('button', { name: 'Rename' }).tap();
	await page.getByText('The passkey is called my tablet.').waitFor();
	await page.getByRole('button', { name: 'Remove the passkey my tablet' }).tap();
	const removal = page.getByRole('dialog', { name: 'Remove my tablet?' });
	await removal.getByLabel('Password', { exact: true }).fill(PASSWORD);
	await removal.getByRole('button', { name: 'Remove' }).tap();
	await page.getByText('The passkey my tablet is removed.').waitFor();
	await logOut(page);
	await page.getByRole('button', { name: 'Log in with a passkey' }).tap();
	await page.getByText('The security key was not accepted.').waitFor();
});

// The screen is shown with the passkey, and the rules by `test/calls/factors.test.ts`.
it('an authenticator is set up by the keyboard alone, and its code is asked for after the password', {
	tags: 'thorough',
}, async () => {
	const { page, userName } = await scene.member('desktop');
	await page.goto('/security');
	await page.getByRole('button', { name: 'Set up an app' }).press('Enter');
	await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(PASSWORD);
	await page.keyboard.press('Enter');
	const setUp = page.getByRole('dialog', { name: 'Set up an app' });
	const secret = (await setUp.locator('.factor-secret').textContent()) ?? '';
	await expectFine(page, 'desktop');
	const code = () => new TOTP({ secret }).generate();
	await setUp.getByLabel('Code of the app').fill(code());
	await page.keyboard.press('Enter');
	const codes = page.getByRole('dialog', { name: 'Your recovery codes' });
	const recovery = (await codes.locator('code').first().textContent()) ?? '';
	await expectFine(page, 'desktop');
	await codes.getByRole('button', { name: 'I have written them down' }).press('Enter');
	await page.getByText('Recovery codes left: 10.').waitFor();
	await logOut(page);
	await page.getByLabel('Username').fill(userName);
	await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
	await page.keyboard.press('Enter');
	await page.getByRole('heading', { name: 'Your code' }).waitFor();
	await page.getByLabel('Code', { exact: true }).fill('000 000');
	await page.keyboard.press('Enter');
	await page.getByText('The code is wrong or has expired.').waitFor();
	await page.getByLabel('Code', { exact: true }).fill(recovery.toUpperCase());
	await page.keyboard.press('Enter');
	await page.waitForURL(/matchlist/);
	await goTo(page, '/activity');
	await page.getByText('recovery code used').waitFor();
});
