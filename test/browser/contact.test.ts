/**
 * The mail address on the player's page and the new password at log-in, and the door of the console with the company's
 * log-in, at both widths.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OidcProvider } from '../support/oidc-provider.ts';
import { TestServer } from '../support/server.ts';
import { SmtpServer } from '../support/smtp-server.ts';
import { closeContexts, mainlyOn, openBrowser, openContext, storedLogin, type Width } from './browser.ts';
import { CONSOLE_HOST } from './desk.ts';
import { expectFine, findings } from './fine-screen.ts';

const PASSWORD = 'kingfisher#7';
const NEW_PASSWORD = 'another kingfisher#8';
let smtp: SmtpServer;
let provider: OidcProvider;
let server: TestServer;
let browser: Browser;
beforeAll(async () => {
	smtp = await SmtpServer.start();
	provider = await OidcProvider.start();
	const { issuer, clientId, clientSecret } = provider;
	const signOn = { issuer, clientId, clientSecret, name: 'Acme' };
	server = await TestServer.start(undefined, { mail: smtp.config, signOn, consoleHost: CONSOLE_HOST });
	browser = await openBrowser();
});
afterAll(async () => {
	await closeContexts(browser);
	await server?.dispose();
	await smtp?.stop();
	await provider?.stop();
});

const toast = (page: Page, text: string) => page.locator('.Toastify').getByText(text).waitFor();

describe.each(['desktop', 'phone'] as const)('on a %s', (width: Width) => {
	it('a player proves an address, and sets a new password by it', mainlyOn('phone', width), async () => {
		const userName = `gita-${width}`;
		const address = `${userName}@mail.example`;
		await server.running.players.createPlayer({ userName, password: PASSWORD, brand: server.brand });
		const login = await server.result('authenticate', { userNameOrEmailAddress: userName, password: PASSWORD });
		const context = await openContext(browser, width, server.url, { storageState: storedLogin(server.url, login) });
		const page = await context.newPage();
		await page.goto('/contact');
		await page.getByText('Your account has no mail address.').waitFor();
		await expectFine(page, width);
		await page.getByRole('textbox', { name: 'Mail address' }).fill('no address');
		await page.getByLabel('Current password').fill(PASSWORD);
		await page.getByRole('button', { name: 'Send me a code' }).click();
		await page.getByText('Enter a mail address.').waitFor();
		await page.getByRole('textbox', { name: 'Mail address' }).fill(address);
		await page.getByRole('button', { name: 'Send me a code' }).click();
		await page.getByText(`Enter the code that we sent to ${address}.`).waitFor();
		await expectFine(page, width);
		await expect.poll(() => smtp.codeTo(address)).not.toBe('');
		await page.getByLabel('OTP code').fill(smtp.codeTo(address));
		await page.getByRole('button', { name: 'Confirm the address' }).click();
		await page.getByText(`Your account’s address is ${address}.`).waitFor();
		await page.getByRole('switch', { name: 'A statement each month' }).click();
		await expect
			.poll(async () => (await server.result('getContact', {}, login.accessToken)).notices)
			.toEqual({ limits: true, withdrawals: true, statement: false });
		await expectFine(page, width);

		await page.goto('/Auth/Logout');
		await page.getByRole('button', { name: 'Forgot your password?' }).click();
		await page.getByLabel('Username or mail address').fill(address);
		await page.getByRole('button', { name: 'Send a code by mail' }).click();
		await page.getByText('If the account has such a contact').waitFor();
		await expect.poll(() => smtp.to(address).length).toBe(2);
		await page.getByLabel('OTP code').fill(smtp.codeTo(address));
		await page.locator('input[autocomplete="new-password"]').fill(NEW_PASSWORD);
		await expectFine(page, width);
		await page.getByRole('button', { name: 'Set the new password' }).click();
		await toast(page, 'Your password is set. Please log in.');
		await page.getByLabel('Username').fill(address);
		await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD);
		await page.getByRole('button', { name: 'Login', exact: true }).click();
		await page.getByRole('button', { name: `Account: ${userName}` }).waitFor();
		await context.close();
	});

	// `test/operator/sign-on.test.ts` shows the rules.
	it('a member goes to the company’s log-in and comes back in', { tags: 'thorough' }, async () => {
		const { directory, identities } = server.running.staff;
		const about = { name: `member on a ${width}`, passwordHash: 'none', roles: ['owner'], brands: null };
		const by = { actor: 'test', address: null };
		const member = await directory.add(about, by);
		await identities.set(member, { issuer: provider.issuer, email: null, subject: `on ${width}` }, by);
		const url = server.url.replace('localhost', CONSOLE_HOST);
		const context = await openContext(browser, width, url);
		// The page of the issuer: the person is logged in there, and is sent back at once.
		await context.route(`${provider.issuer}/authorize**`, async (route) => {
			const asked = new URL(route.request().url());
			const sub = wrongPerson ? 'a stranger' : `on ${width}`;
			const back = new URL(asked.searchParams.get('redirect_uri') ?? '');
			for (const [name, value] of Object.entries(provider.logIn(asked.href, { sub })))
				back.searchParams.set(name, value);
			await route.fulfill({ status: 302, headers: { Location: back.href } });
		});
		let wrongPerson = true;
		const page = await context.newPage();
		await page.goto('/');
		const button = page.getByRole('button', { name: 'Log in with Acme' });
		await button.waitFor();
		expect(await findings(page)).toEqual([]);
		await button.click();
		await page.getByText('Your company’s log-in opens nothing here.').waitFor();
		expect(new URL(page.url()).search).toBe('');
		expect(await findings(page)).toEqual([]);
		wrongPerson = false;
		await button.click();
		await page.getByRole('heading', { name: 'Today' }).waitFor();
		expect(new URL(page.url()).pathname).toBe('/today');
		await context.close();
	});
});
