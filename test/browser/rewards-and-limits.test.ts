/**
 * Bonuses, referrals, limits, held money, the reality check and app keys, on their screens.
 *
 * @module-tag thorough
 */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CALLS } from '#contract/registry.ts';
import { betOn, freshRequestId } from '../support/match.ts';
import { codeSentTo, PASSWORD, signUp } from '../support/sign-up.ts';
import { goTo } from './browser.ts';
import { expectFine, expectFineInBothThemes, expectReachable } from './fine-screen.ts';
import { Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
	scene = await Scene.open();
	const rules = { reward: 500, minDeposit: 500, minWagered: 300, maturityHours: 0, cap: 1 };
	await scene.server.act('brand-set', { host: 'localhost', field: 'referral', value: JSON.stringify(rules) });
});
afterAll(() => scene?.close());
afterEach(() => scene?.leave());

const balanceOf = (page: Page) => page.locator('[data-figure="Balance"]').innerText();

it('a bonus is claimed, its wagering moves as markets settle, and a withdrawal says what it forfeits', async () => {
	const { page, token } = await scene.member('phone');
	await page.goto('/bonus');
	const offers = page.getByRole('region', { name: 'Offers' });
	await offers.getByText('Make a deposit first.').waitFor();
	await expectFineInBothThemes(page, 'phone');
	await offers.getByRole('button', { name: 'Claim' }).tap();
	const active = page.getByRole('region', { name: 'Being wagered' });
	await active.getByText('₹0 of ₹2,500 wagered').waitFor();
	await active.getByText('by the most that your bets at 1.50 or longer could have lost in it, won or lost').waitFor();
	const match = await scene.match();
	await scene.server.result('placeBetV2', betOn(match, { price: 2, stake: 600 }), token);
	await match.settle(1);
	await active.getByText('₹600 of ₹2,500 wagered').waitFor();
	await expectFineInBothThemes(page, 'phone');
	await expectReachable(page);
	await goTo(page, '/withdrawal');
	await page.getByText('This withdrawal forfeits your bonus Welcome bonus of ₹500.').waitFor();
	const details = { method: 'UPI', upiId: 'ravi@okbank' } as const;
	const withdrawal = { amount: 500, details, clientRequestId: freshRequestId() };
	await scene.server.result('createWithdrawal', withdrawal, token);
	await goTo(page, '/bonus');
	await page.getByRole('region', { name: 'Earlier bonuses' }).getByText('Forfeited').waitFor();
});

it('a demo player walks deposit, withdrawal, bonuses and referral, each marked as demo coins', {
	tags: 'thorough',
}, async () => {
	const { page, token } = await scene.player('phone');
	const marked = (text: string) =>
		page.getByRole('paragraph').filter({ hasText: 'Demo coins' }).filter({ hasText: text }).waitFor();
	await page.goto('/referral');
	await marked('This is a demo account: the link is an example');
	await page.getByLabel('Your link').waitFor();
	await expectFine(page, 'phone');
	await page.goto('/bonus');
	await marked('coins that cannot be paid out');
	await page.getByRole('region', { name: 'Offers' }).getByRole('button', { name: 'Claim' }).tap();
	await page.getByRole('region', { name: 'Being wagered' }).waitFor();
	await expectFine(page, 'phone');
	await page.goto('/deposit');
	await marked('A demo account cannot send receipts');
	await expectFine(page, 'phone');
	await page.getByLabel('Amount in rupees').fill('500');
	await page.getByRole('button', { name: 'Generate payment' }).tap();
	const deposits = async () => (await scene.server.result('getDepositWithdrawals', {}, token)).items;
	await expect.poll(async () => (await deposits()).map(({ status }) => status)).toEqual(['SUCCESS']);
	await page.goto('/withdrawal');
	await marked('A demo account cannot send receipts');
	await page.getByRole('region', { name: 'You may withdraw now' }).waitFor();
	await expectFine(page, 'phone');
});

