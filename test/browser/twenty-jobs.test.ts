/**
 * Twenty jobs of a new player on a phone of 390 pixels. Each begins on the list of matches, goes by the words on the screen,
 * and takes as many presses as docs/SITE.md says: a wrong turn would be one more.
 *
 * @module-tag thorough
 */
import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { betOn, type TestMatch } from '../support/match.ts';
import { codeSentTo, PASSWORD } from '../support/sign-up.ts';
import { Scene, type Seat } from './scene.ts';

/** Presses by job, as the document has them. */
const PRESSES = new Map(
	[
		...readFileSync(new URL('../../docs/SITE.md', import.meta.url), 'utf8').matchAll(
			/^\| \d+ +\| (.+?) +\| (\d+) +\|/gm,
		),
	].map(([, job = '', presses]) => [job, Number(presses)]),
);

let scene: Scene;
beforeAll(async () => {
	scene = await Scene.open();
});
afterEach(() => scene.leave());
afterAll(() => scene?.close());

/** A finger that counts its presses. */
class Finger {
	presses = 0;
	readonly page: Page;

	constructor(page: Page) {
		this.page = page;
	}

	async press(target: Locator): Promise<void> {
		await target.tap();
		this.presses += 1;
	}

	button(name: string | RegExp, within: Page | Locator = this.page): Promise<void> {
		return this.press(within.getByRole('button', { name, exact: typeof name === 'string' }).first());
	}

	link(name: string | RegExp, within: Page | Locator = this.page): Promise<void> {
		return this.press(within.getByRole('link', { name, exact: typeof name === 'string' }).first());
	}

	/** By the avatar in the corner. */
	async account(item: string): Promise<void> {
		await this.button(/^Account: /);
		await this.link(item, this.page.getByRole('navigation', { name: 'Account' }));
	}

	/** By the bar at the foot. */
	async menu(tile: string): Promise<void> {
		await this.button('Menu', this.page.getByRole('navigation', { name: 'Quick navigation' }));
		await this.link(tile, this.page.getByRole('dialog', { name: 'Menu' }));
	}
}

interface Job {
	finger: Finger;
	page: Page;
	seat: Seat & { userName: string };
	match: TestMatch;
}

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const openBets = async ({ token }: Seat) => (await scene.server.result('getUserOpenBets', {}, token)).openBets;
const place = (match: TestMatch, { token }: Pick<Seat, 'token'>, bet: Parameters<typeof betOn>[1]) =>
	scene.server.result('placeBetV2', betOn(match, bet), token);
const slipOf = (page: Page) => page.locator('.slip-card');
const toMatch = ({ finger }: Job) => finger.press(finger.page.locator('.match-link').first());

