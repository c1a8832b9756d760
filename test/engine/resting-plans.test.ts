/**
 * A look visits the plans alone that have something to do. An engine that was rebuilt visits all of them once, so it is the slow
 * and obviously right one: after each look it finds nothing more to do, and one that goes on beside the first does the same.
 */
import { expect, it } from 'vitest';
import type { Command } from '#engine/command.ts';
import { createEngine } from '#engine/create-engine.ts';
import type { Effects } from '#engine/effect.ts';
import type { Engine } from '#engine/engine.ts';
import type { Outcome } from '#engine/outcome.ts';
import type { Plan } from '#engine/triggers/plan.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { MARKET } from './exchange-scene.ts';
import { RecordedEffects } from './recorded-effects.ts';

const PLAYERS = [11, 12, 13, 14];
/** Ticks that follow each other, so that bets meet and prices move past pegs and stops. */
const PRICES = [190, 192, 194, 196, 198, 200, 202, 204, 206, 208, 210];
const NOTHING = new Proxy({}, { get: () => () => undefined }) as Effects;
const codeOf = (outcome: Outcome) => (outcome.ok ? null : outcome.code);

class Play {
	readonly #engine: Engine = createEngine();
	readonly #effects = new RecordedEffects(this.#engine);
	readonly #numbers: SeededNumbers;
	/** Rebuilt after a look, and told all that followed. */
	#twin: Engine | null = null;
	#atMs = 0;

