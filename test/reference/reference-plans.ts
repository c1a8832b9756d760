/** Plans of the reference exchange: icebergs, pegs and brackets. Each is looked at as a whole, by the list of bets. */
import type { ReferenceExchange } from './reference-exchange.ts';
import {
	atStop,
	betOf,
	closesAt,
	closing,
	count,
	isMatched,
	openOf,
	opposite,
	valueOf,
	waitsOf,
} from './reference-plan-holds.ts';
import {
	arriving,
	cancelRemaining,
	nextPrice,
	type ReferenceFill,
	type ReferenceMarket,
	type ReferenceUser,
	takes,
} from './reference-rules.ts';
import type { ReferenceTrigger } from './reference-triggers.ts';

/** What a plan asks beyond a bet. @param judge why an order of it is no bet */
export function refusalOfPlan(
	market: ReferenceMarket,
	{
		plan,
		at,
		trail,
		watches,
		stake,
		price,
		side,
	}: Pick<ReferenceTrigger, 'plan' | 'at' | 'trail' | 'watches' | 'stake' | 'price' | 'side'>,
	judge: (order: { stake: number; side?: 'BACK' | 'LAY'; price?: number; isHedge?: true }) => string | null,
): string | null {
	if (plan && plan.kind !== 'ICEBERG' && market.lines) return 'TERMS_NOT_POSSIBLE';
	if (plan?.kind === 'BRACKET' && market.isEachWay) return 'TERMS_NOT_POSSIBLE';
	if (!plan || at !== null || trail !== null || watches !== 'NONE') return 'VALIDATION_FAILED';
	if (!takes(market, price)) return 'PRICE_NOT_ON_LADDER';
	const areTicks = (ticks: number, least: number) => Number.isInteger(ticks) && ticks >= least && ticks <= 1000;
	if (plan.kind === 'PEG') return areTicks(plan.ticks, plan.follows === 'OWN' ? 0 : 1) ? null : 'VALIDATION_FAILED';
	if (plan.kind === 'BRACKET') {
		if (!areTicks(plan.profitTicks, 1) || !areTicks(plan.stopTicks, 1)) return 'VALIDATION_FAILED';
		let refusal: string | null = null;
		for (const exit of closesAt(market, { price, side, plan })) {
			if (exit === null) return 'PRICE_NOT_ON_LADDER';
			const closing = {
				side: opposite(side),
				price: exit,
				stake: Math.ceil((stake * price) / exit),
				isHedge: true,
			} as const;
			refusal ??= judge(closing);
		}
		return refusal;
	}
	if (!Number.isInteger(plan.visible) || plan.visible < 1 || !(plan.visible < stake)) return 'INVALID_SIZE';
	return judge({ stake: plan.visible }) ?? (stake % plan.visible === 0 ? null : judge({ stake: stake % plan.visible }));
}

/** Where a peg would stand; null where there is nothing to follow. */
function pegPrice(exchange: ReferenceExchange, market: ReferenceMarket, trigger: ReferenceTrigger): number | null {
	const { plan, side, price: limit, pool, runner } = trigger;
	if (plan?.kind !== 'PEG') return null;
	const pegs = new Set(exchange.triggers.list.map((each) => (each.plan?.kind === 'PEG' ? each.betId : null)));
	const best = exchange
		.queue(pool, market.id, runner, plan.follows === 'OWN' ? side : opposite(side))
		.find(({ id }) => !pegs.has(id));
	if (!best) return null;
	let at = best.price;
	for (let step = 0; step < plan.ticks; step++) at = nextPrice(market, at, side === 'BACK' ? 1 : -1) ?? at;
	return side === 'BACK' ? Math.max(at, limit) : Math.min(at, limit);
}

const isStopped = (
	exchange: ReferenceExchange,
	{ pool, market, runner, side }: ReferenceTrigger,
	stop: number,
): boolean => {
	const last = exchange.triggers.lastPrice({ pool, market, runner });
	return last !== null && (side === 'BACK' ? last >= stop : last <= stop);
};

type Step = 'DUE' | 'PLACED' | 'CANCELLED' | null;

function stepOf(
	exchange: ReferenceExchange,
	market: ReferenceMarket,
	trigger: ReferenceTrigger,
	seesBest: boolean,
): Step {
	const { plan, betId = null, exitId = null } = trigger;
	const bet = betOf(exchange, betId);
	if (plan?.kind === 'ICEBERG') {
		if (betId === null || waitsOf(exchange, betId) > 0) return null;
		return isMatched(bet) ? 'DUE' : 'CANCELLED';
	}
	if (plan?.kind === 'PEG') {
		const price = seesBest ? pegPrice(exchange, market, trigger) : null;
		if (betId === null) return price === null ? null : 'DUE';
		if (!bet || bet.remaining === 0) return isMatched(bet) ? 'PLACED' : 'CANCELLED';
		trigger.stake = bet.remaining;
		return price !== null && price !== bet.price && bet.delay === null ? 'DUE' : null;
	}
	const [aim, stop] = closesAt(market, trigger) as [number, number];
	if (betId === null) return null;
	if (exitId !== null && waitsOf(exchange, exitId) === 0 && !isMatched(betOf(exchange, exitId))) return 'CANCELLED';
	const [wanted, exitWaits] = [closing(exchange, trigger, aim), waitsOf(exchange, exitId)];
	if (waitsOf(exchange, betId) + wanted + exitWaits === 0)
		return openOf(exchange, trigger) > 0 || exitId !== null ? 'PLACED' : 'CANCELLED';
	trigger.stake = atStop(exchange, trigger, stop);
	if (closing(exchange, trigger, stop) > 0 && isStopped(exchange, trigger, stop)) return 'DUE';
	return wanted !== exitWaits && (betOf(exchange, exitId)?.delay ?? null) === null ? 'DUE' : null;
}

