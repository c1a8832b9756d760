/** Made by `npm run build:kernel` from src/kernel: the places of fields, flags, and the signatures of the exports. */

/** Of a row of Arena, counted in the size of each field. */
export const ARENA_ROW = {
	unused: 0,
	end: 1,
	pages: 2,
	spareBlock: 3,
} as const;

/** Of a row of Bet, counted in the size of each field. */
export const BET_ROW = {
	id: 0,
	matchedValue: 1,
	position: 4,
	runner: 5,
	flags: 6,
	rung: 7,
	price: 8,
	stake: 9,
	remaining: 10,
	matched: 11,
	older: 12,
	newer: 13,
	before: 14,
	after: 15,
} as const;

/** Of src/kernel/bets.ts. */
export const BETS = {
	BACK: 0,
	LAY: 1,
	SIDE: 1,
	PERSIST: 2,
	PENDING: 4,
	DIRTY: 1 << 30,
} as const;

/** Of src/kernel/blocks.ts. */
export const BLOCKS = {
	BETS: 0,
	POSITIONS: 1,
	WALLETS: 2,
	MARKETS: 3,
	NONE: 0,
	BLOCK: 64,
	PAGE: 64,
} as const;

/** Of src/kernel/dirty-rows.ts. */
export const DIRTY_ROWS = {
	KIND_BITS: 2,
} as const;

/** Of a row of PoolSide, counted in the size of each field. */
export const POOL_SIDE_ROW = {
	firstBook: 0,
	firstPosition: 1,
} as const;

/** Of a row of Market, counted in the size of each field. */
export const MARKET_ROW = {
	flags: 0,
	runners: 1,
	minStake: 2,
	maxStake: 3,
	slots: 4,
	slotsLength: 5,
	slotsUsed: 6,
	reserved: 7,
	sides: 4,
	sideOfSecond: 5,
	sideOfThird: 6,
	index: 14,
	blocks: 15,
	maxExposure: 8,
	maxProfit: 9,
	id: 10,
	arena: 11,
	restOfArena: 12,
} as const;

/** Of src/kernel/markets.ts. */
export const MARKETS = {
	TAKES_BETS: 1,
	REFUSES_OWN: 2,
	FAIR_PROFITS: 4,
	LIMITED: 8,
	ONE_OF_ALL_WINS: 16,
	REMEMBERS: 32,
} as const;

/** Of a row of Book, counted in the size of each field. */
export const BOOK_ROW = {
	totalMatched: 0,
	lastPrice: 2,
	reserved: 3,
	backs: 4,
	lays: 5,
	bestBack: 6,
	bestLay: 7,
	arena: 8,
} as const;

/** Of src/kernel/order-book.ts. */
export const ORDER_BOOK = {
	ANY_RUNG: -1,
} as const;

/** Of a row of Position, counted in the size of each field. */
export const POSITION_ROW = {
	held: 0,
	openValue: 1,
	wallet: 4,
	market: 5,
	lastBet: 6,
	next: 7,
	base: 4,
	unmatchedBacks: 5,
} as const;

/** Of src/kernel/positions.ts. */
export const POSITIONS = {
	FORGOTTEN: -1,
	MARKET_BITS: 3,
} as const;

/** Of a row of Report, counted in the size of each field. */
export const REPORT_ROW = {
	fills: 0,
	fillRow: 1,
	fillBlocks: 2,
	holds: 3,
	holdRow: 4,
	holdBlocks: 5,
	pool: 6,
	market: 7,
	bet: 8,
	prefetched: 9,
} as const;

/** Of a row of Fill, counted in the size of each field. */
export const FILL_ROW = {
	makerId: 0,
	maker: 2,
	stake: 3,
	price: 4,
	reserved: 5,
} as const;

/** Of a row of Held, counted in the size of each field. */
export const HELD_ROW = {
	walletId: 0,
	change: 1,
	cash: 2,
} as const;

/** Of src/kernel/report.ts. */
export const REPORT = {
	FILL: 24,
	HELD: 24,
} as const;

/** Of a row of Wallet, counted in the size of each field. */
export const WALLET_ROW = {
	id: 0,
	pool: 2,
	flags: 3,
	commissionBp: 2,
	version: 3,
	cash: 4,
	exposure: 5,
	hold: 6,
	bonus: 7,
} as const;

/** Of src/kernel/wallets.ts. */
export const WALLETS = {
	DIRTY: 1,
	LIMITED: 2,
	QUOTES: 4,
} as const;

/** What src/kernel exports; each function is described there. Rows, runners, ticks, prices and stakes are whole numbers of 31 bits. */
export interface KernelFunctions {
	readonly memory: { readonly buffer: ArrayBuffer };
	addBet(
		market: number,
		id: number,
		position: number,
		runner: number,
		side: number,
		price: number,
		rung: number,
		stake: number,
		persist: number,
	): number;
	markBetDirty(row: number): void;
	removeBet(market: number, row: number): void;
	cancelBet(id: number, walletId: number, size: number): number;
	clearDirtyRows(): void;
	dirtyCount(): number;
	dirtyRows(): number;
	trackDirtyRows(): void;
	findId(kind: number, id: number): number;
	removeId(kind: number, id: number): void;
	setId(kind: number, id: number, row: number): void;
	addMarket(
		id: number,
		index: number,
		flags: number,
		runners: number,
		blocks: number,
		minStake: number,
		maxStake: number,
		maxProfit: number,
		maxExposure: number,
	): number;
	addSide(market: number, pool: number, firstBook: number): void;
	endMarket(market: number): void;
	forgetMarket(row: number, id: number): void;
	moveMarket(row: number, index: number): void;
	nameMarket(id: number, row: number): void;
	setState(row: number, takesBets: number, oneOfAllWins: number): void;
	addBooks(market: number, runners: number, rungs: number): number;
	bestFor(row: number, side: number): number;
	closeBook(row: number): void;
	freeBooks(first: number, runners: number): void;
	newestOf(row: number, side: number, rung: number): number;
	nextFor(row: number, side: number, rung: number): number;
	oldestFor(row: number, side: number, rung: number): number;
	recordTrade(row: number, price: number, stake: number): void;
	reduce(book: number, row: number, stake: number): void;
	rest(book: number, row: number): void;
	restBehind(book: number, row: number, older: number): void;
	sizeFor(row: number, side: number, rung: number): number;
	takeFrom(row: number, side: number, taker: number, wanted: number, limit: number): number;
	placeBet(
		marketId: number,
		walletId: number,
		id: number,
		runner: number,
		side: number,
		price: number,
		rung: number,
		stake: number,
		persist: number,
	): number;
	addPosition(marketRow: number, pool: number, wallet: number): number;
	clearPositions(marketRow: number, pool: number): void;
	findPosition(row: number, wallet: number): number;
	hold(row: number, exposure: number): number;
	link(row: number, betRow: number): void;
	markPositionDirty(row: number): void;
	unlink(row: number, betRow: number): void;
	reportRow(): number;
	addWallet(id: number, pool: number, commissionBp: number): number;
	markWalletDirty(row: number): void;
}
