/** Tells the reference exchange each command and answers as the engine would: a code, or what happened. */
import type { Command } from '#engine/command.ts';
import {
	ReferenceExchange,
	type ReferenceFill,
	type ReferenceMarket,
	type ReferenceOutcome,
} from './reference-exchange.ts';

export interface ReferenceAnswer {
	code: string | null;
	fills: ReferenceFill[];
	lapsed: number[];
	remaining: number | null;
}

const done: ReferenceAnswer = { code: null, fills: [], lapsed: [], remaining: null };
const those = (results: readonly string[], wanted: string): number[] =>
	results.flatMap((result, runner) => (result === wanted ? [runner] : []));
const outcomeOf = ({ lines }: ReferenceMarket, results: readonly string[]): ReferenceOutcome => ({
	won: those(results, 'WIN'),
	placed: those(results, 'PLACED'),
	number: lines ? numberOf(lines, results) : 0,
});
/** The smallest number that passes just the lines that won, and equals the one that is void. */
function numberOf({ min, interval }: { min: number; interval: number }, results: readonly string[]): number {
	const lineAt = (rung: number) => (min + rung * interval) / 100;
	const equalled = results.indexOf('VOID');
	if (equalled >= 0) return lineAt(equalled);
	const passed = results.lastIndexOf('WIN');
	return passed < 0 ? 0 : Math.floor(lineAt(passed)) + 1;
}
const refused = (code: string): ReferenceAnswer => ({ ...done, code });

export function tellReference(exchange: ReferenceExchange, command: Command): ReferenceAnswer {
	switch (command.kind) {
		case 'open-wallet': {
			const { walletId: id, pool, commissionBp } = command;
			exchange.users.push({ id, pool, funds: 0n, commissionBp: commissionBp ?? null });
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
			const terms = { id: marketId, pools: [...pools], runners, winners, ...eachWay, lines, ...limits };
			exchange.markets.push({ ...terms, status: 'OPEN', inPlay: false, version: 1 });
			return done;
		}
		case 'place-bet': {
			const { betId, walletId, marketId, runner, side, price, stake, persist } = command;
			const told = exchange.place({
				id: betId,
				user: walletId,
				market: marketId,
				runner,
				side: side === 0 ? 'BACK' : 'LAY',
				price,
				stake,
				persist,
				minFill: command.fillOrKill ? (command.minFill ?? stake) : null,
				version: command.marketVersion,
			});
			return answerTo(exchange, told, betId);
		}
		case 'cancel-bet': {
			const told = exchange.cancel(command.betId, command.walletId, command.size);
			return typeof told === 'string' ? refused(told) : { ...done, remaining: told };
		}
		case 'cancel-all': {
			const told = exchange.cancelAll(command.walletId, command.marketId);
			return typeof told === 'string' ? refused(told) : done;
		}
		case 'replace-bet': {
			const { betId, newBetId, walletId, price } = command;
			return answerTo(exchange, exchange.replace(betId, newBetId, walletId, price), newBetId);
		}
		case 'admit-bet':
		case 'set-limits':
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
	const lapsed = bet && bet.stake > filled + bet.remaining ? [betId] : [];
	return { ...done, fills: told, lapsed, remaining: bet?.remaining ?? null };
}

function tellMarket(exchange: ReferenceExchange, market: ReferenceMarket, command: Command): ReferenceAnswer {
	const paid = market.status === 'SETTLED' || market.status === 'VOIDED';
	const over = paid || market.status === 'CLOSED';
	if (command.kind === 'settle-market' || command.kind === 'void-market') {
		if (paid) return refused('WRONG_MARKET_STATE');
		const lapsed = exchange.lapse(market.id, () => true);
		if (command.kind === 'void-market') exchange.voidAll(market);
		else exchange.settle(market, outcomeOf(market, command.results));
		return { ...done, lapsed };
	}
	if (over) return refused('MARKET_CLOSED');
	if (command.kind === 'resume-market') {
		market.status = 'OPEN';
		return done;
	}
	if (command.kind === 'close-market') {
		market.status = 'CLOSED';
		return { ...done, lapsed: exchange.lapse(market.id, () => true) };
	}
	if (command.kind === 'turn-in-play') {
		if (market.inPlay) return refused('ALREADY_IN_PLAY');
		market.inPlay = true;
		market.version++;
		return { ...done, lapsed: exchange.lapse(market.id, (bet) => !bet.persist) };
	}
	if (command.kind !== 'suspend-market') throw new Error(`no such act of a market: ${command.kind}`);
	if (command.ballRunning) {
		if (market.status === 'OPEN') market.status = 'BALL_RUNNING';
	} else if (market.status !== 'SUSPENDED') {
		market.status = 'SUSPENDED';
		market.version++;
	}
	return { ...done, lapsed: command.lapseUnmatched ? exchange.lapse(market.id, () => true) : [] };
}
