/**
 * Signing up, verifying, logging in and changing the password, as a visitor does it, at both widths and on three brands.
 *
 * @module-tag thorough
 */
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../support/database.ts';
import { TestServer } from '../support/server.ts';
import { closeContexts, goTo, mainlyOn, onlyOn, openBrowser, openContext, type Width } from './browser.ts';
import { expectFine } from './fine-screen.ts';

const PASSWORD = 'kingfisher#7';
const BRANDS = {
	localhost: { domainTitle: 'Open', allowSignUp: true, showSupportLink: true, supportLink: 'https://help.example/id' },
	'quick.localhost': { domainTitle: 'Quick', allowSignUp: true, skipVerification: true },
	'closed.localhost': {
		domainTitle: 'Closed',
		allowSignUp: false,
		showSupportLink: true,
		supportLink: 'https://x.example',
	},
};

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
	const database = await freshDatabase();
	for (const [host, setting] of Object.entries(BRANDS)) {
		await database.db.query('insert into brand (host, setting) values ($1, $2)', [host, JSON.stringify(setting)]);
	}
	server = await TestServer.start(database);
	browser = await openBrowser();
});
afterAll(async () => {
	await closeContexts(browser);
	await server?.dispose();
});

let count = 0;
/** A name and a mobile that no player has. */
function someone() {
	count += 1;
	return { userName: `visitor${count}`, mobile: `97${String(count).padStart(8, '0')}` };
}

async function lastCodeTo(mobile: string): Promise<string> {
	const { rows } = await server.database.db.query<{ text: string }>(
		'select text from outbox where mobile = $1 order by at desc limit 1',
		[`+91${mobile}`],
	);
	return /\d{6}/.exec(rows[0]?.text ?? '')?.[0] ?? '';
}

async function visit(width: Width, host: keyof typeof BRANDS): Promise<{ context: BrowserContext; page: Page }> {
	const context = await openContext(browser, width, server.url.replace('localhost', host));
	return { context, page: await context.newPage() };
}

/** The dialog, opened by the button of the frame. */
async function openDialog(page: Page): Promise<Locator> {
	await page.goto('/matchlist/3');
	await page.getByRole('button', { name: 'Log in' }).first().click();
	const dialog = page.getByRole('dialog');
	await dialog.getByLabel('Username').waitFor();
	return dialog;
}

async function fillSignUp(dialog: Locator, { userName, mobile }: ReturnType<typeof someone>): Promise<void> {
	await dialog.getByRole('tab', { name: 'Sign Up' }).click();
	await dialog.getByLabel('Username').fill(userName);
	await dialog.getByLabel('Mobile number').fill(mobile);
	await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
	await dialog.getByLabel('Confirm password').fill(PASSWORD);
}

const toast = (page: Page, text: string) => page.locator('.Toastify').getByText(text).waitFor();
const hasFocus = (field: Locator) => field.evaluate((element) => element === document.activeElement);

/** What is shown at its middle is itself: it is neither below an edge nor under something else. */
async function expectInView(part: Locator): Promise<void> {
	const shown = await part.evaluate((element) => {
		const { x, y, width, height } = element.getBoundingClientRect();
		return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
	});
	expect(shown).toBe(true);
}

const signUpButton = (dialog: Locator) => dialog.getByRole('button', { name: 'Sign Up', exact: true });

