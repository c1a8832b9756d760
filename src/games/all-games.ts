/** Every game of the house, in the order of the lobby. */
import { crash } from '#games/crash/crash.ts';
import type { Game } from '#games/game.ts';
import { coinFlip } from '#games/instant/coin-flip.ts';
import { dice } from '#games/instant/dice.ts';
import { keno } from '#games/instant/keno.ts';
import { limbo } from '#games/instant/limbo.ts';
import { plinko } from '#games/instant/plinko.ts';
import { wheel } from '#games/instant/wheel.ts';
import { andarBahar } from '#games/tables/andar-bahar.ts';
import { baccarat } from '#games/tables/baccarat.ts';
import { dragonTiger } from '#games/tables/dragon-tiger.ts';
import { luckySeven } from '#games/tables/lucky-seven.ts';
import { roulette } from '#games/tables/roulette.ts';
import { teenPatti } from '#games/tables/teen-patti.ts';
import { thirtyTwoCards } from '#games/tables/thirty-two-cards.ts';
import { blackjack } from '#games/turns/blackjack.ts';
import { hiLo } from '#games/turns/hi-lo.ts';
import { mines } from '#games/turns/mines.ts';

export const GAMES: readonly Game[] = [
	crash,
	teenPatti,
	andarBahar,
	dragonTiger,
	luckySeven,
	thirtyTwoCards,
	roulette,
	baccarat,
	mines,
	dice,
	plinko,
	keno,
	limbo,
	wheel,
	hiLo,
	coinFlip,
	blackjack,
];

const byCode = new Map(GAMES.map((game) => [game.code, game]));

export const gameOf = (code: string): Game | null => byCode.get(code) ?? null;