it('a friend with the player’s link is listed, and the reward is claimed once', { tags: 'thorough' }, async () => {
	const { page, token } = await scene.member('desktop');
	await page.goto('/referral');
	await page.getByText('No friends yet').waitFor();
	const link = await page.getByLabel('Your link').inputValue();
	const code = new URL(link).searchParams.get('ref') ?? '';
	expect(link).toBe(`${scene.server.url}/?ref=${code}`);
	const visitor = await scene.visitor('phone');
	await visitor.goto(link);
	await expect.poll(() => visitor.getByLabel('Referral code').inputValue()).toBe(code);
	await expectFine(visitor, 'phone');
	const friend = await signUp(scene.server, { referralCode: code });
	await page.reload();
	await page.getByText('Signed up').waitFor();
	await expectFineInBothThemes(page, 'desktop');
	const order = { amount: 500, clientRequestId: freshRequestId() };
	await scene.server.result('generatePayment', order, friend.token);
	await expect.poll(() => scene.server.money(friend)[0]).toBe(20_500);
	const match = await scene.match();
	await scene.server.result('placeBetV2', betOn(match, { price: 2, stake: 300 }), friend.token);
	await match.settle(1);
	await page.reload();
	await page.getByRole('button', { name: /^Claim the reward for / }).click();
	await page.getByText('₹500 is in your balance.').waitFor();
	await expect.poll(() => balanceOf(page)).toBe('₹20,500');
	await page.getByText('Claimed', { exact: true }).waitFor();
	expect((await scene.server.result('getReferralDetails', {}, token)).items).toMatchObject([{ status: 'CLAIMED' }]);
});

it('a lower limit counts at once, a higher one after a day and a confirmation', { tags: 'thorough' }, async () => {
	const { page, userId } = await scene.member('phone');
	await page.goto('/protection');
	const row = page.getByRole('listitem').filter({ hasText: 'Stake of a bet or a round' });
	const set = async (limit: string) => {
		await row.getByRole('button', { name: 'Change: Stake of a bet or a round' }).tap();
		await row.getByLabel('New limit in rupees').fill(limit);
		await row.getByRole('button', { name: 'Save limit' }).tap();
	};
	await set('');
	await row.getByText('Enter an amount such as').waitFor();
	await expectFineInBothThemes(page, 'phone');
	await expectReachable(page);
	await row.getByLabel('New limit in rupees').fill('500');
	await row.getByRole('button', { name: 'Save limit' }).tap();
	await row.getByText('₹500 at most').waitFor();
	await set('800');
	await row.getByText(/^₹800 waits\. You can confirm it from/).waitFor();
	const raise = scene.server.running.funds.protection.of(userId).raises.stake;
	if (raise) raise.confirmableFromMs = 0;
	await page.reload();
	await row.getByRole('button', { name: 'Confirm: Stake of a bet or a round' }).tap();
	await row.getByText('₹800 at most').waitFor();
});

it('a break begins while the answer to a limit is not there, and stays when it comes', {
	tags: 'thorough',
}, async () => {
	const { page } = await scene.member('phone');
	await page.goto('/protection');
	const limit = page.getByRole('listitem').filter({ hasText: 'Stake of a bet or a round' });
	await limit.getByRole('button', { name: 'Change: Stake of a bet or a round' }).tap();
	await limit.getByLabel('New limit in rupees').fill('500');
	// The server has set it; its answer is on the way for long.
	const answer = Promise.withResolvers<void>();
	const isSet = Promise.withResolvers<void>();
	await page.route(`**/${CALLS.setLimits.path}`, async (route) => {
		const response = await route.fetch();
		isSet.resolve();
		await answer.promise;
		await route.fulfill({ response });
	});
	await limit.getByRole('button', { name: 'Save limit' }).tap();
	await isSet.promise;
	await page.getByRole('region', { name: 'Take a break' }).getByRole('button', { name: 'Start the break' }).tap();
	await page.getByRole('dialog').getByRole('button', { name: 'Start the break' }).tap();
	const standing = page.getByText(/^You are taking a break until/).first();
	await standing.waitFor();
	answer.resolve();
	await limit.getByText('₹500 at most').waitFor();
	await standing.waitFor();
});

