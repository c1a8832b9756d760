/** Triggers on the reference exchange: placed, cancelled, looked at and fired. */
import type { ReferenceExchange } from './reference-exchange.ts';
import { closesAt } from './reference-plan-holds.ts';
import { firePlan, lookAtPlans, refusalOfPlan } from './reference-plans.ts';
import { arriving, cancelRemaining, type ReferenceFill, type ReferenceMarket, takes } from './reference-rules.ts';
import type { ReferenceTrigger } from './reference-triggers.ts';

type AskedTrigger = Omit<ReferenceTrigger, 'pool' | 'best' | 'dueAt'>;

/** What a trigger asks beyond its bet comes first; the money of its bet is held from now on. */
export function placeTrigger(exchange: ReferenceExchange, asked: AskedTrigger, now: number): string | null {
	const market = exchange.markets.find(({ id }) => id === asked.market);
	const user = exchange.user(asked.user);
	if (!market) return 'UNKNOWN_MARKET';
	if (!user) return 'UNKNOWN_USER';
	if (market.houses) return 'TERMS_NOT_POSSIBLE';
	const isPlan = asked.plan != null;
	const refusal =
		(isPlan
			? refusalOfPlan(market, asked, (order) => exchange.judge({ ...asked, ...order }, now))
			: refusalOfPrice(market, asked)) ??
		exchange.judge(asked, now) ??
		exchange.refusalOfRisk(arriving(asked), market, user);
	if (refusal) return refusal;
	exchange.lastBetId = asked.id;
	const trigger: ReferenceTrigger = { ...asked, pool: user.pool, best: null, dueAt: null };
	if (isPlan) Object.assign(trigger, { dueAt: now, betId: null, exitId: null, at: closesAt(market, asked)[1] });
	else exchange.triggers.lookAtTrades(trigger, market, now);
	exchange.triggers.list.push(trigger);
	exchange.hold(user.id, market.id);
	return null;
}

function refusalOfPrice(market: ReferenceMarket, { at, trail }: AskedTrigger): string | null {
	if ((at === null) === (trail === null) || (trail !== null && trail < 1)) return 'VALIDATION_FAILED';
	return at !== null && !takes(market, at) ? 'PRICE_NOT_ON_LADDER' : null;
}

export function cancelTrigger(exchange: ReferenceExchange, id: number, user?: number): string | null {
	const trigger = exchange.triggers.list.find((each) => each.id === id);
	if (!trigger) return 'UNKNOWN_ORDER';
	if (user !== undefined && trigger.user !== user) return 'NOT_OWNER';
	const own = exchange.bets.filter((bet) => trigger.plan != null && [trigger.betId, trigger.exitId].includes(bet.id));
	for (const bet of own) cancelRemaining(bet);
	exchange.endTriggers((each) => each === trigger, { status: 'CANCELLED', reason: null });
	return null;
}

export function look(
	exchange: ReferenceExchange,
	withoutBest: readonly number[] | 'ALL',
	now: number,
): string | number[] {
	const { triggers } = exchange;
	const lapsed = exchange.lapseByVolume();
	const areCounted = exchange.groups.look(exchange, now);
	const before = triggers.states();
	for (const market of exchange.markets) {
		for (const pool of market.pools) {
			for (let runner = 0; runner < market.runners; runner++) {
				const book = { pool, market: market.id, runner };
				triggers.lookAtTrades(book, market, now);
				const isOpen = market.status === 'OPEN' && !market.suspended.has(runner);
				const seesBest = isOpen && withoutBest !== 'ALL' && !withoutBest.includes(market.id);
				const best = (side: 'BACK' | 'LAY') =>
					exchange.queue(pool, market.id, runner, side === 'BACK' ? 'LAY' : 'BACK')[0]?.price ?? null;
				if (seesBest) triggers.lookAtBest(book, market, best, now);
				lookAtPlans(exchange, market, book, { seesBest, now });
			}
		}
	}
	return lapsed.length === 0 && !areCounted && triggers.states() === before ? 'NOTHING_TO_UPDATE' : lapsed;
}

/** Places the bets of triggers that are due, under ids from this one on. */
export function fire(
	exchange: ReferenceExchange,
	firstId: number,
	now: number,
): string | { fills: ReferenceFill[]; lapsed: number[] } {
	const { triggers } = exchange;
	if (firstId <= exchange.lastBetId) return 'DUPLICATE_ORDER';
	const marketOf = ({ market }: ReferenceTrigger) => exchange.markets.find(({ id }) => id === market);
	const due = triggers.due((trigger) => {
		const market = marketOf(trigger);
		return market?.status === 'OPEN' && !market.suspended.has(trigger.runner);
	});
	if (due.length === 0) return 'NOTHING_TO_UPDATE';
	const [fills, lapsed]: [ReferenceFill[], number[]] = [[], []];
	let id = firstId;
	for (const trigger of due.slice(0, 100)) {
		const known = exchange.lastBetId;
		const market = marketOf(trigger) as ReferenceMarket;
		const told =
			trigger.plan == null ? fireOne(exchange, trigger, { id, now }) : firePlan(exchange, market, trigger, { id, now });
		if (told === null || exchange.lastBetId === known) continue;
		fills.push(...told);
		const filled = told.reduce((sum, fill) => sum + fill.stake, 0);
		const bet = exchange.bets.find((each) => each.id === id);
		lapsed.push(...exchange.ownLapsed, ...(bet && bet.stake > filled + bet.remaining ? [id] : []));
		id++;
	}
	return { fills, lapsed };
}

function fireOne(
	exchange: ReferenceExchange,
	trigger: ReferenceTrigger,
	{ id, now }: { id: number; now: number },
): ReferenceFill[] | null {
	const { triggers } = exchange;
	triggers.list = triggers.list.filter((each) => each !== trigger);
	const { user, market, runner, side, price, stake, persist, version } = trigger;
	const told = exchange.place({ id, user, market, runner, side, price, stake, persist, minFill: null, version }, now);
	exchange.hold(user, market);
	const isRefused = typeof told === 'string';
	const end = isRefused
		? { status: 'REFUSED', reason: told, betId: null }
		: { status: 'PLACED', reason: null, betId: id };
	triggers.ended.push({ id: trigger.id, ...end });
	return isRefused ? null : told;
}
