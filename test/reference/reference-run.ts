/** Tells the reference exchange each command and answers as the engine would: a code, or what happened. */
import type { Command, SettleMarket } from '#engine/command.ts';
import { ReferenceExchange } from './reference-exchange.ts';
import { cancelTrigger, fire, look, placeTrigger } from './reference-looks.ts';
import { outcomeOf, type ReferenceFill, type ReferenceMarket, type ReferenceOutcome } from './reference-rules.ts';
import type { ReferenceTrigger } from './reference-triggers.ts';

export interface ReferenceAnswer {
	code: string | null;
	fills: ReferenceFill[];
	lapsed: number[];
	voided: number[];
	remaining: number | null;
}

const done: ReferenceAnswer = { code: null, fills: [], lapsed: [], voided: [], remaining: null };
const NO_LIMITS = { maxStake: 0, maxProfit: 0, maxExposure: 0 };
const refused = (code: string): ReferenceAnswer => ({ ...done, code });

export function tellReference(exchange: ReferenceExchange, command: Command): ReferenceAnswer {
	switch (command.kind) {
		case 'open-wallet': {
			const { walletId: id, pool, commissionBp } = command;
			exchange.users.push({
				id,
				pool,
				funds: 0n,
				commissionBp: commissionBp ?? null,
				limits: NO_LIMITS,
				selfMatch: 'REFUSE',
			});
			return done;
		}
		case 'grant-coins': {
			const user = exchange.user(command.walletId);
			if (user) user.funds += BigInt(command.amount);
			return done;
		}
		case 'open-market': {
			const { marketId, pools, runners, numberOfWinners: winners, commissionBp, minStake, maxStake } = command;
			const selfMatch = command.selfMatch === 'ALLOW';
			const eachWay = { isEachWay: command.eachWayDivisor !== undefined, divisor: command.eachWayDivisor ?? 1 };
			const lines = typeof command.ladder === 'object' ? command.ladder : null;
			const limits = { commissionBp, minStake, maxStake, selfMatch };
			const startingPrice = command.startingPrice === true;
			const time = { startingPrice, delayMs: command.betDelayMs ?? 0, passiveGoesIn: command.passiveGoesIn ?? false };
			const { minReductionBp: matched = 250, lapseReductionBp: waiting = 250 } = command;
			const ofWinnings = command.reduces === 'WINNINGS';
			const reductions = command.reducible ? { matched, waiting, ofWinnings } : null;
			const { maxProfit = 0, maxExposure = 0, profitRatioRule: fairProfits, houses: wallets = [] } = command;
			const houses = Object.fromEntries(pools.map((pool, at) => [pool, wallets[at] ?? 0]));
			const ladder = typeof command.ladder === 'string' ? command.ladder : 'CLASSIC';
			const model = { maxProfit, maxExposure, fairProfits, ladder, houses: command.model ? houses : null };
			const terms = {
				id: marketId,
				pools: [...pools],
				runners,
				winners,
				...eachWay,
				lines,
				...limits,
				...model,
				...time,
				reductions,
			};
			const bars = { removed: new Map(), suspended: new Set<number>(), heldRunners: new Set<number>() };
			const stands = { ...bars, status: 'OPEN', inPlay: false };
			exchange.markets.push({ ...terms, ...stands, version: 1 });
			return done;
		}
		case 'place-bet': {
			const { betId, walletId, marketId, runner, side, price, stake, persist } = command;
			const bet = {
				id: betId,
				user: walletId,
				market: marketId,
				runner,
				side: side === 0 ? ('BACK' as const) : ('LAY' as const),
				price,
				stake,
				persist,
				minFill: command.fillOrKill ? (command.minFill ?? stake) : null,
				version: command.marketVersion,
				postOnly: command.terms?.postOnly ?? null,
				selfMatch: command.terms?.selfMatch ?? null,
				expiresAt: command.terms?.expiresAtMs ?? null,
				untilMatched: command.terms?.untilMatched ?? null,
				group: command.terms?.group ?? null,
				atStart: command.onClose ? ('CLOSE' as const) : command.takesStart ? ('REST' as const) : null,
				limit: command.onClose?.limit ?? null,
			};
			return answerTo(exchange, exchange.place(bet, command.atMs), betId);
		}
		case 'cancel-bet': {
			const told = exchange.cancel(command.betId, command.walletId, command.size);
			return typeof told === 'string' ? refused(told) : { ...done, remaining: told };
		}
		case 'cancel-all': {
			const told = exchange.cancelAll(command.walletId, command.marketId, command.bets);
			return typeof told === 'string' ? refused(told) : done;
		}
		case 'lapse-all': {
			const { walletId, bets } = command;
			const waiting = exchange.bets.filter(
				({ id, user, remaining }) => user === walletId && remaining > 0 && (!bets || bets.includes(id)),
			);
			const lapsed = waiting.map(({ id }) => id).sort((a, b) => a - b);
			const told = exchange.cancelAll(walletId, undefined, bets, 'SITE_SUSPENDED');
			return typeof told === 'string' ? refused(told) : { ...done, lapsed };
		}
		case 'replace-bet': {
			const { betId, newBetId, walletId, price } = command;
			return answerTo(exchange, exchange.replace(betId, newBetId, walletId, price, command.atMs), newBetId);
		}
		case 'update-bet': {
			const told = exchange.update(command.betId, command.walletId, command.persist, command.takesStart === true);
			return typeof told === 'string' ? refused(told) : done;
		}
		case 'expire-bets': {
			const lapsed = exchange.expire(command.atMs);
			if (lapsed.length === 0) return refused('NOTHING_TO_UPDATE');
			return { ...done, lapsed: lapsed.sort((a, b) => a - b) };
		}
		case 'admit-bet': {
			const told = exchange.admit(command.betId, command.atMs);
			return typeof told === 'string' ? refused(told) : { ...done, ...told, lapsed: told.lapsed.sort((a, b) => a - b) };
		}
		case 'set-limits': {
			const user = exchange.user(command.walletId);
			if (!user) return refused('UNKNOWN_USER');
			user.limits = command.limits;
			return done;
		}
		case 'set-self-match': {
			const user = exchange.user(command.walletId);
			if (!user) return refused('UNKNOWN_USER');
			user.selfMatch = command.choice;
			return done;
		}
		case 'set-order-group': {
			if (!exchange.user(command.walletId)) return refused('UNKNOWN_USER');
			const told = exchange.groups.set(command.walletId, command.name, command.most, exchange.bets);
			return told === null ? done : refused(told);
		}
		case 'place-trigger': {
			const { triggerId: id, walletId: user, marketId: market, side, marketVersion: version, ...asked } = command;
			const bet = {
				id,
				user,
				market,
				side: side === 0 ? ('BACK' as const) : ('LAY' as const),
				version: version ?? undefined,
			};
			const told = placeTrigger(exchange, { ...asked, ...bet }, command.atMs);
			return told === null ? done : refused(told);
		}
		case 'cancel-trigger': {
			const told = cancelTrigger(exchange, command.triggerId, command.walletId);
			return told === null ? done : refused(told);
		}
		case 'look-at-triggers': {
			const told = look(exchange, command.withoutBest, command.atMs);
			return typeof told === 'string' ? refused(told) : { ...done, lapsed: told.sort((a, b) => a - b) };
		}
		case 'fire-triggers': {
			const told = fire(exchange, command.betId, command.atMs);
			return typeof told === 'string' ? refused(told) : { ...done, ...told, lapsed: told.lapsed.sort((a, b) => a - b) };
		}
		case 'transfer':
			throw new Error(`the reference exchange knows no ${command.kind}`);
		default: {
			const market = exchange.markets.find(({ id }) => id === command.marketId);
			return market ? tellMarket(exchange, market, command) : refused('UNKNOWN_MARKET');
		}
	}
}

