/** What the engine calls. */
export { addBet, removeBet, touchBet } from './bets';
export { cancelBet } from './cancel-bet';
export { findId, removeId, setId } from './id-index';
export { addMarket, addSide, endMarket, forgetMarket, moveMarket, nameMarket, setState } from './markets';
export {
	addBooks,
	bestFor,
	closeBook,
	giveBooks,
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
export { addPosition, clearPositions, findPosition, hold, link, touchPosition, unlink } from './positions';
export { reportRow } from './report';
export { forgetTouched, keepTouched, touchedCount, touchedList } from './touched';
export { addWallet, touchWallet } from './wallets';