/** By the words of the document. */
const JOBS: Record<string, (job: Job) => Promise<unknown>> = {
	'Find a match by the name of a side': async ({ finger, page }) => {
		await finger.button('Search');
		await page.getByRole('combobox').fill('nepal');
		await finger.press(page.getByRole('option').first());
		await title(page, 'India v Nepal');
	},
	'See what is played now': async ({ finger, page }) => {
		await finger.menu('In-Play');
		await title(page, 'In-Play');
	},
	'Keep a match as a favourite, and find it there': async ({ finger, page }) => {
		await finger.button('Add India v Nepal to favourites');
		await finger.menu('Favourites');
		await title(page, 'Favourites');
		await page.locator('.match-link').first().waitFor();
	},
	'Back a side at the price on offer': async ({ finger, page, seat }) => {
		await finger.button(/^Back India 2\.00/);
		await finger.button('+100', slipOf(page));
		await finger.button(/^Back India 2\.00 · risk ₹100$/, slipOf(page));
		await expect.poll(() => openBets(seat)).toMatchObject([{ side: 'BACK', matchedStake: 100 }]);
	},
	'Lay a side at odds of one’s own': async ({ finger, page, seat }) => {
		await finger.button(/^Lay India 2\.02/);
		await slipOf(page).getByLabel('Odds', { exact: true }).fill('1.5');
		await finger.button('+100', slipOf(page));
		await finger.button(/^Lay India 1\.50/, slipOf(page));
		await expect.poll(() => openBets(seat)).toMatchObject([{ side: 'LAY', price: 1.5, remainingStake: 100 }]);
	},
	'Change the odds of an unmatched bet': async ({ finger, page, seat, match }) => {
		await place(match, seat, { price: 5, stake: 100 });
		await finger.link('Open bets');
		await finger.button(/^Edit Back India/);
		await page.getByRole('main').getByLabel('New odds').fill('6');
		await finger.button('Change bet');
		await expect.poll(() => openBets(seat)).toMatchObject([{ price: 6, remainingStake: 100 }]);
	},
	'Take back an unmatched bet': async ({ finger, page, seat, match }) => {
		await place(match, seat, { price: 5, stake: 100 });
		await finger.link('Open bets');
		await finger.button(/^Cancel Back India/);
		await page.getByText('₹100 cancelled.').waitFor();
		expect(await openBets(seat)).toEqual([]);
	},
	'Bet on a fancy': async (job) => {
		const { finger, page, seat } = job;
		await toMatch(job);
		await finger.button(/^Yes .*6 over runs/i);
		await finger.button('+100', slipOf(page));
		await finger.button(/risk ₹100$/, slipOf(page));
		await expect.poll(() => openBets(seat)).toHaveLength(1);
	},
	'Cash out': async (job) => {
		const { finger, page, seat, match } = job;
		await place(match, seat, { price: 2, stake: 100 });
		await toMatch(job);
		await finger.press(page.locator('.own-strip-button').getByText(/Cash out/));
		await finger.button(/^Cash out/, page.getByRole('dialog'));
		await page.getByText(/^Cashed out/).waitFor();
	},
	'See how a bet ended': async ({ finger, page, seat }) => {
		const match = await scene.match({ title: 'India v Oman' });
		await place(match, seat, { price: 2, stake: 100 });
		await match.settle(0);
		await finger.account('Bet history');
		await finger.press(page.getByRole('main').getByRole('row').nth(1).getByRole('button').first());
		await page.getByRole('dialog').getByText('+').first().waitFor();
	},
	'See where the money is': async ({ finger, page }) => {
		await finger.account('Your Money');
		await title(page, 'Your money');
	},
	'Pay in': async ({ finger, page }) => {
		await finger.menu('Deposit');
		await finger.button('₹500');
		await finger.button('Generate payment');
		await page.getByText('Deposit received').waitFor();
	},
	Withdraw: async ({ finger, page }) => {
		await finger.menu('Withdrawal');
		await page.getByLabel('Amount in rupees').fill('1000');
		await page.getByLabel('UPI ID').fill('newcomer@okbank');
		await finger.button('Continue');
		await finger.button('Withdraw ₹1,000');
		await page.getByText('Your withdrawal of ₹1,000 is requested.').waitFor();
	},
	'Set a limit': async ({ finger, page }) => {
		await finger.account('Limits and protection');
		await finger.button('Change: Deposits in 24 hours');
		await page.getByLabel('New limit in rupees').fill('5000');
		await finger.button('Save limit');
		await page.getByText('₹0 of ₹5,000 used').waitFor();
	},
	'Play a round and prove it': async ({ finger, page }) => {
		await finger.link('Casino');
		await finger.link(/^Dice/);
		await finger.button(/^Bet ₹/);
		await page
			.locator('.game-result')
			.getByText(/You win|lost/)
			.waitFor();
		await finger.press(page.getByRole('list', { name: 'Your last rounds' }).getByRole('button').first());
		await finger.button('Replace and reveal', page.getByRole('dialog'));
		await page.getByText(/^✓ The seeds give/).waitFor();
	},
	'Read odds in another format': async ({ finger, page }) => {
		await finger.account('Settings');
		await finger.press(page.getByRole('radio', { name: /^Fractional/ }));
		await finger.link('Matches');
		await page.getByRole('button', { name: /^Back India 1\/1/ }).waitFor();
	},
	'Write to the support': async ({ finger, page }) => {
		await finger.account('Messages');
		await finger.button('Write to us');
		await page.getByLabel('In a few words').fill('My deposit');
		await page.getByLabel('Your message').fill('Where is it?');
		await finger.button('Send');
		await page.getByText('Your message is sent.').waitFor();
	},
	'Log out': async ({ finger, page, seat }) => {
		await finger.account('Log out');
		await page.getByText('You are logged out.').waitFor();
		await expect.poll(async () => (await scene.server.call('getUserInfo', {}, seat.token)).status).toBe(401);
	},
};