/** What placing a bet came to; what of it was killed, or lapsed with an old version, is told as a lapse. */
function answerTo(exchange: ReferenceExchange, told: string | ReferenceFill[], betId: number): ReferenceAnswer {
	if (typeof told === 'string') return refused(told);
	const bet = exchange.bets.find(({ id }) => id === betId);
	const filled = told.reduce((sum, { stake }) => sum + stake, 0);
	const lapsed = [...exchange.ownLapsed, ...(bet && bet.stake > filled + bet.remaining ? [betId] : [])];
	return { ...done, fills: told, lapsed: lapsed.sort((a, b) => a - b), remaining: bet?.remaining ?? null };
}

function tellMarket(exchange: ReferenceExchange, market: ReferenceMarket, command: Command): ReferenceAnswer {
	const paid = market.status === 'SETTLED' || market.status === 'VOIDED';
	const over = paid || market.status === 'CLOSED';
	if (command.kind === 'settle-market' || command.kind === 'void-market') {
		if (paid) return refused('WRONG_MARKET_STATE');
		const outcome = command.kind === 'settle-market' ? resultOf(market, command) : null;
		if (command.kind === 'settle-market' && outcome === null) return refused('INCOMPLETE_RESULT');
		lapseTriggers(exchange, market, command.kind === 'void-market' ? 'MARKET_VOIDED' : 'MARKET_SETTLED');
		const lapsed = exchange.lapse(market.id, () => true);
		if (command.kind === 'void-market') exchange.voidAll(market);
		else exchange.settle(market, outcome ?? [], command.results);
		return { ...done, lapsed };
	}
	if (command.kind === 'correct-reduction') {
		return paid ? refused('MARKET_CLOSED') : correction(exchange, market, command);
	}
	if (over) return refused('MARKET_CLOSED');
	if (command.kind === 'remove-runner') return removal(exchange, market, command);
	if (command.kind === 'return-runner') {
		if (!market.removed.has(command.runner)) return refused('UNKNOWN_RUNNER');
		lapseTriggers(exchange, market, 'RUNNER_REMOVED');
		exchange.takeBack(market, command.runner);
		return done;
	}
	if (command.kind === 'suspend-runner' || command.kind === 'resume-runner') {
		if (command.runner >= market.runners) return refused('UNKNOWN_RUNNER');
		if (command.kind === 'suspend-runner') {
			market.suspended.add(command.runner);
			if (command.byFeed) return done;
			market.heldRunners.add(command.runner);
			market.version++;
			return done;
		}
		if (command.byFeed && market.heldRunners.has(command.runner)) return refused('RUNNER_SUSPENDED');
		if (command.seenVersion !== undefined && command.seenVersion !== market.version)
			return refused('WRONG_MARKET_STATE');
		market.suspended.delete(command.runner);
		market.heldRunners.delete(command.runner);
		return done;
	}
	if (command.kind === 'change-terms') {
		const { betDelayMs: delayMs, ...limits } = command.terms;
		const wanted = { ...market, ...limits, ...(delayMs === undefined ? {} : { delayMs }) };
		if (wanted.maxStake < wanted.minStake) return refused('VALIDATION_FAILED');
		Object.assign(market, wanted);
		return done;
	}
	if (command.kind === 'resume-market') {
		if (market.version !== (command.seenVersion ?? market.version)) return refused('WRONG_MARKET_STATE');
		market.status = 'OPEN';
		return done;
	}
	// The reference has no feeds, and so nothing that a hold keeps from resuming.
	if (command.kind === 'release-market')
		return market.version === command.seenVersion ? done : refused('WRONG_MARKET_STATE');
	if (command.kind === 'close-market') {
		lapseTriggers(exchange, market, 'MARKET_CLOSED');
		market.status = 'CLOSED';
		return { ...done, lapsed: exchange.lapse(market.id, () => true) };
	}
	if (command.kind === 'turn-in-play') {
		if (market.inPlay) return refused('ALREADY_IN_PLAY');
		const sold = exchange.auction(market);
		lapseTriggers(exchange, market, 'TURNED_IN_PLAY', ({ persist }) => !persist);
		market.inPlay = true;
		market.version++;
		const lapsed = [...sold.lapsed, ...exchange.lapse(market.id, (bet) => !bet.persist)];
		return { ...done, fills: sold.fills, lapsed: lapsed.sort((a, b) => a - b) };
	}
	if (command.kind !== 'suspend-market') throw new Error(`no such act of a market: ${command.kind}`);
	if (command.lapseUnmatched) lapseTriggers(exchange, market, 'SUSPENDED');
	if (command.ballRunning) {
		if (market.status === 'OPEN') market.status = 'BALL_RUNNING';
	} else if (market.status !== 'SUSPENDED' || !command.byFeed) {
		market.status = 'SUSPENDED';
		market.version++;
	}
	// A bet in its delay was meant for the market as it stood before.
	const lapses = command.lapseUnmatched ? () => true : (bet: { delay: object | null }) => bet.delay !== null;
	const lapsed = command.lapseUnmatched || !command.ballRunning ? exchange.lapse(market.id, lapses) : [];
	return { ...done, lapsed };
}

