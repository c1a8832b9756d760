/** The operators' console in a real browser: security keys, single screens, and what every screen must be. */
import { readFile } from 'node:fs/promises';
import { TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newSecret, typedSecret } from '#server/people/factors/one-time-codes.ts';
import { aboutFactor } from '#server/people/staff/staff-access.ts';
import { ConsoleClient } from '../operator/console-client.ts';
import { betOf, StudioSite } from '../providers/studio-site.ts';
import { betOn, freshRequestId, openTestMatch } from '../support/match.ts';
import { type TestServer, testConfig } from '../support/server.ts';
import { signUp } from '../support/sign-up.ts';
import { goTo } from './browser.ts';
import { BY_TEST, CONSOLE_HOST, Desk, PASSWORD } from './desk.ts';
import { findings, flaws, SEES_EVERY_STATE } from './fine-screen.ts';

const SCRIPT = '<img src=x onerror=alert(1)>';
const FORMULA = '=HYPERLINK("http://evil.test")';

let site: StudioSite;
let server: TestServer;
let desk: Desk;

beforeAll(async () => {
	const feeds = { ...testConfig('').feeds, proposedResults: ['confirmed'] };
	site = await StudioSite.open(undefined, { consoleHost: CONSOLE_HOST, feeds });
	({ server } = site);
	desk = await Desk.open(server);
});
afterAll(async () => {
	await desk?.close();
	await site?.close();
});

/** A security key at the page's browser, which is touched whenever it is asked. @returns what unplugs it */
async function plugKeyIn(page: Page): Promise<() => Promise<unknown>> {
	const chromium = await page.context().newCDPSession(page);
	await chromium.send('WebAuthn.enable');
	const options = { protocol: 'ctap2', transport: 'usb', automaticPresenceSimulation: true } as const;
	const { authenticatorId } = await chromium.send('WebAuthn.addVirtualAuthenticator', { options });
	return () => chromium.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
}