it('a mobile that nothing proved is proved by the code that is sent to it', { tags: 'thorough' }, async () => {
	const { page, userId, mobile } = await scene.member('phone');
	const { db } = scene.server.database;
	await db.query('update player set mobile_verified_at = null where player_id = $1', [userId]);
	await scene.server.running.funds.persons.meet(userId);
	await page.goto('/protection');
	const card = page.getByRole('region', { name: 'Prove your mobile' });
	await card.getByText(`Leave it empty for ••••••${mobile.slice(-4)}.`).waitFor();
	await card.getByLabel('Mobile number').fill('12');
	await card.getByRole('button', { name: 'Send me a code' }).tap();
	await card.getByText('mobile number is not valid').waitFor();
	await expectFineInBothThemes(page, 'phone');
	// Another number takes the password.
	await card.getByLabel('Mobile number').fill('9111100012');
	await card.getByLabel('Current password').fill('not it 1!');
	await card.getByRole('button', { name: 'Send me a code' }).tap();
	await card.getByText('The current password is wrong.').waitFor();
	await expectFineInBothThemes(page, 'phone');
	await card.getByLabel('Current password').fill(PASSWORD);
	await card.getByRole('button', { name: 'Send me a code' }).tap();
	await card.getByText('We sent a code to ••••••0012.').waitFor();
	await card.getByRole('button', { name: 'Send another code' }).tap();
	await card.getByRole('button', { name: 'Send me a code' }).tap();
	await card.getByText(`We sent a code to ••••••${mobile.slice(-4)}.`).waitFor();
	await card.getByLabel('Code').fill('000000');
	await card.getByRole('button', { name: 'Prove it' }).tap();
	await card.locator('[data-invalid]').waitFor();
	await expectFineInBothThemes(page, 'phone');
	await card.getByLabel('Code').fill(await codeSentTo(scene.server, mobile));
	await card.getByRole('button', { name: 'Prove it' }).tap();
	await page.getByText('Your mobile is proven.').waitFor();
	await card.waitFor({ state: 'detached' });
});

it('closing needs the password, is confirmed, and leaves withdrawing open', { tags: 'thorough' }, async () => {
	const { page } = await scene.member('desktop');
	await page.goto('/protection');
	await page.getByRole('region', { name: 'Close the account' }).getByRole('button').click();
	const dialog = page.getByRole('dialog', { name: 'Close this account?' });
	const confirm = dialog.getByRole('button', { name: 'Close the account' });
	await confirm.click();
	await dialog.getByText('Enter your password.').waitFor();
	await dialog.getByLabel('Your password').fill('not it 1!');
	await confirm.click();
	await dialog.getByText('The current password is wrong.').waitFor();
	await expectFine(page, 'desktop');
	await dialog.getByLabel('Your password').fill(PASSWORD);
	await confirm.click();
	await page.getByText('This account is closed for betting and depositing.').waitFor();
	await expectFineInBothThemes(page, 'desktop');
	await page.goto('/deposit');
	await page.getByText('This account is closed.').waitFor();
	await page.goto('/withdrawal');
	await page.getByText('You may withdraw now').waitFor();
});

it('the exposure opens into the bets and withdrawals that hold money', { tags: 'thorough' }, async () => {
	const { page, token } = await scene.member('phone');
	const match = await scene.match();
	await scene.server.result('placeBetV2', betOn(match, { price: 2, stake: 300 }), token);
	const details = { method: 'UPI', upiId: 'ravi@okbank' } as const;
	await scene.server.result('createWithdrawal', { amount: 500, details, clientRequestId: freshRequestId() }, token);
	await page.goto('/settings');
	await page.getByRole('button', { name: 'Bets held ₹300' }).tap();
	const dialog = page.getByRole('dialog', { name: 'Why is my money held?' });
	await dialog.getByText('Back India').waitFor();
	await expectFine(page, 'phone');
	await dialog.getByRole('link', { name: /^Withdrawal since/ }).tap();
	await dialog.waitFor({ state: 'hidden' });
	await page.getByRole('list', { name: 'Timeline' }).waitFor();
});

