/** Made by `npm run build:kernel` from src/kernel: the places of fields, flags, and the signatures of the exports. */

/** Of a row of Arena, counted in the size of each field. */
export const ARENA_ROW = {
	unused: 0,
	end: 1,
	pages: 2,
	spareBlock: 3,
} as const;

/** Of src/kernel/at-start.ts. */
export const AT_START = {
	EVENS: 200,
	LEAST_LIABILITY: 10,
	MOST_AT_START: 5000,
} as const;

/** Of a row of Bet, counted in the size of each field. */
export const BET_ROW = {
	id: 0,
	matchedValue: 1,
	position: 4,
	runner: 5,
	flags: 6,
	tick: 7,
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
	DELAYED: 4,
	FOLLOWED: 1 << 28,
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

/** Of src/kernel/cancel-bet.ts. */
export const CANCEL_BET = {
	BY_OPERATOR: 1,
	WHOLE: 2,
} as const;

/** Of src/kernel/concerns.ts. */
export const CONCERNS = {
	OF_FILLS: 1,
	FOR_BACKERS: 2,
	FOR_LAYERS: 4,
	OF_VOLUME: 8,
	OF_PLANS: 16,
	OF_GROUPS: 32,
} as const;

/** Of src/kernel/dirty-rows.ts. */
export const DIRTY_ROWS = {
	KIND_BITS: 2,
} as const;

/** Of a row of Ladder, counted in the size of each field. */
export const LADDER_ROW = {
	first: 0,
	last: 1,
	step: 2,
	table: 3,
} as const;

/** Of src/kernel/ladders.ts. */
export const LADDERS = {
	NO_TICK: -1,
} as const;

/** Of src/kernel/lapses.ts. */
export const LAPSES = {
	NO_LAPSE: 0,
	MARKET_VERSION: 1,
	NOT_FILLED: 2,
	SUSPENDED: 3,
	SELF_MATCH: 4,
	WOULD_MATCH: 5,
} as const;

/** Of a row of PoolSide, counted in the size of each field. */
export const POOL_SIDE_ROW = {
	firstPosition: 0,
	unused: 1,
	house: 1,
} as const;

/** Of a row of Market, counted in the size of each field. */
export const MARKET_ROW = {
	flags: 0,
	status: 1,
	runners: 2,
	minStake: 3,
	maxStake: 4,
	slots: 5,
	slotsLength: 6,
	slotsUsed: 7,
	blocks: 8,
	ladder: 9,
	bars: 10,
	books: 11,
	pools: 12,
	version: 13,
	maxProfit: 7,
	maxExposure: 8,
	maxFigure: 9,
	arena: 10,
	restOfArena: 11,
	id: 12,
	maxOffer: 13,
	index: 28,
	atStart: 29,
} as const;

/** Of src/kernel/markets.ts. */
export const MARKETS = {
	OPEN: 0,
	SUSPENDED: 1,
	BALL_RUNNING: 2,
	ENDED: 3,
	REFUSES_SELF_MATCH: 1,
	FAIR_PROFITS: 2,
	BY_HOUSE: 4,
	CROSS_MATCHES: 8,
	PASSIVE_GOES_IN: 16,
	ON_LINES: 32,
	KEEPS_DETAILS: 64,
	DELAYS: 128,
	ONE_OF_ALL_WINS: 256,
	AUCTION: 512,
	REMOVED: 1,
	RUNNER_SUSPENDED: 2,
} as const;

/** Of a row of Book, counted in the size of each field. */
export const BOOK_ROW = {
	totalMatched: 0,
	lastPrice: 2,
	backs: 3,
	lays: 4,
	bestBack: 5,
	bestLay: 6,
	arena: 7,
	watch: 8,
	lowestPrice: 9,
	highestPrice: 10,
	nextChanged: 11,
} as const;

/** Of src/kernel/order-book.ts. */
export const ORDER_BOOK = {
	ANY_TICK: -1,
} as const;

/** Of a row of Request, counted in the size of each field. */
export const REQUEST_ROW = {
	betId: 0,
	walletId: 1,
	marketId: 2,
	runner: 3,
	side: 4,
	price: 5,
	stake: 6,
	minFill: 7,
	marketVersion: 8,
	atMs: 9,
	expiresAtMs: 10,
	limit: 11,
	untilMatched: 12,
	flags: 26,
} as const;

/** Of a row of Order, counted in the size of each field. */
export const ORDER_ROW = {
	id: 0,
	exposure: 1,
	market: 4,
	wallet: 5,
	position: 6,
	pool: 7,
	book: 8,
	runner: 9,
	side: 10,
	price: 11,
	tick: 12,
	stake: 13,
	minFill: 14,
	flags: 15,
	met: 16,
	meetsOwn: 17,
	ahead: 18,
} as const;

/** Of src/kernel/orders.ts. */
export const ORDERS = {
	PERSIST: 1,
	FILL_OR_KILL: 2,
	HEDGE: 4,
	POST_ONLY: 8,
	REPRICES: 16,
	EXPIRES: 32,
	OWN_REFUSES: 64,
	OWN_LAPSES_RESTING: 128,
	OWN_LAPSES_TAKING: 256,
	ON_CLOSE: 512,
	TAKES_START: 1024,
	UNTIL_MATCHED: 2048,
	IS_REST: 4096,
	OWN_RESTING: 1,
	OWN_TAKING: 2,
} as const;

/** Of src/kernel/place-bet.ts. */
export const PLACE_BET = {
	NEVER: -1,
} as const;

/** Of src/kernel/pools.ts. */
export const POOLS = {
	MOST_POOLS: 16,
} as const;

/** Of a row of Position, counted in the size of each field. */
export const POSITION_ROW = {
	held: 0,
	setAside: 1,
	openValue: 2,
	wallet: 6,
	market: 7,
	lastBet: 8,
	next: 9,
	base: 5,
	unmatchedBacks: 6,
} as const;

/** Of src/kernel/positions.ts. */
export const POSITIONS = {
	FORGOTTEN: -1,
	MARKET_BITS: 5,
	POOL_MASK: 15,
} as const;

/** Of src/kernel/refusals.ts. */
export const REFUSALS = {
	ACCEPTED: 0,
	UNKNOWN_MARKET: 1,
	MARKET_CLOSED: 2,
	MARKET_SUSPENDED: 3,
	UNKNOWN_RUNNER: 4,
	RUNNER_REMOVED: 5,
	RUNNER_SUSPENDED: 6,
	INVALID_SIDE: 7,
	PRICE_NOT_ON_LADDER: 8,
	INVALID_STAKE: 9,
	STAKE_TOO_SMALL: 10,
	STAKE_TOO_LARGE: 11,
	INVALID_SIZE: 12,
	INVALID_PROFIT_RATIO: 13,
	PROFIT_TOO_LARGE: 14,
	UNKNOWN_USER: 15,
	FORBIDDEN: 16,
	DUPLICATE_ORDER: 17,
	INSUFFICIENT_FUNDS: 18,
	EXPOSURE_LIMIT: 19,
	SELF_MATCH: 20,
	UNKNOWN_ORDER: 21,
	NOT_OWNER: 22,
	ORDER_NOT_ACTIVE: 23,
	NOTHING_TO_UPDATE: 24,
	TERMS_NOT_POSSIBLE: 25,
	EXPIRY_PASSED: 26,
	WOULD_MATCH: 27,
	AUCTION_FULL: 28,
} as const;

/** Of a row of Report, counted in the size of each field. */
export const REPORT_ROW = {
	fills: 0,
	fillRow: 1,
	fillBlocks: 2,
	holds: 3,
	holdRow: 4,
	holdBlocks: 5,
	ownLapsed: 6,
	stage: 7,
	market: 8,
	bet: 9,
	position: 10,
	pool: 11,
	terms: 12,
	stake: 13,
	matched: 14,
	remaining: 15,
	matchedValue: 8,
	lapsed: 18,
	lapse: 19,
	cancelled: 20,
	cancel: 21,
	prefetched: 22,
} as const;

/** Of a row of Fill, counted in the size of each field. */
export const FILL_ROW = {
	makerId: 0,
	maker: 2,
	stake: 3,
	price: 4,
	cancel: 5,
} as const;

/** Of a row of Held, counted in the size of each field. */
export const HELD_ROW = {
	walletId: 0,
	change: 1,
	cash: 2,
} as const;

/** Of src/kernel/report.ts. */
export const REPORT = {
	ENTERED: 0,
	DELAYED: 1,
	UNMATCHED: 2,
	TOOK_QUOTES: 3,
	FILL_OR_KILL: 1,
	QUOTE: 2,
	DELAY_ENDED: 1,
	DETAIL_ENDED: 2,
	FILL: 24,
	HELD: 24,
} as const;

/** Of src/kernel/update-bet.ts. */
export const UPDATE_BET = {
	LAPSES: 0,
	STAYS: 1,
	TAKES_STARTING_PRICE: 2,
} as const;

/** Of a row of Wallet, counted in the size of each field. */
export const WALLET_ROW = {
	id: 0,
	pool: 2,
	flags: 3,
	commissionBp: 4,
	limits: 5,
	version: 3,
	cash: 4,
	exposure: 5,
	hold: 6,
	bonus: 7,
} as const;

/** Of a row of WalletLimits, counted in the size of each field. */
export const WALLET_LIMITS_ROW = {
	maxStake: 0,
	maxProfit: 1,
	maxExposure: 2,
	setAside: 3,
} as const;

/** Of src/kernel/wallets.ts. */
export const WALLETS = {
	DIRTY: 1,
	QUOTES: 2,
	LAPSES_RESTING: 4,
	LAPSES_TAKING: 8,
	SHORT: 16,
} as const;

/** Of src/kernel/watches.ts. */
export const WATCHES = {
	LAST: 0,
	BACKERS: 1,
	LAYERS: 2,
	PLANS: 5,
} as const;

/** What src/kernel exports; each function is described there. Rows, runners, ticks, prices and stakes are whole numbers of 31 bits. */
export interface KernelFunctions {
	readonly memory: { readonly buffer: ArrayBuffer };
	admitBet(row: number, atMs: number, dueAtMs: number, version: number, minFill: number): number;
	admitHedge(row: number, lapse: number): void;
	lapseOfHedge(row: number, version: number, planned: number): number;
	reachedNow(): number;
	enterAuction(row: number, price: number, stake: number): void;
	lowerLimit(row: number, tick: number): void;
	matchAtStart(one: number, other: number, stake: number): void;
	addBetAlone(): number;
	lastBetId(): number;
	markBetDirty(row: number): void;
	setLastBetId(id: number): void;
	cancelBet(how: number): number;
	replaceBet(betId: number, walletId: number): number;
	cancelRemaining(row: number, stake: number): number;
	repriceRemaining(row: number, price: number, tick: number): void;
	restoreBet(matched: number, matchedValue: number, remaining: number, inDelay: number): number;
	restoreHeld(position: number): void;
	revalueMatched(row: number, value: number): void;
	voidMatched(row: number, stake: number, value: number): void;
	bestToFollow(book: number, side: number): number;
	concernsOf(book: number): number;
	nextConcerned(): number;
	clearDirtyRows(): void;
	dirtyCount(): number;
	dirtyRows(): number;
	trackDirtyRows(): void;
	forgetBet(row: number): void;
	addGivenBet(): number;
	placeHedge(): void;
	hold(row: number): number;
	holdFor(row: number, exposure: number): number;
	findId(kind: number, id: number): number;
	removeId(kind: number, id: number): void;
	setId(kind: number, id: number, row: number): void;
	judgeHedge(): number;
	judgeStake(): number;
	refusalOfExposure(position: number, exposure: number): number;
	addLadder(first: number, last: number, step: number): number;
	setTick(row: number, price: number, tick: number): void;
	addMarket(id: number, runners: number, blocks: number, books: number, pools: number): number;
	barRunner(row: number, runner: number, bars: number): void;
	bookCount(row: number): number;
	endMarket(market: number): void;
	firstBookIn(row: number, pool: number): number;
	firstBookOf(row: number): number;
	forgetMarket(row: number): void;
	moveMarket(row: number, index: number): void;
	setState(row: number, status: number, version: number, state: number): void;
	wideOfSide(row: number, pool: number): number;
	matchBet(book: number, taker: number, wanted: number, limit: number): number;
	matchOutsideBook(taker: number, maker: number, stake: number): void;
	addBooks(market: number, ticks: number): void;
	beginRange(row: number, from: number): void;
	bestFor(row: number, side: number): number;
	closeBook(row: number): void;
	endWatches(market: number): void;
	nextFor(row: number, side: number, tick: number): number;
	oldestFor(row: number, side: number, tick: number): number;
	recordTrade(row: number, first: number, last: number, stake: number): void;
	reduce(book: number, row: number, stake: number): void;
	rest(book: number, row: number): void;
	sizeFor(row: number, side: number, tick: number): number;
	takeFrom(row: number, side: number, taker: number, wanted: number, limit: number): number;
	watchBook(row: number): number;
	orderRow(): number;
	requestRow(): number;
	finishAcross(row: number, reached: number): void;
	placeBet(): number;
	setPool(pool: number, step: number, stakeStep: number, times: number, over: number): void;
	addMatched(row: number, runner: number, side: number, value: number, stake: number): void;
	clearPositions(marketRow: number, pool: number): void;
	exposureOf(row: number): number;
	findPosition(row: number, wallet: number): number;
	markPositionDirty(row: number): void;
	clearReport(): void;
	reportRow(): number;
	takeQuotes(): number;
	countInstead(position: number, runner: number, side: number, price: number, stake: number): void;
	releaseTrigger(position: number, runner: number, side: number, price: number, stake: number): void;
	reserveTrigger(): number;
	restoreTrigger(): number;
	updateBet(betId: number, walletId: number, fate: number): number;
	addWallet(id: number, pool: number, commissionBp: number): number;
	markWalletDirty(row: number): void;
	setLimits(row: number, maxStake: number, maxProfit: number, maxExposure: number): void;
	setQuoting(row: number): void;
	setSelfMatch(row: number, choice: number): void;
	bound(watch: number, price: number, below: number, above: number): void;
	boundVolume(watch: number, volume: number): void;
	countPegs(watch: number, ticks: number, side: number, tick: number, stake: number): void;
	follow(watch: number, hasGroups: number): void;
	notePlans(watch: number, hasTouched: number): void;
}

/** What src/kernel calls of the engine, by the file that declares it. */
export interface KernelImports {
	readonly bets: {
		followedBetChanged(id: number): void;
	};
	readonly blocks: {
		grown(): void;
	};
	readonly figures: {
		addUnmatched(position: number, runner: number, side: number, price: number, stake: number): void;
		addMatched(position: number, runner: number, side: number, value: number, stake: number): void;
		exposure(position: number): number;
		matchedExposure(position: number): number;
		largestFigure(position: number, runner: number): number;
		mostProfit(market: number, side: number, price: number, stake: number): number;
		profitRatioIsUnfair(price: number, stake: number): boolean;
		takesTerms(market: number, flags: number): boolean;
	};
	readonly 'id-index': {
		findFar(kind: number, id: number): number;
		setFar(kind: number, id: number, row: number): void;
		removeFar(kind: number, id: number): void;
	};
	readonly 'order-book': {
		reachedBook(bet: number): number;
	};
	readonly 'short-positions': {
		noteShort(position: number): void;
		lackedElsewhere(wallet: number, market: number): number;
	};
}