/** Looks at the plans of a book. */
export function lookAtPlans(
	exchange: ReferenceExchange,
	market: ReferenceMarket,
	{ pool, runner }: { pool: string; runner: number },
	{ seesBest, now }: { seesBest: boolean; now: number },
): void {
	const own = exchange.triggers.list.filter(
		(each) => each.plan != null && each.market === market.id && each.pool === pool && each.runner === runner,
	);
	const users = new Set<number>();
	for (const trigger of own) {
		const before = trigger.stake;
		const step = stepOf(exchange, market, trigger, seesBest);
		if (step === 'PLACED' || step === 'CANCELLED') exchange.triggers.end((each) => each === trigger, step, null);
		else {
			if (trigger.betId != null) count(exchange, market, trigger);
			if (step === 'DUE') trigger.dueAt ??= now;
		}
		if (step === 'PLACED' || step === 'CANCELLED' || trigger.stake !== before) users.add(trigger.user);
	}
	for (const user of users) exchange.hold(user, market.id);
}

/** A plan that goes on: with the bet of this id, which may be refused; or ends. */
interface Gone {
	told: string | ReferenceFill[] | null;
	ends?: boolean;
}

/** Lets a plan go on; answers what its bet came to, null without one. */
export function firePlan(
	exchange: ReferenceExchange,
	market: ReferenceMarket,
	trigger: ReferenceTrigger,
	{ id, now }: { id: number; now: number },
): ReferenceFill[] | null {
	const { told, ends = false } = goOn(exchange, market, trigger, { id, now });
	if (typeof told === 'string') {
		for (const each of [trigger.betId, trigger.exitId]) {
			const bet = betOf(exchange, each);
			if (bet) cancelRemaining(bet);
		}
		exchange.triggers.end((each) => each === trigger, 'REFUSED', told);
	} else if (ends) exchange.triggers.end((each) => each === trigger, 'PLACED', null);
	else trigger.dueAt = null;
	exchange.hold(trigger.user, market.id);
	return typeof told === 'string' ? null : told;
}

function goOn(
	exchange: ReferenceExchange,
	market: ReferenceMarket,
	trigger: ReferenceTrigger,
	{ id, now }: { id: number; now: number },
): Gone {
	const { user, runner, side, price, stake, persist, version, plan, betId = null } = trigger;
	const bet = betOf(exchange, betId);
	const asked = { id, user, market: market.id, runner, side, persist, minFill: null, version };
	if (plan?.kind === 'ICEBERG') {
		const part = Math.min(plan.visible, stake);
		trigger.counted = { side, of: [[price, stake - part]] };
		const told = exchange.place({ ...asked, price, stake: part }, now);
		if (typeof told === 'string') return { told };
		Object.assign(trigger, { betId: id, stake: stake - part });
		return { told, ends: stake === part };
	}
	if (plan?.kind === 'PEG') {
		const to = pegPrice(exchange, market, trigger);
		if (to === null || (bet && (bet.remaining === 0 || bet.delay !== null || bet.price === to))) return { told: null };
		const left = bet?.remaining ?? stake;
		trigger.counted = {
			side,
			of: [
				[price, left],
				[to, -left],
			],
		};
		const told = bet
			? exchange.replace(bet.id, id, user, to, now)
			: exchange.place({ ...asked, price: to, stake }, now);
		if (bet && told === 'STAKE_TOO_SMALL') return { told: null, ends: true };
		if (typeof told !== 'string') trigger.betId = id;
		return { told };
	}
	const [aim, stop] = closesAt(market, trigger) as [number, number];
	if (betId === null) {
		const worst = Math.ceil((stake * price) / stop);
		const before = exchange.exposure(user, market.id);
		trigger.counted = {
			side: opposite(side),
			of: [
				[stop, worst],
				[price, -stake],
			],
		};
		const whole = { ...asked, price, stake };
		const refusal = exchange.refusalOfRisk(arriving(whole), market, exchange.user(user) as ReferenceUser, before);
		const told = refusal ?? exchange.place(whole, now);
		if (typeof told !== 'string') Object.assign(trigger, { betId: id, stake: worst });
		return { told };
	}
	const isOver = isStopped(exchange, trigger, stop) && closing(exchange, trigger, stop) > 0;
	const to = isOver ? stop : aim;
	const wanted = closing(exchange, trigger, to);
	const exit = betOf(exchange, trigger.exitId);
	if (!isOver && wanted === (exit?.remaining ?? 0)) return { told: null };
	trigger.goesOn = true;
	if (isOver && bet) cancelRemaining(bet);
	if (exit) cancelRemaining(exit);
	Object.assign(trigger, { closed: (trigger.closed ?? 0) + valueOf(exchange, trigger.exitId), exitId: null });
	if (isOver) trigger.counted = { side, of: [] };
	else {
		trigger.stake = atStop(exchange, trigger, stop);
		const of = [
			[stop, trigger.stake],
			[price, -waitsOf(exchange, betId)],
			[aim, -wanted],
		] as const;
		trigger.counted = { side: opposite(side), of: of.filter(([, each]) => each !== 0) };
	}
	if (wanted === 0) {
		trigger.goesOn = false;
		return { told: null, ends: isOver };
	}
	const closes = { ...asked, side: opposite(side), price: to, stake: wanted, isHedge: true };
	const told = exchange.place(closes, now);
	if (typeof told !== 'string') trigger.exitId = id;
	trigger.goesOn = false;
	return { told, ends: isOver };
}
