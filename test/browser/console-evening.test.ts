/**
 * An evening at the operators' console in real browsers: each member does what belongs to the role, and the auditor finds it all.
 * @module-tag thorough
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectSound } from '../support/audit.ts';
import { betOn, freshRequestId, openTestMatch, type TestMatch } from '../support/match.ts';
import { receiptPicture } from '../support/receipt.ts';
import { type Player, TestServer } from '../support/server.ts';
import { signUp } from '../support/sign-up.ts';
import { CONSOLE_HOST, Desk } from './desk.ts';

const SCRIPT = '<img src=x onerror=alert(1)>';

let server: TestServer;
let desk: Desk;
let match: TestMatch;
let backer: Player;
let layer: Player;

beforeAll(async () => {
	server = await TestServer.start(undefined, { consoleHost: CONSOLE_HOST });
	desk = await Desk.open(server);
	match = await openTestMatch(server, { title: `India v ${SCRIPT}` });
	backer = await server.demoPlayer();
	layer = await server.demoPlayer();
	await server.result('placeBetV2', betOn(match, { price: 3, stake: 100 }), backer.token);
	await server.result('placeBetV2', betOn(match, { side: 'LAY', price: 3, stake: 100 }), layer.token);
});
afterAll(async () => {
	await desk?.close();
	await server?.dispose();
});

/** Decides what waits in the queue, from its row. */
async function decide(page: Page, kind: string, event: string): Promise<void> {
	await page.goto('/payments');
	await page.getByRole('row').filter({ hasText: kind }).first().press('Enter');
	await page.getByRole('button', { name: event }).first().click();
	await page.getByRole('dialog').getByRole('button', { name: event, exact: true }).click();
	await page.getByRole('dialog').waitFor({ state: 'detached' });
}

/** Types a fancy into its dialog. */
async function openFancy(page: Page, name: string, highest: number): Promise<void> {
	await page.keyboard.press('n');
	await page.getByRole('dialog', { name: 'Open a fancy' }).waitFor();
	await page.keyboard.type(name);
	for (const text of ['', '0', String(highest)]) {
		await page.keyboard.press('Tab');
		await page.keyboard.type(text);
	}
	await page.keyboard.press('Enter');
	await page.getByRole('dialog').waitFor({ state: 'detached' });
}

/** Types a bookmaker market into its dialog. @param runners with commas between */
async function openBookmaker(page: Page, runners: string): Promise<void> {
	await page.keyboard.press('o');
	await page.getByRole('dialog', { name: 'Open a bookmaker market' }).waitFor();
	await page.keyboard.type('Bookmaker');
	await page.keyboard.press('Tab');
	await page.keyboard.type(runners);
	await page.keyboard.press('Enter');
	await page.getByRole('dialog').waitFor({ state: 'detached' });
}

const statusOf = () => server.running.exchange.market(Number(match.marketId))?.status;

/** Acts that the auditor looks for at its end. */
const EVENING = ['open-fancy', 'price-bookmaker', 'panic', 'propose', 'settle', 'void-bets', 'payment-decide'];
EVENING.push('payment-receipt', 'player-freeze', 'player-exclude', 'adjust', 'brand-change', 'brand-roll-back');

