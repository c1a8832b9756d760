/** Who hears of a flight when, on a clock that a test sets: time also jumps where a busy process comes late. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CrashGame, type Tick } from '#server/money/casino/crash/crash-game.ts';
import type { CrashTerms } from '#server/money/casino/crash/flight.ts';
import type { GameWallet } from '#server/money/casino/game-wallet.ts';
import { TableRound } from '#server/money/casino/tables/table-round.ts';
import { COHORTS } from '#server/platform/bus/table-topics.ts';

const TICK_MS = 150;
/** Crashes after 20 s. */
const CRASH_CENTS = 332;

/** A flight without bets. @param lateMs by how much each wait is too long, in turn */
async function ticksOf(lateMs: readonly number[]): Promise<Tick[]> {
	const ticks: Tick[] = [];
	const game = new CrashGame((tick) => ticks.push(tick));
	const round = new TableRound<CrashTerms>({
		game: 'crash',
		round: 1,
		beacon: null,
		wallet: {} as GameWallet,
		mostLoss: () => 0,
		newRisk: () => game.newRisk(),
		lossOf: (bets) => game.lossOf(bets),
		writeDecisions: () => Promise.resolve(),
		onBet: () => undefined,
	});
	let nowMs = 1_000;
	let waits = 0;
	await game.play(
		round,
		{ cents: CRASH_CENTS },
		{
			clock: {
				speed: 1,
				now: () => nowMs,
				at: (monotonicMs) => monotonicMs,
				until: (atMs) => {
					nowMs = Math.max(nowMs, atMs) + (lateMs[waits++ % lateMs.length] ?? 0);
					return Promise.resolve();
				},
			},
			signal: new AbortController().signal,
			reached: () => undefined,
		},
	);
	return ticks;
}

const heardBy = (ticks: readonly Tick[], cohort: number): number[] =>
	ticks.filter(({ cohorts }) => cohorts.includes(cohort)).map(({ elapsedMs }) => elapsedMs);

it('each cohort hears a tick every 150 ms, and no two at the same time', async () => {
	const ticks = await ticksOf([0]);
	for (let cohort = 0; cohort < COHORTS; cohort++) {
		const [first = 0, ...others] = heardBy(ticks, cohort);
		expect(first).toBeLessThanOrEqual(TICK_MS);
		expect(others.length).toBeGreaterThan(100);
		for (const [index, atMs] of others.entries()) expect(atMs).toBe(first + (index + 1) * TICK_MS);
	}
	for (const { cohorts } of ticks) expect(cohorts).toHaveLength(1);
});

it('a cohort waits for a tick no longer than the process was late, and hears none twice, however late it is', async () => {
	const lateness = fc.array(fc.integer({ min: 0, max: 700 }), { minLength: 1, maxLength: 30 });
	await fc.assert(
		fc.asyncProperty(lateness, async (lateMs) => {
			const ticks = await ticksOf(lateMs);
			const latest = Math.max(...lateMs);
			for (let cohort = 0; cohort < COHORTS; cohort++) {
				const heard = heardBy(ticks, cohort);
				expect(new Set(heard).size).toBe(heard.length);
				for (const [index, atMs] of heard.entries())
					expect(atMs - (heard[index - 1] ?? 0)).toBeLessThanOrEqual(TICK_MS + latest);
			}
			for (const { cohorts } of ticks) expect(new Set(cohorts).size).toBe(cohorts.length);
		}),
	);
});
