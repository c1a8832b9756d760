/**
 * A withdrawal pending its player's identity: the document as the player sends it, and as a member of staff decides.
 * @module-tag thorough
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freshRequestId } from '../support/match.ts';
import { receiptPicture } from '../support/receipt.ts';
import { TestServer } from '../support/server.ts';
import { CONSOLE_HOST, Desk } from './desk.ts';
import { expectFineInBothThemes, expectReachable } from './fine-screen.ts';
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

it('a document is sent on a phone, rejected with its reason, sent again and accepted, and the withdrawal goes on', async () => {
	const { server } = scene;
	await server.act('brand-set', {
		host: 'localhost',
		field: 'funds.identity',
		value: JSON.stringify({ atFirstWithdrawal: true }),
	});
	const { page, ...player } = await scene.member('phone');
	await server.act('add-money', {
		userName: player.userName,
		host: 'localhost',
		amount: 5_000,
		grantId: player.userId,
	});
	const details = { method: 'UPI', upiId: 'player@bank' } as const;
	await server.result('createWithdrawal', { amount: 500, details, clientRequestId: freshRequestId() }, player.token);
	await page.goto('/dwrequests');
	await page.getByText('Waiting for verification').first().waitFor();
	await page.getByRole('link', { name: 'Verify your identity' }).tap();
	await page.getByText('A withdrawal of ₹500 waits for it, because it is your first withdrawal.').waitFor();
	await page.getByLabel('Take a photo').waitFor();
	await page.getByRole('button', { name: 'Send the document' }).tap();
	await page.getByText('Add a picture of the document.').waitFor();
	await expectFineInBothThemes(page, 'phone');
	const send = async (number: string) => {
		await page.getByRole('combobox', { name: /^Document/ }).selectOption('Driving licence');
		await page.getByLabel('Number of the document').fill(number);
		const buffer = await receiptPicture({ amount: '1', utr: number, isDark: false });
		for (const name of ['front.png', 'back.png'])
			await page.getByLabel('Choose a picture').setInputFiles({ name, mimeType: 'image/png', buffer });
		await page.getByRole('button', { name: 'Remove picture 2' }).waitFor();
		await page.getByRole('button', { name: 'Send the document' }).tap();
		await page.getByText('Our staff look at your document.', { exact: false }).waitFor();
	};
	await send('MH12 20110012345');
	await expectReachable(page);

	const reviewer = await desk.member('nila', ['compliance']);
	await reviewer.getByRole('link', { name: 'Documents' }).click();
	const open = async () => {
		const row = reviewer.getByRole('grid', { name: 'Documents that wait' }).getByRole('row').nth(1);
		// Sooner than a screen asks by itself: the server says that the queue changed.
		await row.waitFor();
		await row.press('Enter');
		const dialog = reviewer.getByRole('dialog', { name: /^driving licence/i });
		await dialog.getByAltText('The document, side 2').waitFor();
		return dialog;
	};
	const blurred = await open();
	await blurred.getByText('MH1220110012345').waitFor();
	await blurred.getByRole('button', { name: 'Reject' }).click();
	await blurred.getByText('Give a reason.').waitFor();
	await blurred.getByLabel('Reason, which the player reads').fill('The picture is blurred.');
	await blurred.getByRole('button', { name: 'Reject' }).click();
	// The player's page hears of it.
	await page.getByText('Reason: The picture is blurred.').waitFor();
	await send('MH12 20110012346');
	const sharp = await open();
	await sharp.getByLabel('Age, as the document says').fill('17');
	await sharp.getByRole('button', { name: 'Accept' }).click();
	await sharp.getByText('This player is not of age.').waitFor();
	await sharp.getByLabel('Age, as the document says').fill('34');
	await sharp.getByRole('button', { name: 'Accept' }).click();
	await page.getByText(/^You were verified on/).waitFor();
	await expectFineInBothThemes(page, 'phone');
	const { items } = await server.result('getDepositWithdrawals', { type: 'WITHDRAWAL' }, player.token);
	expect(items.map(({ status }) => status)).toEqual([expect.stringMatching(/^(REQUESTED|APPROVED|PROCESSING|PAID)$/)]);
	await reviewer.goto(`/players/${player.userId}`);
	const documents = reviewer.getByRole('region', { name: 'Identity documents' });
	await expect.poll(() => documents.getByRole('listitem').count()).toBe(2);
	await documents.getByRole('button', { name: 'Look at it …' }).first().click();
	await reviewer.getByRole('dialog').getByAltText('The document, side 1').waitFor();
});
