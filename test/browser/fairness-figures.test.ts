/** The public page of the games' figures: for a visitor, computed in the browser. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestServer } from '../support/server.ts';
import { Table } from '../support/tables.ts';
import { expectFineInBothThemes, expectReachable } from './fine-screen.ts';
import { Scene } from './scene.ts';

const ROUNDS = 2;

let scene: Scene;
beforeAll(async () => {
	const server = await TestServer.start(undefined, { tableSpeed: 24 });
	scene = await Scene.open(server);
	await new Table(server, 'dragon-tiger').reached('BETTING', ROUNDS);
	await server.running.publicLog.append();
	await server.running.casino.tallies.count();
});
afterAll(() => scene?.close());

it('a visitor sees returns with their bands, and computes the last rounds from the public log', async () => {
	const page = await scene.visitor('phone');
	const files: string[] = [];
	page.on('request', (request) => files.push(new URL(request.url()).pathname));
	await page.goto('/fairness');
	expect(files.filter((file) => /uplot|return-plot|figures/i.test(file))).toEqual([]);
	await page.getByRole('link', { name: 'Fairness in figures' }).click();
	const game = page.getByRole('region', { name: 'Dragon Tiger' });
	await game.locator('.uplot canvas').waitFor();
	await game.getByText(/^Figures of 12 bets$/).click();
	const row = game.getByRole('row', { name: /^Suited tie/ });
	expect(await row.innerText()).toContain('86.02%');
	expect(files.some((file) => file.startsWith('/public-log/'))).toBe(false);
	await game.getByRole('button', { name: /^Verify the last \d+ rounds in this browser$/ }).click();
	const marks = () => game.locator('.proof-mark').allInnerTexts();
	await expect
		.poll(marks)
		.toEqual([
			expect.stringMatching(/^✓ \d+ rounds in the signed log$/),
			expect.stringMatching(/^✓ \d+ hashes of the announced chain$/),
			expect.stringMatching(/^✓ \d+ results as computed here$/),
		]);
	await expectReachable(page);
	await expectFineInBothThemes(page, 'phone');
});
