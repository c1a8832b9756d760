/**
 * The casino's screens with a real server: games are played by hand, by keyboard and on a phone, and proven without it.
 *
 * @module-tag thorough
 */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { commitmentOf } from '#games/seeded-words.ts';
import { StudioSite } from '../providers/studio-site.ts';
import { freshRequestId } from '../support/match.ts';
import { demoLogin, expectLed, goTo, mainlyOn, onlyOn, pressTwice, type Width } from './browser.ts';
import { expectFine, expectFineInBothThemes } from './fine-screen.ts';
import { Scene, type Seat } from './scene.ts';

let site: StudioSite;
let scene: Scene;
beforeAll(async () => {
	site = await StudioSite.open(undefined, { tableSpeed: 4 });
	scene = await Scene.open(site.server);
});
afterAll(async () => {
	await site?.closeStudio();
	await scene?.close();
});
afterEach(() => scene?.leave());

async function seat(width: Width, path: string): Promise<Seat> {
	const player = await scene.player(width);
	await player.page.goto(path);
	return player;
}

const PROVEN = 'This browser saw the commitment to this server seed before it made your client seed';

/** Rounds of a table run on while a page looks. */
const PATIENT = { timeout: 30_000 };
/** What the visit has come to, which stays when the table goes on. */
const visit = (page: Page) => page.locator('.game-visit').innerText();
const result = (page: Page) => page.locator('.game-result');
const rounds = async ({ token }: Seat) => (await scene.server.result('getRounds', {}, token)).items;

