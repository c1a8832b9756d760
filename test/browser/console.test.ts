/** The operators' console in a real browser: security keys, an evening of its members, and what every screen must be. */
import { readFile } from 'node:fs/promises';
import { AxeBuilder } from '@axe-core/playwright';
import { TOTP } from 'otpauth';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashPassword } from '#server/players/passwords.ts';
import { newSecret, typedSecret } from '#server/staff/one-time-codes.ts';
import { aboutFactor } from '#server/staff/staff-access.ts';
import { ConsoleClient } from '../operator/console-client.ts';
import { betOf, StudioSite } from '../providers/studio-site.ts';
import { expectSound } from '../support/audit.ts';
import { betOn, freshRequestId, openTestMatch, type TestMatch } from '../support/match.ts';
import { receiptPicture } from '../support/receipt.ts';
import type { Player, TestServer } from '../support/server.ts';
import { signUp } from '../support/sign-up.ts';
import { openBrowser } from './browser.ts';

const PASSWORD = 'Correct-horse-9';
const SCRIPT = '<img src=x onerror=alert(1)>';
const FORMULA = '=HYPERLINK("http://evil.test")';

let site: StudioSite;
let server: TestServer;
let browser: Browser;
let match: TestMatch;
let backer: Player;
let layer: Player;

beforeAll(async () => {
	site = await StudioSite.open(undefined, { consoleHost: 'console.localhost' });
	({ server } = site);
	browser = await openBrowser();
	match = await openTestMatch(server, { title: `India v ${SCRIPT}` });
	backer = await server.demoPlayer();
	layer = await server.demoPlayer();
	await server.result('placeBetV2', betOn(match, { price: 3, stake: 100 }), backer.token);
	await server.result('placeBetV2', betOn(match, { side: 'LAY', price: 3, stake: 100 }), layer.token);
});
afterAll(async () => {
	await browser.close();
	await site.close();
});

const BY = { actor: 'test', address: null };

async function addMember(name: string, roles: string[]): Promise<number> {
	const { directory } = server.running.staff;
	const passwordHash = await hashPassword(PASSWORD);
	const known = directory.byName(name) ?? (await directory.add({ name, passwordHash, roles, brands: null }, BY));
	return known.staffId;
}

async function logIn(page: Page, name: string): Promise<void> {
	await page.goto('/');
	await page.getByLabel('Name').fill(name);
	await page.getByLabel('Password').fill(PASSWORD);
	await page.getByRole('button', { name: 'Log in' }).click();
}

/** A member at a browser of their own; scripts that the page runs against its policy fail the test. */
async function member(name: string, roles: string[], width = 1280): Promise<Page> {
	await addMember(name, roles);
	const page = await freshPage(width);
	await logIn(page, name);
	await page.getByRole('heading', { name: 'Today' }).waitFor();
	return page;
}

async function freshPage(width = 1280): Promise<Page> {
	const context = await browser.newContext({
		baseURL: server.url.replace('localhost', 'console.localhost'),
		viewport: { width, height: 900 },
		reducedMotion: 'reduce',
	});
	context.setDefaultTimeout(20_000);
	const page = await context.newPage();
	page.on('dialog', () => {
		throw new Error('a text was run as a script');
	});
	return page;
}

/** A security key at the page's browser, which is touched whenever it is asked. @returns what unplugs it */
async function plugKeyIn(page: Page): Promise<() => Promise<unknown>> {
	const chromium = await page.context().newCDPSession(page);
	await chromium.send('WebAuthn.enable');
	const options = { protocol: 'ctap2', transport: 'usb', automaticPresenceSimulation: true } as const;
	const { authenticatorId } = await chromium.send('WebAuthn.addVirtualAuthenticator', { options });
	return () => chromium.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
}

