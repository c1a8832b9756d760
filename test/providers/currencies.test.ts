/**
 * Providers' games on brands of several currencies: a game, the house and an operator name their limits in rupees, and they
 * are scaled for a player of another currency. No cap counts amounts of two currencies together.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { Currency } from '#values/currency-codes.ts';
import { HOME_POOLS, POOLS } from '#values/pools.ts';
import { expectSound } from '../support/audit.ts';
import { BrandDoor } from '../support/brand-door.ts';
import type { Player } from '../support/server.ts';
import { betOf, PROVIDERS, type ProviderId, SPOKEN, StudioSite } from './studio-site.ts';

const GAME = 'lantern-cups';
/** Minor units: ₹150 at once, ₹600 for a player and ₹900 for all in a day. */
const CAPS = { prize: 15_000, playerDay: 60_000, providerDay: 90_000 };
const HOSTS = { INR: 'localhost', EUR: 'euro.test', JPY: 'yen.test' } as const;
type Played = keyof typeof HOSTS;
/** Major units. */
const MONEY = 50_000;
let grants = 700_000_000;

interface Seat {
	player: Player;
	session: string;
}

class Scene {
	readonly site: StudioSite;

	private constructor(site: StudioSite) {
		this.site = site;
	}

	static async open(): Promise<Scene> {
		const pools = [...HOME_POOLS, ...POOLS.filter((pool) => /-(EUR|JPY)$/.test(pool))];
		const site = await StudioSite.open(undefined, { pools }, CAPS);
		for (const currency of ['EUR', 'JPY'] as const)
			await site.server.act('brand-add', { host: HOSTS[currency], currency });
		return new Scene(site);
	}

	door(currency: Played): BrandDoor {
		return new BrandDoor(this.site.server, HOSTS[currency]);
	}

	/** A player with money. */
	async player(currency: Played): Promise<Player> {
		const { server } = this.site;
		const player = await this.door(currency).player();
		const { userName } = server.running.players.user(player.userId);
		await server.act('add-money', { userName, host: HOSTS[currency], amount: MONEY, grantId: ++grants });
		return player;
	}

	async launch(currency: Played, { token }: Player, gameCode: string): Promise<string> {
		const casinoToken = this.site.casinoTokenOf(token, HOSTS[currency]);
		const door = gameCode === SPOKEN.copper.game ? 'casinoToken' : 'casinoLogin';
		return (await this.door(currency).result(door, { casinoToken, gameCode }, token)).token;
	}

	/** A player with money, at the provider's game. */
	async seat(currency: Played): Promise<Seat> {
		const player = await this.player(currency);
		const launchToken = await this.launch(currency, player, GAME);
		const { sessionToken = '' } = await this.site.ask('authenticate', { launchToken });
		return { player, session: sessionToken };
	}

	/** What the wallet answers to a bet of the amount, minor units. */
	async bet({ session }: Seat, amount: number): Promise<string> {
		return (await this.site.ask('bet', betOf(session, { amount }))).status;
	}

	async prize({ player }: Seat, amount: number): Promise<string> {
		return (await this.site.ask('promo', { txId: randomUUID(), userId: String(player.userId), amount })).status;
	}

	async shownLimits(currency: Played) {
		const { games } = await this.door(currency).result('getCasinoGames', {});
		const { minStake, maxStake, maxPayout } = games.find(({ code }) => code === GAME) ?? {};
		return [minStake, maxStake, maxPayout];
	}
}

let scene: Scene;
beforeAll(async () => {
	scene = await Scene.open();
});
afterAll(async () => {
	await expectSound(scene.site.server.database.db);
	await scene.site.close();
});

