/**
 * Money in and out by the site's screens, against the payment simulator.
 *
 * @module-tag thorough
 */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { PASSWORD, signUp } from '../support/sign-up.ts';
import type { Width } from './browser.ts';
import { expectFine, expectFineInBothThemes, expectReachable } from './fine-screen.ts';
import { Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
	scene = await Scene.open();
});
afterAll(() => scene?.close());
afterEach(() => scene?.leave());

/** A player who signed up, logged in by the dialog that guards the screen. */
async function playerAt(path: string, width: Width) {
	const player = await signUp(scene.server);
	const page = await scene.visitor(width);
	await page.goto(path);
	const dialog = page.getByRole('dialog');
	await dialog.getByLabel('Username').fill(player.userName);
	await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
	await dialog.getByRole('button', { name: 'Login', exact: true }).click();
	await page.getByRole('heading', { level: 1, name: 'Deposit and withdrawal', exact: true }).waitFor();
	const balance = () => page.locator('[data-figure="Balance"]').innerText();
	const rows = async () => (await scene.server.result('getDepositWithdrawals', {}, player.token)).items;
	return { page, player, balance, rows };
}

it('a deposit shows its code until it is paid, survives a reload as the same order, and raises the balance', async () => {
	const { page, balance, rows } = await playerAt('/deposit', 'desktop');
	const amount = page.getByLabel('Amount in rupees');
	const generate = page.getByRole('button', { name: 'Generate payment' });
	await page.getByText('a simulator stands for the bank').waitFor();
	await amount.fill('50');
	await generate.click();
	await page.getByText('The amount must be from ₹100 to').waitFor();
	await expectFineInBothThemes(page, 'desktop');
	await expectReachable(page);
	// The simulator never pays two minor units.
	await amount.fill('500.02');
	await generate.click();
	const code = page.getByRole('img', { name: 'QR code of the UPI payment of ₹500.02' });
	await code.waitFor();
	expect(await page.getByRole('timer').innerText()).toMatch(/^\d:\d\d$/);
	await expectFineInBothThemes(page, 'desktop');
	await page.reload();
	await code.waitFor();
	expect((await rows()).map(({ status }) => status)).toEqual(['PENDING']);
	await page.getByRole('button', { name: 'New deposit' }).click();
	await page.getByRole('button', { name: '₹500', exact: true }).click();
	await generate.click();
	await page.getByText('Deposit received').waitFor();
	await expect.poll(balance).toBe('₹20,500');
	await page.getByRole('button', { name: 'New deposit' }).click();
	await amount.fill('500.01');
	await generate.press('Enter');
	await page.getByText('Payment failed').waitFor();
	expect(await balance()).toBe('₹20,500');
	// The simulator pays a rupee less.
	await page.getByRole('button', { name: 'New deposit' }).click();
	await amount.fill('500.04');
	await generate.click();
	await page.getByText('The payment differs from the order.').waitFor();
	await page.goto('/dwrequests');
	for (const said of ['The payment differs from the order.', 'The bank refused the payment.', 'in your balance.'])
		await page.getByText(said).waitFor();
});

it('a phone pays by a link to its payment app', { tags: 'thorough' }, async () => {
	const { page } = await playerAt('/deposit', 'phone');
	await page.getByLabel('Amount in rupees').fill('500.02');
	await page.getByRole('button', { name: 'Generate payment' }).tap();
	const link = page.getByRole('link', { name: 'Pay with a UPI app' });
	expect(await link.getAttribute('href')).toMatch(/^upi:\/\/pay\?.*am=500\.02/);
	await page.getByText('Show the QR code').tap();
	await page.getByRole('img', { name: 'QR code of the UPI payment of ₹500.02' }).waitFor();
	await expectFine(page, 'phone');
});

