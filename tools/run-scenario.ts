/** Runs one market scenario on an engine of its own. */
import type { Command } from '#engine/command.ts';
import { createEngine } from '#engine/create-engine.ts';
import type { Effects } from '#engine/effect.ts';
import type { Engine } from '#engine/engine.ts';
import type { RunnerResult } from '#engine/market-terms.ts';
import { lineResults } from '#engine/market-types/line-result.ts';
import type { Outcome } from '#engine/outcome.ts';
import { ON_A_LINE } from '#values/figures.ts';
import type { LineRange } from '#values/line-range.ts';
import { MAX_AMOUNT_MINOR } from '#values/money.ts';
import { decimalFromPrice, priceFromDecimal } from '#values/price-ladder.ts';
import { BACK, LAY, type SideCode } from '#values/sides.ts';
import type { BookLevel, Fill, Operation, Scenario, ScenarioReport, Settlement, Step } from './scenario-form.ts';

const MARKET = 1;
const POOL = 'PLAY';
/** A market to win ignores reductions below 2.5 %. */
const WIN_REDUCTION_BP = 250;
/** A command without its time, because a scenario has one moment. */
type Act = Command extends infer C ? (C extends Command ? Omit<C, 'atMs'> : never) : never;

/** An invalid side: the engine refuses it in the order of its checks. */
const NO_SIDE = -1 as SideCode;

/** Refusals of the engine with shorter names in scenarios. */
const REASONS: Record<string, string> = {
	PRICE_NOT_ON_LADDER: 'INVALID_PRICE',
	STAKE_TOO_SMALL: 'INVALID_STAKE',
	STAKE_TOO_LARGE: 'INVALID_STAKE',
	WRONG_MARKET_STATE: 'MARKET_CLOSED',
};

/** The scenario requests something that the exchange does not offer. */
export class NotSupported extends Error {}

export function runScenario(scenario: Scenario): ScenarioReport {
	return new Run(scenario).report();
}

class Run {
	readonly #engine: Engine = createEngine({ keepDigest: false });
	readonly #scenario: Scenario;
	/** Wallet ids by name, from 1. */
	readonly #wallets: Map<string, number>;
	readonly #betIds = new Map<string, number>();
	readonly #names = new Map<number, string>();
	readonly #orders: ScenarioReport['orders'] = {};
	readonly #settled = new Map<number, { net: number; commission: number; profit: number }>();
	#paid = false;
	#nextBetId = 1;
	#fills: Fill[] = [];
	/** All matches so far, in order. */
	readonly #matches: Fill[] = [];
	#repriced: { orderId: string; from: number; to: number }[] = [];
	/** The stake of each order, as reduced since. */
	readonly #asked = new Map<string, number>();
	#lapsed: { orderId: string; stake: number }[] = [];
	readonly #effects: Effects;

	constructor(scenario: Scenario) {
		this.#scenario = scenario;
		this.#wallets = new Map(Object.keys(scenario.users).map((name, index) => [name, index + 1]));
		this.#effects = this.#listener();
		this.#open();
	}

