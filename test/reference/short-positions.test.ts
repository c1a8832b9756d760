/**
 * Short positions on the engine and on the slow reference exchange. Stories of their own: players bet all that they have, hedges
 * go with removed runners, and bets that wait elsewhere are cancelled, so that money comes free that other bets lack.
 */
import { expect, it } from 'vitest';
import type { Command, PlaceBet } from '#engine/command.ts';
import { compareStory } from './comparison.ts';
import { SeededNumbers } from './random-commands.ts';
import type { RandomMarket } from './random-markets.ts';

const WAITING = 3;
const MARKETS: readonly RandomMarket[] = [
	{ marketId: 1, runners: 3, winners: 1, pools: ['PLAY'] },
	{ marketId: 2, runners: 4, winners: 2, pools: ['PLAY'] },
	{ marketId: WAITING, runners: 2, winners: 1, pools: ['PLAY'] },
];
const PLAYERS = [11, 12, 13];
const ACTS = 60;

class Story {
	readonly commands: Command[] = [];
	readonly #numbers: SeededNumbers;
	#lastBetId = 0;

	constructor(seed: number) {
		this.#numbers = new SeededNumbers(seed);
		for (const walletId of PLAYERS) {
			const amount = 300 + this.#numbers.below(600);
			this.commands.push({ kind: 'open-wallet', atMs: 0, walletId, pool: 'PLAY' });
			this.commands.push({ kind: 'grant-coins', atMs: 0, grantId: walletId, walletId, amount });
		}
		for (const { marketId, runners, winners } of MARKETS) {
			this.commands.push({
				kind: 'open-market',
				atMs: 0,
				marketId,
				pools: ['PLAY'],
				runners,
				numberOfWinners: winners,
				commissionBp: 0,
				minStake: 10,
				maxStake: 1_000_000,
				profitRatioRule: false,
				selfMatch: 'REFUSE',
				suspended: false,
			});
		}
		for (let act = 0; act < ACTS; act++) this.#act();
	}

	#place(bet: Pick<PlaceBet, 'walletId' | 'marketId' | 'runner' | 'side' | 'price' | 'stake'>): void {
		this.commands.push({ kind: 'place-bet', atMs: 0, betId: ++this.#lastBetId, persist: true, ...bet });
	}

	#act(): void {
		const numbers = this.#numbers;
		const marketId = 1 + numbers.below(2);
		const at = numbers.below(100);
		if (at < 40) {
			const bet = { marketId, runner: numbers.below(3), price: 200, stake: 100 + numbers.below(200) };
			const maker = numbers.from(PLAYERS);
			this.#place({ ...bet, side: 1, walletId: maker });
			this.#place({ ...bet, side: 0, walletId: numbers.from(PLAYERS.filter((walletId) => walletId !== maker)) });
		} else if (at < 65) {
			const stake = numbers.from([20, 50, 100, 200, 400]);
			this.#place({ marketId: WAITING, runner: 0, side: 0, price: 100_000, stake, walletId: numbers.from(PLAYERS) });
		} else if (at < 75)
			this.commands.push({ kind: 'cancel-all', atMs: 0, walletId: numbers.from(PLAYERS), marketId: WAITING });
		else if (at < 90)
			this.commands.push({ kind: 'remove-runner', atMs: 0, marketId, runner: numbers.below(3), reductionBp: 0 });
		else this.commands.push({ kind: 'return-runner', atMs: 0, marketId, runner: numbers.below(3) });
	}
}

it('engine and reference exchange refuse the same bets beside short positions', () => {
	let reached = 0;
	for (let seed = 1; seed <= 100; seed++)
		if (compareStory(new Story(seed).commands, MARKETS).has('bet beside a short position')) reached++;
	expect(reached).toBeGreaterThan(4);
});