	constructor(seed: number) {
		const numbers = new SeededNumbers(seed);
		this.#numbers = numbers;
		for (const walletId of PLAYERS) {
			this.#tell({ kind: 'open-wallet', atMs: 0, walletId, pool: 'PLAY' });
			this.#tell({
				kind: 'grant-coins',
				atMs: 0,
				grantId: walletId,
				walletId,
				amount: numbers.from([20_000, 1_000_000]),
			});
		}
		this.#tell({
			kind: 'open-market',
			atMs: 0,
			marketId: MARKET,
			pools: ['PLAY'],
			runners: 2,
			numberOfWinners: 1,
			commissionBp: 0,
			minStake: 10,
			maxStake: 1_000_000,
			profitRatioRule: false,
			selfMatch: numbers.chance(70) ? 'ALLOW' : 'REFUSE',
			suspended: false,
			betDelayMs: 1_000,
		});
	}

	/** How plans stand, or ended. */
	get reached(): string[] {
		return [...this.#effects.triggers.values()].map(({ plan, status, reason }) => `${plan?.kind} ${status} ${reason}`);
	}

	run(commands: number): void {
		for (let count = 0; count < commands; count++) {
			this.#atMs += this.#numbers.below(400);
			this.#tell(this.#next());
			if (this.#numbers.chance(60)) this.#endBatch();
		}
		this.#tell({ kind: 'close-market', atMs: this.#atMs, marketId: MARKET });
		this.#endBatch();
		expect(this.#engine.watchesBooks()).toBe(false);
	}

	#tell(command: Command): Outcome {
		const outcome = this.#engine.apply(command, this.#effects);
		if (this.#twin) {
			expect(codeOf(this.#twin.apply(command, NOTHING)), command.kind).toBe(codeOf(outcome));
			expect(this.#twin.hash(), command.kind).toBe(this.#engine.hash());
		}
		return outcome;
	}

	#endBatch(): void {
		const numbers = this.#numbers;
		const withoutBest = numbers.chance(10) ? 'ALL' : numbers.chance(10) ? [MARKET] : [];
		const look = { kind: 'look-at-triggers', atMs: this.#atMs, withoutBest } as const;
		this.#tell(look);
		const whole = this.#effects.rebuild(true);
		expect(whole.hash(), 'a rebuilt engine').toBe(this.#engine.hash());
		expect(codeOf(whole.apply(look, NOTHING)), 'a look at every plan').toBe('NOTHING_TO_UPDATE');
		if (numbers.chance(10)) this.#twin = this.#effects.rebuild(true);
		if (this.#engine.hasTriggersToFire()) this.#tell({ kind: 'fire-triggers', atMs: this.#atMs, betId: this.#nextId });
	}

	get #nextId(): number {
		return this.#engine.counters().lastBetId + 1;
	}

	#next(): Command {
		const numbers = this.#numbers;
		const kind = numbers.below(100);
		const [pending] = this.#engine.pendingBets();
		if (pending && pending.dueAtMs <= this.#atMs) return { kind: 'admit-bet', atMs: this.#atMs, betId: pending.betId };
		if (kind < 45) return this.#bet();
		if (kind < 65) return this.#plan();
		return kind < 85 ? this.#changeOfBet(kind) : this.#changeOfMarket(kind);
	}

	#order() {
		const numbers = this.#numbers;
		return {
			walletId: numbers.from(PLAYERS),
			marketId: MARKET,
			runner: numbers.below(2),
			side: numbers.below(2) as 0 | 1,
			price: numbers.from(PRICES),
			stake: 10 * (1 + numbers.below(40)),
			persist: numbers.chance(70),
		};
	}

	#bet(): Command {
		return { kind: 'place-bet', atMs: this.#atMs, betId: this.#nextId, ...this.#order() };
	}

	#plan(): Command {
		const numbers = this.#numbers;
		const order = this.#order();
		const ticks = 1 + numbers.below(3);
		const plans: Plan[] = [
			{ kind: 'ICEBERG', visible: Math.max(10, Math.ceil(order.stake / 3)) },
			{ kind: 'PEG', follows: 'OWN', ticks: ticks - 1 },
			{ kind: 'PEG', follows: 'OPPOSITE', ticks },
			{ kind: 'BRACKET', profitTicks: ticks, stopTicks: 1 },
			{ kind: 'BRACKET', profitTicks: 3, stopTicks: ticks },
		];
		return {
			kind: 'place-trigger',
			atMs: this.#atMs,
			triggerId: this.#nextId,
			...order,
			watches: 'NONE',
			moves: 'FALLS',
			at: null,
			trail: null,
			marketVersion: null,
			plan: numbers.from(plans),
		};
	}

	/** Of one of the latest bets, whose player is asked. */
	#changeOfBet(kind: number): Command {
		const numbers = this.#numbers;
		const atMs = this.#atMs;
		const known = [...this.#effects.bets.values()].slice(-15);
		const bet = known.length === 0 ? null : numbers.from(known);
		if (!bet) return this.#bet();
		const { betId, walletId } = bet;
		if (kind < 74) return { kind: 'cancel-bet', atMs, betId, ...(numbers.chance(50) ? { size: 10 } : {}) };
		if (kind < 79) {
			const newBetId = this.#nextId;
			return { kind: 'replace-bet', atMs, betId, newBetId, walletId, price: numbers.from(PRICES) };
		}
		if (kind < 81) return { kind: 'update-bet', atMs, betId, walletId, persist: !bet.persist };
		return this.#voidOrCancelPlan(walletId);
	}

	#voidOrCancelPlan(walletId: number): Command {
		const numbers = this.#numbers;
		const atMs = this.#atMs;
		const { fills, triggers } = this.#effects;
		if (numbers.chance(60) && fills.length > 0) {
			const rowNumber = numbers.below(fills.length);
			const { taker, maker, price, stake } = fills[rowNumber] as (typeof fills)[number];
			const match = { batch: 1, rowNumber, takerBetId: taker, makerBetId: maker, price, stake };
			return { kind: 'void-matches', atMs, marketId: MARKET, matches: [match] };
		}
		if (numbers.chance(20)) return { kind: 'cancel-all', atMs, walletId };
		return { kind: 'cancel-trigger', atMs, triggerId: numbers.from([...triggers.keys(), 1]) };
	}

	#changeOfMarket(kind: number): Command {
		const numbers = this.#numbers;
		const atMs = this.#atMs;
		const marketId = MARKET;
		const { status, suspended } = this.#engine.market(MARKET) ?? { status: 'OPEN', suspended: [] };
		if (status === 'SUSPENDED' && numbers.chance(60)) return { kind: 'resume-market', atMs, marketId };
		const [runner = numbers.below(2)] = suspended;
		if (suspended.length > 0 && numbers.chance(60)) return { kind: 'resume-runner', atMs, marketId, runner };
		if (kind < 89) return { kind: 'suspend-market', atMs, marketId, lapseUnmatched: numbers.chance(10) };
		if (kind < 92) return { kind: 'suspend-runner', atMs, marketId, runner };
		if (kind < 94) return { kind: 'turn-in-play', atMs, marketId };
		if (kind < 98) {
			const limits = { maxStake: numbers.from([0, 0, 200]), maxProfit: 0, maxExposure: 0 };
			return { kind: 'set-limits', atMs, walletId: numbers.from(PLAYERS), limits };
		}
		return this.#bet();
	}
}

function play(seeds: number, commands: number): Set<string> {
	const reached = new Set<string>();
	for (let seed = 1; seed <= seeds; seed++) {
		try {
			const one = new Play(seed);
			one.run(commands);
			for (const each of one.reached) reached.add(each);
		} catch (error) {
			throw new Error(`seed ${seed}`, { cause: error });
		}
	}
	return reached;
}

const ENDS = ['ICEBERG', 'PEG', 'BRACKET'].flatMap((kind) => [`${kind} PLACED null`, `${kind} CANCELLED null`]);
const MOST = [...ENDS, 'PEG REFUSED STAKE_TOO_LARGE'];

it('leaves nothing to do to a look at every plan', () => {
	expect([...play(12, 110)]).toEqual(expect.arrayContaining(MOST));
});

it('leaves nothing to do in long plays', { tags: ['thorough'] }, () => {
	expect([...play(60, 300)]).toEqual(expect.arrayContaining(MOST));
});
