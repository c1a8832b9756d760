/** What a non-runner's row says about the other runners' bets: by the rule of the market, and nothing where none changed. */
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { EventSummary, Market } from '#web/api/answers.ts';
import { RunnerRow } from '#web/features/market/runner-row.tsx';

const WIN = { reduces: 'PRICE', fromPercent: 2.5 } as const;
const PLACES = { reduces: 'WINNINGS', fromPercent: 0 } as const;
/** As an operator may list one: the rule is not in the type. */
const PLACES_BY_PRICE = { reduces: 'PRICE', fromPercent: 0 } as const;

function rowOf(type: string, reductions: Market['reductions'], adjustmentFactor?: number): string {
	const runner = { id: '1', name: 'Comet', sortOrder: 1, status: 'REMOVED', adjustmentFactor } as const;
	const row = createElement(RunnerRow, {
		event: { sportId: 7 } as EventSummary,
		market: { id: '9', type, bettingModel: 'EXCHANGE', runners: [runner], reductions } as unknown as Market,
		runner: runner as Market['runners'][number],
		quoting: 'ODDS',
		status: 'REMOVED',
		levels: 3,
		sparkline: false,
		open: true,
		now: null,
		whatIf: null,
		ownBets: [],
	});
	return renderToStaticMarkup(row);
}

it.each([
	['WIN', WIN, 20, 'Odds reduced by 20 %'],
	['EACH_WAY', WIN, 2.5, 'Odds reduced by 2.5 %'],
	['PLACE', PLACES, 20, 'Winnings reduced by 20 %'],
	['PLACE', PLACES, 1, 'Winnings reduced by 1 %'],
	['PLACE', PLACES_BY_PRICE, 20, 'Odds reduced by 20 %'],
] as const)('of %s by the rule %j and a factor of %d: %s', (type, rule, factor, said) => {
	expect(rowOf(type, rule, factor)).toContain(`>${said}<`);
});

it.each([
	['below what the market counts', WIN, 2.4],
	['of nothing', PLACES, 0],
	['that is not known', PLACES, undefined],
	['in a market without reductions', undefined, 20],
] as const)('is silent about a factor %s', (_, rule, factor) => {
	const row = rowOf('WIN', rule, factor);
	expect(row).toContain('Comet');
	expect(row).not.toContain('reduced');
});