describe.each(['desktop', 'phone'] as const)('on a %s', (width) => {
	it('the lobby finds a game in spite of a typo, keeps favourites, and remembers played games', {
		tags: 'thorough',
	}, async () => {
		const player = await seat(width, '/casino');
		const { page } = player;
		await page.getByLabel('Search games').fill('rouelte');
		await expect.poll(() => page.locator('.game-tile-name').allInnerTexts()).toEqual(['Roulette']);
		await page.getByRole('button', { name: 'Roulette is a favourite' }).click();
		await page
			.locator('.game-tile')
			.getByRole('link', { name: /^Roulette/ })
			.click();
		await page.getByRole('heading', { name: 'Roulette' }).waitFor();
		await page.getByRole('link', { name: 'All games' }).first().click();
		await page.getByRole('heading', { name: 'Favourites' }).waitFor();
		await page.getByRole('heading', { name: 'Recently played' }).waitFor();
		// The server keeps both, so another device shows them, too.
		const marks = await scene.server.result('getGameMarks', {}, player.token);
		expect(marks).toEqual({ favourites: ['roulette'], recent: ['roulette'] });
		await expectFineInBothThemes(page, width);
	});

	onlyOn('phone', width)(
		'the casino is one press away, leads on and back by a bar of its own, and shows no figure of nothing',
		{ tags: 'thorough' },
		async () => {
			const { page } = await seat(width, '/matchlist/3');
			const bar = page.locator('.bottom-bar');
			await bar.getByRole('link', { name: 'Casino' }).click();
			await page.getByRole('heading', { level: 1, name: 'Casino' }).waitFor();
			await page.locator('.game-tile').first().waitFor();
			expect(await bar.getByRole('link').allInnerTexts()).toEqual([
				'Games',
				'My rounds',
				'Fairness',
				'Wallet',
				'Sports',
			]);
			// The round that goes on is above the games.
			await page
				.getByRole('region', { name: 'Crash' })
				.getByText(/^(\d+\.\d s|\d+\.\d\dx)$/)
				.first()
				.waitFor();
			// No player has played here, so neither a win nor a player is counted.
			expect(
				await page
					.locator('.casino-live')
					.getByText(/^(–|0)$/)
					.count(),
			).toBe(0);
			await bar.getByRole('link', { name: 'My rounds' }).click();
			await page.waitForURL('**/casino-rounds');
			await bar.getByRole('link', { name: 'Sports' }).click();
			await page.getByRole('heading', { level: 1, name: 'Cricket' }).waitFor();
			await bar.getByRole('button', { name: /^Bet slip/ }).waitFor();
		},
	);

	onlyOn('phone', width)(
		'dice pay the payout on the screen, and the result is read out',
		{ tags: 'thorough' },
		async () => {
			const player = await seat(width, '/casino/dice');
			const { page } = player;
			await page.getByRole('button', { name: '₹200', exact: true }).click();
			await page.getByRole('button', { name: 'Bet ₹200' }).click();
			await expect.poll(() => result(page).innerText()).toMatch(/^\d\d\.\d\d · (You win ₹388|₹200 lost)$/);
			const [round] = await rounds(player);
			expect(await result(page).innerText()).toContain(round?.result);
			await expect.poll(() => page.locator('body').innerText()).toContain(round?.payout === 0 ? '19,800' : '20,188');
			await page.getByRole('button', { name: 'Your session' }).click();
			const session = page.getByRole('dialog', { name: 'Your session' });
			await session.getByText(`${(round?.payout ?? 0) > 0 ? '+188' : '−200'} in 1 round`).waitFor();
			await session.getByText('Deposits in 24 hours').waitFor();
			await expectFine(page, width);
		},
	);

	onlyOn('desktop', width)(
		'mines are opened by keyboard, stay over a reload, and are cashed out once',
		{ tags: 'thorough' },
		async () => {
			const player = await seat(width, '/casino/mines');
			const { page } = player;
			const begin = page.getByRole('button', { name: 'Bet ₹100' });
			// Until it is known whether a round is open, the button does nothing and says so.
			await expect.poll(() => begin.getAttribute('aria-busy')).toBeNull();
			await begin.press('Enter');
			const first = page.getByRole('button', { name: /^Field 1,/ });
			await expect.poll(() => first.getAttribute('aria-disabled')).toBeNull();
			await first.press('Enter');
			await expect.poll(() => first.getAttribute('aria-label')).toMatch(/safe|mine/);
			if ((await first.getAttribute('aria-label'))?.endsWith('mine')) return expectFine(page, width);
			await page.reload();
			await expect.poll(() => first.getAttribute('aria-label')).toMatch(/safe$/);
			const cashOut = page.getByRole('button', { name: 'Cash out ₹110' });
			// A second press comes whenever the button has changed, also when it bets again.
			await cashOut.evaluate((button: HTMLButtonElement) =>
				new MutationObserver(() => button.click()).observe(button, {
					subtree: true,
					childList: true,
					characterData: true,
				}),
			);
			// It means what it says from the first moment after a reload.
			await cashOut.click();
			await expect.poll(() => result(page).innerText()).toContain('You win ₹110');
			await expectFine(page, width);
			expect(scene.server.money(player)).toEqual([20_010, 0]);
			expect(await rounds(player)).toHaveLength(1);
		},
	);

	onlyOn('phone', width)(
		'several chips lie on the roulette table, and one number settles them all',
		{ tags: 'thorough' },
		async () => {
			const player = await seat(width, '/casino/roulette');
			const { page } = player;
			await page.getByRole('button', { name: /^Red/ }).click();
			await page.getByRole('button', { name: 'Split', exact: true }).click();
			await page.getByRole('button', { name: /^17 Split/ }).click();
			await page.getByRole('button', { name: /^17 Split 17, 18.* ₹100 in hand/ }).waitFor();
			// While no bets are taken, they are placed on the next round.
			await page.getByRole('button', { name: /^Bet ₹200/ }).click();
			await expect.poll(() => visit(page), PATIENT).toMatch(/in 1 round$/);
			const [round] = await rounds(player);
			expect(round?.bets.map(({ bet }) => bet)).toEqual(['red', 'split-17-18']);
			await page.getByRole('button', { name: 'Repeat' }).click();
			await page.getByRole('button', { name: /^Bet ₹200/ }).click();
			await page.getByRole('button', { name: 'Cancel ₹200' }).waitFor();
			await expectFine(page, width);
		},
	);

	onlyOn('desktop', width)(
		'cards of a table are named for a screen reader, its rules have exact returns, and a result leads to its proof',
		{ tags: 'thorough' },
		async () => {
			const player = await seat(width, '/casino/teen-patti-20-20');
			const { page } = player;
			await page.getByRole('button', { name: /^Player A 1\.95x/ }).press('Enter');
			await page.getByRole('button', { name: /^Bet ₹100/ }).press('Enter');
			await expect.poll(() => visit(page), PATIENT).toMatch(/in 1 round$/);
			// They lie until the next round; each round deals six.
			const named = async () =>
				(await page.locator('.felt .card .unseen').allTextContents()).filter((name) => name.includes(' of '));
			await expect.poll(named, PATIENT).toHaveLength(6);
			await expect.poll(() => page.locator('.felt output').innerText(), PATIENT).toMatch(/^A .+, B /);
			await page.getByText('Rules and pay table').click();
			await page.getByRole('row', { name: /^Six-card bonus .* 91\.439%$/ }).waitFor();
			await expectFineInBothThemes(page, width);
			const [round] = await rounds(player);
			await page.getByRole('button', { name: new RegExp(`^Round ${round?.tableRound}:`) }).click();
			await expect
				.poll(() => page.locator('.proof-mark').allInnerTexts(), PATIENT)
				.toEqual(['✓ The hashes are linked', `✓ ${round?.result}`]);
			await page.getByRole('button', { name: /^Walk back/ }).click();
			await page.getByText(/✓ \d+ hash(es)? lead to it/).waitFor();
			await expectFine(page, width);
		},
	);
});

