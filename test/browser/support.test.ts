/**
 * What a player writes and the staff answer, and what they do from the player's page, each at a browser of their own.
 *
 * @module-tag thorough
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { betOn, freshRequestId } from '../support/match.ts';
import { TestServer } from '../support/server.ts';
import { signUp } from '../support/sign-up.ts';
import { goTo } from './browser.ts';
import { CONSOLE_HOST, Desk } from './desk.ts';
import { expectFine, expectFineInBothThemes, expectReachable } from './fine-screen.ts';
import { Scene } from './scene.ts';

let scene: Scene;
let desk: Desk;
beforeAll(async () => {
	scene = await Scene.open(await TestServer.start(undefined, { consoleHost: CONSOLE_HOST }));
	desk = await Desk.open(scene.server);
});
afterAll(async () => {
	await desk?.close();
	await scene?.close();
});

it('is sent about a bet, answered with where its money is, read with its count, and closed', async () => {
	const match = await scene.match();
	const { page, ...player } = await scene.member('phone');
	const { betId } = await scene.server.result('placeBetV2', betOn(match), player.token);
	await page.goto(`/messages?about=bet-${betId}`);
	await page.getByText(`About bet ${betId}`).waitFor();
	await page.getByRole('combobox', { name: 'What is it?' }).selectOption('A complaint');
	await page.getByLabel('In a few words').fill('<script>document.title = "stolen"</script>');
	await page.getByRole('button', { name: 'Send' }).tap();
	await page.getByText('Write a message.').waitFor();
	await page.getByLabel('Your message').fill('My bet.\n\nWhere is its money?');
	await expectFineInBothThemes(page, 'phone');
	await page.getByRole('button', { name: 'Send' }).tap();
	await page.getByText('We close your complaint by', { exact: false }).waitFor();

	const agent = await desk.member('asha', ['support']);
	await agent.getByRole('link', { name: /^Messages 1/ }).click();
	await agent.getByRole('grid', { name: 'Open messages' }).getByRole('row').nth(1).press('Enter');
	await agent.getByRole('button', { name: 'Assign to me' }).click();
	await agent.getByText('Assigned to asha').waitFor();
	await agent.getByRole('button', { name: `Insert where the money of bet ${betId} is` }).click();
	const draft = agent.getByLabel('Answer, which is never changed');
	await expect.poll(() => draft.inputValue()).toContain(`Bet ${betId}: back India`);
	await agent.getByRole('button', { name: 'Answer and close' }).click();

	// The open page hears of the answer, and says so to the server.
	await page.getByText(`Bet ${betId}: back India`, { exact: false }).waitFor();
	await page.getByText('This conversation is closed.').waitFor();
	await expectReachable(page);
	await agent.getByText('not read yet').waitFor({ state: 'hidden' });
	await agent.getByRole('button', { name: 'Reopen …' }).waitFor();
	expect(await page.title()).not.toBe('stolen');

	// A message to the player, whose page elsewhere shows a count.
	await page.goto('/settings');
	await agent.getByRole('link', { name: player.userName }).click();
	await agent.getByRole('button', { name: 'Write to the player …' }).click();
	await agent.getByLabel('In a few words').fill('Your documents');
	await agent.getByLabel('Message', { exact: true }).fill('Please send a sharper picture.');
	await agent.getByRole('button', { name: 'Send' }).click();
	await page.getByRole('button', { name: /, 1 unread$/ }).tap();
	await page.getByRole('link', { name: /^Messages/ }).tap();
	await page.getByRole('link', { name: /^Your documents/ }).tap();
	await page.getByText('Please send a sharper picture.').waitFor();
	await page.getByRole('button', { name: /^Account: [^,]+$/ }).waitFor();
});

it('is not closed over a message that came behind the dialog, which nobody has read', {
	tags: 'thorough',
}, async () => {
	const { token, userId } = await signUp(scene.server);
	const { id: ticketId } = await scene.server.result(
		'openTicket',
		{ kind: 'MESSAGE', topic: 'My card', text: 'It does not work.', clientRequestId: freshRequestId() },
		token,
	);
	const agent = await desk.member('chitra', ['support']);
	await goTo(agent, `/messages/${userId}/${ticketId}`);
	const open = () => agent.getByRole('button', { name: 'Close …' }).click();
	const close = agent.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).last();
	await open();
	await agent.getByLabel('Reason, for the journal').fill('It works again.');
	await scene.server.result(
		'writeTicket',
		{ ticketId, text: 'Nor the other.', clientRequestId: freshRequestId() },
		token,
	);
	await agent.getByText('Nor the other.').waitFor();
	await close.click();
	await agent.getByText('Something was written since you opened this dialog', { exact: false }).waitFor();
	await agent.keyboard.press('Escape');
	await open();
	await agent.getByLabel('Reason, for the journal').fill('Both work again.');
	await close.click();
	await agent.getByRole('button', { name: 'Reopen …' }).waitFor();
});

it('the player’s page has tags, closes a sport and ends all log-ins, of which the player’s own page hears', {
	tags: 'thorough',
}, async () => {
	const { page, ...player } = await scene.member('phone');
	await page.goto('/messages');
	await page.getByRole('button', { name: 'Write to us' }).waitFor();
	const member = await desk.member('bala', ['support', 'risk']);
	await member.goto(`/players/${player.userId}`);
	const tags = member.getByRole('region', { name: 'Tags' });
	await tags.getByLabel('New tag').fill('VIP');
	await tags.getByRole('button', { name: 'Add' }).click();
	await tags.getByRole('link', { name: 'vip' }).waitFor();
	await member.getByRole('button', { name: 'Close Tennis' }).click();
	await member.getByRole('button', { name: 'Open Tennis' }).waitFor();
	await member.getByRole('button', { name: 'End all log-ins …' }).click();
	await member.getByLabel('Reason').fill('a lost phone');
	await member.getByRole('button', { name: 'End', exact: true }).click();
	await member.getByText('The player is logged in nowhere.').waitFor();
	await page.waitForURL('**/auth/login');
});

it('stands on pages that name the version of the program: the menu of the site and the rail of the console, like the server', {
	tags: 'thorough',
}, async () => {
	const { version } = (await (await fetch(`${scene.server.url}/ready`)).json()) as { version: string };
	expect(version).toMatch(/^\d+\.\d+\.\d+\+[0-9a-f]{12}$/);
	const page = await scene.visitor('phone');
	await page.goto('/matchlist/3');
	await page.getByRole('button', { name: 'Menu' }).tap();
	await page.getByText(`Version ${version}`).waitFor();
	await expectFine(page, 'phone');
	const member = await desk.member('asha', ['support']);
	await member.getByText(`Version ${version}`).waitFor();
});