it('what becomes of own bets is chosen under Settings, and kept by the exchange', { tags: 'thorough' }, async () => {
	const { page, token } = await scene.member('phone');
	await page.goto('/settings');
	const own = page.getByRole('region', { name: 'Your own bets' });
	await expect.poll(() => own.getByLabel('Refuse the new bet').isChecked()).toBe(true);
	await own.getByLabel('Cancel the unmatched bet, and place the new one').check();
	await page.getByText('Saved for your next bets.').waitFor();
	await expectFine(page, 'phone');
	expect(await scene.server.result('getSelfMatch', {}, token)).toEqual({ selfMatch: 'LAPSE_RESTING' });
});

it('after the chosen time the site shows its length and the result', { tags: 'thorough' }, async () => {
	const { page, token } = await scene.member('desktop');
	await scene.server.result('setLimits', { realityCheckMinutes: 5 }, token);
	await page.clock.install();
	await page.goto('/open-bets');
	await page.getByRole('heading', { level: 1 }).waitFor();
	await expect
		.poll(async () => {
			await page.clock.runFor(1_000);
			return await page.evaluate(() => localStorage.getItem('playTime'));
		})
		.not.toBeNull();
	const match = await scene.match();
	await scene.server.result('placeBetV2', betOn(match, { price: 2, stake: 300 }), token);
	await match.settle(1);
	// A stay is the server's time, which the page's clock does not move.
	await page.evaluate((passedMs) => {
		const stay = JSON.parse(localStorage.getItem('playTime') ?? '');
		const [startedAtMs, remindedAtMs] = [stay.startedAtMs, stay.remindedAtMs].map((at) => at - passedMs);
		localStorage.setItem('playTime', JSON.stringify({ ...stay, startedAtMs, remindedAtMs }));
	}, 6 * 60_000);
	await page.clock.runFor(16_000);
	const dialog = page.getByRole('dialog', { name: 'Reality check' });
	await dialog.getByText('−300').waitFor();
	await dialog.getByText(/^6 min$/).waitFor();
	await dialog.getByText('Stakes in this time').waitFor();
	await dialog.getByText('₹300', { exact: true }).waitFor();
	await expectFine(page, 'desktop');
	await dialog.getByRole('button', { name: 'Continue' }).last().click();
	await dialog.waitFor({ state: 'hidden' });
});

describe.each(['desktop', 'phone'] as const)('on a %s', (width) => {
	it('an app key is made, shown once, and revoked', { tags: 'thorough' }, async () => {
		const { page, token } = await scene.member(width);
		await page.goto('/settings');
		await page.getByRole('link', { name: 'API access' }).click();
		await page.getByText('No app keys yet').waitFor();
		await page.getByRole('button', { name: 'Make app key' }).click();
		await page.getByText('Give it a name.').waitFor();
		await page.getByLabel('Name', { exact: true }).fill('Night trader');
		await page.getByLabel('Rights').selectOption('read');
		await page.getByLabel('Allowed addresses').fill('127.0.0.1, 10.0.0.0/8');
		await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
		await expectFine(page, width);
		await page.getByRole('button', { name: 'Make app key' }).click();
		const dialog = page.getByRole('dialog', { name: 'Your new app key' });
		const appKey = await dialog.getByLabel('App key').inputValue();
		expect(appKey.length).toBeGreaterThan(30);
		await expectFine(page, width);
		await page.keyboard.press('Escape');
		await dialog.waitFor({ state: 'hidden' });
		const keys = page.getByRole('region', { name: 'Your app keys' });
		await keys.getByText('Read only').waitFor();
		await expectFineInBothThemes(page, width);
		expect(await page.content()).not.toContain(appKey);
		await keys.getByRole('button', { name: 'Revoke Night trader' }).click();
		await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
		await page.getByText('No app keys yet').waitFor();
		expect((await scene.server.result('getApiAccess', {}, token)).keys).toEqual([]);
	});
});