describe.each(['desktop', 'phone'] as const)('on a %s', (width) => {
	it('a visitor signs up, gives the code, is in, and logs in again', mainlyOn('phone', width), async () => {
		const { context, page } = await visit(width, 'localhost');
		const dialog = await openDialog(page);
		await expectFine(page, width);
		await expect.poll(() => hasFocus(dialog.getByLabel('Username'))).toBe(true);
		const who = someone();
		await fillSignUp(dialog, who);
		await expectFine(page, width);
		await expectInView(dialog.getByRole('link', { name: 'Get ID' }));
		expect(await dialog.getByRole('link', { name: 'Get ID' }).getAttribute('href')).toBe('https://help.example/id');
		await signUpButton(dialog).click();
		const verification = page.getByRole('dialog', { name: 'Verification' });
		await verification.getByText(`Enter the code we sent to ${who.mobile}.`).waitFor();
		// A reloaded page still asks for it.
		await page.reload();
		await verification.getByText(`Enter the code we sent to ${who.mobile}.`).waitFor();
		await expectFine(page, width);
		await expect.poll(() => hasFocus(verification.getByLabel('OTP code'))).toBe(true);
		await verification.getByText(/^A new code can be sent in (2:00|1:\d\d)$/).waitFor();
		// The player has not left the field yet.
		expect(await verification.getByText('Please Enter Otp code').count()).toBe(0);
		// The last digit sends it.
		await verification.getByLabel('OTP code').fill(await lastCodeTo(who.mobile));
		await page.waitForURL('**/matchlist/3');
		await page.getByRole('button', { name: `Account: ${who.userName}` }).waitFor();

		await page.goto('/Auth/Logout');
		await page.getByLabel('Username').fill(who.userName.toUpperCase());
		await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
		await page.getByRole('button', { name: 'Login', exact: true }).click();
		await page.getByRole('button', { name: `Account: ${who.userName}` }).waitFor();
		await context.close();
	});

	it('fields show their errors when they are left, not during typing', { tags: 'thorough' }, async () => {
		const { context, page } = await visit(width, 'localhost');
		const dialog = await openDialog(page);
		await dialog.getByRole('button', { name: 'Login', exact: true }).click();
		await dialog.getByText('username is a required field').waitFor();
		await dialog.getByText('password is a required field').waitFor();
		await dialog.getByRole('tab', { name: 'Sign Up' }).click();
		const password = dialog.getByLabel('Password', { exact: true });
		await password.pressSequentially('short');
		const field = dialog.locator('.field', { has: page.getByLabel('Password', { exact: true }) });
		expect(await field.getAttribute('data-dirty')).toBe('true');
		expect(await field.getAttribute('data-touched')).toBeNull();
		expect(await dialog.getByText('Password is too short').count()).toBe(0);
		await password.blur();
		await dialog.getByText('Password is too short - should be 8 chars minimum.').waitFor();
		expect(await field.getAttribute('data-validated')).toBe('true');
		expect(await field.getAttribute('data-invalid')).toBe('true');
		await password.fill('lettersonly');
		await password.blur();
		await dialog
			.getByText('Must Contain 8 Characters, One Uppercase, One Lowercase, One Number and one special case Character')
			.waitFor();
		await password.fill(PASSWORD);
		await dialog.getByLabel('Confirm password').fill('another');
		await dialog.getByLabel('Mobile number').fill('12345');
		await signUpButton(dialog).click();
		await dialog.getByText('Passwords must match').waitFor();
		await dialog.getByText('mobile number is not valid').waitFor();
		await dialog.getByText('username is a required field').waitFor();
		expect(await field.getAttribute('data-valid')).toBe('true');
		await expectFine(page, width);
		// Setting the password to what the repetition says makes the repetition right.
		await password.fill('another#12');
		await dialog.getByLabel('Confirm password').fill('another#12');
		await password.fill('another#13');
		await password.blur();
		await dialog.getByText('Passwords must match').waitFor();
		await context.close();
	});

	onlyOn('phone', width)('shows and hides the password', { tags: 'thorough' }, async () => {
		const { context, page } = await visit(width, 'localhost');
		const dialog = await openDialog(page);
		const password = dialog.getByLabel('Password', { exact: true });
		expect(await password.getAttribute('type')).toBe('password');
		await dialog.getByRole('button', { name: 'Show password' }).click();
		expect(await password.getAttribute('type')).toBe('text');
		await dialog.getByRole('button', { name: 'Hide password' }).click();
		expect(await password.getAttribute('type')).toBe('password');
		await context.close();
	});

	onlyOn('phone', width)(
		'a brand without verification leads the new player straight to in-play matches',
		{ tags: 'thorough' },
		async () => {
			const { context, page } = await visit(width, 'quick.localhost');
			const dialog = await openDialog(page);
			const who = someone();
			await fillSignUp(dialog, who);
			await signUpButton(dialog).click();
			await page.waitForURL('**/inplay');
			await page.getByRole('button', { name: `Account: ${who.userName}` }).waitFor();
			await page.getByRole('heading', { level: 1, name: 'In-Play' }).waitFor();
			expect(await lastCodeTo(who.mobile)).toBe('');
			await expectFine(page, width);
			await context.close();
		},
	);

	onlyOn('desktop', width)('a brand without sign-up shows no way to it', { tags: 'thorough' }, async () => {
		const { context, page } = await visit(width, 'closed.localhost');
		const dialog = await openDialog(page);
		expect(await dialog.getByText('Sign Up').count()).toBe(0);
		expect(await dialog.getByRole('link', { name: 'Get ID' }).count()).toBe(0);
		expect(await dialog.getByRole('tab').count()).toBe(0);
		await expectFine(page, width);
		await context.close();
	});

	onlyOn('desktop', width)(
		'the password is changed, and the other device is logged out at once',
		{ tags: 'thorough' },
		async () => {
			const { context, page } = await visit(width, 'localhost');
			const { userName } = someone();
			const brand = { host: 'localhost', pool: 'PLAY' } as const;
			await server.running.players.createPlayer({ userName, password: PASSWORD, brand });
			const other = await visit(width, 'localhost');
			for (const device of [page, other.page]) {
				const dialog = await openDialog(device);
				await dialog.getByLabel('Username').fill(userName);
				await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
				await dialog.getByLabel('Password', { exact: true }).press('Enter');
				await device.getByRole('button', { name: `Account: ${userName}` }).waitFor();
			}
			await page.goto('/change-password');
			await page.getByLabel('Current password').fill('not this one 1#');
			await page.getByLabel('New password', { exact: true }).fill('Nightingale 8!');
			await page.getByLabel('Confirm new password').fill('Nightingale 8!');
			await page.getByRole('button', { name: 'Change password' }).click();
			await page.getByRole('main').getByText('The current password is wrong.').waitFor();
			await page.getByLabel('Current password').fill(PASSWORD);
			await expectFine(page, width);
			await page.getByRole('button', { name: 'Change password' }).click();
			await page.getByText('Your password is changed. Other devices are logged out.').waitFor();
			await other.page.waitForURL('**/auth/login');
			await page.getByRole('button', { name: `Account: ${userName}` }).waitFor();
			await other.context.close();
			await context.close();
		},
	);

	it('stake buttons, rules and settings have their pages', { tags: 'thorough' }, async () => {
		const { context, page } = await visit(width, 'localhost');
		const dialog = await openDialog(page);
		await dialog.getByRole('button', { name: 'Login with Demo ID' }).click();
		await page.getByRole('button', { name: 'Account: Demo' }).waitFor();
		for (const [path, heading] of [
			['/rules', 'Rules'],
			['/change-password', 'Change password'],
			['/change-button-values', 'Stake buttons'],
			['/settings', 'Settings'],
		] as const) {
			await goTo(page, path);
			await page.getByRole('heading', { level: 1, name: heading }).waitFor();
			await expectFine(page, width);
		}
		await page.getByLabel('Show the balance').uncheck();
		await page.reload();
		const figure = (name: string) => page.locator(`[data-figure="${name}"]`);
		await figure('Balance').getByText('••••').waitFor();
		await figure('Bets held').getByText('₹0').waitFor();
		expect(await page.getByLabel('Show the balance').isChecked()).toBe(false);
		await page.getByRole('link', { name: 'Stake buttons' }).click();
		await page.getByLabel('Label').first().fill('Tea');
		await page.getByLabel('Amount').first().fill('25');
		await page.getByRole('button', { name: 'Save' }).click();
		await page.getByText('Stake buttons saved.').waitFor();
		await page.reload();
		await expect.poll(() => page.getByLabel('Label').first().inputValue()).toBe('Tea');
		await context.close();
	});
});

