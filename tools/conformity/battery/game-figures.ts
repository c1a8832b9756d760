/** Rounds of every game, played as the server plays them: their outcomes against the exact chances, and each other. */
import { GAMES } from '#games/all-games.ts';
import { CRASH_RETURN } from '#games/crash/crash.ts';
import { crashCents } from '#games/crash/crash-result.ts';
import { drawFrom } from '#games/fair-draw.ts';
import { toNumber } from '#games/fraction.ts';
import { type BetTerms, type Game, returnOf, type TurnGame } from '#games/game.ts';
import { seededWords } from '#games/seeded-words.ts';
import type { Figure } from './battery.ts';
import { fitChance, normalChance } from './distributions.ts';
import { chainFrom, hashOf, sharedSeeds } from './house-streams.ts';

/** Of the many bets of one shape a few are enough. */
const MOST_BETS = 12;
const LAGS = 8;
/** Standard deviations that luck exceeds once in a hundred. */
const BAND = 2.576;

/** What a bet came to over the rounds; `exact`, `realised` and `band` are parts of the stake. */
export interface RealisedReturn {
	game: string;
	bet: string;
	rounds: number;
	exact: number;
	realised: number;
	/** Luck alone keeps 99 of 100 realised returns within `exact` ± `band`. */
	band: number;
}

/** The prize of a bet in a round; null if it is lost, undefined if the round does not decide it. */
type Prize = number | null | undefined;
/** The prizes of some bets in the next round. */
type Rounds = () => readonly Prize[];

function roundsOf(game: Game, bets: readonly BetTerms[], seed: string): Rounds | null {
	let nonce = 0;
	const serverSeed = hashOf('rounds', game.code, seed);
	const shared = sharedSeeds(`${game.code} ${seed}`, true);
	const hashes = chainFrom(`${game.code} ${seed}`);
	const salt = hashOf('salt', seed);
	switch (game.kind) {
		case 'crash':
			return () => {
				const cents = crashCents({ hash: hashes(), salt, bettorSeeds: [], returnPercent: CRASH_RETURN });
				return game.bets.map((bet) => bet.prizeOf({ cents }));
			};
		case 'turns': {
			const choices = [...new Set(bets.flatMap(({ code }) => choiceOf(game, code)))];
			const decided = () =>
				choices.flatMap((choice) => {
					const draw = drawFrom(seededWords({ serverSeed, clientSeed: choice, nonce: nonce++ }));
					return game.decidedBets(game.deal(draw, choice), choice);
				});
			if (decided().length === 0) return null;
			return () => {
				const byCode = new Map(decided());
				return bets.map(({ code }) => byCode.get(code));
			};
		}
		default:
			return () => {
				const seeds = game.kind === 'table' ? shared() : { serverSeed, clientSeed: 'a player', nonce: nonce++ };
				const outcome = game.outcomeOf(drawFrom(seededWords(seeds)));
				return bets.map(({ code }) => game.betOf(code)?.prizeOf(outcome) ?? null);
			};
	}
}

/** How a round of a game with turns begins in which the deal may decide the bet. */
const choiceOf = (game: TurnGame, code: string): string[] =>
	[code.split('-')[0] ?? '', ''].filter((choice) => game.isChoice(choice)).slice(0, 1);

/** Plays the rounds of a game. A game whose bets its player's decisions decide has none here. */
export function playGame(
	game: Game,
	rounds: number,
	seed: string,
): { figures: Figure[]; returns: RealisedReturn[] } | null {
	const step = Math.ceil(game.bets.length / MOST_BETS);
	const bets: readonly BetTerms[] = game.kind === 'crash' ? game.bets : game.bets.filter((_, at) => at % step === 0);
	const next = roundsOf(game, bets, seed);
	if (!next) return null;
	const counts = bets.map(({ prizes }) => Array.from({ length: prizes.length + 1 }, () => 0));
	const evenest = evenestOf(bets);
	const wins: boolean[] = [];
	for (let round = 0; round < rounds; round++) {
		for (const [at, prize] of next().entries()) {
			if (prize === undefined) continue;
			const ofBet = counts[at] as number[];
			const cell = prize ?? ofBet.length - 1;
			ofBet[cell] = (ofBet[cell] as number) + 1;
			if (at === evenest) wins.push(prize !== null);
		}
	}
	const ofBets = bets.flatMap((bet, at): Figure[] => {
		const chances = bet.prizes.map(({ chance }) => toNumber(chance));
		const lost = 1 - chances.reduce((sum, chance) => sum + chance, 0);
		const ofBet = counts[at] as number[];
		const expected = [...chances, lost].map((chance) => chance * sumOf(ofBet));
		const chance = fitChance(ofBet, expected);
		return chance === null ? [] : [{ subject: game.name, test: `chances of ${bet.name}`, chance }];
	});
	const returns = bets.map((bet, at) => realised(game, bet, counts[at] as number[]));
	const winning = chanceToWin(bets[evenest] as BetTerms);
	const independence = {
		subject: game.name,
		test: 'rounds say nothing about later ones',
		chance: lagChance(wins, winning),
	};
	return { figures: [...ofBets, independence], returns };
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

const chanceToWin = ({ prizes }: BetTerms): number => prizes.reduce((sum, { chance }) => sum + toNumber(chance), 0);

/** The bet that is won nearest to every second time: its series of wins says most. */
function evenestOf(bets: readonly BetTerms[]): number {
	const far = bets.map((bet) => Math.abs(chanceToWin(bet) - 0.5));
	return far.indexOf(Math.min(...far));
}

/** Correlation of the wins with those up to eight rounds before, at the exact chance. */
function lagChance(wins: readonly boolean[], chance: number): number {
	const offs = wins.map((win) => (win ? 1 - chance : -chance));
	const variance = chance * (1 - chance);
	const chances = Array.from({ length: LAGS }, (_, index) => {
		const lag = index + 1;
		let sum = 0;
		for (let at = lag; at < offs.length; at++) sum += (offs[at] ?? 0) * (offs[at - lag] ?? 0);
		return normalChance(sum / (variance * Math.sqrt(offs.length - lag)));
	});
	return Math.min(1, Math.min(...chances) * LAGS);
}

function realised(game: Game, bet: BetTerms, counts: readonly number[]): RealisedReturn {
	const rounds = sumOf(counts);
	const exact = toNumber(returnOf(bet));
	const [paid, squares] = bet.prizes.reduce(
		([sum, second], { pays, chance }, at): [number, number] => [
			sum + (counts[at] ?? 0) * toNumber(pays),
			second + toNumber(chance) * toNumber(pays) ** 2,
		],
		[0, 0],
	);
	const band = BAND * Math.sqrt((squares - exact ** 2) / rounds);
	return { game: game.name, bet: bet.name, rounds, exact, realised: paid / rounds, band };
}

/** Of all games; the names of those that depend on play are apart. */
export function playGames(rounds: number, seed: string) {
	const played = GAMES.map((game) => ({ game, result: playGame(game, rounds, seed) }));
	return {
		figures: played.flatMap(({ result }) => result?.figures ?? []),
		returns: played.flatMap(({ result }) => result?.returns ?? []),
		byPlay: played.flatMap(({ game, result }) => (result ? [] : [game.name])),
	};
}
