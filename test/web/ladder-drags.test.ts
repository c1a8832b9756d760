/**
 * Random drags on the ladder, over the engine: while an order is lifted, it is matched, cancelled or moved from another
 * device, the market is suspended, prices move. Whatever happens, a drop moves what is unmatched of the lifted orders and
 * nothing else, and no stake is lost or doubled. `test/browser/ladder.test.ts` does the same by mouse in a browser.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Draw, randomFrom } from '#sports/random.ts';
import { LADDERS } from '#values/price-ladder.ts';
import type { OpenBet } from '#web/api/answers.ts';
import { dropOf, type Lifted, ladderRows } from '#web/betting/ladder-view.ts';
import { ExchangeScene } from '../engine/exchange-scene.ts';

const ladder = LADDERS.CLASSIC;
const [PLAYER, OTHER] = [11, 12];
const RUNNER = 0;
const FUNDS = 1_000_000_000;
const STAKE = 6_000;
const MIDDLE = ladder.tickOf(ladder.nearest(200).above ?? 200);
const REACH = 8;
const STEPS = 40;

class Seat {
	readonly scene = new ExchangeScene();
	staked = 0;
	/** By the player himself, on this device or another. */
	cancelled = 0;
	suspended = false;

	constructor() {
		this.scene.openMarket();
		this.scene.players(FUNDS, [PLAYER, OTHER]);
	}

	/** The player's bets as the site has them. */
	bets(): OpenBet[] {
		return [...this.scene.effects.bets.entries()]
			.filter(([, { walletId }]) => walletId === PLAYER)
			.map(
				([betId, { side, price, remaining, matched }]) =>
					({
						betId: String(betId),
						side: side === 0 ? 'BACK' : 'LAY',
						price,
						remainingStake: remaining,
						matchedStake: matched,
					}) as unknown as OpenBet,
			);
	}

	resting = () => this.bets().filter(({ remainingStake }) => remainingStake > 0);

	/** Backs rest above the middle and lays below it, so that the player's own never meet. */
	place(draw: Draw): void {
		const far = 1 + Math.floor(draw() * REACH);
		const isBack = draw() < 0.5;
		const price = ladder.priceAt(isBack ? MIDDLE + far : MIDDLE - far) / 100;
		const outcome = isBack
			? this.scene.back(PLAYER, RUNNER, price, STAKE)
			: this.scene.lay(PLAYER, RUNNER, price, STAKE);
		if (outcome.ok) this.staked += STAKE;
	}

	/** Another player takes some of what is best on a side. */
	take(draw: Draw): void {
		const stake = 1_000 + Math.floor(draw() * 8_000);
		if (draw() < 0.5) this.scene.lay(OTHER, RUNNER, ladder.priceAt(MIDDLE + REACH) / 100, stake);
		else this.scene.back(OTHER, RUNNER, ladder.priceAt(MIDDLE - REACH) / 100, stake);
		this.scene.apply({ kind: 'cancel-all', atMs: 0, walletId: OTHER });
	}

	cancel(draw: Draw): void {
		const bet = pick(this.resting(), draw);
		if (!bet) return;
		const before = bet.remainingStake;
		if (this.scene.cancel(Number(bet.betId), PLAYER).ok) this.cancelled += before;
	}

	turn(): void {
		if (this.suspended) this.scene.resume();
		else this.scene.suspend();
		this.suspended = !this.suspended;
	}

	replace(bet: OpenBet, tick: number): boolean {
		const { engine } = this.scene;
		const newBetId = Math.max(engine.counters().lastBetId, this.scene.lastBet) + 1;
		const price = ladder.priceAt(tick);
		return this.scene.apply({
			kind: 'replace-bet',
			atMs: 0,
			betId: Number(bet.betId),
			newBetId,
			walletId: PLAYER,
			price,
		}).ok;
	}

	/** Matched and unmatched, of all the player's bets. */
	total = () => this.bets().reduce((sum, { matchedStake, remainingStake }) => sum + matchedStake + remainingStake, 0);
}

const pick = <Item>(items: readonly Item[], draw: Draw): Item | undefined => items[Math.floor(draw() * items.length)];

/** Lifts the orders of a row of the ladder, as the player sees it. */
function lift(seat: Seat, draw: Draw): Lifted | null {
	const rows = ladderRows(ladder, MIDDLE, [], seat.bets());
	const groups = rows.flatMap(({ tick, backs, lays }) =>
		[backs, lays].filter(({ length }) => length > 0).map((bets) => ({ tick, bets })),
	);
	const lifted = pick(groups, draw);
	if (!lifted) return null;
	const side = lifted.bets[0]?.side ?? 'BACK';
	const far = 1 + Math.floor(draw() * REACH);
	const to = side === 'BACK' ? MIDDLE + far : MIDDLE - far;
	return { betIds: lifted.bets.map(({ betId }) => betId), side, from: lifted.tick, to };
}

function drop(seat: Seat, lifted: Lifted): void {
	const before = new Map(seat.resting().map((bet) => [bet.betId, bet]));
	const outcome = dropOf(lifted, ladder, seat.bets(), !seat.suspended);
	const left = lifted.betIds.flatMap((betId) => before.get(betId) ?? []);
	if (lifted.to === lifted.from) expect(outcome.kind).toBe('stays');
	else expect(outcome.kind).toBe(left.length === 0 ? 'ended' : seat.suspended ? 'closed' : 'moves');
	if (outcome.kind !== 'moves') return;
	expect(outcome.bets.map(({ betId }) => betId).sort()).toEqual(left.map(({ betId }) => betId).sort());
	for (const bet of outcome.bets) expect(seat.replace(bet, lifted.to)).toBe(true);
	const after = seat.resting();
	const moved = left.reduce((sum, { remainingStake }) => sum + remainingStake, 0);
	const isNew = after.filter(({ betId }) => !before.has(betId));
	// It rests at its new price, as a whole: nothing of another player is there to meet it.
	expect(isNew.every(({ price }) => price === ladder.priceAt(lifted.to))).toBe(true);
	expect(isNew.reduce((sum, { remainingStake }) => sum + remainingStake, 0)).toBe(moved);
	for (const { betId, remainingStake } of after.filter(({ betId: id }) => before.has(id)))
		expect(before.get(betId)?.remainingStake).toBe(remainingStake);
}

it('through random drags while orders are matched, cancelled and moved and the market is suspended, no stake is lost or doubled', () => {
	const outcomes = new Set<string>();
	fc.assert(
		fc.property(fc.integer(), (seed) => {
			const draw = randomFrom(seed);
			const seat = new Seat();
			const meanwhile = [
				() => seat.take(draw),
				() => seat.cancel(draw),
				() => seat.turn(),
				() => {
					const [other, to] = [pick(seat.resting(), draw), lift(seat, draw)];
					if (other && to && other.side === to.side && !seat.suspended) seat.replace(other, to.to);
				},
			];
			for (let step = 0; step < STEPS; step++) {
				if (draw() < 0.6) seat.place(draw);
				const lifted = lift(seat, draw);
				for (let events = Math.floor(draw() * 4); events > 0; events--) pick(meanwhile, draw)?.();
				if (lifted) {
					outcomes.add(dropOf(lifted, ladder, seat.bets(), !seat.suspended).kind);
					drop(seat, lifted);
				}
				if (seat.suspended && draw() < 0.7) seat.turn();
				expect(seat.total(), `after step ${step}`).toBe(seat.staked - seat.cancelled);
			}
		}),
		{ numRuns: 25 },
	);
	expect([...outcomes].sort()).toEqual(['closed', 'ended', 'moves', 'stays']);
});
