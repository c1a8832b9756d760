/**
 * The public page of the games' figures: for a visitor, computed in the browser.
 *
 * @module-tag thorough
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CALLS } from '#contract/registry.ts';
import { bearer, TestServer } from '../support/server.ts';
import { Table } from '../support/tables.ts';
import { expectFineInBothThemes, expectReachable } from './fine-screen.ts';
import { Scene } from './scene.ts';

const ROUNDS = 2;

let scene: Scene;
beforeAll(async () => {
	const server = await TestServer.start(undefined, { tableSpeed: 24 });
	scene = await Scene.open(server);
	await new Table(server, 'dragon-tiger').reached('BETTING', ROUNDS);
	// A chain that begins later, after one that was left.
	await server.database.db.query(
		`insert into game_chain select (jsonb_populate_record(
			chain, '{ "number": 1000, "first_round": 10001, "replaced": "LATE", "is_logged": false }'
		)).* from game_chain as chain where game = 'dragon-tiger' order by number limit 1`,
	);
	await server.running.publicLog.append();
	await server.running.casino.tallies.count();
});
afterAll(() => scene?.close());

it('a visitor sees returns with their bands, and computes the last rounds from the public log', {
	tags: 'thorough',
}, async () => {
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
	await game.getByText('It is announced, and comes into use when the one before it has ended.').waitFor();
	await game
		.getByText('1 chain was left before the end: the salt was out before the log had the announcement.')
		.waitFor();
	expect(files.some((file) => file.startsWith('/public-log/'))).toBe(false);
	await game.getByRole('button', { name: /^Verify the last \d+ rounds in this browser$/ }).click();
	const marks = () => game.locator('.proof-mark').allInnerTexts();
	await expect
		.poll(marks)
		.toEqual([
			expect.stringMatching(/^✓ \d+ rounds in the signed log$/),
			expect.stringMatching(/^✓ \d+ hashes of the announced chain$/),
			expect.stringMatching(/^✓ \d+ rounds with the beacon’s value that was announced, if any$/),
			expect.stringMatching(/^✓ \d+ results as computed here$/),
		]);
	await expectReachable(page);
	await expectFineInBothThemes(page, 'phone');
});

it('comes with the files of its screen, which no other page names, and asks once for its figures', async () => {
	const page = await scene.visitor('phone');
	const files = async (path: string) => (await page.goto(path))?.text();
	expect(await files('/fairness')).not.toContain('figures-screen');
	let asked = 0;
	page.on('request', (request) => {
		if (request.url().includes(CALLS.getFairness.path)) asked++;
	});
	expect(await files('/fairness-figures')).toContain('figures-screen');
	await page.locator('.uplot canvas').first().waitFor();
	expect(asked).toBe(1);
});

it('a visitor computes a shared round with its beacon, and checks a receipt', async () => {
	const { server } = scene;
	const page = await scene.visitor('phone');
	await page.goto('/fairness?table=dragon-tiger&number=1');
	const marks = () => page.locator('.proof-mark').allInnerTexts();
	await expect
		.poll(marks)
		.toEqual([
			'✓ The hashes are linked',
			'✓ The beacon signed this value',
			expect.stringMatching(/^✓ The chain’s salt is the beacon’s value \d+, from after the chain was announced$/),
			expect.stringMatching(/^✓ /),
		]);
	expect(await page.locator('.proof-warning').innerText()).toContain('its beacon is the house’s own');

	const { token } = await server.demoGambler();
	const bet = { game: 'dice', bets: [{ bet: 'under-4850', stake: 10 }], clientRequestId: 'dice-with-receipt-1' };
	const headers = { ...bearer(token), 'X-Receipt': 'yes' };
	const answer = await server.post(CALLS.playRound.path, JSON.stringify(bet), headers);
	const { result } = (await answer.json()) as { result: object };
	await page.getByText('Check a receipt').click();
	await page.getByLabel('Receipt (the X-Receipt of the answer)').fill(answer.headers.get('x-receipt') ?? '');
	await page.getByLabel('Result of the answer, as JSON (may be left out)').fill(JSON.stringify(result));
	await page.getByRole('button', { name: 'Check the receipt' }).click();
	await page.getByText('✓ The house signed this receipt for this result').waitFor();
	await page.getByText(/^playRound, request dice-with-receipt-1: durable by /).waitFor();
	await page.getByLabel('Result of the answer, as JSON (may be left out)').fill('{"payout":1000000}');
	await page.getByRole('button', { name: 'Check the receipt' }).click();
	await page.getByText('✗ This is no receipt of the house: The receipt is of another answer.').waitFor();
	await expectFineInBothThemes(page, 'phone');
});
