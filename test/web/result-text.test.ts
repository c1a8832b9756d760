/** What a game says of a round's result. */
import { expect, it } from 'vitest';
import { hoursMinutesSeconds } from '#ui/duration-text.ts';
import { minorOf } from '#values/money.ts';
import { resultText } from '#web/features/casino/result-text.ts';

const said = (stake: number, payout: number) => resultText({ stake: minorOf(stake), payout: minorOf(payout) });

it('calls a return at or below the stake no win', () => {
	const [less, same, more] = [said(10_000, 9_900), said(10_000, 10_000), said(10_000, 10_001)];
	expect([less, same].map((text) => /won|win/i.test(text))).toEqual([false, false]);
	expect(more).toMatch(/win/i);
});

it('tells the time since the session’s start in hours, minutes and seconds', () => {
	expect([0, 59, 3_723, 360_000].map(hoursMinutesSeconds)).toEqual(['0:00:00', '0:00:59', '1:02:03', '100:00:00']);
});
