/** Opens a market and moves it through its life, up to its settlement: suspend, resume, turn in-play, close. */
import type { BetChange } from '#engine/bet-change.ts';
import { changeBets } from '#engine/change-bets.ts';
import type {
	ChangeTerms,
	CloseMarket,
	OpenMarket,
	ReleaseMarket,
	ResumeMarket,
	SuspendMarket,
	SuspendRunner,
	TurnInPlay,
} from '#engine/command.ts';
import type { Effects, LapseReason, MarketStatus } from '#engine/effect.ts';
import { DONE, type EngineState } from '#engine/engine-state.ts';
import type { Market } from '#engine/market.ts';
import { LONGEST_DELAY_MS, MOST_RUNNERS } from '#engine/market-types/market-type.ts';
import type { Outcome } from '#engine/outcome.ts';
import { refuse } from '#engine/requests.ts';
import { holdAuction } from '#engine/starting-price/hold-auction.ts';
import { ON_A_LINE, RISING } from '#values/figures.ts';
import { type LineRange, lineCount } from '#values/line-range.ts';
import { MAX_AMOUNT_MINOR } from '#values/money.ts';
import { LADDERS, MAX_PRICE } from '#values/price-ladder.ts';

/** Hundredths of what the line counts. */
const HALF = 50;
/** A player's possible result takes three numbers a line. */
const MOST_LINES = 1000;
/** For win markets; place markets reduce from the first basis point and lapse from 400. */
const WIN_REDUCTION_BP = 250;
const LONGEST_LEASE_MS = 3_600_000;
/** A tenth of the odds; racing uses a quarter, a fifth and, rarely, less. */
const LARGEST_DIVISOR = 10;

export function openMarket(state: EngineState, command: OpenMarket, effects: Effects): Outcome {
	if (state.markets.has(command.marketId)) return refuse('WRONG_MARKET_STATE');
	const wrong = wrongTerm(command);
	if (wrong) return refuse('VALIDATION_FAILED', { field: wrong });
	const market = state.addMarket(command.marketId, {
		pools: command.pools,
		runners: command.runners,
		numberOfWinners: command.numberOfWinners,
		eachWayDivisor: command.eachWayDivisor ?? 0,
		model: command.model ?? 'EXCHANGE',
		ladder: command.ladder ?? 'CLASSIC',
		houses: command.houses ?? [],
		crossMatching: command.crossMatching ?? false,
		startingPrice: command.startingPrice ?? false,
		commissionBp: command.commissionBp,
		minStake: command.minStake,
		maxStake: command.maxStake,
		maxProfit: command.maxProfit ?? 0,
		maxExposure: command.maxExposure ?? 0,
		betDelayMs: command.betDelayMs ?? 0,
		passiveGoesIn: command.passiveGoesIn ?? false,
		reducible: command.reducible ?? false,
		reduces: command.reduces ?? 'PRICE',
		minReductionBp: command.minReductionBp ?? WIN_REDUCTION_BP,
		lapseReductionBp: command.lapseReductionBp ?? WIN_REDUCTION_BP,
		feedLeaseMs: command.feedLeaseMs ?? 0,
		profitRatioRule: command.profitRatioRule,
		selfMatch: command.selfMatch,
	});
	if (command.suspended) market.status = 'SUSPENDED';
	effects.marketOpened(command.marketId);
	return DONE;
}

const within = (value: number, from: number, to: number): boolean =>
	Number.isInteger(value) && value >= from && value <= to;

/** The first term that no market can have. */
function wrongTerm(command: OpenMarket): string | null {
	if (command.pools.length === 0 || new Set(command.pools).size !== command.pools.length) return 'pools';
	const onALine = command.numberOfWinners === ON_A_LINE;
	if (!within(command.runners, onALine ? 1 : 2, onALine ? 1 : MOST_RUNNERS)) return 'runners';
	if (!onALine && !within(command.numberOfWinners, RISING, command.runners)) return 'numberOfWinners';
	const model = command.model ?? 'EXCHANGE';
	const ofHouse = model !== 'EXCHANGE' || command.crossMatching === true;
	if (ofHouse && command.houses?.length !== command.pools.length) return 'houses';
	// The proof of virtual prices requires one winner, and no runner that is void by itself.
	const mayCross = model === 'EXCHANGE' && command.numberOfWinners === 1 && command.reducible !== true;
	if (command.crossMatching && !mayCross) return 'crossMatching';
	// A liability has one price only where a bet has one.
	const hasOnePrice = model === 'EXCHANGE' && command.numberOfWinners >= 0 && !command.eachWayDivisor;
	if (command.startingPrice && (!hasOnePrice || command.crossMatching)) return 'startingPrice';
	if (command.eachWayDivisor !== undefined && !isEachWay(command)) return 'eachWayDivisor';
	if (!(onALine ? isRange(command) : Object.hasOwn(LADDERS, String(command.ladder ?? 'CLASSIC')))) return 'ladder';
	if (!within(command.commissionBp, 0, 10_000)) return 'commissionBp';
	const wrong = wrongLimit(command);
	if (wrong) return wrong;
	if (!within(command.minReductionBp ?? 0, 0, 10_000)) return 'minReductionBp';
	if (!within(command.lapseReductionBp ?? 0, 0, 10_000)) return 'lapseReductionBp';
	if (!within(command.feedLeaseMs ?? 0, 0, LONGEST_LEASE_MS)) return 'feedLeaseMs';
	return null;
}