it('shows and takes a game’s limits in the player’s currency', async () => {
	const shown = await Promise.all((['INR', 'EUR', 'JPY'] as const).map((currency) => scene.shownLimits(currency)));
	expect(shown).toEqual([
		[10, 10_000, 290_000],
		[0.1, 100, 2_900],
		[20, 20_000, 580_000],
	]);
	const most: Record<Played, number> = { INR: 1_000_000, EUR: 10_000, JPY: 2_000_000 };
	const least: Record<Played, number> = { INR: 1_000, EUR: 10, JPY: 2_000 };
	for (const currency of ['INR', 'EUR', 'JPY'] as const) {
		const seat = await scene.seat(currency);
		const step = currency === 'JPY' ? 100 : 1;
		const asked = [least[currency] - step, least[currency], most[currency], most[currency] + step];
		const answers: string[] = [];
		for (const amount of asked) answers.push(await scene.bet(seat, amount));
		expect([currency, ...answers]).toEqual([currency, 'LIMIT_REACHED', 'OK', 'OK', 'LIMIT_REACHED']);
	}
});

it.each(PROVIDERS)('a player of yen and one of euros play a round of %s, in its dialect', async (id: ProviderId) => {
	const { site } = scene;
	const { game } = SPOKEN[id];
	for (const [currency, stake] of [['JPY', 10_000] as const, ['EUR', 100] as const]) {
		const player = await scene.player(currency);
		const before = site.cash(player);
		const seated = await site.studio.sit(id, game, await scene.launch(currency, player, game));
		expect(seated).toMatchObject({ currency, balance: before });
		let { round } = await site.studio.bet(seated.seat, stake);
		while (round.actions.length > 0)
			({ round } = await site.studio.act(seated.seat, round.id, round.actions.at(-1)?.action ?? ''));
		await site.studio.settled();
		expect([currency, round.state, site.cash(player)]).toEqual([currency, 'ENDED', before - stake + round.payout]);
		const { items } = await scene.door(currency).result('getRounds', {}, player.token);
		expect(items[0]).toMatchObject({ game, state: 'SETTLED', stake: stake / 100, payout: round.payout / 100 });
	}
});

it('refuses a part of a yen at a provider, and takes nothing', async () => {
	const seat = await scene.seat('JPY');
	const before = scene.site.cash(seat.player);
	expect(await scene.bet(seat, 10_050)).toBe('LIMIT_REACHED');
	expect(scene.site.cash(seat.player)).toBe(before);
});

it('pays a win and a promotion of a part of a yen in whole yen, and its provider’s report of the day agrees', async () => {
	const { site } = scene;
	const seat = await scene.seat('JPY');
	const before = site.cash(seat.player);
	const bet = betOf(seat.session, { amount: 10_000 });
	const { txId: refTxId, roundId, gameCode } = bet;
	const win = { txId: randomUUID(), refTxId, roundId, amount: 12_550, roundClosed: true };
	const atOnce = { ...betOf(seat.session, { amount: 10_000 }), winAmount: 250 };
	const promotion = { txId: randomUUID(), userId: String(seat.player.userId), amount: 199 };
	const crumb = { ...promotion, txId: randomUUID(), amount: 99 };
	const paid: [string, object, number][] = [
		['bet', bet, -10_000],
		['win', win, 12_500],
		['betwin', atOnce, 200 - 10_000],
		['promo', promotion, 100],
		['promo', crumb, 0],
	];
	let cash = before;
	for (const [call, fields, moved] of paid) {
		cash += moved;
		expect([call, await site.ask(call, fields)]).toMatchObject([call, { status: 'OK', balance: cash }]);
	}
	const { items } = await scene.door('JPY').result('getRounds', { game: gameCode }, seat.player.token);
	expect(items.map(({ stake, payout }) => [stake, payout])).toEqual([
		[100, 2],
		[100, 125],
	]);
	const report = [
		`${refTxId},100,0`,
		`${win.txId},0,125.50`,
		`${atOnce.txId},100,2.50`,
		`${promotion.txId},0,1.99`,
		`${crumb.txId},0,0.99`,
	];
	const day = new Date().toISOString().slice(0, 10);
	const csv = ['transaction,paid,received', ...report].join('\n');
	const { findings } = await site.server.running.providers.dayReports.compare('lantern', day, csv);
	const named = [refTxId, win.txId, atOnce.txId, promotion.txId, crumb.txId];
	expect(findings.filter((finding) => named.some((id) => finding.includes(id)))).toEqual([]);
});

