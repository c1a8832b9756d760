/** What players can read of the rules before they bet. */
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { NO_RULES } from '#contract/rules-at.ts';
import { GAMES } from '#games/all-games.ts';
import { houseRulesOf } from '#games/house-rules.ts';
import { PayTable } from '#web/features/casino/pay-table.tsx';
import { RulesScreen } from '#web/features/rules/rules-screen.tsx';
import { writtenFor } from './brand-page.tsx';

const rulesUnder = (tellsPrograms: boolean): string =>
	writtenFor({ rules: [{ ...NO_RULES, from: '2026-01-01T00:00:00Z', profile: 'uk', tellsPrograms }] }, RulesScreen);

it('the rules tell of the delay of bets in play, of void bets and of commission', () => {
	const page = writtenFor({}, RulesScreen);
	expect(page).toContain('While a match is in play, a bet may be delayed for some seconds');
	expect(page).toContain('A void bet returns its stake to both sides.');
	expect(page).toContain('Commission is taken from your net winnings in that market, never from a loss');
});

it('the rules tell of programs under a profile that asks for it, and under no other', () => {
	const said = 'Some players let programs bet for them.';
	expect(rulesUnder(true)).toContain(said);
	expect(rulesUnder(false)).not.toContain(said);
	expect(writtenFor({}, RulesScreen)).not.toContain(said);
});

it('every game has its own rules and those of the house below it, and Crash tells what a slow line costs', () => {
	for (const game of GAMES) {
		const table = renderToStaticMarkup(createElement(PayTable, { game }));
		const written = (rule: string) => table.includes(renderToStaticMarkup(createElement('li', null, rule)));
		const missing = [...game.rules, ...houseRulesOf(game)].filter((rule) => !written(rule));
		expect([game.code, missing]).toEqual([game.code, []]);
		if (game.kind === 'crash') expect(table).toContain('On a slow line it arrives late, which is a disadvantage');
	}
});
