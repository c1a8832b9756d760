/** The exports of the kernel. */
export { admitBet, admitHedge, lapseOfHedge, reachedNow } from './admit-bet';
export { enterAuction, lowerLimit, matchAtStart } from './auction';
export { addBetAlone, lastBetId, markBetDirty, setLastBetId } from './bets';
export { cancelBet, replaceBet } from './cancel-bet';
export { cancelRemaining } from './cancel-remaining';
export { repriceRemaining, restoreBet, restoreHeld, revalueMatched, voidMatched } from './change-bet';
export { bestToFollow, concernsOf, nextConcerned } from './concerns';
export { clearDirtyRows, dirtyCount, dirtyRows, trackDirtyRows } from './dirty-rows';
export { forgetBet } from './forget-bet';
export { addGivenBet, placeHedge } from './hedges';
export { hold, holdFor } from './holds';
export { findId, removeId, setId } from './id-index';
export { judgeHedge, judgeStake, refusalOfExposure } from './judge';
export { addLadder, setTick } from './ladders';
export {
	addMarket,
	barRunner,
	bookCount,
	endMarket,
	firstBookIn,
	firstBookOf,
	forgetMarket,
	moveMarket,
	setState,
	wideOfSide,
} from './markets';
export { matchBet, matchOutsideBook } from './matching';
export {
	addBooks,
	beginRange,
	bestFor,
	closeBook,
	endWatches,
	nextFor,
	oldestFor,
	recordTrade,
	reduce,
	rest,
	sizeFor,
	takeFrom,
	watchBook,
} from './order-book';
export { orderRow, requestRow } from './orders';
export { finishAcross, placeBet } from './place-bet';
export { setPool } from './pools';
export { addMatched, clearPositions, exposureOf, findPosition, markPositionDirty } from './positions';
export { clearReport, reportRow } from './report';
export { takeQuotes } from './take-quotes';
export { countInstead, releaseTrigger, reserveTrigger, restoreTrigger } from './triggers';
export { updateBet } from './update-bet';
export { addWallet, markWalletDirty, setLimits, setQuoting, setSelfMatch } from './wallets';
export { bound, boundVolume, countPegs, follow, notePlans } from './watches';