describe.each(['desktop', 'phone'] as const)('a studio’s game on a %s', (width) => {
	it(
		'is found in the lobby, played in its frame, and paid through the wallet',
		mainlyOn('desktop', width),
		async () => {
			const player = await seat(width, '/lobby-page/studios');
			const { page } = player;
			await page.getByRole('list', { name: 'Providers' }).getByRole('link', { name: 'The lantern studio 1' }).click();
			await expect.poll(() => page.locator('.game-tile-name').allInnerTexts()).toEqual(['Three Cups']);
			await page.getByRole('link', { name: /^Three Cups/ }).click();
			const game = page.frameLocator('iframe[title="Three Cups"]');
			await game.getByText('Place your stake.').waitFor();
			await game.getByLabel('Stake ₹').fill('200');
			await game.getByRole('button', { name: 'Play' }).click();
			await game.getByRole('button', { name: 'Cup 2' }).waitFor();
			expect(scene.server.money(player)).toEqual([19_800, 0]);
			// The round stays open over a reload, which opens the game with another launch token, and without its rules.
			await page.route('**/games/lantern-cups.json', (route) => route.fulfill({ json: { rules: 'none' } }));
			await page.reload();
			await game.getByRole('button', { name: 'Cup 2' }).click();
			await game.getByText(/^The ball was under cup \d/).waitFor();
			const lastRound = async () => (await rounds(player))[0];
			await expect.poll(lastRound).toMatchObject({ game: 'lantern-cups', state: 'SETTLED', stake: 200 });
			const round = await lastRound();
			const paid = 19_800 + (round?.payout ?? 0);
			expect(scene.server.money(player)[0]).toBe(paid);
			await expect.poll(() => page.locator('body').innerText()).toContain(paid.toLocaleString('en-IN'));
			expect(await page.evaluate(() => document.querySelector('iframe')?.contentDocument)).toBeNull();
			await expectFine(page, width);
			await goTo(page, '/casino-rounds');
			await page.getByRole('link', { name: 'Three Cups' }).waitFor();
		},
	);
});

it('a game whose studio rests says so on its page', { tags: 'thorough' }, async () => {
	const { page } = await seat('phone', '/casino/harbour-reels');
	const game = page.frameLocator('iframe[title="Harbour Reels"]');
	await game.getByRole('button', { name: 'Play' }).click();
	await game.getByText(/No win this time|You get/).waitFor();
	site.studio.resting.add('harbour');
	await page.reload();
	// The studio says so in its frame, or the site in its place once it has asked for the studio's games again.
	const said = [game, page].map((part) => part.getByText(/^Th(e|is) game is under maintenance\./));
	const isSaid = async () => (await Promise.all(said.map((text) => text.count()))).some((found) => found > 0);
	await expect.poll(isSaid).toBe(true);
	site.studio.resting.delete('harbour');
});

it.each([
	['keno', '.keno-number, .keno-picks button'],
	['dice', '.choice-row button, .range-field input'],
])('what is chosen in %s is in sight of a phone together with the button', async (game, controls) => {
	const { page } = await seat('phone', `/casino/${game}`);
	const covered = () =>
		page.locator(controls).evaluateAll((parts) => {
			const panel = document.querySelector('.game-go')?.getBoundingClientRect().top ?? 0;
			return parts.filter((part) => part.getBoundingClientRect().bottom > panel).map((part) => part.textContent);
		});
	await page.locator(controls).first().waitFor();
	expect(await covered()).toEqual([]);
	if (game === 'keno')
		for (const at of [1, 9, 14, 22, 27, 33, 38, 40]) await page.getByText(String(at), { exact: true }).click();
	await page.getByRole('button', { name: 'Bet ₹100' }).click();
	await expect.poll(() => result(page).innerText()).toContain(' · ');
	expect(await page.evaluate(() => scrollY)).toBe(0);
	expect(await covered()).toEqual([]);
	await expectFine(page, 'phone');
});