/** The first limit, or the delay, that no market can have. */
function wrongLimit({ minStake, maxStake, maxProfit = 0, maxExposure = 0, betDelayMs = 0 }: Limits): string | null {
	if (!within(minStake, 1, MAX_AMOUNT_MINOR)) return 'minStake';
	if (!within(maxStake, minStake, MAX_AMOUNT_MINOR)) return 'maxStake';
	if (!within(maxProfit, 0, Number.MAX_SAFE_INTEGER)) return 'maxProfit';
	if (!within(maxExposure, 0, Number.MAX_SAFE_INTEGER)) return 'maxExposure';
	return within(betDelayMs, 0, LONGEST_DELAY_MS) ? null : 'betDelayMs';
}
type Limits = Pick<OpenMarket, 'minStake' | 'maxStake' | 'maxProfit' | 'maxExposure' | 'betDelayMs'>;

/** A place pays a fraction of the odds, at most all of them, and fewer runners are placed than take part. */
const isEachWay = ({ eachWayDivisor, numberOfWinners, runners, model, crossMatching }: OpenMarket): boolean =>
	within(eachWayDivisor ?? 0, 1, LARGEST_DIVISOR) &&
	within(numberOfWinners, 2, runners - 1) &&
	(model ?? 'EXCHANGE') === 'EXCHANGE' &&
	crossMatching !== true;

/** Lines are whole numbers or halves, and the bets on them are the players' own. */
function isRange({ ladder, model, reducible }: OpenMarket): boolean {
	if (typeof ladder !== 'object' || (model ?? 'EXCHANGE') !== 'EXCHANGE' || reducible === true) return false;
	const { min, max, interval }: LineRange = ladder;
	const halves = [min, max, interval].every((bound) => within(bound, HALF, MAX_PRICE) && bound % HALF === 0);
	return halves && max > min && (max - min) % interval === 0 && lineCount(ladder) <= MOST_LINES;
}

type MarketMove = SuspendMarket | SuspendRunner | ResumeMarket | ReleaseMarket | ChangeTerms | TurnInPlay | CloseMarket;

/** Moves an open market through its life. */
export function moveMarket(state: EngineState, command: MarketMove, effects: Effects): Outcome {
	switch (command.kind) {
		case 'suspend-market':
			return suspendMarket(state, command, effects);
		case 'suspend-runner':
		case 'resume-runner':
			return suspendRunner(state, command, effects);
		case 'resume-market':
			return resumeMarket(state, command, effects);
		case 'release-market':
			return releaseMarket(state, command, effects);
		case 'change-terms':
			return changeTerms(state, command, effects);
		case 'turn-in-play':
			return turnInPlay(state, command, effects);
		case 'close-market':
			return closeMarket(state, command, effects);
	}
}

function suspendMarket(state: EngineState, command: SuspendMarket, effects: Effects): Outcome {
	const market = state.markets.get(command.marketId);
	if (!market) return refuse('UNKNOWN_MARKET');
	if (market.ended) return refuse('MARKET_CLOSED');
	const { inSteps } = command;
	if (command.lapseUnmatched) changeBets(state, market, { change: allLapse('SUSPENDED'), inSteps }, effects);
	// A bet in its delay was meant for the market as it stood before this.
	else if (!command.ballRunning) state.lapse(market, state.delayed(market), 'SUSPENDED', effects);
	const status = market.changing?.nextStatus ?? market.status;
	if (command.ballRunning) {
		// A ball decides nothing about resting bets: the version stays, and nothing lapses.
		if (status === 'OPEN') change(state, market, { status: 'BALL_RUNNING' }, effects);
	} else if (status !== 'SUSPENDED' || !command.byFeed) {
		change(state, market, { status: 'SUSPENDED', raise: true }, effects);
	}
	if (!command.byFeed) holdForOperator(state, market, true, effects);
	return DONE;
}

