/**
 * One visit of a new player, by the words on the screen: sign-up, deposit, a bet that is matched in part, cash-out,
 * withdrawal. After each step the head, "Your money", the statement and the records of bets have the same figures. Nothing
 * is said in the page's console, and nothing moves by itself.
 *
 * @module-tag thorough
 */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { TestMatch } from '../support/match.ts';
import { codeSentTo, PASSWORD } from '../support/sign-up.ts';
import { watchShifts } from './layout-shifts.ts';
import { EVENS, type Offer, Scene } from './scene.ts';

/** To lay India costs less than to back Nepal. */
const NEPAL: Offer = { back: [[1.8, 5_000]], lay: [[2.2, 5_000]] };
/** What interface.md allows a page in all. */
const MOST_SHIFT = 0.02;

let scene: Scene;
beforeAll(async () => {
	scene = await Scene.open();
	await scene.server.act('brand-set', { host: 'localhost', field: 'allowSignUp', value: 'true' });
});
afterEach(() => scene.leave());
afterAll(() => scene?.close());

/** Figures as the player reads them. */
interface Standing {
	free: string;
	/** In the head: for bets alone. */
	betsHeld: string;
	/** For bets and withdrawals. */
	held: string;
	all: string;
}

class Visit {
	readonly page: Page;
	readonly #said: string[] = [];

