/**
 * What the screen of a game promises before the first round, and what its picture shows of a result: no more than its bets pay,
 * and the outcome that was drawn, lost rounds too.
 *
 * @module-tag thorough
 */
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { ResultOf } from '#contract/call.ts';
import type { Calls } from '#contract/registry.ts';
import { GAMES } from '#games/all-games.ts';
import { type Card, cardName } from '#games/cards.ts';
import { MOST_CENTS } from '#games/crash/flight.ts';
import { compare, hundredths, NONE, toNumber } from '#games/fraction.ts';
import type { Game } from '#games/game.ts';
import { WHEELS } from '#games/instant/wheel.ts';
import { MINES_FIELDS, minesBet } from '#games/turns/mines.ts';
import { goTo } from './browser.ts';
import { Scene, type Seat } from './scene.ts';

type Played = ResultOf<Calls['getRounds']>['items'][number];

let scene: Scene;
beforeAll(async () => {
	scene = await Scene.open();
});
afterAll(() => scene?.close());
afterEach(() => scene?.leave());

/** Rounds of one game. */
const ROUNDS = 3;
/** The angle of one of the wheel's twenty segments. */
const SLICE = 360 / WHEELS.low.length;

const rounds = async ({ token }: Seat, game: string): Promise<Played[]> =>
	(await scene.server.result('getRounds', { game }, token)).items;

const placesWith = (page: Page, css: string, attribute: string): Promise<number[]> =>
	page
		.locator(css)
		.evaluateAll((all, name) => all.flatMap((one, place) => (one.hasAttribute(name) ? [place] : [])), attribute);

interface Picture {
	/** What the picture shows. */
	seen: (page: Page) => Promise<unknown>;
	/** What it has to show of the outcome, worked out here. */
	drawn: (outcome: unknown) => unknown;
	choose?: (page: Page) => Promise<void>;
}

const decimals = (hundredth: number, digits: number): string =>
	`${String(Math.floor(hundredth / 100)).padStart(digits, '0')}.${String(hundredth % 100).padStart(2, '0')}`;

const PICTURES: Readonly<Record<string, Picture>> = {
	'coin-flip': {
		seen: (page) => page.locator('.coin').getAttribute('data-side'),
		drawn: (outcome) => outcome,
	},
	dice: {
		seen: (page) => page.locator('.dice-mark').innerText(),
		drawn: (outcome) => decimals(Number(outcome), 2),
	},
	limbo: {
		seen: async (page) => (await page.locator('.limbo-number').innerText()).replaceAll(',', ''),
		drawn: (outcome) => `${decimals(Number(outcome), 1)}x`,
	},
	wheel: {
		seen: async (page) => {
			const turned = await page.locator('.wheel-turning').evaluate((wheel: SVGElement) => wheel.style.transform);
			const angle = Number(/rotate\((-?[\d.]+)deg\)/.exec(turned)?.[1] ?? Number.NaN);
			const segment = Math.round((((-angle % 360) + 360) % 360) / SLICE) % WHEELS.low.length;
			return [segment, await page.locator('.wheel-paid').textContent()];
		},
		drawn: (outcome) => [outcome, `${decimals(WHEELS.low[Number(outcome)] ?? 0, 1)}x`],
	},
	plinko: {
		seen: (page) => placesWith(page, '.plinko-slots li', 'data-reached'),
		// Each step to the right is a slot further on; the board has twelve rows at first.
		drawn: (outcome) => [(outcome as number[]).slice(0, 12).filter((step) => step === 1).length],
	},
	keno: {
		choose: async (page) => {
			for (const number of ['7', '21', '40']) await page.getByRole('button', { name: number, exact: true }).click();
		},
		seen: async (page) => (await placesWith(page, '.keno-number', 'data-drawn')).map((place) => place + 1),
		drawn: (outcome) => [...(outcome as number[])].sort((one, other) => one - other),
	},
};

it('the picture of a round is the outcome that was drawn, won or lost', async () => {
	const player = await scene.player('phone');
	const { page } = player;
	await page.goto('/casino');
	let lost = 0;
	for (const [game, { seen, drawn, choose }] of Object.entries(PICTURES)) {
		await goTo(page, `/casino/${game}`);
		await choose?.(page);
		for (let count = 1; count <= ROUNDS; count++) {
			await page.getByRole('button', { name: 'Bet ₹100' }).click();
			await expect.poll(async () => (await rounds(player, game)).length).toBe(count);
			const [round] = await rounds(player, game);
			await expect.poll(() => seen(page), { message: `${game}: ${round?.result}` }).toEqual(drawn(round?.outcome));
			if (round?.payout === 0) lost++;
		}
	}
	// Fifteen of eighteen pictures are of rounds that lose about every second time.
	expect(lost).toBeGreaterThan(0);
});