it.each(['dice', 'crash'])('a stake that is refused in %s is said of its field, which has the focus', async (game) => {
	const { page } = await seat('phone', `/casino/${game}`);
	const stake = page.getByLabel('Stake', { exact: true }).first();
	await stake.fill('50000');
	// In flight it would wait for the next round, which refuses it later.
	await page.getByRole('button', { name: 'Bet ₹50,000', exact: true }).first().click();
	await expectLed(stake, /balance/);
	await stake.fill('5');
	await expectLed(stake, /Stakes are multiples/);
	await stake.fill('100');
	await expect.poll(() => stake.getAttribute('aria-invalid')).toBeNull();
	await expectFine(page, 'phone');
});

it('a round that was begun in another tab is played and cashed out, whatever is typed as the next stake', async () => {
	const player = await seat('phone', '/casino/mines');
	const { page } = player;
	await scene.server.beginSeeds(player);
	await page.getByLabel('Stake', { exact: true }).fill('');
	const bets = [{ bet: '1', stake: 100 }];
	const ask = <Name extends 'playRound' | 'actInRound'>(name: Name, asked: object) =>
		scene.server.result(name, { ...asked, clientRequestId: freshRequestId() } as never, player.token);
	// One field in twenty-five ends its round.
	for (let isOpen = false; !isOpen; ) {
		const { round } = await ask('playRound', { game: 'mines', bets });
		isOpen = (await ask('actInRound', { roundId: round.roundId, action: 'open-0' })).round.state === 'OPEN';
	}
	// The player comes back to this tab.
	await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
	const cashOut = page.getByRole('button', { name: /^Cash out ₹/ });
	await cashOut.waitFor();
	// A press right after the button has changed its meaning counts for nothing.
	await expect
		.poll(async () => {
			// At once, because a button that has done its work is there no more.
			await cashOut.evaluateAll((buttons) => buttons.forEach((button) => (button as HTMLButtonElement).click()));
			return (await rounds(player))[0]?.payout ?? 0;
		})
		.toBeGreaterThan(0);
});

it.each([
	['keno', '.keno-grid'],
	['blackjack', '.blackjack-felt'],
])('on a low phone there is room for the whole of %s above its button', async (game, part) => {
	const { page } = await seat('phone', `/casino/${game}`);
	await page.setViewportSize({ width: 320, height: 568 });
	const picture = page.locator(part);
	/** Between what sticks above and below, less what the game needs. */
	const room = () =>
		picture.evaluate((shown) => {
			const edge = (css: string) => document.querySelector(css)?.getBoundingClientRect();
			shown.scrollIntoView({ block: 'center', behavior: 'instant' });
			const between = (edge('.game-go')?.top ?? 0) - (edge('.top-header')?.bottom ?? 0);
			return between - shown.getBoundingClientRect().height;
		});
	await picture.waitFor();
	expect(await room()).toBeGreaterThanOrEqual(0);
	if (game === 'keno') await page.getByText('7', { exact: true }).click();
	const played = page.waitForResponse(/Casino\/Play$/i);
	await page.getByRole('button', { name: 'Bet ₹100' }).click();
	await played;
	await page.getByRole('button', { name: /Stand|Bet ₹100/, disabled: false }).waitFor();
	expect(await room()).toBeGreaterThanOrEqual(0);
	await expectFine(page, 'phone');
});

it('a lost answer is requested again, and nothing is staked twice', { tags: 'thorough' }, async () => {
	const player = await seat('phone', '/casino/coin-flip');
	const { page } = player;
	await scene.server.beginSeeds(player);
	const asked: string[] = [];
	await page.route('**/Casino/Play', async (route) => {
		asked.push(route.request().postDataJSON().clientRequestId);
		if (asked.length > 1) return route.continue();
		await route.fetch();
		return route.abort();
	});
	await page.getByRole('button', { name: 'Bet ₹100' }).click();
	await page.getByText('The answer was lost').waitFor();
	// The button in this place bets again once it is answered.
	await pressTwice(page.getByRole('button', { name: 'Ask again' }));
	await expect.poll(() => result(page).innerText()).toMatch(/^(Heads|Tails) · /);
	await page.getByRole('button', { name: 'Bet ₹100' }).waitFor();
	expect(asked).toEqual([asked[0], asked[0]]);
	expect(await rounds(player)).toHaveLength(1);
});