const allLapse = (reason: LapseReason): BetChange => ({ kind: 'LAPSE', reason, unlessPersistent: false });

function holdForOperator(state: EngineState, market: Market, held: boolean, effects: Effects): void {
	if (market.heldByOperator === held) return;
	market.heldByOperator = held;
	state.digest.touch(market);
	effects.marketChanged(market.marketId);
}

function resumeMarket(state: EngineState, command: ResumeMarket, effects: Effects): Outcome {
	const market = state.markets.get(command.marketId);
	if (!market) return refuse('UNKNOWN_MARKET');
	if (market.ended) return refuse('MARKET_CLOSED');
	if (command.byFeed && market.heldByOperator) return refuse('MARKET_SUSPENDED');
	if (market.version !== (command.seenVersion ?? market.version)) return refuse('WRONG_MARKET_STATE');
	if (market.status !== 'OPEN') change(state, market, { status: 'OPEN' }, effects);
	holdForOperator(state, market, false, effects);
	return DONE;
}

function releaseMarket(state: EngineState, command: ReleaseMarket, effects: Effects): Outcome {
	const market = state.markets.get(command.marketId);
	if (!market) return refuse('UNKNOWN_MARKET');
	if (market.ended) return refuse('MARKET_CLOSED');
	if (market.version !== command.seenVersion) return refuse('WRONG_MARKET_STATE');
	holdForOperator(state, market, false, effects);
	return DONE;
}

function changeTerms(state: EngineState, command: ChangeTerms, effects: Effects): Outcome {
	const market = state.markets.get(command.marketId);
	if (!market) return refuse('UNKNOWN_MARKET');
	if (market.ended) return refuse('MARKET_CLOSED');
	const terms = { ...market.terms, ...command.terms };
	const wrong = wrongLimit(terms);
	if (wrong) return refuse('VALIDATION_FAILED', { field: wrong });
	state.changeTerms(market, terms);
	effects.marketChanged(market.marketId);
	return DONE;
}

function suspendRunner(state: EngineState, command: SuspendRunner, effects: Effects): Outcome {
	const market = state.markets.get(command.marketId);
	if (!market) return refuse('UNKNOWN_MARKET');
	if (market.ended) return refuse('MARKET_CLOSED');
	if (!within(command.runner, 0, market.terms.runners - 1)) return refuse('UNKNOWN_RUNNER');
	const { kind, runner, byFeed, seenVersion = market.version } = command;
	if (kind === 'suspend-runner') {
		market.suspend(runner);
		if (!byFeed) market.hold(runner);
		change(state, market, { raise: !byFeed }, effects);
		return DONE;
	}
	if (byFeed && market.heldRunners.has(runner)) return refuse('RUNNER_SUSPENDED');
	if (seenVersion !== market.version) return refuse('WRONG_MARKET_STATE');
	market.resume(runner);
	change(state, market, {}, effects);
	return DONE;
}

function turnInPlay(state: EngineState, command: TurnInPlay, effects: Effects): Outcome {
	const market = state.markets.get(command.marketId);
	if (!market) return refuse('UNKNOWN_MARKET');
	if (market.ended) return refuse('MARKET_CLOSED');
	if (market.inPlay) return refuse('ALREADY_IN_PLAY');
	holdAuction(state, market, effects);
	const lapse = { kind: 'LAPSE' as const, reason: 'TURNED_IN_PLAY' as const, unlessPersistent: true };
	changeBets(state, market, { change: lapse, inSteps: command.inSteps }, effects);
	market.inPlay = true;
	change(state, market, { raise: true }, effects);
	return DONE;
}

function closeMarket(state: EngineState, command: CloseMarket, effects: Effects): Outcome {
	const market = state.markets.get(command.marketId);
	if (!market) return refuse('UNKNOWN_MARKET');
	if (market.ended) return refuse('MARKET_CLOSED');
	changeBets(state, market, { change: allLapse('MARKET_CLOSED'), inSteps: command.inSteps }, effects);
	state.dropTargets(market, effects);
	change(state, market, { status: 'CLOSED' }, effects);
	return DONE;
}

function change(
	state: EngineState,
	market: Market,
	to: { status?: MarketStatus; raise?: boolean },
	effects: Effects,
): void {
	if (to.status) setStatus(market, to.status);
	if (to.raise) market.version++;
	state.digest.touch(market);
	effects.marketChanged(market.marketId);
}

/** A market whose bets are being changed is suspended until they are, unless it is closed. */
function setStatus(market: Market, status: MarketStatus): void {
	if (market.changing) market.changing.nextStatus = status;
	market.status = market.changing && status !== 'CLOSED' ? 'SUSPENDED' : status;
}