describe('the code', () => {
	it('can be sent again after two minutes, and the countdown begins anew', { tags: 'thorough' }, async () => {
		const { context, page } = await visit('desktop', 'localhost');
		await page.clock.install();
		const dialog = await openDialog(page);
		const who = someone();
		await fillSignUp(dialog, who);
		await signUpButton(dialog).click();
		const timer = dialog.getByRole('timer');
		await timer.getByText(/^(2:00|1:\d\d)$/).waitFor();
		const again = dialog.getByRole('button', { name: 'Send Again Code' });
		expect(await again.count()).toBe(0);
		await dialog.getByRole('button', { name: 'Confirm code and log in' }).click();
		await dialog.getByText('Please Enter Otp code').waitFor();
		// The tabs lead away and back without losing the count.
		await dialog.getByRole('tab', { name: 'Login' }).click();
		await page.clock.fastForward('02:01');
		await dialog.getByRole('tab', { name: 'Sign Up' }).click();
		await dialog.getByLabel('Mobile number').waitFor();
		await fillSignUp(dialog, who);
		await signUpButton(dialog).click();
		await timer.getByText(/^(2:00|1:\d\d)$/).waitFor();
		await page.clock.fastForward('02:01');
		await timer.waitFor({ state: 'detached' });
		await again.click();
		await toast(page, 'OTP Code Send Again');
		await timer.getByText(/^(2:00|1:\d\d)$/).waitFor();
		expect(await again.count()).toBe(0);
		await dialog.getByLabel('OTP code').fill('00000');
		await dialog.getByLabel('OTP code').press('Enter');
		await dialog.getByText('Please Enter Otp code').waitFor();
		await dialog.getByLabel('OTP code').fill('000000');
		await dialog.getByText('The code is wrong or has expired.').waitFor();
		// Others used up what may be sent; the button then says so, and the last code stays good.
		const asked = { ...who, domain: 'localhost' };
		for (let at = 0; at < 4; at++) await server.call('resendVerificationCode', asked);
		await page.clock.fastForward('02:01');
		await again.click();
		await dialog.getByText('Too many requests. Please wait a moment.').waitFor();
		await dialog.getByLabel('OTP code').fill(await lastCodeTo(who.mobile));
		await page.getByRole('button', { name: `Account: ${who.userName}` }).waitFor();
		await context.close();
	});
});

