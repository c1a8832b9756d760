/**
 * What compliance does in the console: cases, and players' persons.
 *
 * @module-tag thorough
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { arrangeLosses, newPair } from '../support/arranged-matches.ts';
import { betOn, openTestMatch } from '../support/match.ts';
import { TestServer } from '../support/server.ts';
import { signUp } from '../support/sign-up.ts';
import { goTo } from './browser.ts';
import { CONSOLE_HOST, Desk } from './desk.ts';
import { findings } from './fine-screen.ts';

let server: TestServer;
let desk: Desk;
beforeAll(async () => {
	server = await TestServer.start(undefined, { consoleHost: CONSOLE_HOST });
	desk = await Desk.open(server);
});
afterAll(async () => {
	await desk?.close();
	await server?.dispose();
});

it('opens a case, looks at its evidence, freezes a player, and decides it with a second member', async () => {
	const pair = await newPair(server);
	await arrangeLosses(server, pair, 3);
	await server.running.caseSweep.look();
	const page = await desk.member('asha', ['compliance'], 1440);
	await page.getByRole('link', { name: /^Cases 1/ }).click();
	const cases = page.getByRole('grid', { name: 'Open cases' });
	expect(await findings(page)).toEqual([]);
	await cases.getByRole('row').nth(1).press('Enter');
	await page.getByRole('heading', { name: /^Off-market pair, case/ }).waitFor();
	await page.getByRole('button', { name: 'Take it over' }).click();
	await page.getByText('Owned by asha').waitFor();
	await page.getByLabel('Note, which is never changed').fill('<img src=x onerror=alert(1)>');
	await page.getByRole('button', { name: 'Add the note' }).click();
	await page.getByText('<img src=x onerror=alert(1)>').waitFor();
	await page.getByRole('button', { name: `Freeze ${pair.other.userName} …` }).click();
	await page.getByLabel('Reason').fill('chips were dumped');
	await page.getByRole('button', { name: 'Freeze', exact: true }).click();
	await expect.poll(() => server.running.funds.protection.of(pair.other.userId).frozen).toMatch(/^Case \d+: chips/);
	const propose = async () => {
		await page.getByRole('button', { name: 'Propose a decision …' }).click();
		await page.getByLabel('Decision', { exact: true }).selectOption('REPORTED');
		await page.getByLabel('Reason').fill('told to the authority');
	};
	await propose();
	// What is noted behind the dialog has not been read.
	await server.act('case-note', { caseId: new URL(page.url()).pathname.split('/').at(-1), note: 'They have moved.' });
	await page.getByText('They have moved.').waitFor();
	await page.getByRole('button', { name: 'Propose', exact: true }).click();
	await page.getByText('Something was written since you opened this dialog', { exact: false }).waitFor();
	await page.keyboard.press('Escape');
	await propose();
	await page.getByRole('button', { name: 'Propose', exact: true }).click();
	await page.getByText('confirm it under Proposals').waitFor();
	expect(await findings(page)).toEqual([]);

	const other = await desk.member('bala', ['compliance'], 390);
	await other.goto('/results');
	await other.getByRole('grid', { name: 'Proposals' }).getByRole('row').nth(1).press('Enter');
	await other.getByRole('button', { name: 'Confirm' }).click();
	await page.getByText('bala decided').waitFor();
	const [download] = await Promise.all([
		page.waitForEvent('download'),
		page.getByRole('button', { name: 'Export' }).click(),
	]);
	const digest = createHash('sha256')
		.update(await readFile(await download.path()))
		.digest('hex');
	const { rows } = await server.database.db.query(`select details from journal where act = 'CASE_EXPORTED'`);
	expect(rows).toEqual([{ details: { sha256: digest } }]);
	await page.getByRole('grid', { name: 'Evidence' }).getByRole('row').nth(1).press('Enter');
	await page
		.getByText(/^Bet \d+: back India/)
		.first()
		.waitFor();
});

it('closes an account and erases the person after both members have read what goes and what stays', {
	tags: 'thorough',
}, async () => {
	const player = await signUp(server);
	const page = await desk.member('chitra', ['compliance'], 390);
	await page.goto(`/players/${player.userId}`);
	await page.getByRole('button', { name: 'Erase the person …' }).click();
	await page.getByRole('button', { name: 'Show what goes and what stays' }).click();
	await page.getByText('The account is not closed. Close it first.').waitFor();
	await page.getByRole('button', { name: 'Close', exact: true }).click();
	await page.getByRole('button', { name: 'Close the account …' }).click();
	await page.getByLabel('Reason').fill('asked for by letter');
	await page.getByRole('button', { name: 'close the account', exact: true }).click();
	await page.getByText(/^closed/).waitFor();
	await page.getByRole('button', { name: 'Erase the person …' }).click();
	await page.getByRole('button', { name: 'Show what goes and what stays' }).click();
	await page.getByText('Log-ins, tries to log in', { exact: false }).waitFor();
	expect(await findings(page)).toEqual([]);
	await page.getByLabel('Reason').fill('asked for by letter');
	await page.getByRole('button', { name: 'Propose', exact: true }).click();

	const other = await desk.member('bala', ['compliance']);
	await other.goto('/results');
	await other.getByRole('grid', { name: 'Proposals' }).getByRole('row').nth(1).press('Enter');
	await other.getByRole('dialog').getByText('The ledger stays under the player’s number', { exact: false }).waitFor();
	await other.getByRole('button', { name: 'Confirm' }).click();
	await page.getByRole('heading', { name: `${player.userId} (erased)` }).waitFor();
});

it('limits the bets of a player in one sport', { tags: 'thorough' }, async () => {
	const player = await signUp(server);
	const page = await desk.member('asha', ['compliance']);
	await page.goto(`/players/${player.userId}`);
	await page.getByRole('button', { name: 'Limit Cricket …' }).click();
	await page.getByLabel('Largest stake; empty for none').fill('100');
	await page.getByRole('button', { name: 'Set the limits' }).click();
	await page.getByText('at most stake 100.00 a bet', { exact: false }).waitFor();
	await page.getByRole('button', { name: 'Limit Cricket …' }).click();
	expect(await page.getByLabel('Largest stake; empty for none').inputValue()).toBe('100');
	await page.keyboard.press('Escape');
	const match = await openTestMatch(server);
	const refused = await server.call('placeBetV2', betOn(match, { stake: 101 }), player.token);
	expect(refused.code).toBe('STAKE_TOO_LARGE');
});

it('changes one limit of a player and takes one away, and leaves the third as it stands', {
	tags: 'thorough',
}, async () => {
	const { userId } = await signUp(server);
	const limits = { maxStake: 500, maxProfit: 900.5, maxExposure: 2000 };
	await server.act('player-limits', { playerId: String(userId), ...limits });
	const page = await desk.member('asha', ['compliance']);
	await goTo(page, `/players/${userId}`);
	await page.getByRole('button', { name: 'Limits …' }).click();
	expect(await page.getByLabel('Largest profit of a bet; empty for none').inputValue()).toBe('900.50');
	await page.getByLabel('Largest stake; empty for none').fill('');
	await page.getByLabel('Largest exposure; empty for none').fill('3000');
	await page.getByRole('button', { name: 'limits', exact: true }).click();
	await page.getByRole('dialog').waitFor({ state: 'detached' });
	const set = server.running.exchange.wallet(userId)?.limits;
	expect(set).toEqual({ maxStake: 0, maxProfit: 90_050, maxExposure: 300_000 });
});

it('says where a player could not be unfrozen', { tags: 'thorough' }, async () => {
	const { userId } = await signUp(server);
	await server.act('player-freeze', { playerId: String(userId), reason: 'chips were dumped' });
	const page = await desk.member('asha', ['compliance']);
	await goTo(page, `/players/${userId}`);
	const unfreeze = page.getByRole('button', { name: 'Unfreeze' });
	await page.route('**/api/player-freeze', (route) => route.abort());
	await unfreeze.click();
	await page.getByText('The server does not answer.', { exact: false }).waitFor();
	await page.unroute('**/api/player-freeze');
	await unfreeze.click();
	await unfreeze.waitFor({ state: 'detached' });
	expect(server.running.funds.protection.of(userId).frozen).toBeNull();
});