it('chips whose bet was answered after all are in the hand no more, and a double press bets them once', {
	tags: 'thorough',
}, async () => {
	const { page } = await seat('phone', '/casino/roulette');
	const asked: string[] = [];
	await page.route('**/Casino/TableBet', async (route) => {
		asked.push(route.request().postDataJSON().clientRequestId);
		if (asked.length > 1) return route.continue();
		await route.fetch();
		return route.abort();
	});
	await page.getByRole('button', { name: /^Red/ }).click();
	await page.getByRole('button', { name: /^Bet ₹100/ }).click();
	await page.getByRole('button', { name: 'Ask again' }).waitFor();
	await page.getByRole('button', { name: /^Black/ }).click();
	await pressTwice(page.getByRole('button', { name: 'Ask again' }));
	await expect.poll(() => asked.length).toBe(2);
	// The later chip alone is left.
	await page.getByRole('button', { name: /^Bet ₹100/ }).waitFor();
	await page.getByRole('button', { name: /^Black.* ₹100 in hand/ }).waitFor();
	expect(await page.getByRole('button', { name: /^Red.* in hand/ }).count()).toBe(0);
	expect(asked).toEqual([asked[0], asked[0]]);
});

it('the next player who logs in has neither the visit of the one before, nor a bet of theirs to repeat', {
	tags: 'thorough',
}, async () => {
	const { page } = await seat('phone', '/casino/coin-flip');
	const bet = page.getByRole('button', { name: 'Bet ₹100' });
	await bet.click();
	await expect.poll(() => visit(page)).toMatch(/in 1 round$/);
	await page.route('**/Casino/Play', (route) => route.abort());
	await bet.click();
	const again = page.getByRole('button', { name: 'Ask again' });
	await again.waitFor();
	await page.unroute('**/Casino/Play');
	const { login, storageState } = await demoLogin(scene.server.url);
	const otherTab = await page.context().newPage();
	await otherTab.goto('/ready');
	await otherTab.evaluate(
		(items) => {
			for (const { name, value } of items) localStorage.setItem(name, value);
		},
		storageState.origins.flatMap(({ localStorage }) => localStorage),
	);
	await again.waitFor({ state: 'detached' });
	expect(await page.getByText(/in 1 round$/).count()).toBe(0);
	await bet.click();
	await expect.poll(() => visit(page)).toMatch(/in 1 round$/);
	expect((await scene.server.result('getRounds', {}, login.accessToken)).items).toHaveLength(1);
});

it('the last rounds of a game stay above it, the newest first, and each opens what proves it', {
	tags: 'thorough',
}, async () => {
	const player = await seat('phone', '/casino/dice');
	const { page } = player;
	const strip = page.getByRole('list', { name: 'Your last rounds' });
	const marks = () => strip.getByRole('button').allInnerTexts();
	await strip.getByText('Your last rounds appear here').waitFor();
	for (const count of [1, 2, 3]) {
		await page.getByRole('button', { name: 'Bet ₹100' }).click();
		await expect.poll(marks).toHaveLength(count);
	}
	const results = (await rounds(player)).map((round) => round.result);
	expect(await marks()).toEqual(results);
	await page.reload();
	await expect.poll(marks).toEqual(results);
	await strip.getByRole('button').first().click();
	const proof = page.getByRole('dialog');
	await proof.getByText('it stays secret').waitFor();
	await proof.getByRole('button', { name: 'Replace and reveal' }).click();
	await expect
		.poll(() => proof.locator('.proof-mark').allInnerTexts())
		.toEqual([`✓ ${PROVEN}`, `✓ The seeds give ${results[0]}`]);
	await expectFine(page, 'phone');
});