	constructor(page: Page) {
		this.page = page;
		page.on('console', (line) => {
			if (['error', 'warning'].includes(line.type())) this.#said.push(`${line.text()} ${line.location().url}`);
		});
		page.on('pageerror', ({ message }) => this.#said.push(message));
	}

	async open(): Promise<void> {
		await watchShifts(this.page);
		await this.page.goto('/');
	}

	/** By the avatar in the corner. */
	async account(item: string, title = item): Promise<void> {
		await this.page.getByRole('button', { name: /^Account: / }).click();
		const menu = this.page.getByRole('navigation', { name: 'Account' });
		await menu.getByRole('link', { name: item, exact: true }).click();
		await this.title(title);
	}

	async title(name: string): Promise<void> {
		await this.page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
	}

	async toMatch({ eventId }: TestMatch): Promise<void> {
		await this.page.getByRole('link', { name: 'Matches' }).first().click();
		await this.page.locator(`.match-link[href="/markets/${eventId}"]`).first().click();
		await this.title('India v Nepal');
	}

	/** The head, "Your money", the dialog of what is held, and the statement, which its free balance opens. */
	async expectStanding({ free, betsHeld, held, all }: Standing): Promise<void> {
		const { page } = this;
		const inHead = (name: string) => page.locator(`[data-figure="${name}"]`).innerText();
		await expect.poll(() => inHead('Balance')).toBe(free);
		await expect.poll(() => inHead('Bets held')).toBe(betsHeld);
		await this.account('Your Money', 'Your money');
		const now = page.getByRole('region', { name: 'What you have now' });
		await expect.poll(() => now.locator('dd').allInnerTexts()).toEqual([all, free, held]);
		await now.getByRole('button', { name: held }).click();
		const why = page.getByRole('dialog', { name: 'Why is my money held?' });
		const sum = why.locator('.held-row').filter({ hasText: 'Held in all' }).getByText(held, { exact: true });
		await (held === '₹0' ? why.getByText('Nothing is held') : sum).waitFor();
		await page.keyboard.press('Escape');
		await why.waitFor({ state: 'detached' });
		await now.getByRole('link', { name: free }).click();
		await this.title('Cash statement');
		// Its newest row, and the sum of all of them.
		await page.locator('.statement-rows tbody tr').first().getByText(free, { exact: true }).waitFor();
		const change = page.getByRole('region', { name: 'Cash statement' }).locator('dd').first();
		expect(await change.innerText()).toBe(free.replace('₹', '+'));
	}

	async expectQuiet(): Promise<void> {
		expect(this.#said).toEqual([]);
		const { shift, moved } = await this.page.evaluate(() => window.layoutShifts);
		expect(shift, moved.join('\n')).toBeLessThanOrEqual(MOST_SHIFT);
	}
}

async function signUp({ page }: Visit, userName: string, mobile: string): Promise<void> {
	await page.getByRole('banner').getByRole('button', { name: 'Log in' }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByRole('tab', { name: 'Sign Up' }).click();
	await dialog.getByLabel('Username').fill(userName);
	await dialog.getByLabel('Mobile number').fill(mobile);
	await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
	await dialog.getByLabel('Confirm password').fill(PASSWORD);
	await dialog.getByRole('button', { name: 'Sign Up', exact: true }).click();
	const code = page.getByLabel('OTP code');
	await code.waitFor();
	await code.fill(await codeSentTo(scene.server, `+91${mobile}`));
	await page.getByRole('button', { name: `Account: ${userName}` }).waitFor();
}

async function payIn(visit: Visit): Promise<void> {
	await visit.account('Deposit', 'Deposit and withdrawal');
	await visit.page.getByRole('button', { name: '₹500', exact: true }).click();
	await visit.page.getByRole('button', { name: 'Generate payment' }).click();
	await visit.page.getByText('Deposit received').waitFor();
}

/** ₹1,500 where ₹1,000 are on offer. */
async function bet(visit: Visit, match: TestMatch): Promise<void> {
	const { page } = visit;
	await visit.toMatch(match);
	await page.getByRole('button', { name: /^Back India 2\.00, 1,000/ }).click();
	const slip = page.locator('.slip-card');
	await slip.getByLabel('Stake', { exact: true }).fill('1500');
	await slip.getByRole('button', { name: 'Back India 2.00 · risk ₹1,500' }).click();
	await slip.getByText('Part matched: ₹1,000 at 2.00, ₹500 unmatched').waitFor();
	await slip.getByRole('button', { name: 'Done' }).click();
	await visit.account('Open bets');
	const bets = page.getByRole('main').locator('[data-part]');
	await expect.poll(() => bets.allInnerTexts()).toHaveLength(2);
	expect((await bets.allInnerTexts()).join('\n')).toMatch(/₹500 at 2\.00[^]*₹1,000 at 2\.00/);
}

/**
 * At 2.02, where ₹1,000 are on offer: laying 1,000 × 2.00 ÷ 2.02 = 990.10 leaves −9.902 or −9.90, which is held rounded up
 * and settled rounded once.
 */
async function cashOut(visit: Visit, match: TestMatch): Promise<void> {
	const { page } = visit;
	await visit.toMatch(match);
	await page
		.getByRole('main')
		.getByRole('button', { name: /^1 unmatched.*Cash out −9\.90/ })
		.first()
		.click();
	const sheet = page.getByRole('dialog', { name: 'Your bets · Match Odds' });
	await sheet.getByText('Cancels ₹500 of your unmatched bets.').waitFor();
	await sheet.getByRole('button', { name: 'Cash out −9.90' }).click();
	await page.getByText('Cashed out: the same for every outcome, −9.90').waitFor();
	await sheet.waitFor({ state: 'detached' });
}

/** What the settled market made, in each record of it. */
async function expectResult(visit: Visit, net: string): Promise<void> {
	const { page } = visit;
	await visit.account('Profit and Loss', 'Profit and loss');
	const sums = page.getByRole('region', { name: 'Profit and loss' });
	await expect.poll(() => sums.locator('dd').first().innerText()).toBe(net);
	await visit.account('Bet history');
	const profits = page.locator('.rows tbody tr').locator('td:nth-child(5)');
	await expect.poll(() => profits.allInnerTexts()).toEqual(['−1,009.90', '+1,000']);
}

async function withdraw(visit: Visit): Promise<void> {
	const { page } = visit;
	await visit.account('Withdrawal', 'Deposit and withdrawal');
	await page.getByLabel('Amount in rupees').fill('1000');
	await page.getByLabel('UPI ID').fill('newcomer@okbank');
	await page.getByRole('button', { name: 'Continue' }).click();
	await page.getByRole('button', { name: 'Withdraw ₹1,000' }).click();
	await page.getByText('Your withdrawal of ₹1,000 is requested.').waitFor();
}

const STORIES = [
	['desktop', 'deskvisitor', '9712345678'],
	['phone', 'phonevisitor', '9712345679'],
] as const;

describe.each(STORIES)('on a %s', (width, userName, mobile) => {
	it('a new player pays in, is matched in part, cashes out and withdraws, and every figure agrees', async () => {
		const match: TestMatch = await scene.match({}, EVENS, NEPAL);
		const visit = new Visit(await scene.visitor(width, { serviceWorkers: 'allow' }));
		await visit.open();
		await signUp(visit, userName, mobile);
		await visit.expectStanding({ free: '₹20,000', betsHeld: '₹0', held: '₹0', all: '₹20,000' });
		await payIn(visit);
		await visit.expectStanding({ free: '₹20,500', betsHeld: '₹0', held: '₹0', all: '₹20,500' });
		await bet(visit, match);
		await visit.expectStanding({ free: '₹19,000', betsHeld: '₹1,500', held: '₹1,500', all: '₹20,500' });
		await cashOut(visit, match);
		await visit.expectStanding({ free: '₹20,490.09', betsHeld: '₹9.91', held: '₹9.91', all: '₹20,500' });
		await match.settle(0);
		await visit.expectStanding({ free: '₹20,490.10', betsHeld: '₹0', held: '₹0', all: '₹20,490.10' });
		await expectResult(visit, '−9.90');
		await withdraw(visit);
		await visit.expectStanding({ free: '₹19,490.10', betsHeld: '₹0', held: '₹1,000', all: '₹20,490.10' });
		await visit.expectQuiet();
	});
});