describe('a security key', () => {
	it('is a second factor beside the app: added, shown once for each log-in, and removed for a code', async () => {
		const staffId = await addMember('kavya', ['trader']);
		const { directory, keys } = server.running.staff;
		const secret = newSecret();
		const recovery = await directory.enrol(staffId, keys.seal(secret, aboutFactor(staffId)), 0, BY);
		const code = (atMs: number) => new TOTP({ secret: typedSecret(secret) }).generate({ timestamp: atMs });
		const page = await freshPage();
		await logIn(page, 'kavya');
		await page.getByLabel('Code of your app').fill(code(Date.now()));
		await page.getByRole('button', { name: 'Continue' }).click();
		await page.getByRole('button', { name: 'kavya' }).click();
		const account = page.getByRole('dialog', { name: 'Account of kavya' });
		const add = async (name: string) => {
			await account.getByLabel('Name of the new key').fill(name);
			await account.getByRole('button', { name: 'Add a security key' }).click();
		};
		const unplugBlue = await plugKeyIn(page);
		await add('blue');
		await account.getByRole('button', { name: 'Remove blue' }).waitFor();
		// The same key is not added twice; another one is.
		await add('blue again');
		await account.getByRole('alert').waitFor();
		await unplugBlue();
		await plugKeyIn(page);
		await add('green');
		await account.getByRole('button', { name: 'Remove green' }).waitFor();

		await page.keyboard.press('Escape');
		await page.getByRole('button', { name: 'Log out' }).click();
		await logIn(page, 'kavya');
		const [shown] = await Promise.all([
			page.waitForRequest((request) => request.url().endsWith('/api/show-key')),
			page.getByRole('button', { name: 'Use a security key' }).click(),
		]);
		await page.getByRole('heading', { name: 'Today' }).waitFor();

		// What a key has signed opens no other session, and a member without keys is asked for none.
		const thief = new ConsoleClient(server.url, 'console.localhost');
		await thief.result('log-in', { name: 'kavya', password: PASSWORD });
		expect(await thief.code('events', {})).toBe('SECOND_FACTOR_REQUIRED');
		await thief.result('begin-key', {});
		expect(await thief.code('show-key', shown.postDataJSON())).toBe('WRONG_KEY');
		expect(await thief.code('show-key', shown.postDataJSON())).toBe('WRONG_KEY');
		expect(await thief.code('events', {})).toBe('SECOND_FACTOR_REQUIRED');

		await page.getByRole('button', { name: 'kavya' }).click();
		const remove = async (name: string, shownCode: string) => {
			await account.getByLabel(`Code to remove ${name}`).fill(shownCode);
			await account.getByRole('button', { name: `Remove ${name}` }).click();
		};
		await remove('blue', '000000');
		await account.getByRole('alert').waitFor();
		await remove('blue', code(Date.now() + 30_000));
		await account.getByRole('button', { name: 'Remove blue' }).waitFor({ state: 'detached' });
		await remove('green', recovery[0] ?? '');
		await account.getByText('You have none.').waitFor();
		expect(await thief.code('begin-key', {})).toBe('UNKNOWN_KEY');
		const { rows } = await server.database.db.query<{ act: string; outcome: string }>(
			"select act, outcome from journal where actor = 'kavya' and act like 'staff-key%' order by seq",
		);
		expect(rows.map(({ act, outcome }) => `${act} ${outcome}`)).toEqual([
			'staff-key-add done',
			'staff-key-add done',
			'staff-key done',
			'staff-key WRONG_KEY',
			'staff-key WRONG_KEY',
			'staff-key-remove WRONG_CODE',
			'staff-key-remove done',
			'staff-key-remove done',
		]);
		await page.context().close();
	});
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
const EVENING = ['open-fancy', 'price-bookmaker', 'suspend-event', 'propose', 'settle', 'void-bets', 'payment-decide'];
EVENING.push('payment-receipt', 'player-freeze', 'player-exclude', 'adjustment', 'brand-set', 'brand-roll-back');

describe('an evening', () => {
	it('is played by traders, support, compliance, payments, an owner and an auditor', async () => {
		const trader = await member('asha', ['trader']);
		const second = await member('bela', ['trader']);
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
		const support = await member('chitra', ['support']);
		await support.goto(`/players/${layer.userId}`);
		const held = support.getByRole('region', { name: 'Why money is held' });
		await held.getByText('500.00').waitFor();
		expect(await held.textContent()).toContain('Nepal v Oman');
		expect(await support.getByRole('button', { name: 'Freeze' }).count()).toBe(0);

		const compliance = await member('devi', ['compliance']);
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
		const payments = await member('gita', ['payments']);
		await payments.goto(`/players/${layer.userId}`);
		await payments.getByRole('button', { name: 'Request an adjustment' }).click();
		const request = payments.getByRole('dialog', { name: 'Request an adjustment' });
		await request.getByLabel('Amount').fill('500');
		await request.getByLabel('Kind of reason').selectOption('GOODWILL');
		await request.getByLabel('Reason', { exact: true }).fill('a long wait for an answer');
		await request.getByRole('button', { name: 'request an adjustment' }).click();
		await request.waitFor({ state: 'detached' });
		expect(server.money(layer)[0]).toBe(cash);
		const approver = await member('hema', ['payments approver']);
		await approver.goto('/payments');
		await approver.getByRole('row').filter({ hasText: 'adjustment' }).press('Enter');
		await approver.getByRole('button', { name: 'approve' }).click();
		await approver.getByRole('dialog').getByRole('button', { name: 'approve' }).click();
		await expect.poll(() => server.money(layer)[0]).toBe(cash + 500);

		// A deposit and a withdrawal are approved by both of them; the player's money moves with the second.
		const ravi = await signUp(server);
		await server.operator('domain-set', { host: 'localhost', field: 'funds.secondApprovalAbove', value: '15000' });
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
		await payments.getByText('gita proposed to approve').waitFor();
		expect(server.money(ravi)[0]).toBe(cashOfRavi);
		await decide(approver, 'deposit', 'approve');
		await expect.poll(() => server.money(ravi)[0]).toBe(cashOfRavi + 30_000);
		const details = { method: 'UPI', upiId: 'ravi@okbank' } as const;
		await server.result('createWithdrawal', { amount: 18_000, details, clientRequestId: freshRequestId() }, ravi.token);
		await decide(payments, 'withdrawal', 'approve');
		await payments.getByText('gita proposed to approve').waitFor();
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
		const owner = await member('esha', ['owner']);
		await owner.goto('/brands/royal.localhost');
		const title = () => server.running.brands.byHost('royal.localhost')?.setting.domainTitle;
		const before = title();
		await owner.getByRole('row').filter({ hasText: 'domainTitle' }).press('Enter');
		await owner.getByRole('dialog').getByLabel('New value').fill('Royal Evenings');
		await owner.getByRole('dialog').getByRole('button', { name: 'Change at once' }).click();
		await expect.poll(title).toBe('Royal Evenings');
		await owner.getByRole('button', { name: 'Set domainTitle back' }).first().click();
		await expect.poll(title).toBe(before);

		// The auditor finds all of it, and changes nothing.
		const auditor = await member('farah', ['auditor']);
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

const aboutOf = (page: Page): string => `${new URL(page.url()).pathname} at ${page.viewportSize()?.width} px`;

async function violationsOf(page: Page): Promise<string[]> {
	const { violations } = await new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).analyze();
	return violations.map(({ id, nodes }) => `${aboutOf(page)}: ${id} ${nodes[0]?.html}`);
}

/** A page that is wider than the window. */
async function sidewaysOf(page: Page): Promise<string[]> {
	const by = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
	return by === 0 ? [] : [`${aboutOf(page)}: wider by ${by}`];
}

/** Markup and formulas wherever the console shows a text that others wrote. */
async function writeMarkupEverywhere() {
	const about = { title: SCRIPT, competition: SCRIPT, scoreLine: SCRIPT };
	const runners = [SCRIPT, FORMULA].map((name, at) => ({ id: `odd-${at}`, name }));
	const odd = await openTestMatch(server, { ...about, runners });
	await openTestMatch(server, { title: FORMULA });
	const player = await signUp(server);
	const { userName, userId } = player;
	const playerId = String(userId);
	await server.operator('add-money', { userName, host: 'localhost', amount: 9_000, grantId: userId });
	const onOdd = { marketId: odd.marketId, runnerId: 'odd-0', price: 3, stake: 100 } as const;
	await server.result('placeBetV2', { ...onOdd, side: 'BACK', clientRequestId: freshRequestId() }, player.token);
	await server.result('placeBetV2', { ...onOdd, side: 'LAY', clientRequestId: freshRequestId() }, backer.token);
	const details = { method: 'BANK', accountNumber: '123456789', ifsc: 'ABCD0123456', holder: SCRIPT } as const;
	const asked = { amount: 500, details, clientRequestId: freshRequestId() };
	const { id } = await server.result('createWithdrawal', asked, player.token);
	const writer = new ConsoleClient(server.url, 'console.localhost');
	await addMember('writer', ['owner']);
	await writer.result('log-in', { name: 'writer', password: PASSWORD });
	await writer.result('player-note', { playerId, note: SCRIPT });
	await writer.result('suspend', { marketId: odd.marketId });
	await writer.result('propose', { act: 'void', input: { marketId: odd.marketId }, reason: SCRIPT });
	expect(await writer.code('brand-set', { host: 'royal.localhost', field: 'description', value: SCRIPT })).not.toBe('');
	// No name that a player may choose has markup; a row of another origin may.
	await server.database.db.query('update player set user_name = $1 where player_id = $2', [SCRIPT, userId]);
	return { odd, playerId, withdrawal: `/payments/WITHDRAWAL/${id.replace('WITHDRAWAL-', '')}` };
}

/** Markup of a text that became an element of the page. */
async function injectedOf(page: Page): Promise<string[]> {
	const count = await page.locator('img[src="x"], [onerror]').count();
	return count === 0 ? [] : [`${aboutOf(page)}: ${count} elements of a text`];
}

/** The first file that a screen saves. */
async function savedBy(page: Page): Promise<string> {
	const [file] = await Promise.all([
		page.waitForEvent('download'),
		page.getByRole('button', { name: 'Save as CSV' }).first().click(),
	]);
	return await readFile(await file.path(), 'utf8');
}

describe('a round that its provider leaves open', () => {
	it('is ended from its row with a reason, and the stake goes back', async () => {
		const player = await server.demoPlayer();
		await site.ask('bet', betOf(await site.session(player)));
		const [cash = 0] = server.money(player);
		const page = await member('kiran', ['casino']);
		await page.goto('/casino');
		await page.getByLabel('Only open ones').check();
		await page.getByRole('grid', { name: 'Rounds' }).getByRole('row').nth(1).press('Enter');
		const dialog = page.getByRole('dialog', { name: /^Round / });
		await dialog.getByText('100.00 staked').waitFor();
		await dialog.getByRole('button', { name: 'End the round' }).click();
		await dialog.getByText('Give a reason.').waitFor();
		await dialog.getByLabel('Reason').fill('the studio lost it');
		await dialog.getByRole('button', { name: 'End the round' }).click();
		await dialog.waitFor({ state: 'detached' });
		await page.getByText('There is no round.').waitFor();
		expect(server.money(player)[0]).toBe(cash + 100);
		await page.context().close();
	});
});

describe('a market’s page', () => {
	it('suspends and resumes a runner by itself, and closes the market only when asked twice', async () => {
		const { eventId, marketId } = await openTestMatch(server, { title: 'Oman v Qatar' });
		const standing = () => server.running.exchange.market(Number(marketId));
		const page = await member('lata', ['trader']);
		await page.goto(`/markets/${eventId}/${marketId}`);
		await page.getByRole('heading', { name: 'Match Odds · Oman v Qatar' }).waitFor();
		await page.getByRole('button', { name: 'Suspend India' }).click();
		await page.getByRole('button', { name: 'Resume India' }).waitFor();
		expect(standing()?.heldRunners).toEqual([0]);
		await page.getByRole('button', { name: 'Resume India' }).click();
		await page.getByRole('button', { name: 'Suspend India' }).waitFor();
		expect(standing()?.suspended).toEqual([]);
		const close = page.getByRole('button', { name: 'Close', exact: true });
		await close.click();
		await page.keyboard.press('Escape');
		expect(standing()?.status).toBe('OPEN');
		await close.click();
		await page.getByRole('button', { name: 'Close it for good' }).click();
		await expect.poll(() => standing()?.status).toBe('CLOSED');
		await page.context().close();
	});
});

describe('a page that is open', () => {
	it('shows the door when its member is removed, though nothing is pressed', async () => {
		const owner = new ConsoleClient(server.url, 'console.localhost');
		await addMember('lasting', ['owner']);
		await owner.result('log-in', { name: 'lasting', password: PASSWORD });
		// The search repeats no request by itself.
		const page = await member('leaving', ['support']);
		await page.goto('/players');
		await page.getByRole('heading', { name: 'Players' }).waitFor();
		const staffId = String(await addMember('leaving', []));
		await owner.result('staff-remove', { staffId });
		await page.getByRole('heading', { name: 'Backlay console' }).waitFor();
		expect(await page.getByRole('heading', { name: 'Players' }).count()).toBe(0);
		await page.context().close();
	});
});

describe('every screen', () => {
	it('is accessible, fits 1280 and 390 px, and shows markup as text', async () => {
		const { odd, playerId, withdrawal } = await writeMarkupEverywhere();
		const page = await member('reader', ['owner']);
		/** Alarms and approvals are for phones, too. */
		const forPhones = ['/today', '/results', '/postings', '/payments', `/players/${playerId}`, withdrawal];
		const paths = ['/markets', `/markets/${odd.eventId}`, `/markets/${odd.eventId}/${odd.marketId}`, '/players'];
		paths.push('/brands', '/brands/royal.localhost', '/casino', '/bonuses', '/reports', '/staff', '/audit');
		const shown: string[] = [];
		const [problems, policy]: [string[], string[]] = [[], []];
		page.on('console', (message) => {
			if (message.text().includes('Content Security Policy')) policy.push(message.text());
		});
		for (const path of [...forPhones, ...paths]) {
			await page.setViewportSize({ width: 1280, height: 900 });
			await page.goto(path);
			await page.getByRole('heading', { level: 1 }).first().waitFor();
			if (path === '/reports') await page.getByText('Books day by day').click();
			await expect.poll(() => page.getByText('Loading …').count(), { timeout: 20_000 }).toBe(0);
			problems.push(...(await violationsOf(page)), ...(await sidewaysOf(page)), ...(await injectedOf(page)));
			if ((await page.locator('#content').textContent())?.includes(SCRIPT)) shown.push(path);
			if (path === '/markets') expect(await savedBy(page)).toContain(`"'${FORMULA.replaceAll('"', '""')}"`);
			await page.setViewportSize({ width: 390, height: 844 });
			problems.push(...(await sidewaysOf(page)));
			if (forPhones.includes(path)) problems.push(...(await violationsOf(page)));
		}
		expect([...problems, ...policy]).toEqual([]);
		const wanted = ['/results', `/players/${playerId}`, ...paths.slice(0, 3)];
		expect(shown).toEqual(expect.arrayContaining(wanted));
		await page.context().close();
	}, 240_000);

	it('keeps filter and sort in its address, and its rows are reached by the arrow keys', async () => {
		const page = await member('keys', ['owner']);
		await page.goto('/brands/royal.localhost?filter=domain&sort=-Field');
		const rows = page.getByRole('grid', { name: 'Settings' }).getByRole('row');
		const first = rows.nth(1);
		await first.waitFor();
		expect(await page.getByRole('searchbox', { name: 'Filter settings' }).inputValue()).toBe('domain');
		expect(await page.getByRole('columnheader', { name: 'Field' }).getAttribute('aria-sort')).toBe('descending');
		const fields = await rows.locator('td:first-child').allTextContents();
		expect(fields).toEqual([...fields].sort().reverse());
		await page.getByRole('searchbox', { name: 'Filter settings' }).fill('');
		await page.waitForURL((url) => !url.search.includes('filter'));
		const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-rowindex'));
		await rows.nth(1).focus();
		await page.keyboard.press('ArrowDown');
		await expect.poll(focused).toBe('3');
		await page.keyboard.press('End');
		await expect.poll(focused).toBe(await page.getByRole('grid', { name: 'Settings' }).getAttribute('aria-rowcount'));
		await page.context().close();
	});

	it('is shown in no frame, to no brand, and takes no request of another page', async () => {
		const answer = await fetch(`${server.url}/staff`);
		expect(await answer.text()).not.toContain('Backlay console');
		const page = await member('framed', ['owner']);
		const response = await page.goto('/today');
		expect(response?.headers()['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
		const consoleUrl = new URL(page.url()).origin;
		// A page of a brand's host, which browsers count to the same site.
		const attacker = await page.context().newPage();
		await attacker.goto(`${server.url}/openapi.json`);
		await attacker.evaluate((src) => {
			const frame = document.createElement('iframe');
			frame.src = src;
			document.body.append(frame);
			return new Promise((resolve) => frame.addEventListener('load', resolve));
		}, `${consoleUrl}/today`);
		expect(attacker.frames()[1]?.url()).toContain('chrome-error');
		await attacker.evaluate(
			(url) => fetch(url, { method: 'POST', mode: 'no-cors', credentials: 'include', body: '{}' }).catch(() => null),
			`${consoleUrl}/api/log-out`,
		);
		await page.reload();
		await page.getByRole('heading', { name: 'Today' }).waitFor();
		await page.context().close();
	});
});