it('a round is proven on a page that asks the server for nothing', { tags: 'thorough' }, async () => {
	const player = await seat('phone', '/casino/keno');
	const { page } = player;
	// What is fixed is shown before the browser makes a client seed.
	await expect
		.poll(() => page.locator('.round-commitment').innerText())
		.toContain('makes a client seed with your first bet');
	const fixed = await page.locator('.round-commitment code').innerText();
	expect((await scene.server.result('getSeeds', {}, player.token)).seeds).toBeNull();
	await page.getByRole('button', { name: '7', exact: true }).click();
	await page.getByRole('button', { name: 'Bet ₹100' }).click();
	await expect.poll(() => result(page).innerText()).toContain(' · ');
	await page.getByRole('button', { name: 'Fairness' }).click();
	const commitment = await page.locator('.seed-facts dd').nth(1).innerText();
	expect(commitment).toBe(fixed);
	await page.getByLabel('Your next client seed').fill('my-own-seed');
	await page.getByRole('button', { name: 'Replace and reveal' }).click();
	await page.getByText('Revealed server seed').waitFor();
	await page.getByRole('button', { name: 'Check all rounds with these seeds' }).click();
	await expect
		.poll(() => page.locator('.proof-mark').allInnerTexts())
		.toEqual([`✓ ${PROVEN}`, '✓ 1 round gives the result that was paid', '✓ The nonces have no gaps']);
	await expectFine(page, 'phone');
	await page.getByRole('link', { name: 'Verify its rounds' }).click();
	await page.getByRole('link', { name: 'Verify', exact: true }).click();
	await page.getByText('Step by step').waitFor();
	await page.context().setOffline(true);
	await page.getByRole('button', { name: 'Compute' }).click();
	const [round] = await rounds(player);
	expect(await page.locator('.proof code').first().innerText()).toBe(commitment);
	expect(await page.locator('.proof strong').innerText()).toBe(round?.result);
	await page.context().setOffline(false);
	await expectFineInBothThemes(page, 'phone');
	// The statement's row leads to the same proof.
	await goTo(page, '/account-cash-statement');
	await page
		.getByRole('button', { name: /Keno · round no\. \d+/ })
		.first()
		.click();
	await page.getByRole('link', { name: 'Open the round and its proof' }).click();
	await expect.poll(() => page.locator('.proof strong').innerText()).toBe(round?.result);
});

it('a house that changes seeds or leaves out a round is marked on the page', { tags: 'thorough' }, async () => {
	const player = await seat('phone', '/casino/coin-flip');
	const { page } = player;
	for (const played of [1, 2, 3]) {
		await page.getByRole('button', { name: 'Bet ₹100' }).click();
		await expect.poll(async () => (await rounds(player)).length).toBe(played);
		await expect.poll(() => page.getByRole('button', { name: 'Bet ₹100' }).isEnabled()).toBe(true);
	}
	await scene.server.beginSeeds(player);
	const [round] = await rounds(player);
	const open = () => page.goto(`/fairness?round=${round?.roundId}`);
	const marks = () => page.locator('.proof-mark').allInnerTexts();
	const check = () => page.getByRole('button', { name: 'Check all rounds with these seeds' }).click();
	// One of the three is not told.
	await page.route('**/Casino/Rounds?*', async (route) => {
		const answer = await route.fetch();
		const body = await answer.json();
		body.result.items = body.result.items.filter(({ nonce }: { nonce: number }) => nonce !== 1);
		await route.fulfill({ response: answer, json: body });
	});
	await open();
	await check();
	await expect
		.poll(marks)
		.toEqual([`✓ ${PROVEN}`, '✓ 2 rounds give the result that was paid', '✗ Nonces that are missing: 1']);
	await page.unroute('**/Casino/Rounds?*');
	// A seed that was chosen by the client seed, with the commitment that belongs to it.
	const serverSeed = 'ab'.repeat(32);
	await scene.server.database.db.query(
		'update game_seed_pair set server_seed = $2, commitment = $3 where wallet_id = $1 and number = 1',
		[player.userId, serverSeed, commitmentOf(serverSeed)],
	);
	await open();
	await expect
		.poll(marks)
		.toContainEqual(expect.stringMatching(/^✗ These are not the seeds that this browser saw announced/));
	await expectFineInBothThemes(page, 'phone');
	await page.evaluate(() => localStorage.removeItem('seedNotes'));
	await open();
	await page.getByText('This browser has no note of the commitment').waitFor();
	expect((await marks()).join()).not.toContain(PROVEN);
});
