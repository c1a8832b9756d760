/**
 * Account → Proof: the player's browser checks the own money, keeps the proof, and names what a dishonest house shows.
 *
 * @module-tag thorough
 */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkWalletProof } from '#public-log/wallet-proof.ts';
import { HOUR_MS } from '#values/time.ts';
import { dayOf, dayStart, HOME_ZONE } from '#values/zoned-calendar.ts';
import type { SavedProof } from '#web/features/proof/check-wallet.ts';
import { betOn } from '../support/match.ts';
import { expectFineInBothThemes, expectReachable } from './fine-screen.ts';
import { Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
	scene = await Scene.open();
});
afterAll(() => scene?.close());

it('a player checks with the keyboard, saves the proof, and sees where the house shows another', async () => {
	const { server } = scene;
	const match = await scene.match();
	const { page, ...player } = await scene.member('phone');
	await server.result('placeBetV2', betOn(match, { price: 3, stake: 250 }), player.token);
	const marks = () => page.locator('.proof-mark').allInnerTexts();
	await page.goto('/proof');
	const check = page.getByRole('button', { name: 'Check in this browser' });
	await check.press('Enter');
	await page.getByText('There is no proof of your money yet', { exact: false }).waitFor();

	await server.running.sumTrees.makeDue(dayStart(dayOf(Date.now(), HOME_ZONE) + 1, HOME_ZONE) + 2 * HOUR_MS);
	await server.running.publicLog.append();
	await check.press('Enter');
	await expect
		.poll(marks)
		.toEqual([
			'✓ All 4 parts are yours, and no other player’s',
			'✓ Each part is in the sum, and no amount on the way is below zero',
			'✓ The public log has this sum, and the house signed it',
		]);
	const own = page.getByRole('region', { name: `The money of ${player.userName} (${player.userId}) at localhost` });
	expect(await own.innerText()).toMatch(/Held\s+₹250\b/);
	await expectReachable(page);
	await expectFineInBothThemes(page, 'phone');

	const [download] = await Promise.all([
		page.waitForEvent('download'),
		page.getByRole('button', { name: 'Save the proof' }).click(),
	]);
	const saved = JSON.parse((await readFile(await download.path(), 'utf8')).replace('\ufeff', '')) as SavedProof;
	const offline = checkWalletProof(saved.proof, saved.key, saved);
	expect(offline).toMatchObject({ isOwn: true, isUnderRoot: true, isLogged: true, money: { held: 250_00 } });

	await page.route('**/Account/GetWalletProof', async (route) => {
		const answer = await route.fetch();
		const text = (await answer.text()).replaceAll('\\"player\\":', '\\"player\\":1');
		await route.fulfill({ response: answer, body: text });
	});
	await check.press('Enter');
	await page.getByRole('alert').getByText('It is evidence against the house', { exact: false }).waitFor();
	await expect.poll(async () => (await marks()).map((mark) => mark[0])).toEqual(['✗', '✗', '✓']);
});