function lapseTriggers(
	exchange: ReferenceExchange,
	market: ReferenceMarket,
	reason: string,
	which: (trigger: ReferenceTrigger) => boolean = () => true,
): void {
	exchange.endTriggers((trigger) => trigger.market === market.id && which(trigger), { status: 'LAPSED', reason });
}

/** A place market that may lose runners may pay fewer places, too. */
function resultOf(
	market: ReferenceMarket,
	{ results, places = market.winners }: SettleMarket,
): ReferenceOutcome | null {
	const fewer = market.reductions !== null && !market.isEachWay && places >= 1 && places < market.winners;
	return places === market.winners || fewer ? outcomeOf({ ...market, winners: places }, results) : null;
}

function removal(
	exchange: ReferenceExchange,
	market: ReferenceMarket,
	{ runner, reductionBp }: { runner: number; reductionBp: number },
): ReferenceAnswer {
	if (runner >= market.runners) return refused('UNKNOWN_RUNNER');
	if (market.removed.has(runner)) return refused('RUNNER_REMOVED');
	const linesStandTogether = market.lines !== null || market.winners === -1;
	if (!market.reductions && (reductionBp !== 0 || linesStandTogether)) return refused('INVALID_REDUCTION');
	if (reductionBp < 0 || reductionBp >= 10_000) return refused('INVALID_REDUCTION');
	lapseTriggers(exchange, market, 'RUNNER_REMOVED');
	return { ...done, ...exchange.remove(market, runner, reductionBp) };
}

function correction(
	exchange: ReferenceExchange,
	market: ReferenceMarket,
	{ runner, reductionBp }: { runner: number; reductionBp: number },
): ReferenceAnswer {
	const removed = market.removed.get(runner);
	if (!removed) return refused('UNKNOWN_RUNNER');
	if (!market.reductions || reductionBp < 0 || reductionBp >= 10_000) return refused('INVALID_REDUCTION');
	lapseTriggers(exchange, market, 'RUNNER_REMOVED');
	return { ...done, lapsed: exchange.correct(market, removed, reductionBp) };
}
