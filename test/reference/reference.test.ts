/**
 * Random scenarios on the engine and on the slow reference: after every command the same answer, the same fills, the
 * same free cash and exposure of everybody; at times the same books; at the end the same money.
 */
import { describe, expect, it } from 'vitest';
import type { Command } from '#engine/command.ts';
import { createEngine } from '#engine/create-engine.ts';
import type { Outcome } from '#engine/outcome.ts';
import { RecordedEffects } from '../engine/recorded-effects.ts';
import { MARKETS, PLAYERS, RandomCommands, type RandomMarket, WIDER_MARKETS } from './random-commands.ts';
import { ReferenceExchange } from './reference-exchange.ts';
import { tellReference } from './reference-run.ts';

/** The long run, 10,000 of them, is `npm run reference`. */
const SCENARIOS = Number(process.env['REFERENCE_SCENARIOS'] ?? 1200);
const COMMANDS = 70;

/** An expectation made a million times: the costly comparison with its message only when the two differ. */
function same(actual: unknown, expected: unknown, message?: string): void {
	if (JSON.stringify(actual) !== JSON.stringify(expected)) expect(actual, message).toEqual(expected);
}

class Comparison {
	readonly engine = createEngine();
	readonly effects = new RecordedEffects(this.engine);
	readonly reference = new ReferenceExchange();
	readonly #markets: readonly RandomMarket[];
	accepted = 0;
	refusals = new Set<string>();

	constructor(markets: readonly RandomMarket[]) {
		this.#markets = markets;
	}

	/** Throws with what differs. */
	tell(command: Command): void {
		const { effects } = this;
		const [told, filled, lapsed] = [effects.told, effects.fills.length, effects.lapses.length];
		const before = this.engine.hash();
		const outcome = this.engine.apply(command, effects);
		const answer = tellReference(this.reference, command);
		if (outcome.ok) this.accepted++;
		else {
			this.refusals.add(outcome.code);
			same(effects.told, told, 'a refused command tells nothing');
			same(this.engine.hash(), before, 'a refused command changes nothing');
		}
		same(codeOf(outcome), answer.code === null ? null : codeOfReference(answer.code));
		const fills = effects.fills.slice(filled).map(({ taker, maker, price, stake }) => ({ taker, maker, price, stake }));
		same(fills, answer.fills);
		const lapses = effects.lapses.slice(lapsed).map(({ betId }) => betId);
		same(
			lapses.sort((a, b) => a - b),
			answer.lapsed,
		);
		if (outcome.ok && answer.remaining !== null) same(outcome.remaining, answer.remaining);
		this.compareMoney();
		this.engine.checkInvariants();
	}

	compareMoney(): void {
		for (const { walletId } of PLAYERS) {
			const wallet = this.engine.wallet(walletId);
			const user = this.reference.user(walletId);
			if (!wallet || !user) continue;
			const exposure = this.reference.totalExposure(walletId);
			same([wallet.exposure, wallet.cash], [Number(exposure), Number(user.funds - exposure)]);
		}
	}

	compareBooks(): void {
		for (const { marketId, runners, pools } of this.#markets) {
			for (const pool of pools) {
				for (let runner = 0; runner < runners; runner++) {
					const queues = (['BACK', 'LAY'] as const).flatMap((side) =>
						this.reference.queue(pool, marketId, runner, side),
					);
					same(
						this.engine.restingBets(marketId, pool, runner),
						queues.map(({ id, side, price, remaining }) => ({
							betId: id,
							side: side === 'BACK' ? 0 : 1,
							price,
							remaining,
						})),
					);
				}
			}
		}
	}