	report(): ScenarioReport {
		const steps = this.#scenario.ops.map((operation) => this.#step(operation));
		return {
			...(this.#scenario.name === undefined ? {} : { name: this.#scenario.name }),
			steps,
			book: Object.fromEntries(this.#scenario.market.runners.map((name, runner) => [name, this.#bookOf(runner)])),
			orders: this.#orders,
			...(this.#paid ? { settlement: this.#settlement() } : {}),
		};
	}

	#apply(command: Act): Outcome {
		return this.#engine.apply({ ...command, atMs: 0 }, this.#effects);
	}

	/** A command that must succeed before the first operation. */
	#prepare(command: Act): void {
		const outcome = this.#apply(command);
		if (!outcome.ok) throw new NotSupported(`${outcome.code} ${JSON.stringify(outcome.details ?? {})}`);
	}

	#open(): void {
		const { market, users, rules } = this.#scenario;
		this.#prepare({
			kind: 'open-market',
			marketId: MARKET,
			pools: [POOL],
			runners: market.runners.length,
			numberOfWinners: market.lines ? ON_A_LINE : market.numberOfWinners,
			...(market.eachWayDivisor === undefined ? {} : { eachWayDivisor: market.eachWayDivisor }),
			commissionBp: market.commissionBp,
			minStake: 1,
			maxStake: MAX_AMOUNT_MINOR,
			profitRatioRule: false,
			...(market.lines ? { ladder: hundredthsOf(market.lines) } : { reducible: true }),
			minReductionBp: rules.minReductionBp ?? WIN_REDUCTION_BP,
			lapseReductionBp: rules.minReductionBp ?? WIN_REDUCTION_BP,
			selfMatch: rules.selfMatch ?? 'ALLOW',
			suspended: false,
		});
		for (const [name, { funds, commissionBp }] of Object.entries(users)) {
			const walletId = this.#walletOf(name);
			const rate = commissionBp === undefined ? {} : { commissionBp };
			this.#prepare({ kind: 'open-wallet', walletId, pool: POOL, ...rate });
			if (funds !== 0) {
				this.#prepare({ kind: 'grant-coins', grantId: walletId, walletId, amount: funds });
			}
		}
	}

	/** No wallet has the id 0. */
	#walletOf(name: unknown): number {
		return this.#wallets.get(String(name)) ?? 0;
	}

	#step(operation: Operation): Step {
		this.#fills = [];
		this.#lapsed = [];
		const told = this.#act(operation);
		const { status, inPlay } = this.#engine.market(MARKET) ?? { status: 'CLOSED', inPlay: false };
		const exposure = Object.fromEntries(
			[...this.#wallets].map(([name, walletId]) => [name, this.#engine.wallet(walletId)?.exposure ?? 0]),
		);
		return { ...told, status, inPlay, exposure };
	}

	#act(operation: Operation): Omit<Step, 'status' | 'inPlay' | 'exposure'> {
		switch (operation.op) {
			case 'place':
				return this.#place(operation);
			case 'cancel':
				return this.#cancel(operation);
			case 'suspend':
				return this.#done(this.#apply({ kind: 'suspend-market', marketId: MARKET, lapseUnmatched: false }));
			case 'resume':
				return this.#done(this.#apply({ kind: 'resume-market', marketId: MARKET }));
			case 'goInPlay':
				return this.#done(this.#apply({ kind: 'turn-in-play', marketId: MARKET }));
			case 'removeRunner':
				return this.#remove(operation);
			case 'settle':
				return this.#settle(operation);
			default:
				return { ok: false, reason: 'NOT_SUPPORTED' };
		}
	}

	#done(outcome: Outcome): Pick<Step, 'ok' | 'reason' | 'lapsed'> {
		return outcome.ok ? { ok: true, lapsed: this.#lapsed } : refused(outcome.code);
	}

	#place(operation: Operation): Pick<Step, 'ok' | 'reason' | 'fills' | 'remaining'> {
		const { orderId, user, runner, side, price, stake, persistence } = operation;
		const name = String(orderId);
		// A name that already stands for a bet requests its number again, which the engine refuses in the order of its
		// checks.
		const betId = this.#betIds.get(name) ?? this.#nextBetId;
		this.#names.set(betId, name);
		const outcome = this.#apply({
			kind: 'place-bet',
			betId,
			walletId: this.#walletOf(user),
			marketId: MARKET,
			runner: this.#scenario.market.runners.indexOf(String(runner)),
			side: side === 'BACK' ? BACK : side === 'LAY' ? LAY : NO_SIDE,
			price: (typeof price === 'number' ? priceFromDecimal(price) : null) ?? 0,
			stake: typeof stake === 'number' ? stake : Number.NaN,
			persist: persistence === 'PERSIST',
		});
		if (!outcome.ok) return refused(outcome.code);
		this.#betIds.set(name, betId);
		this.#nextBetId++;
		return { ok: true, fills: this.#fills, remaining: outcome.remaining ?? 0 };
	}

	#cancel(operation: Operation): Pick<Step, 'ok' | 'reason' | 'remaining'> {
		const { orderId, user, size } = operation;
		const order = this.#orders[String(orderId)];
		const outcome = this.#apply({
			kind: 'cancel-bet',
			betId: this.#betIds.get(String(orderId)) ?? this.#nextBetId,
			...(user === undefined ? {} : { walletId: this.#walletOf(user) }),
			...(size === undefined ? {} : { size: typeof size === 'number' ? size : Number.NaN }),
		});
		if (outcome.ok) return { ok: true, remaining: outcome.remaining ?? 0 };
		// The engine forgets a bet that was never matched, and its owner.
		const foreign = outcome.code === 'ORDER_NOT_ACTIVE' && user !== undefined && order?.user !== user;
		return refused(foreign ? 'NOT_OWNER' : outcome.code);
	}

	/** The factor is in percent, with the decimals of basis points. */
	#remove({ runner, reductionFactor }: Operation): Pick<Step, 'ok' | 'reason' | 'lapsed' | 'reduced' | 'repriced'> {
		const reductionBp = typeof reductionFactor === 'number' ? Math.round(reductionFactor * 100) : Number.NaN;
		const index = this.#scenario.market.runners.indexOf(String(runner));
		const before = this.#matchedPrices();
		this.#repriced = [];
		const done = this.#done(this.#apply({ kind: 'remove-runner', marketId: MARKET, runner: index, reductionBp }));
		if (!done.ok) return done;
		const after = this.#matchedPrices();
		const reduced = this.#matches.flatMap(({ backOrder, layOrder }, at) => {
			const [from, to] = [before[at], after[at]];
			return from === undefined || to === undefined || from === to ? [] : [{ backOrder, layOrder, from, to }];
		});
		return { ...done, reduced, repriced: this.#repriced };
	}

	/** The current price of each match; undefined for a void one. */
	#matchedPrices(): (number | undefined)[] {
		const seen = new Map<string, number>();
		return this.#matches.map(({ backOrder }) => {
			const nth = seen.get(backOrder) ?? 0;
			seen.set(backOrder, nth + 1);
			const fill = this.#engine.betDetail(this.#betIds.get(backOrder) ?? 0).fills?.[nth];
			return fill && decimalFromPrice(fill.price);
		});
	}

	#settle(operation: Operation): Pick<Step, 'ok' | 'reason' | 'lapsed'> {
		const { lines } = this.#scenario.market;
		if (lines) return this.#settleLines(hundredthsOf(lines), operation['value']);
		const given = (operation['results'] ?? {}) as Record<string, string>;
		const { runners } = this.#scenario.market;
		const removed = new Set((this.#engine.market(MARKET)?.removed ?? []).map(([runner]) => runners[runner]));
		// A removed runner needs no result.
		const results = runners.map((name) => given[name] ?? (removed.has(name) ? 'VOID' : undefined)).filter(isResult);
		const known = Object.keys(given).every((name) => runners.includes(name));
		if (!known || results.length < runners.length) return refused('INCOMPLETE_RESULT');
		const whole = results.every((result) => result === 'VOID');
		const outcome = this.#apply(
			whole ? { kind: 'void-market', marketId: MARKET } : { kind: 'settle-market', marketId: MARKET, results },
		);
		this.#paid ||= outcome.ok;
		return this.#done(outcome);
	}

	#settleLines(range: LineRange, value: unknown): Pick<Step, 'ok' | 'reason' | 'lapsed'> {
		if (!Number.isSafeInteger(value)) return refused('INCOMPLETE_RESULT');
		const results = lineResults(range, value as number);
		const outcome = this.#apply({ kind: 'settle-market', marketId: MARKET, results });
		this.#paid ||= outcome.ok;
		return this.#done(outcome);
	}

	#bookOf(runner: number): { back: BookLevel[]; lay: BookLevel[] } {
		const book: { back: BookLevel[]; lay: BookLevel[] } = { back: [], lay: [] };
		for (const { betId, side, price, remaining } of this.#engine.restingBets(MARKET, POOL, runner)) {
			const levels = side === BACK ? book.back : book.lay;
			const decimal = decimalFromPrice(price);
			let level = levels.at(-1);
			if (level?.price !== decimal) {
				level = { price: decimal, orders: [] };
				levels.push(level);
			}
			level.orders.push({ orderId: this.#nameOf(betId), remaining });
		}
		return book;
	}

	#settlement(): Settlement {
		const users = [...this.#wallets].map(([name, walletId]) => {
			const paid = this.#settled.get(walletId) ?? { net: 0, commission: 0, profit: 0 };
			return [name, { ...paid, balance: this.#engine.wallet(walletId)?.cash ?? 0 }] as const;
		});
		return {
			users: Object.fromEntries(users),
			commission: this.#engine.houseBalance('commission', POOL, 0),
			rounding: this.#engine.houseBalance('rounding', POOL, 0),
		};
	}

	#nameOf(betId: number): string {
		return this.#names.get(betId) ?? '';
	}

	#orderOf(betId: number): ScenarioReport['orders'][string] {
		const order = this.#orders[this.#nameOf(betId)];
		if (!order) throw new Error(`no order stands for bet ${betId}`);
		return order;
	}

	#listener(): Effects {
		const { runners } = this.#scenario.market;
		const users = [...this.#wallets.keys()];
		return {
			walletOpened() {},
			limitsSet() {},
			selfMatchSet() {},
			triggerChanged() {},
			groupChanged() {},
			targetSet() {},
			posted() {},
			marketOpened() {},
			marketChanged() {},
			marketStepped() {},
			betDelayed() {},
			betAdmitted() {},
			betRepriced: (betId, price) => {
				const orderId = this.#nameOf(betId);
				const to = decimalFromPrice(price);
				this.#repriced.push({ orderId, from: this.#asked.get(orderId) ?? to, to });
				this.#asked.set(orderId, to);
			},
			quoteTaken() {},
			limitLowered() {},
			betEnteredAuction() {},
			betMatchedAtStart() {},
			betReduced() {},
			matchVoided() {},
			betReopened() {},
			playerReopened() {},
			betVoided() {},
			betSettled() {},
			betPlaced: ({ betId, walletId, stake, price }) => {
				const user = users[walletId - 1] ?? '';
				this.#asked.set(this.#nameOf(betId), decimalFromPrice(price));
				this.#orders[this.#nameOf(betId)] = { user, matched: 0, remaining: stake, cancelled: 0, lapsed: 0 };
			},
			betMatched: (takerId, makerId, _market, runner, price, stake, takerSide) => {
				for (const betId of [takerId, makerId]) {
					const order = this.#orderOf(betId);
					order.matched += stake;
					order.remaining -= stake;
				}
				const [taker, maker] = [this.#nameOf(takerId), this.#nameOf(makerId)];
				const [backOrder, layOrder] = takerSide === BACK ? [taker, maker] : [maker, taker];
				const name = runners[runner] ?? '';
				const fill = { runner: name, price: decimalFromPrice(price), stake, maker, taker, backOrder, layOrder };
				this.#fills.push(fill);
				this.#matches.push(fill);
			},
			betUpdated: () => undefined,
			betCancelled: (betId, stake) => {
				const order = this.#orderOf(betId);
				order.cancelled += stake;
				order.remaining -= stake;
			},
			betLapsed: (betId, stake) => {
				const order = this.#orderOf(betId);
				order.lapsed += stake;
				order.remaining -= stake;
				this.#lapsed.push({ orderId: this.#nameOf(betId), stake });
			},
			playerSettled: (_market, walletId, net, commission, profit) => {
				this.#settled.set(walletId, { net, commission, profit });
			},
		};
	}
}

const hundredthsOf = ({ min, max, interval }: LineRange): LineRange => ({
	min: Math.round(min * 100),
	max: Math.round(max * 100),
	interval: Math.round(interval * 100),
});

const RESULTS: ReadonlySet<unknown> = new Set(['WIN', 'PLACED', 'TIE', 'LOSE', 'VOID']);
const isResult = (result: unknown): result is RunnerResult => RESULTS.has(result);

const refused = (code: string): { ok: false; reason: string } => ({ ok: false, reason: REASONS[code] ?? code });
