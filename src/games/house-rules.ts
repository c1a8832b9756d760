/** The rules of every game besides its own: the house's limits on stakes and payouts, and abandoned rounds. */
import type { Game, TableGame } from '#games/game.ts';
import { AFTER_RESULT_MS, MOST_DEALING_MS } from '#games/tables/table-times.ts';
import { casinoLimits } from '#values/casino-limits.ts';
import { type Currency, HOME_CURRENCY } from '#values/currency-codes.ts';
import { ROUND_LEFT_HOURS } from '#values/house-limits.ts';
import { moneyText } from '#values/money-text.ts';

/** No single player can use up the house's whole risk limit of a round. */
const SHARED = `In a round that everybody plays the house can lose a limited amount. One player can win two fifths of it at most.`;

const seconds = (ms: number): string => `${ms / 1_000} seconds`;

/** The bets of a round end shortly before the value is out that decides it, which is some seconds later than the least time. */
const timesOf = ({ windowMs }: TableGame): string =>
	`A round takes bets for ${seconds(windowMs)} or a few more. Then the value is awaited that decides it; if it does not come, all stakes go back. The round is dealt within ${seconds(MOST_DEALING_MS)}, and the next one begins ${seconds(AFTER_RESULT_MS)} after its result.`;

/** One sentence or two each, in English like the rules of the games. @param currency of the players */
export function houseRulesOf(game: Game, currency: Currency = HOME_CURRENCY): readonly string[] {
	const { mostStake, mostPayout } = casinoLimits(currency);
	const [mostStaked, mostPaid] = [moneyText(currency, mostStake), moneyText(currency, mostPayout)];
	const countedTogether = `All your bets in one round count together, equal or different: they are ${mostStaked} at most, and a bet with which they could be paid more than ${mostPaid} is refused. Your own stake limit is for the round, too.`;
	switch (game.kind) {
		case 'instant':
			return [countedTogether];
		case 'table':
			return [countedTogether, `${SHARED} A bet with which it could lose more is refused.`, timesOf(game)];
		case 'crash':
			return [
				`All your bets in one round count together: they are ${mostStaked} at most, and both are cashed out where they would be paid ${mostPaid} together. Your own stake limit is for the round, too.`,
				`${SHARED} The limit is of one kind of money: play, demo or real. Where the bets of that money that still fly would be paid more, all of them are cashed out at that multiplier, before the crash, whoever made them; bets of other money fly on.`,
			];
		case 'turns':
			return [
				`All that you stake in one round counts together, doubled stakes included: it is ${mostStaked} at most, and a decision after which the round could pay more than ${mostPaid} is refused. Your own stake limit is for the round, too.`,
				`A round that waits for your decision for ${ROUND_LEFT_HOURS} hours ends by itself: ${game.abandoned}`,
			];
	}
}
