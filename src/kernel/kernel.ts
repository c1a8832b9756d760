/** What the engine calls. */
export { addBet, markBetDirty, removeBet } from './bets';
export { cancelBet } from './cancel-bet';
export { clearDirtyRows, dirtyCount, dirtyRows, trackDirtyRows } from './dirty-rows';
export { findId, removeId, setId } from './id-index';
export { addMarket, addSide, endMarket, forgetMarket, moveMarket, nameMarket, setState } from './markets';
export {
	addBooks,
	bestFor,
	closeBook,
	freeBooks,
	newestOf,
	nextFor,
	oldestFor,
	recordTrade,
	reduce,
	rest,
	restBehind,
	sizeFor,
	takeFrom,
} from './order-book';
export { placeBet } from './place-bet';
export { addPosition, clearPositions, findPosition, hold, link, markPositionDirty, unlink } from './positions';
export { reportRow } from './report';
export { addWallet, markWalletDirty } from './wallets';