describe('a refusal', () => {
	it('appears once, in the form at its field, and in no toast', { tags: 'thorough' }, async () => {
		const { context, page } = await visit('desktop', 'localhost');
		const { userName } = someone();
		const brand = { host: 'localhost', pool: 'PLAY' } as const;
		await server.running.players.createPlayer({ userName, password: PASSWORD, brand });
		const dialog = await openDialog(page);
		await dialog.getByLabel('Username').fill(userName);
		await dialog.getByLabel('Password', { exact: true }).fill('wrong');
		await dialog.getByRole('button', { name: 'Login', exact: true }).click();
		await dialog.getByText('The username or password is wrong.').waitFor();
		expect(new URL(page.url()).pathname).toBe('/matchlist/3');
		await fillSignUp(dialog, { ...someone(), userName });
		await signUpButton(dialog).click();
		await dialog.locator('.field', { hasText: 'This username is taken.' }).getByLabel('Username').waitFor();
		expect(await page.locator('.Toastify__toast').count()).toBe(0);
		await context.close();
	});

	it('of an unknown referral code stands under its field, which is read with it and has the focus', {
		tags: 'thorough',
	}, async () => {
		const { context, page } = await visit('phone', 'localhost');
		const dialog = await openDialog(page);
		const who = someone();
		await fillSignUp(dialog, who);
		const code = dialog.getByLabel('Referral code');
		await code.fill('REF0000000000');
		await signUpButton(dialog).click();
		await expect.poll(() => code.getAttribute('aria-invalid')).toBe('true');
		const said = await code.evaluate((field) => {
			const ids = field.getAttribute('aria-describedby')?.split(' ') ?? [];
			return ids.map((id) => document.getElementById(id)?.textContent).join('');
		});
		expect(said).toBe('There is no such referral code.');
		expect(await hasFocus(code)).toBe(true);
		// Said once, there alone; without the code the same form is taken.
		expect(await page.getByText(said).count()).toBe(1);
		await expectFine(page, 'phone');
		await code.fill('');
		await signUpButton(dialog).click();
		await dialog.getByLabel('OTP code').waitFor();
		await context.close();
	});

	it('of a demo login for want of a network is gone once the next try succeeds', { tags: 'thorough' }, async () => {
		const { context, page } = await visit('desktop', 'localhost');
		const dialog = await openDialog(page);
		await context.setOffline(true);
		await dialog.getByRole('button', { name: 'Login with Demo ID' }).click();
		const refusal = page.getByText('Please Check Your Network Connection...');
		await dialog.filter({ has: refusal }).waitFor();
		await context.setOffline(false);
		await dialog.getByRole('button', { name: 'Login with Demo ID' }).click();
		await page.getByRole('button', { name: 'Account: Demo' }).waitFor();
		await refusal.waitFor({ state: 'detached' });
		await context.close();
	});

	it('each button has its own spinner', { tags: 'thorough' }, async () => {
		const { context, page } = await visit('desktop', 'localhost');
		const held = Promise.withResolvers<void>();
		await page.route('**/Account/LoginAsDemoUser', async (route) => {
			await held.promise;
			await route.continue();
		});
		const dialog = await openDialog(page);
		await dialog.getByRole('button', { name: 'Login with Demo ID' }).click();
		const busy = dialog.locator('button[aria-busy="true"]');
		await busy.waitFor();
		expect(await busy.allTextContents()).toEqual(['Login with Demo ID']);
		// Logging in is one of the calls that show no loading indicator; registering is none of them.
		expect(await page.locator('.loading-line').count()).toBe(0);
		await dialog.getByRole('tab', { name: 'Sign Up' }).click();
		const registering = Promise.withResolvers<void>();
		await page.route('**/Account/Register', async (route) => {
			await registering.promise;
			await route.continue();
		});
		await fillSignUp(dialog, someone());
		await signUpButton(dialog).click();
		await page.locator('.loading-line').waitFor();
		expect(await dialog.locator('button[aria-busy="true"]').allTextContents()).toEqual(['Sign Up']);
		registering.resolve();
		await dialog.getByRole('timer').waitFor();
		await page.locator('.loading-line').waitFor({ state: 'detached' });
		held.resolve();
		await page.getByRole('button', { name: 'Account: Demo' }).waitFor();
		await context.close();
	});
});
