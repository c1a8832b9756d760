/**
 * Money in, money out, money given, as a player lives it in a real browser: invited, paid in by two ways, bonus, bet and
 * win, limit, withdrawal, farewell. The server is killed twice on the way, and the ledger is sound in the end.
 * @module-tag thorough
 */
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { freshRequestId } from '../support/match.ts';
import { receiptPicture } from '../support/receipt.ts';
import { PASSWORD } from '../support/sign-up.ts';
import { closeContexts, openBrowser, openContext } from './browser.ts';
import { ServerProcess } from './server-process.ts';

const CAMPAIGN = { id: 'welcome', title: 'Welcome', kind: 'WELCOME', amount: 500, wagering: 1 };

/** Of the attempt that runs. */
let server: ServerProcess;
let page: Page;

async function open(): Promise<void> {
	server = await ServerProcess.create();
	onTestFinished(() => server.dispose());
	await server.start([]);
	const set = (field: string, value: string) => server.operator('brand-set', { host: 'localhost', field, value });
	await set('skipVerification', 'true');
	await set('campaigns', JSON.stringify([CAMPAIGN]));
	const browser = await openBrowser();
	onTestFinished(() => closeContexts(browser));
	page = await (await openContext(browser, 'desktop', server.url)).newPage();
}

let mobiles = 9_000_000_100;
/** A player who signed up by the calls. */
async function otherPlayer(userName: string): Promise<string> {
	const form = { userName, mobile: String(++mobiles), password: PASSWORD, confirmPassword: PASSWORD, referralCode: '' };
	const { autoVerifyCode = '' } = await server.call('register', form);
	const { mobile } = form;
	return (await server.call('verificationUser', { userName, mobile, otp: autoVerifyCode })).accessToken;
}

const balanceIs = (amount: string) =>
	expect.poll(() => page.locator('[data-figure="Balance"]').innerText(), { timeout: 30_000 }).toBe(amount);
/** Reading a receipt may take half a minute by itself. */
const timelineIs = (steps: string[]) =>
	expect
		.poll(() => page.getByRole('list', { name: 'Timeline' }).first().locator('span').allInnerTexts(), {
			timeout: 90_000,
		})
		.toEqual(steps);
const decide = async (kind: 'DEPOSIT' | 'WITHDRAWAL', as: string) => {
	const token = await page.evaluate(() => localStorage.getItem('accessToken'));
	const { items } = await server.call('getDepositWithdrawals', { type: kind }, token);
	const id = items[0]?.id.split('-')[1];
	await server.operator('payment-decide', { kind, id, event: 'approve', reason: 'looked at' }, as);
};
const killed = async () => {
	await server.kill();
	await page.getByText('Connection lost.', { exact: false }).waitFor();
	await server.start([]);
	await page.getByText('Connection lost.', { exact: false }).waitFor({ state: 'hidden', timeout: 60_000 });
};

