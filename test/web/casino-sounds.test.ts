/** What the sounds of the casino tell: nothing at or below the stake is heard as a win. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { minorOf } from '#values/money.ts';
import { type CrashView, crashSound } from '#web/features/casino/crash/crash-store.ts';
import { type TableView, tableSound } from '#web/features/casino/tables/table-store.ts';

type Bet = readonly [stake: number, payout: number, state: string];

const mine = (bets: readonly Bet[], round = '7') =>
	bets.map(([stake, payout, state]) => ({ round, state, stake: minorOf(stake), payout: minorOf(payout) }));
const table = (phase: string, bets: readonly Bet[] = [], shown: unknown = null) =>
	({ snapshot: { state: { round: '7', phase, shown } }, mine: mine(bets) }) as unknown as TableView;
const crash = (phase: string, bets: readonly Bet[], round = '7') =>
	({ snapshot: { state: { round, phase } }, mine: mine(bets) }) as unknown as CrashView;

const amounts = fc.record({ stake: fc.integer({ min: 1, max: 500 }), payout: fc.nat({ max: 1_000 }) });

it('a table sounds like a win where all bets of its round are paid more than they cost, once', () => {
	fc.assert(
		fc.property(fc.array(amounts, { minLength: 1, maxLength: 4 }), (bets) => {
			const after = table(
				'DECIDED',
				bets.map(({ stake, payout }): Bet => [stake, payout, 'SETTLED']),
			);
			const won = bets.reduce((sum, { stake, payout }) => sum + payout - stake, 0);
			expect(tableSound(after, table('DEALING'))).toBe(won > 0 ? 'win' : null);
			expect(tableSound(after, after)).toBeNull();
		}),
	);
	expect(tableSound(table('DECIDED', [[100, 100, 'SETTLED']]), table('DEALING'))).toBeNull();
	expect(tableSound(table('DEALING', [], ['A']), table('DEALING'))).toBe('deal');
});

it('Crash sounds like a win once both bets of a round are paid more than both cost', () => {
	const open: Bet = [100, 0, 'OPEN'];
	const flying = crash('FLYING', [open, open]);
	expect(crashSound(flying, crash('LOCKED', [open, open]))).toBe('start');
	expect(crashSound(crash('FLYING', []), crash('LOCKED', []))).toBeNull();
	const heard = (bets: readonly Bet[], before = flying, phase = 'FLYING') => crashSound(crash(phase, bets), before);
	const less = heard([[100, 150, 'WON'], open]);
	const lost = heard(
		[
			[100, 200, 'WON'],
			[100, 0, 'LOST'],
		],
		crash('FLYING', [[100, 200, 'WON'], open]),
		'CRASHED',
	);
	const more = heard([[100, 201, 'WON'], open]);
	const again = heard(
		[
			[100, 201, 'WON'],
			[100, 120, 'WON'],
		],
		crash('FLYING', [[100, 201, 'WON'], open]),
	);
	const returned = heard(
		[
			[100, 101, 'WON'],
			[100, 100, 'VOID'],
		],
		crash('FLYING', [open]),
	);
	expect([less, lost, more, again, returned]).toEqual([null, null, 'win', null, 'win']);
	// A bet that won in an earlier round is no news.
	expect(crashSound(crash('FLYING', [[100, 201, 'WON']], '8'), crash('FLYING', [[100, 201, 'WON']], '8'))).toBeNull();
});