/** Presses what is there until the round has ended. A press on a button that has just changed does nothing. */
async function endedBy(player: Seat, game: string, button: Locator): Promise<Played> {
	const state = async (): Promise<string | undefined> => {
		if (await button.isEnabled({ timeout: 100 }).catch(() => false))
			await button.click({ timeout: 1_000 }).catch(() => 0);
		return (await rounds(player, game))[0]?.state;
	};
	await expect.poll(state).toBe('SETTLED');
	return (await rounds(player, game))[0] as Played;
}

it('the mines that a round ends with are those that were drawn', async () => {
	const player = await scene.player('phone');
	const { page } = player;
	await page.goto('/casino/mines');
	await page.getByRole('button', { name: 'Bet ₹100' }).click();
	await page.getByRole('button', { name: /^Field 1,/ }).click();
	const ended = page.locator('.mines-field[data-face="mine"], .mines-field[data-face="hit"]');
	const { outcome } = await endedBy(player, 'mines', page.getByRole('button', { name: /^Cash out/ }));
	await expect.poll(() => ended.count()).toBe(3);
	const faces = await page
		.locator('.mines-field')
		.evaluateAll((fields) => fields.map((field) => field.getAttribute('data-face')));
	expect(faces).toHaveLength(MINES_FIELDS);
	const mines = faces.flatMap((face, field) => (face === 'mine' || face === 'hit' ? [field] : []));
	expect(mines).toEqual([...(outcome as number[])].sort((one, other) => one - other));
});

it('the cards of a round are those that were drawn, in their order', async () => {
	const player = await scene.player('phone');
	const { page } = player;
	const names = () => page.locator('.game-stage .card .unseen').allTextContents();
	const begin = page.getByRole('button', { name: 'Bet ₹100' });
	await page.goto('/casino/hi-lo');
	await begin.click();
	await page.locator('.hi-lo-guesses button:not([aria-disabled])').first().click();
	await expect.poll(async () => (await names()).length).toBe(2);
	const guessed = await endedBy(player, 'hi-lo', page.getByRole('button', { name: /^Cash out/ }));
	expect(await names()).toEqual((guessed.outcome as Card[]).slice(0, 2).map(cardName));

	await goTo(page, '/casino/blackjack');
	await begin.click();
	const { outcome } = await endedBy(player, 'blackjack', page.getByRole('button', { name: 'Stand' }));
	const [first, up, second, ...later] = outcome as Card[];
	// The dealer's hand is above; the player has two cards.
	await expect
		.poll(async () => (await names()).slice(-2))
		.toEqual([first, second].map((card) => cardName(card as Card)));
	const dealer = (await names()).slice(0, -2);
	expect(dealer.length).toBeGreaterThan(1);
	expect(dealer).toEqual([up as Card, ...later].slice(0, dealer.length).map(cardName));
});

/** The largest multiple of a stake that some bet of the game wins, with a chance. */
function mostOf(game: Game): number {
	if (game.code === 'mines')
		return Math.max(
			...Array.from({ length: MINES_FIELDS - 1 }, (_, count) =>
				toNumber(minesBet(count + 1, 1).prizes[0]?.pays ?? NONE),
			),
		);
	// Targets are chosen freely up to it, and a crash beyond it does not happen.
	if (['crash', 'limbo', 'hi-lo'].includes(game.code)) return toNumber(hundredths(MOST_CENTS));
	const prizes = game.bets.flatMap((bet) => bet.prizes).filter(({ chance }) => compare(chance, NONE) > 0);
	return Math.max(...prizes.map(({ pays }) => toNumber(pays)));
}

/** The largest multiple on the screen of a game before the first bet; other games name none. */
const NAMED: Readonly<Record<string, number>> = {
	'teen-patti-20-20': 1_001,
	'andar-bahar': 120,
	'dragon-tiger': 51,
	'lucky-7': 12.35,
	'32-cards': 12.3,
	baccarat: 12,
	mines: 1.1,
	dice: 1.94,
	plinko: 32,
	limbo: 2,
	wheel: 2.5,
};

it('no screen of a game names a multiple that none of its bets can win', async () => {
	const { page } = await scene.player('desktop');
	await page.goto('/casino');
	await page.locator('.game-tile').first().waitFor();
	for (const game of GAMES) {
		await goTo(page, `/casino/${game.code}`);
		const screen = page.locator(`.casino[data-game="${game.code}"]`);
		await expect.poll(() => screen.locator('button:visible').count()).toBeGreaterThan(4);
		/** Slots are multiples without a sign. */
		const largest = async (): Promise<number> => {
			const multiples = [...(await screen.innerText()).matchAll(/([\d,]+(?:\.\d+)?)x\b/g)].map(
				([, figure = '']) => figure,
			);
			const slots = await screen.locator('.plinko-slots li').allInnerTexts();
			return Math.max(0, ...[...multiples, ...slots].map((figure) => Number(figure.replaceAll(',', ''))));
		};
		// The multiples of Crash are those of its flights, past and present.
		if (game.kind !== 'crash') await expect.poll(largest, { message: game.code }).toBe(NAMED[game.code] ?? 0);
		expect([game.code, NAMED[game.code] ?? 0]).toEqual([game.code, Math.min(NAMED[game.code] ?? 0, mostOf(game))]);
	}
});
