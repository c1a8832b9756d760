/**
 * Questions before a call goes on, and the way out of a locked account, under the profile of Malta.
 *
 * @module-tag thorough
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { MINUTE_MS } from '#values/time.ts';
import type { Player } from '../support/server.ts';
import { codeSentTo, PASSWORD } from '../support/sign-up.ts';
import { goTo } from './browser.ts';
import { expectFine, expectReachable } from './fine-screen.ts';
import { Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
	// The server's clocks run on, and `pass` moves both; those of the pages are their own.
	vi.useFakeTimers({ toFake: ['Date', 'performance'], shouldAdvanceTime: true });
	scene = await Scene.open();
});
afterAll(async () => {
	await scene?.close();
	vi.useRealTimers();
});

const now = () => scene.server.running.exchange.now();
function pass(ms: number): void {
	vi.advanceTimersByTime(ms);
	// A server that works reads its clock all the time.
	scene.server.running.funds.ledger.now();
}

/** Half an hour passes before the page comes, so that its login is fresh and its player has moved no money for so long. */
async function comeBackIdle(page: Page, player: Pick<Player, 'refreshToken'>): Promise<string> {
	pass(31 * MINUTE_MS);
	const { accessToken, refreshToken } = await scene.server.result('refreshToken', {
		refreshToken: player.refreshToken,
	});
	await page.addInitScript(
		([access = '', refresh = '']) => {
			localStorage.setItem('accessToken', access);
			localStorage.setItem('refresh_token', refresh);
		},
		[accessToken, refreshToken],
	);
	return accessToken;
}

it('are asked in a dialog, and the round that was asked for goes on: the terms first, then the password', async () => {
	const { brands } = scene.server.running;
	const { page, ...player } = await scene.member('phone');
	await scene.server.beginSeeds(player);
	const texts = { terms: '7', termsLink: 'https://example.com/terms', privacy: '3', privacyLink: '' };
	await brands.announceTerms('localhost', { ...texts, from: new Date(now() + 1_000).toISOString() }, now());
	await brands.chooseProfile('localhost', { profile: 'malta', fromMs: now() + 1_000 }, now());
	const accessToken = await comeBackIdle(page, player);
	await page.goto('/casino/dice');
	await page.getByRole('button', { name: 'Bet ₹100' }).tap();
	const password = page.getByRole('dialog', { name: 'Enter your password' });
	await password.getByLabel('Password', { exact: true }).fill('not it');
	await page.keyboard.press('Enter');
	await password.getByRole('alert').getByText('wrong', { exact: false }).waitFor();
	await expectFine(page, 'phone');
	await password.getByLabel('Password', { exact: true }).fill(PASSWORD);
	await password.getByRole('button', { name: 'Go on' }).tap();
	const terms = page.getByRole('dialog', { name: 'Terms and privacy policy' });
	await terms.getByRole('link', { name: 'Terms, version 7' }).waitFor();
	await expectFine(page, 'phone');
	await expectReachable(page);
	await terms.getByRole('button', { name: 'I accept both' }).tap();
	await expect.poll(async () => (await scene.server.result('getRounds', {}, accessToken)).totalCount).toBe(1);
	await page.getByRole('dialog').waitFor({ state: 'detached' });
	// Who leaves a question is told what it was.
	await brands.announceTerms('localhost', { ...texts, terms: '8', from: new Date(now() + 500).toISOString() }, now());
	pass(10_000);
	await page.getByRole('button', { name: 'Bet ₹100' }).tap();
	await page.getByRole('dialog').getByText('Terms, version 8').waitFor();
	await page.keyboard.press('Escape');
	await page.getByText('Accept the present terms', { exact: false }).waitFor();
});

it('are asked in the window of the ladders, too, where a bet then goes on', async () => {
	const match = await scene.match();
	const { page, ...player } = await scene.member('desktop');
	const accessToken = await comeBackIdle(page, player);
	await page.goto(`/ladders/${match.eventId}/${match.marketId}`);
	const ladder = page.getByRole('region', { name: 'India', exact: true });
	await ladder.getByRole('button', { name: 'Back at 2.06' }).click();
	await ladder.getByRole('button', { name: /^Back India 2\.06/ }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
	await dialog.getByRole('button', { name: 'Go on' }).click();
	// Those of the test before.
	await dialog.getByRole('button', { name: 'I accept both' }).click();
	const bets = async () => (await scene.server.result('getUserOpenBets', {}, accessToken)).openBets;
	await expect.poll(async () => (await bets()).map(({ price }) => price)).toEqual([2.06]);
});

it('a locked account is opened by the code of the mobile, and the log-in before is shown', async () => {
	const { page: _, userName, mobile } = await scene.member('phone');
	const page = await scene.visitor('phone');
	await page.goto('/Auth/Login');
	const logIn = page.getByRole('button', { name: 'Login', exact: true }).last();
	for (let time = 0; time < 4; time++) {
		await page.getByLabel('Username').fill(userName);
		await page.getByLabel('Password', { exact: true }).fill(time < 3 ? `wrong ${time}` : PASSWORD);
		await logIn.tap();
		await page
			.getByText(time < 3 ? 'is wrong' : 'Your account is locked', { exact: false })
			.first()
			.waitFor();
	}
	await page.getByRole('button', { name: 'Send me a code' }).tap();
	const otp = page.getByLabel('OTP code');
	await otp.waitFor();
	await otp.fill(await codeSentTo(scene.server, mobile));
	await expectFine(page, 'phone');
	await page.getByRole('button', { name: 'Unlock and log in' }).tap();
	await page.getByText('Your last login was on', { exact: false }).waitFor();
	await goTo(page, '/settings');
});