describe('a security key', () => {
	it('is a second factor beside the app: added, shown once for each log-in, and removed for a code', {
		tags: 'thorough',
	}, async () => {
		const staffId = await desk.addMember('kavya', ['trader']);
		const { directory, keys } = server.running.staff;
		const secret = newSecret();
		const recovery = await directory.enrol(staffId, keys.seal(secret, aboutFactor(staffId)), 0, BY_TEST);
		const code = (atMs: number) => new TOTP({ secret: typedSecret(secret) }).generate({ timestamp: atMs });
		const page = await desk.freshPage();
		await desk.logIn(page, 'kavya');
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
		await desk.logIn(page, 'kavya');
		const [shown] = await Promise.all([
			page.waitForRequest((request) => request.url().endsWith('/api/show-key')),
			page.getByRole('button', { name: 'Use a security key' }).click(),
		]);
		await page.getByRole('heading', { name: 'Today' }).waitFor();

		// What a key has signed opens no other session, and a member without keys is asked for none.
		const thief = new ConsoleClient(server.url, CONSOLE_HOST);
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

const aboutOf = (page: Page): string => `${new URL(page.url()).pathname} at ${page.viewportSize()?.width} px`;

async function violationsOf(page: Page, part = 'html'): Promise<string[]> {
	const found = await (part === 'html' ? findings(page) : flaws(page, part));
	return found.map((flaw) => `${aboutOf(page)}: ${flaw}`);
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
	const reported = await openTestMatch(server, { ...about, runners, source: 'confirmed' });
	await reported.market.settle({ winners: [0] });
	const [player, layer] = [await signUp(server), await server.demoPlayer()];
	const { userName, userId } = player;
	const playerId = String(userId);
	await server.operator('add-money', { userName, host: 'localhost', amount: 9_000, grantId: userId });
	const onOdd = { marketId: odd.marketId, runnerId: 'odd-0', price: 3, stake: 100 } as const;
	await server.result('placeBetV2', { ...onOdd, side: 'BACK', clientRequestId: freshRequestId() }, player.token);
	await server.result('placeBetV2', { ...onOdd, side: 'LAY', clientRequestId: freshRequestId() }, layer.token);
	const details = { method: 'BANK', accountNumber: '123456789', ifsc: 'ABCD0123456', holder: SCRIPT } as const;
	const asked = { amount: 500, details, clientRequestId: freshRequestId() };
	const { id } = await server.result('createWithdrawal', asked, player.token);
	const writer = new ConsoleClient(server.url, CONSOLE_HOST);
	await desk.addMember('writer', ['owner']);
	await writer.result('log-in', { name: 'writer', password: PASSWORD });
	await writer.result('player-note', { playerId, note: SCRIPT });
	await writer.result('suspend', { marketId: odd.marketId });
	await writer.result('propose', { act: 'void', input: { marketId: odd.marketId }, reason: SCRIPT });
	expect(await writer.code('brand-set', { host: 'royal.localhost', field: 'description', value: SCRIPT })).not.toBe('');
	// No setting of a brand has markup; a row of another origin may.
	await server.database.db.query(
		`insert into brand_schedule (host, at, changes, scheduled_by, state) values ('royal.localhost', 9000000000000, $1, $2, 'WAITING')`,
		[JSON.stringify([{ field: SCRIPT, value: SCRIPT }]), SCRIPT],
	);
	// No name that a player may choose has markup; a row of another origin may.
	await server.database.db.query('update player set user_name = $1 where player_id = $2', [SCRIPT, userId]);
	return { odd, reported, playerId, withdrawal: `/payments/WITHDRAWAL/${id.replace('WITHDRAWAL-', '')}` };
}

/** Markup of a text that became an element of the page. */
async function injectedOf(page: Page): Promise<string[]> {
	const count = await page.locator('img[src="x"], [onerror]').count();
	return count === 0 ? [] : [`${aboutOf(page)}: ${count} elements of a text`];
}

/** A file that a screen saves. */
async function savedBy(page: Page, name = 'Save as CSV'): Promise<string> {
	const [file] = await Promise.all([
		page.waitForEvent('download'),
		page.getByRole('button', { name, exact: true }).first().click(),
	]);
	return await readFile(await file.path(), 'utf8');
}

describe('a round that its provider leaves open', () => {
	it('is ended from its row with a reason, and the stake goes back', { tags: 'thorough' }, async () => {
		const player = await server.demoPlayer();
		await site.ask('bet', betOf(await site.session(player)));
		const [cash = 0] = server.money(player);
		const page = await desk.member('kiran', ['casino']);
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

describe('a payment that waits', () => {
	it('is decided by the member who claims it alone, until another takes it over with a reason', {
		tags: 'thorough',
	}, async () => {
		const { token, userName, userId } = await signUp(server);
		await server.act('add-money', { userName, host: 'localhost', amount: 5_000, grantId: userId });
		const details = { method: 'BANK', accountNumber: '123456789', ifsc: 'ABCD0123456', holder: 'A Player' } as const;
		const asked = { amount: 500, details, clientRequestId: freshRequestId() };
		const { id } = await server.result('createWithdrawal', asked, token);
		const path = `/payments/WITHDRAWAL/${id.replace('WITHDRAWAL-', '')}`;
		const [first, second] = [await desk.member('gita', ['payments']), await desk.member('hari', ['payments approver'])];
		for (const page of [first, second]) await page.goto(path);
		await first.getByRole('button', { name: 'Claim', exact: true }).waitFor();
		await first.keyboard.press('k');
		await first.getByText(/^You work at this since/).waitFor();
		// The other page hears of it and offers no decision.
		await second.getByText(/^gita works at this since/).waitFor();
		expect(await second.getByRole('button', { name: /^freeze/i }).isDisabled()).toBe(true);
		await second.goto('/payments');
		await second.getByRole('grid', { name: 'Payment queue' }).getByText('gita').waitFor();
		await second.goto(path);
		await second.getByRole('button', { name: 'Take over …' }).press('Enter');
		const dialog = second.getByRole('dialog', { name: /^Take over/ });
		await dialog.getByRole('button', { name: 'Take over' }).click();
		await dialog.getByText('Give a reason.').waitFor();
		await dialog.getByLabel('Reason').fill('gita went home');
		await dialog.getByRole('button', { name: 'Take over' }).click();
		await second.getByText(/^You work at this since/).waitFor();
		await first.getByText(/^hari works at this since/).waitFor();
		expect(await first.getByRole('button', { name: 'Take over …' }).count()).toBe(0);
		expect(await violationsOf(second)).toEqual([]);
		await second.keyboard.press('l');
		await first.getByRole('button', { name: 'Claim', exact: true }).waitFor();
		for (const page of [first, second]) await page.context().close();
	});
});

/** Fills the one text of a dialog and submits it, and waits until it is gone. */
async function submit(page: Page, name: string | RegExp, button: string, field = 'Reason'): Promise<void> {
	const dialog = page.getByRole('dialog', { name });
	await dialog.getByLabel(field).fill('the operator’s letter');
	if (SEES_EVERY_STATE) expect(await violationsOf(page)).toEqual([]);
	await dialog.getByRole('button', { name: button, exact: true }).click();
	await dialog.waitFor({ state: 'detached' });
}

describe('who is the same person', () => {
	it('is told by a chain of facts, refuted by two members, and said of a member’s own account', {
		tags: 'thorough',
	}, async () => {
		const first = await signUp(server);
		const second = await signUp(server, { mobile: first.mobile });
		const { persons, staffAccounts } = server.running.funds;
		const page = await desk.member('ila', ['owner']);
		await page.goto(`/players/${second.userId}`);
		await page.getByRole('button', { name: 'How is the player related to …' }).click();
		const relation = page.getByRole('dialog', { name: `How ${second.userName} is related to another player` });
		await relation.getByRole('button', { name: 'Show' }).click();
		await relation.getByText('The id is not valid').waitFor();
		await relation.getByLabel('The other player’s id').fill(String(first.userId));
		await relation.getByRole('button', { name: 'Show' }).click();
		await relation.getByText(/: same mobile since /).waitFor();
		expect(await violationsOf(page)).toEqual([]);
		await page.keyboard.press('Escape');
		await page.getByRole('button', { name: 'Refute …' }).click();
		await submit(page, `The mobile shared with ${first.userName} is not ${second.userName}’s`, 'Propose');
		expect(persons.accounts(second.userId)).toEqual([first.userId, second.userId]);

		const other = await desk.member('jaya', ['owner']);
		await other.goto('/results');
		const proposals = other.getByRole('grid', { name: 'Proposals' });
		await proposals.getByRole('row').filter({ hasText: 'fact-refute' }).press('Enter');
		const proposal = other.getByRole('dialog', { name: /^fact-refute/ });
		await proposal.getByRole('button', { name: 'Confirm' }).click();
		await proposal.getByText('applied').waitFor();
		expect(persons.accounts(second.userId)).toEqual([second.userId]);

		await page.goto('/staff');
		await page.getByRole('grid', { name: 'Members' }).getByRole('row').filter({ hasText: 'ila' }).press('Enter');
		const member = page.getByRole('dialog', { name: 'ila' });
		await member.getByLabel('Player’s id').fill(String(second.userId));
		await member.getByRole('button', { name: 'Link this account' }).click();
		await member.getByText(`${second.userName} of localhost`).waitFor();
		expect(staffAccounts.isOwn(second.userId, 'Ila')).toBe(true);
		expect(await violationsOf(page)).toEqual([]);
		await member.getByText('Another member proposes to unlink an account of yours.').waitFor();
		await other.goto('/staff');
		await other.getByRole('grid', { name: 'Members' }).getByRole('row').filter({ hasText: 'ila' }).press('Enter');
		await other.getByRole('button', { name: 'Propose to unlink …' }).click();
		await submit(other, `${second.userName} is not ila’s own`, 'Propose');
		expect(staffAccounts.isOwn(second.userId, 'Ila')).toBe(true);
		for (const one of [page, other]) await one.context().close();
	});
});

it('removes a member by a second press alone, after it has said what that means', { tags: 'thorough' }, async () => {
	await desk.addMember('temp', ['support']);
	const page = await desk.member('zoya', ['owner']);
	await page.goto('/staff');
	await page.getByRole('grid', { name: 'Members' }).getByRole('row').filter({ hasText: 'temp' }).press('Enter');
	await page.getByRole('button', { name: 'Remove temp …' }).click();
	const removal = page.getByRole('dialog', { name: 'Remove temp' });
	await removal.getByText('whose sessions end at once', { exact: false }).waitFor();
	expect(server.running.staff.directory.byName('temp')).not.toBeNull();
	await removal.getByRole('button', { name: 'Remove temp' }).click();
	await removal.waitFor({ state: 'detached' });
	expect(server.running.staff.directory.byName('temp')).toBeNull();
	await page.context().close();
});

describe('a dispute', () => {
	it('is opened about a part, defended by evidence, and ended by two members', { tags: 'thorough' }, async () => {
		const player = await signUp(server);
		const asked = { amount: 400, clientRequestId: freshRequestId() };
		const { orderId } = await server.result('generatePayment', asked, player.token);
		const status = async () => (await server.result('checkPayment', { orderId }, player.token)).status;
		await expect.poll(status).toBe('SUCCESS');
		const [first, second] = [await desk.member('uma', ['owner']), await desk.member('veer', ['owner'])];
		await first.goto(`/payments/PAYMENT/${orderId}`);
		await first.getByRole('button', { name: 'dispute …' }).click();
		await first.getByLabel('Amount, if not all').fill('१५०');
		await first.getByText('150.00', { exact: true }).first().waitFor();
		await first.getByRole('row').filter({ hasText: 'cash → hold' }).filter({ hasText: '150.00' }).first().waitFor();
		await submit(first, `dispute payment ${orderId}`, 'dispute');
		const disputes = first.getByRole('region', { name: 'Disputes' });
		await disputes.getByText('holds 150.00').waitFor();
		await disputes.getByRole('link').click();
		await first.getByRole('button', { name: 'evidence …' }).click();
		await submit(first, /^evidence dispute/, 'evidence', 'Evidence');
		await first.getByRole('region', { name: 'Evidence' }).getByText('the operator’s letter by uma').waitFor();
		await first.getByRole('button', { name: 'won (two persons) …' }).click();
		await submit(first, /^won dispute/, 'won');
		await first.getByText('uma proposed “won”').waitFor();
		expect(server.running.exchange.wallet(player.userId)?.hold).toBe(15_000);
		expect(await violationsOf(first)).toEqual([]);
		await second.goto(first.url());
		await second.getByRole('button', { name: 'won (two persons) …' }).click();
		await submit(second, /^won dispute/, 'won');
		await expect.poll(() => server.running.exchange.wallet(player.userId)?.hold).toBe(0);
		for (const page of [first, second]) await page.context().close();
	});
});

describe('a market’s page', () => {
	it('suspends and resumes a runner by itself, and closes the market only when asked twice', {
		tags: 'thorough',
	}, async () => {
		const { eventId, marketId } = await openTestMatch(server, { title: 'Oman v Qatar' });
		const standing = () => server.running.exchange.market(Number(marketId));
		const page = await desk.member('lata', ['trader']);
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

describe('a result that a feed reports', () => {
	it('leads from Today to its market, where one member confirms what stands there, unless the feed corrects it first', {
		tags: 'thorough',
	}, async () => {
		const match = await openTestMatch(server, { title: 'Fiji v Samoa', source: 'confirmed' });
		const [backer, layer] = [await server.demoPlayer(), await server.demoPlayer()];
		await server.result('placeBetV2', betOn(match, { stake: 100 }), backer.token);
		await server.result('placeBetV2', betOn(match, { side: 'LAY', stake: 100 }), layer.token);
		await match.market.settle({ winners: [1] });
		const status = () => server.running.exchange.market(Number(match.marketId))?.status;
		const page = await desk.member('mina', ['trader']);
		const reported = page.getByRole('region', { name: 'Results that feeds report' });
		await reported.getByText('Fiji v Samoa · Match Odds: Nepal: win').waitFor();
		await reported.getByRole('link', { name: 'Fiji v Samoa · Match Odds' }).click();
		const waits = page.getByRole('region', { name: 'Waits to be confirmed' });
		await waits.getByText('proposed by the feed').waitFor();
		await waits.getByRole('button', { name: 'settle' }).click();
		const dialog = page.getByRole('dialog', { name: `settle · market ${match.marketId}` });
		await dialog.getByText('Proposed by the feed.').waitFor();
		await dialog.getByRole('row').filter({ hasText: 'wins' }).filter({ hasText: '100.00' }).first().waitFor();
		expect(await violationsOf(page)).toEqual([]);
		// The feed corrects itself while the member reads.
		await match.market.settle({ winners: [0] });
		await dialog.getByRole('button', { name: 'Confirm' }).click();
		await dialog.getByRole('alert').waitFor();
		expect(status()).toBe('CLOSED');
		await page.keyboard.press('Escape');
		await waits.getByText('India: win').waitFor();
		await waits.getByRole('button', { name: 'settle' }).click();
		await dialog.getByRole('button', { name: 'Confirm' }).click();
		await expect.poll(status).toBe('SETTLED');
		await dialog.getByText('applied').waitFor();
		await page.keyboard.press('Escape');
		await waits.waitFor({ state: 'detached' });
		expect(server.money(backer)[0]).toBeGreaterThan(20_000);
		await page.goto('/results');
		await page.getByLabel('Only those that wait').uncheck();
		await page.getByText('replaced by a later result of the feed').waitFor();
		await page.context().close();
	});
});

describe('a page that is open', () => {
	it('shows the door when its member is removed, though nothing is pressed', { tags: 'thorough' }, async () => {
		const owner = new ConsoleClient(server.url, CONSOLE_HOST);
		await desk.addMember('lasting', ['owner']);
		await owner.result('log-in', { name: 'lasting', password: PASSWORD });
		// The search repeats no request by itself.
		const page = await desk.member('leaving', ['support']);
		await page.goto('/players');
		await page.getByRole('heading', { name: 'Players' }).waitFor();
		const staffId = String(await desk.addMember('leaving', []));
		await owner.result('staff-remove', { staffId });
		await page.getByRole('heading', { name: 'Backlay console' }).waitFor();
		expect(await page.getByRole('heading', { name: 'Players' }).count()).toBe(0);
		await page.context().close();
	});
});

describe('every screen', () => {
	it('is accessible, fits 1280 and 390 px, and shows markup as text', async () => {
		const { odd, reported, playerId, withdrawal } = await writeMarkupEverywhere();
		const page = await desk.member('reader', ['owner']);
		/** Alarms and approvals are for phones, too. */
		const forPhones = ['/today', '/results', '/postings', '/payments', `/players/${playerId}`, withdrawal];
		forPhones.push(`/markets/${reported.eventId}/${reported.marketId}`, `/desk/${reported.marketId}`);
		const paths = ['/markets', `/markets/${odd.eventId}`, `/markets/${odd.eventId}/${odd.marketId}`, '/players'];
		paths.push(
			`/markets/${odd.eventId}/${odd.marketId}/replay`,
			'/brands',
			'/brands/royal.localhost',
			'/brands/royal.localhost/webhooks',
			'/brands/royal.localhost/messages',
			'/cases',
			'/casino',
			'/bonuses',
			'/reports',
			'/staff',
			'/audit',
			'/significant',
			'/system',
		);
		const shown: string[] = [];
		const [problems, policy]: [string[], string[]] = [[], []];
		page.on('console', (message) => {
			if (message.text().includes('Content Security Policy')) policy.push(message.text());
		});
		for (const path of [...forPhones, ...paths]) {
			await page.setViewportSize({ width: 1280, height: 900 });
			// Nothing of the screen before is there any more.
			await goTo(page, '/nothing-is-here');
			await page.getByRole('heading', { level: 1 }).waitFor({ state: 'hidden' });
			await goTo(page, path);
			await page.getByRole('heading', { level: 1 }).first().waitFor();
			if (path === '/reports')
				for (const closed of ['Books day by day', 'Suspicious matches']) await page.getByText(closed).click();
			await expect.poll(() => page.getByText('Loading …').count(), { timeout: 20_000 }).toBe(0);
			// What stands around the screens is the same for all.
			const part = SEES_EVERY_STATE || path === '/today' ? 'html' : '#content';
			problems.push(...(await violationsOf(page, part)), ...(await sidewaysOf(page)), ...(await injectedOf(page)));
			if ((await page.locator('#content').textContent())?.includes(SCRIPT)) shown.push(path);
			if (path === '/postings') {
				const count = Number.parseInt((await page.getByText(/^\d+ postings/).textContent()) ?? '', 10);
				const file = await savedBy(page, 'Save all pages as CSV');
				expect(file.trim().split('\n').length).toBeGreaterThan(count);
			}
			if (path === '/markets') expect(await savedBy(page)).toContain(`"'${FORMULA.replaceAll('"', '""')}"`);
			await page.setViewportSize({ width: 390, height: 844 });
			problems.push(...(await sidewaysOf(page)));
			if (SEES_EVERY_STATE && forPhones.includes(path)) problems.push(...(await violationsOf(page)));
		}
		expect([...problems, ...policy]).toEqual([]);
		const wanted = ['/today', '/results', `/players/${playerId}`, ...paths.slice(0, 3), '/brands/royal.localhost'];
		expect(shown).toEqual(expect.arrayContaining(wanted));
		await page.context().close();
	}, 240_000);

	it('keeps filter and sort in its address, and its rows are reached by the arrow keys', {
		tags: 'thorough',
	}, async () => {
		const page = await desk.member('keys', ['owner']);
		await page.goto('/brands/royal.localhost?filter=sports&sort=-Setting');
		const rows = page.getByRole('grid', { name: 'Settings' }).getByRole('row');
		const first = rows.nth(1);
		await first.waitFor();
		expect(await page.getByRole('searchbox', { name: 'Filter settings' }).inputValue()).toBe('sports');
		expect(await page.getByRole('columnheader', { name: 'Setting' }).getAttribute('aria-sort')).toBe('descending');
		const fields = await rows.locator('td:first-child').allTextContents();
		expect(fields).toEqual([...fields].sort().reverse());
		await page.getByRole('searchbox', { name: 'Filter settings' }).fill('');
		await page.waitForURL((url) => !url.search.includes('filter'));
		// What the address keeps can be kept under a name.
		await page.goto('/brands/royal.localhost?filter=theme&sort=-Setting');
		await rows.nth(1).waitFor();
		await page.getByRole('button', { name: 'Views' }).click();
		const views = page.getByRole('dialog', { name: 'Saved views' });
		await views.getByLabel('Save this screen').fill('Looks of Royal');
		await views.getByRole('button', { name: 'Save', exact: true }).click();
		await views.getByRole('button', { name: 'Looks of Royal', exact: true }).waitFor();
		expect(await violationsOf(page)).toEqual([]);
		await page.goto('/today');
		await page.getByRole('button', { name: 'Views' }).click();
		await views.getByRole('button', { name: 'Looks of Royal', exact: true }).click();
		await page.waitForURL((url) => url.pathname === '/brands/royal.localhost' && url.search.includes('filter=theme'));
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

	it('shows a brand’s colours as they would be, and what is no colour not at all', { tags: 'thorough' }, async () => {
		const page = await desk.member('painter', ['owner']);
		await page.goto('/brands/royal.localhost?filter=accent');
		await page.getByRole('row').filter({ hasText: 'for the accent' }).press('Enter');
		const dialog = page.getByRole('dialog', { name: 'Colours' });
		const button = dialog.getByRole('region', { name: 'Preview' }).getByText('Place bet');
		const colour = () => button.evaluate((element) => getComputedStyle(element).backgroundColor);
		await button.waitFor();
		const before = await colour();
		await dialog.getByLabel('brand', { exact: true }).fill('#102030');
		await expect.poll(colour).toBe('rgb(16, 32, 48)');
		expect(await violationsOf(page)).toEqual([]);
		await dialog.getByLabel('brand', { exact: true }).fill('url(//evil.example)');
		await expect.poll(colour).toBe(before);
		await dialog.getByLabel('brand', { exact: true }).fill('#f0f0f0');
		await dialog.getByText(/on-brand on brand has a contrast of 1\.\d\d in the light theme/).waitFor();
		expect(await dialog.getByRole('button', { name: 'Put into the draft' }).isDisabled()).toBe(true);
		expect(server.running.brands.byHost('royal.localhost')?.setting.themeTokens).not.toMatchObject({
			brand: '#102030',
		});
		await page.context().close();
	});

	it('is shown in no frame, to no brand, and takes no request of another page', { tags: 'thorough' }, async () => {
		const answer = await fetch(`${server.url}/staff`);
		expect(await answer.text()).not.toContain('Backlay console');
		const page = await desk.member('framed', ['owner']);
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
