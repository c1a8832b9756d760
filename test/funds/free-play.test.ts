/** Free play and play for money: one way from the seeds to the payout. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ResultOf } from '#contract/call.ts';
import type { Calls } from '#contract/registry.ts';
import { GAMES } from '#games/all-games.ts';
import { payoutOf } from '#games/game.ts';
import { isPublished, resultOf } from '#games/round-result.ts';
import { expectSound } from '../support/audit.ts';
import { freshRequestId } from '../support/match.ts';
import type { Player } from '../support/server.ts';
import { RealMoneySite } from './real-money-site.ts';

type Round = ResultOf<Calls['playRound']>['round'];

const INSTANT = GAMES.filter((game) => game.kind === 'instant');
const STAKE = 20;

let site: RealMoneySite;
beforeAll(async () => {
	site = await RealMoneySite.open();
});
afterAll(async () => {
	await expectSound(site.server.database.db);
	await site.close();
});

async function rich(): Promise<Player> {
	const player = await site.player();
	const { id } = await site.order(player, 5_000);
	site.studio.pay(site.payment(id));
	await site.becomes('PAYMENT', id, 'SUCCESS');
	return player;
}

/** Some bets of every game of one player, with the seeds of the pair that decided them. */
async function played(player: Player) {
	const seeds = await site.server.beginSeeds(player);
	const rounds: Round[] = [];
	for (const game of INSTANT)
		for (const { code: bet } of game.bets.slice(0, 3)) {
			const asked = { game: game.code, bets: [{ bet, stake: STAKE }], clientRequestId: freshRequestId() };
			rounds.push((await site.call('playRound', asked, player))['round'] as Round);
		}
	const { revealed } = await site.server.beginSeeds(player);
	return { rounds, seeds: { clientSeed: seeds.seeds.clientSeed, serverSeed: revealed?.serverSeed ?? '' } };
}

it('a round of demo coins, and one of real money, has the outcome and the payout that its seeds and the game alone give', async () => {
	const players = { DEMO: await site.server.demoPlayer(), REAL: await rich() };
	for (const [pool, player] of Object.entries(players)) {
		expect(site.server.running.exchange.wallet(player.userId)?.pool).toBe(pool);
		const { rounds, seeds } = await played(player);
		expect(rounds.length).toBeGreaterThan(INSTANT.length);
		for (const { game: code, nonce, bets, outcome, payout } of rounds) {
			const game = INSTANT.find((one) => one.code === code);
			if (!game) throw new Error(`no game ${code}`);
			const drawn = resultOf(game, { ...seeds, nonce }, { choice: '', actions: [] });
			const bet = game.betOf(bets[0]?.bet ?? '');
			const prize = bet?.prizeOf(drawn.outcome as never) ?? null;
			const pays = prize === null ? null : bet?.prizes[prize]?.pays;
			const expected = pays ? payoutOf(STAKE * 100, pays) / 100 : 0;
			expect([pool, code, isPublished(drawn.outcome, outcome), payout]).toEqual([pool, code, true, expected]);
		}
	}
});