it('a withdrawal is confirmed, made once although its answer was lost, and its timeline follows until it is paid', {
	tags: 'thorough',
}, async () => {
	const { page, balance, rows } = await playerAt('/withdrawal', 'phone');
	await page.getByText('3 withdrawals left within 24 hours').waitFor();
	await page.getByLabel('Amount in rupees').fill('1000');
	await page.getByLabel('UPI ID').fill('ravi');
	await page.getByRole('button', { name: 'Continue' }).tap();
	await page.getByText('A UPI id looks like name@bank.').waitFor();
	await expectFineInBothThemes(page, 'phone');
	await page.getByLabel('UPI ID').fill('ravi@okbank');
	let lost = 0;
	await page.route('**/CreateWithdrawal', async (route) => {
		if (lost++ > 0) return route.continue();
		await route.fetch();
		return route.abort();
	});
	const dialog = page.getByRole('dialog', { name: 'Confirm the withdrawal' });
	const confirm = async () => {
		await page.getByRole('button', { name: 'Continue' }).tap();
		await dialog.getByRole('button', { name: 'Withdraw ₹1,000' }).tap();
	};
	await confirm();
	await dialog.getByText('nothing is done twice').waitFor();
	await expectFine(page, 'phone');
	await dialog.getByRole('button', { name: 'Close' }).tap();
	await dialog.waitFor({ state: 'hidden' });
	await confirm();
	const timeline = page.getByRole('list', { name: 'Timeline' }).locator('span');
	await expect.poll(() => timeline.allInnerTexts()).toEqual(['Requested']);
	await expect.poll(balance).toBe('₹19,000');
	const asked = await rows();
	expect(asked).toHaveLength(1);
	await scene.server.send('/operator/api/payment-decide', {
		method: 'POST',
		body: JSON.stringify({ kind: 'WITHDRAWAL', id: asked[0]?.id.split('-')[1], event: 'approve', reason: 'looked at' }),
		headers: { ...scene.server.operatorHeaders, 'X-Operator': 'asha' },
	});
	await expect.poll(() => timeline.allInnerTexts()).toEqual(['Requested', 'Approved', 'On its way', 'Paid']);
	await expectFineInBothThemes(page, 'phone');
});

it('says why a deposit is held back from withdrawal', {
	tags: 'thorough',
}, async () => {
	const { page, player, balance } = await playerAt('/withdrawal', 'desktop');
	await scene.server.result('generatePayment', { amount: 500, clientRequestId: 'held-back' }, player.token);
	await expect.poll(balance).toBe('₹20,500');
	await page.getByText('Held back: Deposits not wagered yet').waitFor();
	await expectFineInBothThemes(page, 'desktop');
});

it('the rules of payments and the coins of the day fail each by itself, and are asked for again', async () => {
	const { page } = await playerAt('/deposit', 'phone');
	const coins = page.getByRole('region', { name: 'Coins of the day' });
	const retry = page.getByRole('button', { name: 'Try again' });
	const fail = (call: RegExp) => page.route(call, (route) => route.fulfill({ status: 500, body: '' }));
	for (const [failing, other] of [
		[/GetPaymentInfo/, coins.getByText('₹')],
		[/GetDailyCoins/, page.getByRole('button', { name: 'Generate payment' })],
	] as const) {
		await fail(failing);
		await page.goto('/deposit');
		await retry.waitFor({ timeout: 60_000 });
		await other.first().waitFor();
		await expectFine(page, 'phone');
		await page.unroute(failing);
		await retry.tap();
		await page.getByRole('button', { name: 'Generate payment' }).waitFor();
		await coins.getByText('₹').first().waitFor();
		expect(await retry.count()).toBe(0);
	}
});

it('the coins of the day are claimed once and fill the balance up to the floor', { tags: 'thorough' }, async () => {
	const { page, player, balance } = await playerAt('/deposit', 'phone');
	await scene.server.running.exchange.submit({
		kind: 'transfer',
		walletId: player.userId,
		pool: 'PLAY',
		steps: [
			{
				workflow: 'CASINO',
				from: null,
				to: 'LOST',
				isOpen: false,
				actor: 'player',
				moves: [{ debit: 'cash', credit: 'casino', amount: 1_800_000 }],
			},
		],
	});
	await page.reload();
	await page.getByText('₹3,000 fill your balance up to ₹5,000.').waitFor();
	await page.getByRole('button', { name: 'Claim coins' }).tap();
	await page.getByText('You have claimed them.').waitFor();
	await expect.poll(balance).toBe('₹5,000');
});