it('counts the prizes of a day in each currency for itself', async () => {
	const euro = await scene.seat('EUR');
	const rupee = await scene.seat('INR');
	// ₹600 are all that a player gets in a day, and ₹150 at once; €1.50 and €6 are as much.
	expect([await scene.prize(euro, 151), await scene.prize(rupee, 15_001)]).toEqual(['LIMIT_REACHED', 'LIMIT_REACHED']);
	for (let count = 0; count < 4; count++)
		expect([await scene.prize(rupee, 15_000), await scene.prize(euro, 150)]).toEqual(['OK', 'OK']);
	expect([await scene.prize(euro, 1), await scene.prize(rupee, 1)]).toEqual(['LIMIT_REACHED', 'LIMIT_REACHED']);
	// Of ₹900 for all players ₹300 are left, whatever players of euros got.
	const others = [await scene.seat('INR'), await scene.seat('EUR')];
	const [otherRupee, otherEuro] = others as [Seat, Seat];
	for (let count = 0; count < 2; count++)
		expect([await scene.prize(otherRupee, 15_000), await scene.prize(otherEuro, 150)]).toEqual(['OK', 'OK']);
	expect([await scene.prize(otherRupee, 100), await scene.prize(otherEuro, 1)]).toEqual([
		'LIMIT_REACHED',
		'LIMIT_REACHED',
	]);
});

it('scales an operator’s limit for all brands, and takes that of one brand in its currency', async () => {
	const { server } = scene.site;
	const stake = async (currency: Currency & Played, player: Player, amount: number) => {
		const bets = [{ bet: 'heads', stake: amount }];
		const asked = { game: 'coin-flip', bets, clientRequestId: `play-${randomUUID()}` };
		return (await scene.door(currency).raw('playRound', asked, player.token)).code;
	};
	const [{ player: euro }, { player: rupee }] = [await scene.seat('EUR'), await scene.seat('INR')];
	for (const [currency, { token }] of [['EUR', euro] as const, ['INR', rupee] as const]) {
		const { next } = await scene.door(currency).result('getSeeds', {}, token);
		const seeds = { clientSeed: 'a-seed-of-limits', commitment: next.commitment };
		await scene.door(currency).result('rotateSeeds', seeds, token);
	}
	await server.act('game-rule-set-for-all', { game: 'coin-flip', open: true, maxStake: 1_000, reason: 'test' });
	expect([await stake('INR', rupee, 1_000), await stake('INR', rupee, 1_001)]).toEqual([null, 'STAKE_TOO_LARGE']);
	expect([await stake('EUR', euro, 10), await stake('EUR', euro, 11)]).toEqual([null, 'STAKE_TOO_LARGE']);
	const own = { host: HOSTS.EUR, game: 'coin-flip', open: true, maxStake: 5, reason: 'test' };
	await server.act('game-rule-set', own);
	expect([await stake('EUR', euro, 5), await stake('EUR', euro, 6)]).toEqual([null, 'STAKE_TOO_LARGE']);
});

it('buries a bet that never came where the server has no pool of rupees', async () => {
	const pools = POOLS.filter((pool) => pool.endsWith('-EUR'));
	const site = await StudioSite.open(undefined, { pools });
	onTestFinished(async () => {
		await expectSound(site.server.database.db);
		await site.close();
	});
	const fields = { txId: randomUUID(), refTxId: randomUUID() };
	expect((await site.ask('rollback', fields)).status).toBe('OK');
	const { rows } = await site.server.database.db.query<{ pool: string }>(
		`select pool from workflow where kind = 'CASINO' and wallet_id = 0`,
	);
	expect(rows).toEqual([{ pool: 'PLAY-EUR' }]);
});