	compareHouse(): void {
		for (const pool of ['PLAY', 'DEMO'] as const) {
			same(this.engine.houseBalance('commission', pool, 0), Number(this.reference.commission[pool] ?? 0n));
			same(this.engine.houseBalance('rounding', pool, 0), Number(this.reference.rounding[pool] ?? 0n));
			for (const { marketId } of this.#markets) same(this.engine.houseBalance('pot', pool, marketId), 0);
		}
		for (const bet of this.effects.bets.values()) {
			const { matched, remaining, lapsed, cancelled, voided } = bet;
			same(matched + remaining + lapsed + cancelled + voided, bet.stake);
		}
	}
}

/** The engine forgets bets that ended without a match; what it says of them is one refusal for the reference's three. */
const GONE = new Set(['UNKNOWN_ORDER', 'NOT_OWNER', 'ORDER_NOT_ACTIVE', 'INVALID_SIZE']);
const codeOfReference = (code: string): string => (GONE.has(code) ? 'no such active bet' : code);
function codeOf(outcome: Outcome): string | null {
	if (outcome.ok) return null;
	return GONE.has(outcome.code) ? 'no such active bet' : outcome.code;
}

/** The first difference, with the shortest story that still shows it. */
function differenceIn(seed: number, markets: readonly RandomMarket[], comparison: Comparison): Error | null {
	const random = new RandomCommands(seed, markets);
	const story = [...random.opening(), ...Array.from({ length: COMMANDS }, () => random.next()), ...random.ending()];
	const failure = failureOf(story, comparison);
	if (!failure) return null;
	const shortest = shrunk(story.slice(0, failure.at + 1), markets);
	const lines = shortest.map((command) => JSON.stringify(command)).join('\n');
	return new Error(`seed ${seed}: ${shortest.length} commands show it\n${lines}`, { cause: failure.error });
}

function failureOf(story: readonly Command[], comparison: Comparison): { at: number; error: unknown } | null {
	for (const [at, command] of story.entries()) {
		try {
			comparison.tell(command);
			if (at === story.length - 1) comparison.compareBooks();
		} catch (error) {
			return { at, error };
		}
	}
	try {
		comparison.compareHouse();
	} catch (error) {
		return { at: story.length - 1, error };
	}
	return null;
}

/** Leaves out one command after another, as long as the rest still fails. */
function shrunk(story: readonly Command[], markets: readonly RandomMarket[]): readonly Command[] {
	let shortest = story;
	for (let at = story.length - 2; at >= 0; at--) {
		const without = shortest.filter((_, index) => index !== at);
		if (failureOf(without, new Comparison(markets))) shortest = without;
	}
	return shortest;
}

describe('engine and reference exchange', () => {
	it.each([
		['with one winner', MARKETS],
		['with several winners, each way, lines of both kinds, fill-or-kill, versions and new prices', WIDER_MARKETS],
	])(`agree on ${SCENARIOS / 2} random scenarios %s`, (_, markets) => {
		const refusals = new Set<string>();
		let accepted = 0;
		for (let seed = 1; seed <= SCENARIOS / 2; seed++) {
			const comparison = new Comparison(markets);
			const difference = differenceIn(seed, markets, comparison);
			if (difference) throw difference;
			accepted += comparison.accepted;
			for (const code of comparison.refusals) refusals.add(code);
		}
		// The scenarios are worth something only if they reach the rules.
		expect(accepted).toBeGreaterThan((SCENARIOS / 2) * 25);
		expect([...refusals]).toEqual(
			expect.arrayContaining([
				'MARKET_CLOSED',
				'MARKET_SUSPENDED',
				'UNKNOWN_MARKET',
				'UNKNOWN_RUNNER',
				'PRICE_NOT_ON_LADDER',
				'INVALID_STAKE',
				'STAKE_TOO_SMALL',
				'UNKNOWN_USER',
				'FORBIDDEN',
				'DUPLICATE_ORDER',
				'INSUFFICIENT_FUNDS',
				'SELF_MATCH',
				'NOT_OWNER',
				'ORDER_NOT_ACTIVE',
				'INVALID_SIZE',
				'UNKNOWN_ORDER',
				'ALREADY_IN_PLAY',
				'WRONG_MARKET_STATE',
			]),
		);
	});
});