it('an invited player pays in twice, wagers a bonus, wins, meets a limit, is paid and excludes himself', async () => {
	await open();
	const referrer = await otherPlayer('referrer');
	const stranger = await otherPlayer('stranger');
	const { code } = await server.call('getReferrerCode', {}, referrer);

	// Signs up by a friend's link.
	await page.goto(`/?ref=${code}`);
	const dialog = page.getByRole('dialog');
	await dialog.getByLabel('Username').fill('newcomer');
	await dialog.getByLabel('Mobile number').fill('9000000001');
	await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
	await dialog.getByLabel('Confirm password').fill(PASSWORD);
	expect(await dialog.getByLabel('Referral code').inputValue()).toBe(code);
	await dialog.getByRole('button', { name: 'Sign Up', exact: true }).click();
	await page.waitForURL('**/inplay');
	await balanceIs('₹20,000');

	// Pays in by UPI, which the simulator pays.
	await page.goto('/deposit');
	await page.getByLabel('Amount in rupees').fill('500');
	await page.getByRole('button', { name: 'Generate payment' }).click();
	await page.getByRole('img', { name: 'QR code of the UPI payment of ₹500' }).waitFor();
	await page.getByText('Deposit received').waitFor();
	await balanceIs('₹20,500');

	// Pays in by a receipt, of which the browser reads the reference, and which two operators approve.
	await page.getByRole('button', { name: 'New deposit' }).click();
	await page.getByRole('tab', { name: 'Receipt' }).click();
	await page.getByLabel('Amount in rupees').fill('30000');
	await page.getByLabel('Drop, paste or choose a picture').setInputFiles({
		name: 'receipt.png',
		mimeType: 'image/png',
		buffer: await receiptPicture({ amount: '30,000', utr: '412345678901' }),
	});
	await page.getByText('The receipt shows ₹30,000.').waitFor({ timeout: 60_000 });
	await page.getByRole('button', { name: 'Send the receipt' }).click();
	await timelineIs(['Submitted', 'Receipt read']);
	await decide('DEPOSIT', 'asha');
	await decide('DEPOSIT', 'bala');
	await timelineIs(['Submitted', 'Receipt read', 'Approved']);
	await balanceIs('₹50,500');

	// Claims a bonus; the server is killed and comes back.
	await page.goto('/bonus');
	await page.getByRole('button', { name: 'Claim' }).click();
	await page.getByText('₹0 of ₹500 wagered').waitFor();
	await killed();

	// Bets against a stranger and wins, which releases the bonus.
	const sport = (await server.call('treeSportWithEvent', {})).find(({ events }) => events.length > 0);
	const event = sport?.events.find(({ status }) => status !== 'FINISHED');
	const market = await server.operator<{ marketId: string; runners: { id: string }[] }>('open-market', {
		eventId: event?.id,
		name: 'Toss of the journey',
		type: 'MATCH_ODDS',
		runners: ['Alpha', 'Beta'],
		commission: 0,
	});
	const { marketId } = market;
	const [markets] = [(await server.call('getMarketsByEventId', { eventId: event?.id ?? '' })).markets];
	const runnerId = markets.find(({ id }) => id === marketId)?.runners[0]?.id ?? '';
	const lay = { marketId, runnerId, side: 'LAY', price: 2, stake: 600, clientRequestId: freshRequestId() } as const;
	await server.call('placeBetV2', lay, stranger);
	await page.goto(`/markets/${event?.id}`);
	await page
		.getByRole('button', { name: /^Back Alpha 2\.00, 600/ })
		.last()
		.click();
	const slip = page.getByRole('region', { name: 'Back Alpha' });
	await slip.getByLabel('Stake').fill('600');
	await slip.getByLabel('Stake').press('Enter');
	await slip.getByText(/Matched: ₹600 at 2/).waitFor();
	await balanceIs('₹49,900');
	await server.operator('close', { marketId });
	await server.operator('settle', { marketId, winners: ['Alpha'] });
	await balanceIs('₹51,600');
	await page.goto('/bonus');
	await page.getByRole('region', { name: 'Earlier bonuses' }).getByText('Released').waitFor();

	// Sets a limit, and meets it.
	await page.goto('/protection');
	await page.getByRole('button', { name: 'Change: Deposits in 24 hours' }).click();
	await page.getByLabel('New limit in rupees').fill('31000');
	await page.getByRole('button', { name: 'Save limit' }).click();
	await page.getByText('₹30,500 of ₹31,000 used').waitFor();
	await page.goto('/deposit');
	await page.getByLabel('Amount in rupees').fill('1000');
	await page.getByRole('button', { name: 'Generate payment' }).click();
	await page.getByText('The amount must be from ₹100 to ₹500.').waitFor();

	// Withdraws; the server is killed when it was approved, and nevertheless pays once.
	await page.goto('/withdrawal');
	await page.getByText('Held back: Deposits not wagered yet').waitFor();
	await page.getByLabel('Amount in rupees').fill('1000');
	await page.getByLabel('UPI ID').fill('newcomer@okbank');
	await page.getByRole('button', { name: 'Continue' }).click();
	await page.getByRole('button', { name: 'Withdraw ₹1,000' }).click();
	await timelineIs(['Requested']);
	await balanceIs('₹50,600');
	await decide('WITHDRAWAL', 'asha');
	await killed();
	await timelineIs(['Requested', 'Approved', 'On its way', 'Paid']);

	// Leaves.
	await page.goto('/protection');
	const exclusion = page.getByRole('region', { name: 'Exclude yourself' });
	await exclusion.getByRole('button', { name: 'Exclude me' }).click();
	await page.getByRole('dialog').getByLabel('Your password').fill(PASSWORD);
	await page.getByRole('dialog').getByRole('button', { name: 'Exclude me' }).click();
	await page.getByText(/^You have excluded yourself until/).waitFor();
	await page.goto('/deposit');
	await page.getByText('You have excluded yourself from betting.').waitFor();
	const friends = await server.call('getReferralDetails', {}, referrer);
	expect(friends.items).toMatchObject([{ friend: 'n•••r', status: 'LINKED' }]);

	// Leaves a sound ledger.
	await server.stop();
	expect(await server.failedAuditChecks()).toEqual([]);
}, 480_000);
