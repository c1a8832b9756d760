/** Opening a market and moving it through its life, short of paying: suspend, resume, turn in-play, close. */
import type { CloseMarket, OpenMarket, ResumeMarket, SuspendMarket, TurnInPlay } from '#engine/command.ts';
import type { Effects, MarketStatus } from '#engine/effect.ts';
import { DONE, type EngineState, refuse } from '#engine/engine-state.ts';
import type { Market } from '#engine/market.ts';
import type { Outcome } from '#engine/outcome.ts';

export function openMarket(state: EngineState, command: OpenMarket, effects: Effects): Outcome {
	if (state.markets.has(command.marketId)) return refuse('WRONG_MARKET_STATE');
	const market = state.addMarket({
		marketId: command.marketId,
		pools: command.pools,
		runners: command.runners,
		numberOfWinners: command.numberOfWinners,
		commissionBp: command.commissionBp,
		minStake: command.minStake,
		maxStake: command.maxStake,
		profitRatioRule: command.profitRatioRule,
		selfMatch: command.selfMatch,
	});
	if (command.suspended) market.status = 'SUSPENDED';
	effects.marketOpened(command.marketId);
	return DONE;
}

export function suspendMarket(state: EngineState, command: SuspendMarket, effects: Effects): Outcome {
	const market = state.markets.get(command.marketId);
	if (!market) return refuse('UNKNOWN_MARKET');
	if (market.ended) return refuse('MARKET_CLOSED');
	if (command.lapseUnmatched) state.lapse(market, () => true, 'SUSPENDED', effects);
	if (command.ballRunning) {
		// The ball decides nothing about the bets that wait: the version stays, nothing lapses by it.
		if (market.status === 'OPEN') change(state, market, { status: 'BALL_RUNNING' }, effects);
	} else if (market.status !== 'SUSPENDED') {
		change(state, market, { status: 'SUSPENDED', raise: true }, effects);
	}
	return DONE;
}

export function resumeMarket(state: EngineState, command: ResumeMarket, effects: Effects): Outcome {
	const market = state.markets.get(command.marketId);
	if (!market) return refuse('UNKNOWN_MARKET');
	if (market.ended) return refuse('MARKET_CLOSED');
	if (market.status !== 'OPEN') change(state, market, { status: 'OPEN' }, effects);
	return DONE;
}

export function turnInPlay(state: EngineState, command: TurnInPlay, effects: Effects): Outcome {
	const market = state.markets.get(command.marketId);
	if (!market) return refuse('UNKNOWN_MARKET');
	if (market.ended) return refuse('MARKET_CLOSED');
	if (market.inPlay) return refuse('ALREADY_IN_PLAY');
	state.lapse(market, (bet) => !bet.persist, 'TURNED_IN_PLAY', effects);
	market.inPlay = true;
	change(state, market, { status: market.status, raise: true }, effects);
	return DONE;
}

export function closeMarket(state: EngineState, command: CloseMarket, effects: Effects): Outcome {
	const market = state.markets.get(command.marketId);
	if (!market) return refuse('UNKNOWN_MARKET');
	if (market.ended) return refuse('MARKET_CLOSED');
	state.lapse(market, () => true, 'MARKET_CLOSED', effects);
	change(state, market, { status: 'CLOSED' }, effects);
	return DONE;
}

function change(
	state: EngineState,
	market: Market,
	to: { status: MarketStatus; raise?: boolean },
	effects: Effects,
): void {
	market.status = to.status;
	if (to.raise) market.version++;
	state.digest.touch(market);
	effects.marketChanged(market.terms.marketId);
}
