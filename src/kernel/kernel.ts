/** What the engine calls. */
export { addBet, removeBet, touchBet } from './bets';
export { findId, removeId, setId } from './id-index';
export { addMarket, addSide, endMarket, nameMarket, setTakesBets } from './markets';
export {
	addBooks,
	bestFor,
	closeBook,
	newestOf,
	nextFor,
	oldestFor,
	reduce,
	rest,
	restBehind,
	sizeFor,
	takeFrom,
	traded,
} from './order-book';
export { placeBet, withdraw } from './place-bet';
export { addPosition, clearPositions, findPosition, hold, link, touchPosition, unlink } from './positions';
export { reportRow } from './report';
export { forgetTouched, keepTouched, touchedCount, touchedList } from './touched';
export { addWallet, reserve, touchWallet } from './wallets';
