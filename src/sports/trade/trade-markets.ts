/** The markets of a trade fixture: whether the level rises, and the lines that it reaches. */
import { lineRunners } from '#sports/lines.ts';
import type { MarketState } from '#sports/play.ts';
import { CENTS, type TradeWalk } from '#sports/trade/trade-walk.ts';

/** Prices move at every tick. */
const DEPTH = 8;

const RULES = {
	direction: 'Whether the level of the last tick is above that of the open. Equal counts as down.',
	level: 'The level of the last tick. YES wins when it is at the line or above. Void if the ticks stop before.',
};

export function tradeMarkets(walk: TradeWalk): MarketState[] {
	const { open, level, lines, isEnded } = walk;
	const up = walk.chanceOf(open + 1);
	const value = level / CENTS;
	return [
		{
			name: 'Match Odds',
			type: 'MATCH_ODDS',
			runners: [
				{ id: 'up', name: 'Up' },
				{ id: 'down', name: 'Down' },
			],
			betDelaySeconds: 0,
			rules: RULES.direction,
			depth: DEPTH,
			chances: [up, 1 - up],
			result: isEnded ? { winners: [level > open ? 0 : 1] } : null,
		},
		{
			name: 'Level at the end',
			type: 'TRADE',
			lines,
			runners: lineRunners(lines),
			betDelaySeconds: 0,
			rules: RULES.level,
			chances: lines.map((line) => walk.chanceOf(line * CENTS)),
			result: isEnded ? { value } : null,
		},
	];
}