/** Until the player is in, from the form of the log-in that lies over the page. */
async function signUpBy(
	{ finger, page }: Pick<Job, 'finger' | 'page'>,
	userName: string,
	mobile: string,
): Promise<void> {
	const dialog = page.getByRole('dialog');
	await finger.press(dialog.getByRole('tab', { name: 'Sign Up' }));
	await dialog.getByLabel('Username').fill(userName);
	await dialog.getByLabel('Mobile number').fill(mobile);
	await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
	await dialog.getByLabel('Confirm password').fill(PASSWORD);
	await finger.button('Sign Up', dialog);
	const code = page.getByLabel('OTP code');
	await code.waitFor();
	await code.fill(await codeSentTo(scene.server, `+91${mobile}`));
	await page.getByRole('button', { name: `Account: ${userName}` }).waitFor();
}

/** Of someone without a login. */
const VISITOR_JOBS: Record<string, (job: Pick<Job, 'finger' | 'page'>) => Promise<unknown>> = {
	'Look at the prices of a match without an account': async ({ finger, page }) => {
		await finger.press(page.locator('.match-link').first());
		await page.getByRole('button', { name: 'Back India 2.00, 1,000 available' }).waitFor();
	},
	'Sign up': async (job) => {
		await job.finger.button('Log in', job.page.getByRole('banner'));
		await signUpBy(job, 'newcomer', '9712345678');
	},
};

it('the document has twenty jobs, and these are they', () => {
	expect([...PRESSES.keys()].sort()).toEqual([...Object.keys(VISITOR_JOBS), ...Object.keys(JOBS)].sort());
	expect(PRESSES.size).toBe(20);
});

it('a visitor’s first bet takes four presses, the sign-up among them', async () => {
	const match = await scene.match();
	onTestFinished(() => match.settle(0));
	await scene.server.act('brand-set', { host: 'localhost', field: 'allowSignUp', value: 'true' });
	const page = await scene.visitor('phone');
	const finger = new Finger(page);
	await page.goto('/');
	await finger.button(/^Back India 2\.00/);
	await signUpBy({ finger, page }, 'firstbet', '9712345679');
	await slipOf(page).getByLabel('Stake', { exact: true }).fill('100');
	await finger.button(/^Back India 2\.00 · risk ₹100$/, slipOf(page));
	await page.getByText('Matched: ₹100 at 2.00').waitFor();
	expect(finger.presses).toBe(4);
});

describe('without a wrong turn', () => {
	const presses = (name: string, { presses: count }: Finger) =>
		expect(count, `presses of “${name}”`).toBe(PRESSES.get(name));

	it.each(Object.keys(VISITOR_JOBS))('%s', async (name) => {
		const match = await scene.match();
		onTestFinished(() => match.settle(0));
		const page = await scene.visitor('phone');
		const finger = new Finger(page);
		await page.goto('/');
		await page.locator('.match-link').first().waitFor();
		await VISITOR_JOBS[name]?.({ finger, page });
		presses(name, finger);
	});

	it.each(Object.keys(JOBS))('%s', async (name) => {
		const match = await scene.match();
		onTestFinished(() => match.settle(0));
		await scene.openFancy(match);
		const { page, ...member } = await scene.member('phone');
		const finger = new Finger(page);
		await page.goto('/');
		await page.locator('.match-link').first().waitFor();
		await JOBS[name]?.({ finger, page, seat: { page, ...member }, match });
		presses(name, finger);
	});
});