describe('an evening', () => {
	it('is played by traders, support, compliance, payments, an owner and an auditor', async () => {
		const trader = await desk.member('asha', ['trader']);
		const second = await desk.member('bela', ['trader']);
		// The trader finds the event by keyboard and suspends all of it with one key.
		await trader.keyboard.press('g');
		await trader.keyboard.press('m');
		await trader.getByRole('heading', { name: 'Markets' }).waitFor();
		await trader.getByRole('row').filter({ hasText: SCRIPT }).press('Enter');
		await trader.getByRole('heading', { name: `India v ${SCRIPT}` }).waitFor();
		// Two overs are opened and priced without the mouse, ball by ball.
		await openFancy(trader, 'Runs in over 1', 24);
		await openFancy(trader, 'Runs in over 2', 48);
		const fancies = trader.getByRole('region', { name: 'Fancies' }).getByRole('row');
		const over = (number: number) => fancies.filter({ hasText: `Runs in over ${number}` });
		await over(2).waitFor();
		await trader.keyboard.press('f');
		await trader.keyboard.type('7');
		await trader.keyboard.press('Enter');
		await over(1).getByRole('cell', { name: '8 100' }).waitFor();
		await trader.keyboard.press('Tab');
		await trader.keyboard.type('15/90 16/110');
		await trader.keyboard.press('Enter');
		await over(2).getByRole('cell', { name: '16 110' }).waitFor();
		await trader.keyboard.press('Escape');
		await over(2).getByText('suspended').waitFor();
		await trader.keyboard.press('ArrowUp');
		await trader.keyboard.press('Enter');
		await over(2).getByRole('cell', { name: '17 110' }).waitFor();
		await over(2).getByText('open').waitFor();
		// The field has the keys; Tab leaves it for the page's own.
		const heading = trader.getByRole('heading', { name: `India v ${SCRIPT}` });
		await heading.click();
		// So is a bookmaker market, runner by runner.
		await openBookmaker(trader, 'India, Nepal');
		const bookmaker = trader.getByRole('table', { name: 'Bookmaker' }).getByRole('row');
		await bookmaker.filter({ hasText: 'Nepal' }).waitFor();
		await trader.keyboard.press('b');
		await trader.keyboard.type('42 44');
		await trader.keyboard.press('Enter');
		await bookmaker.filter({ hasText: 'India' }).getByRole('cell', { name: '44' }).waitFor();
		await trader.keyboard.press('Tab');
		await trader.keyboard.type('230');
		await trader.keyboard.press('Enter');
		await bookmaker.filter({ hasText: 'Nepal' }).getByRole('cell', { name: '232' }).waitFor();
		await heading.click();
		await trader.keyboard.press('Shift+S');
		await trader.getByText('Suspended: 4').waitFor();
		expect(statusOf()).toBe('SUSPENDED');

		// The result is proposed with what it moves, and the proposer finds no button to confirm it.
		await trader.getByRole('row').filter({ hasText: 'Match Odds' }).press('Enter');
		await trader.getByRole('button', { name: 'Propose a result' }).click();
		const dialog = trader.getByRole('dialog', { name: 'Propose a result' });
		await dialog.getByLabel('India').selectOption('wins');
		await dialog.getByRole('button', { name: 'Show what moves' }).click();
		const won = dialog.getByRole('table', { name: '3 movements' }).getByRole('row').filter({ hasText: 'wins' });
		await won.filter({ hasText: '200.00' }).waitFor();
		await dialog.getByLabel('Reason').fill('India won by ten runs');
		await dialog.getByRole('button', { name: 'Propose', exact: true }).click();
		await dialog.waitFor({ state: 'detached' });
		await trader.goto('/results');
		await trader.getByRole('row').filter({ hasText: 'India won by ten runs' }).press('Enter');
		await trader.getByText('Another member confirms this.').waitFor();
		expect(await trader.getByRole('button', { name: 'Confirm' }).count()).toBe(0);
		expect(statusOf()).toBe('SUSPENDED');

		await second.goto('/results');
		await second.getByRole('row').filter({ hasText: 'India won by ten runs' }).press('Enter');
		await second.getByRole('button', { name: 'Confirm' }).click();
		await expect.poll(statusOf).toBe('SETTLED');
		expect(server.money(backer)[0]).toBeGreaterThan(20_000);

		// Support explains why money is held, compliance freezes the player.
		const other = await openTestMatch(server, { title: 'Nepal v Oman' });
		await server.result('placeBetV2', betOn(other, { price: 4, stake: 500 }), layer.token);
		const support = await desk.member('chitra', ['support']);
		await support.goto(`/players/${layer.userId}`);
		const held = support.getByRole('region', { name: 'Why money is held' });
		await held.getByText('500.00').waitFor();
		expect(await held.textContent()).toContain('Nepal v Oman');
		expect(await support.getByRole('button', { name: 'Freeze' }).count()).toBe(0);

		const compliance = await desk.member('devi', ['compliance']);
		await compliance.goto(`/players/${layer.userId}`);
		await compliance.getByRole('button', { name: 'Freeze' }).click();
		await compliance.getByRole('dialog').getByLabel('Reason').fill('documents are missing');
		await compliance.getByRole('dialog').getByRole('button', { name: 'freeze' }).click();
		await compliance.getByText('frozen: documents are missing').waitFor();
		const refused = await server.call('placeBetV2', betOn(other, { price: 4, stake: 10 }), layer.token);
		expect(refused.body.error?.code).toBe('ACCOUNT_FROZEN');

		// A note with markup is a text, and one bet of a settled market is void by its time.
		await support.getByRole('button', { name: 'Note' }).click();
		await support.getByRole('dialog').getByLabel('Note').fill(`Said: ${SCRIPT}`);
		await support.getByRole('dialog').getByRole('button', { name: 'note' }).click();
		await support.getByText(`Said: ${SCRIPT}`).waitFor();
		await trader.goto(`/markets/${match.eventId}/${match.marketId}`);
		await trader.getByRole('button', { name: 'Propose to void bets' }).click();
		const voiding = trader.getByRole('dialog', { name: 'Propose to void bets' });
		await voiding.getByLabel('Matched from').fill('2020-01-01T00:00:00');
		await voiding.getByRole('button', { name: 'Show what moves' }).click();
		await voiding.getByRole('cell', { name: 'result changes by' }).first().waitFor();
		await voiding.getByLabel('Reason').fill('a court-siding bet');
		await voiding.getByRole('button', { name: 'Propose', exact: true }).click();
		await voiding.waitFor({ state: 'detached' });
		// The second person's list follows by the server's word.
		await second.goto('/results');
		await second.getByRole('row').filter({ hasText: 'a court-siding bet' }).press('Enter');
		await second.getByRole('button', { name: 'Confirm' }).click();
		await expect.poll(() => server.money(backer)[0]).toBe(20_000);
		expect(statusOf()).toBe('SETTLED');

		// Payments requests an adjustment; the money moves when a second person approves it.
		const [cash = 0] = server.money(layer);
		const payments = await desk.member('gita', ['payments']);
		await payments.goto(`/players/${layer.userId}`);
		await payments.getByRole('button', { name: 'Request an adjustment' }).click();
		const request = payments.getByRole('dialog', { name: 'Request an adjustment' });
		await request.getByLabel('Amount').fill('500');
		await request.getByLabel('Kind of reason').selectOption('GOODWILL');
		await request.getByLabel('Reason', { exact: true }).fill('a long wait for an answer');
		await request.getByRole('button', { name: 'request an adjustment' }).click();
		await request.waitFor({ state: 'detached' });
		expect(server.money(layer)[0]).toBe(cash);
		const approver = await desk.member('hema', ['payments approver']);
		await approver.goto('/payments');
		await approver.getByRole('row').filter({ hasText: 'adjustment' }).press('Enter');
		await approver.getByRole('button', { name: 'approve' }).click();
		await approver.getByRole('dialog').getByRole('button', { name: 'approve' }).click();
		await expect.poll(() => server.money(layer)[0]).toBe(cash + 500);

		// A deposit and a withdrawal are approved by both of them; the player's money moves with the second.
		const ravi = await signUp(server);
		await server.operator('brand-set', { host: 'localhost', field: 'funds.secondApprovalAbove', value: '15000' });
		const [cashOfRavi = 0] = server.money(ravi);
		const utr = '512345678901';
		const image = (await receiptPicture({ utr, amount: '30,000' })).toString('base64');
		const { imageRef } = await server.result('storeImage', { image }, ravi.token);
		const asked = { amount: 30_000, utr, imageRef, clientRequestId: freshRequestId() };
		await server.result('createDeposit', asked, ravi.token);
		const states = async () =>
			(await server.result('getDepositWithdrawals', {}, ravi.token)).items.map(({ status }) => status);
		await expect.poll(states, { timeout: 60_000 }).toEqual(['SCREENED']);
		await decide(payments, 'deposit', 'approve');
		await payments.getByAltText('The receipt that the player sent').waitFor();
		await payments.getByText('gita proposed “approve”').waitFor();
		expect(server.money(ravi)[0]).toBe(cashOfRavi);
		await decide(approver, 'deposit', 'approve');
		await expect.poll(() => server.money(ravi)[0]).toBe(cashOfRavi + 30_000);
		const details = { method: 'UPI', upiId: 'ravi@okbank' } as const;
		await server.result('createWithdrawal', { amount: 18_000, details, clientRequestId: freshRequestId() }, ravi.token);
		await decide(payments, 'withdrawal', 'approve');
		await payments.getByText('gita proposed “approve”').waitFor();
		await decide(approver, 'withdrawal', 'approve');
		await expect.poll(async () => (await states()).includes('PAID'), { timeout: 60_000 }).toBe(true);
		expect(server.money(ravi)[0]).toBe(cashOfRavi + 12_000);

		// Compliance excludes the player for six months.
		await compliance.goto(`/players/${ravi.userId}`);
		await compliance.getByRole('button', { name: 'Exclude' }).click();
		const exclusion = compliance.getByRole('dialog');
		await exclusion.getByLabel('Months').selectOption('6');
		await exclusion.getByLabel('Reason').fill('asked for it by telephone');
		await exclusion.getByRole('button', { name: 'exclude' }).click();
		await exclusion.waitFor({ state: 'detached' });
		expect((await server.call('placeBetV2', betOn(other, { price: 4, stake: 10 }), ravi.token)).code).toBe('EXCLUDED');

		// The owner changes a brand's title and sets it back.
		const owner = await desk.member('esha', ['owner']);
		await owner.goto('/brands/royal.localhost');
		const title = () => server.running.brands.byHost('royal.localhost')?.setting.domainTitle;
		const before = title();
		await owner.getByRole('row').filter({ hasText: 'Name of the site' }).press('Enter');
		await owner.getByRole('dialog').getByLabel('Name of the site').fill('Royal Evenings');
		await owner.getByRole('region', { name: 'Preview' }).getByText('Royal Evenings').waitFor();
		expect(title()).toBe(before);
		await owner.getByRole('dialog').getByRole('button', { name: 'Put into the draft' }).click();
		await owner.getByRole('button', { name: 'Change at once' }).click();
		await expect.poll(title).toBe('Royal Evenings');
		await owner.getByRole('button', { name: 'Set Name of the site back' }).first().click();
		await expect.poll(title).toBe(before);

		// The auditor finds all of it, and changes nothing.
		const auditor = await desk.member('farah', ['auditor']);
		await auditor.goto('/audit');
		for (const act of EVENING) {
			await auditor.getByLabel('Act', { exact: true }).fill(act);
			await auditor.getByRole('button', { name: 'Find' }).click();
			await auditor.getByRole('gridcell', { name: act, exact: true }).first().waitFor();
		}
		expect(await auditor.getByRole('link', { name: 'Staff' }).count()).toBe(1);
		await expectSound(server.database.url);
		for (const page of [trader, second, support, compliance, payments, approver, owner, auditor])
			await page.context().close();
	}, 240_000);
});
