/** Operations that place, cancel, update and replace orders. */
import * as v from 'valibot';
import { GroupName, LONGEST_GOOD_FOR, SelfMatch } from '#contract/calls/bet.ts';
import { Timestamp } from '#contract/fields.ts';
import type { TriggerView } from '#engine/effect.ts';
import { activeListingOf } from '#server/calls/handler.ts';
import {
	betTerms,
	type OrderTerms,
	ownBet,
	submitBet,
	submitOnClose,
	submitReplacement,
	submitTrigger,
	submitUpdate,
} from '#server/calls/order-bet.ts';
import type { BotCaller } from '#server/doors/bots-api/caller.ts';
import { ApingException, type InstructionCode } from '#server/doors/bots-api/errors.ts';
import {
	amountOf,
	handicapOf,
	marketIdOf,
	runnerOf,
	selectionIdOf,
	sideOf,
	wireAverage,
	wirePersistence,
	wirePrice,
	wireSide,
	wireSize,
	wireTime,
} from '#server/doors/bots-api/fields.ts';
import {
	type BotParts,
	Flag,
	given,
	MarketIdText,
	Numeric,
	operation,
	textOf,
	Whole,
} from '#server/doors/bots-api/operation.ts';
import { BadInstruction, checkCount, firstAccepted, runBatch } from '#server/doors/bots-api/order-reports.ts';
import { OrderPlan, OrderTrigger, waitsOf } from '#server/doors/bots-api/order-waits.ts';
import type { BetRecord, Receipt, RequestKey } from '#server/exchange/exchange.ts';
import type { MarketListing } from '#server/exchange/views/market-listing.ts';
import { commitView } from '#server/exchange/views/wire-views.ts';
import { secretHash } from '#server/platform/keys/secret-hash.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { AnyMinor, Minor } from '#values/money.ts';
import { hundredthsFromDecimal } from '#values/price-ladder.ts';
import { BACK } from '#values/sides.ts';

const MOST_PLACED = 200;
const MOST_CANCELLED = 60;
const MOST_UPDATED = 60;
const MOST_REPLACED = 60;
const MOST_READ = 1_000;

const Ref = (longest: number) => given(v.pipe(v.string(), v.maxLength(longest)));
const BetIdText = textOf(20);
const Version = given(v.object({ version: given(Whole) }));
const PersistenceType = v.picklist(['LAPSE', 'PERSIST', 'MARKET_ON_CLOSE']);

const COMMON_FIELDS = {
	size: given(Numeric),
	price: Numeric,
	persistenceType: given(PersistenceType),
	timeInForce: given(v.picklist(['FILL_OR_KILL'])),
};
const CommonOrder = v.object(COMMON_FIELDS);
const AnyOrder = v.object({
	...COMMON_FIELDS,
	minFillSize: given(Numeric),
	betTargetType: given(v.picklist(['BACKERS_PROFIT', 'PAYOUT'])),
	betTargetSize: given(Numeric),
	// Fields of this exchange, which the service has not.
	postOnly: given(v.picklist(['REFUSE', 'REPRICE'])),
	goodTill: given(Timestamp),
	goodForSeconds: given(v.pipe(Whole, v.minValue(1), v.maxValue(LONGEST_GOOD_FOR))),
	goodUntilMatched: given(Numeric),
	selfMatch: given(SelfMatch),
	group: given(GroupName),
	trigger: given(OrderTrigger),
	plan: given(OrderPlan),
});

/** Whether an order has fields of the common ones alone, which nearly every order has. */
function isCommon(order: unknown): boolean {
	if (typeof order !== 'object' || order === null) return false;
	for (const name in order) if (!Object.hasOwn(COMMON_FIELDS, name)) return false;
	return true;
}
type AnyOrderSchema = v.GenericSchema<v.InferInput<typeof AnyOrder>, v.InferOutput<typeof AnyOrder>>;
/** A schema looks for each of its fields, and one that was not sent takes as long as one that was. */
const LimitOrder = v.lazy((order): AnyOrderSchema => (isCommon(order) ? CommonOrder : AnyOrder));
type LimitOrder = v.InferOutput<typeof LimitOrder>;

const LimitOnCloseOrder = v.object({ liability: Numeric, price: Numeric });
const MarketOnCloseOrder = v.object({ liability: Numeric });

const PlaceInstruction = v.looseObject({
	orderType: v.picklist(['LIMIT', 'LIMIT_ON_CLOSE', 'MARKET_ON_CLOSE']),
	selectionId: Whole,
	handicap: given(Numeric),
	side: v.picklist(['BACK', 'LAY']),
	limitOrder: given(LimitOrder),
	limitOnCloseOrder: given(LimitOnCloseOrder),
	marketOnCloseOrder: given(MarketOnCloseOrder),
	customerOrderRef: Ref(32),
});

const PlaceOrders = v.object({
	marketId: MarketIdText,
	instructions: v.pipe(v.array(PlaceInstruction), v.maxLength(MOST_READ)),
	customerRef: Ref(32),
	marketVersion: Version,
	customerStrategyRef: Ref(15),
	// Every answer is given when the order is durable.
	async: Flag,
	withCommit: Flag,
});
type PlaceOrders = v.InferOutput<typeof PlaceOrders>;
type PlaceInstruction = v.InferOutput<typeof PlaceInstruction>;

/** The instruction as the report repeats it: what was sent. What was not is undefined, which JSON leaves out. */
function echoOf(instruction: PlaceInstruction, stake: AnyMinor) {
	const { orderType, selectionId, handicap, side, limitOrder, customerOrderRef } = instruction;
	const { limitOnCloseOrder, marketOnCloseOrder } = instruction;
	return {
		selectionId,
		handicap: handicap ?? 0,
		limitOrder: limitOrder && withSize(limitOrder, stake),
		limitOnCloseOrder,
		marketOnCloseOrder,
		customerOrderRef,
		orderType,
		side,
	};
}
/** Typed clients need a size, also of an order that was asked for by what it pays. */
function withSize(order: LimitOrder, stake: AnyMinor): LimitOrder {
	if (order.size !== undefined) return order;
	const { size = wireSize(stake), ...asked } = order;
	return { size, ...asked };
}

interface CommitTerms {
	withCommit?: boolean | undefined;
	customerRef?: string | undefined;
}
/**
 * Whether reports are made with their batches: for a client that asks for them, and where they are remembered, because
 * a repetition may ask for them. The others are made without, which is cheaper than `withoutCommits`.
 */
const makesCommits = ({ withCommit, customerRef }: CommitTerms) => Boolean(withCommit) || customerRef !== undefined;
const commitOf = (receipt: Pick<Receipt, 'batchSeq' | 'batchAtMs'>, isMade: boolean) =>
	isMade ? commitView(receipt).commit : undefined;

/** The report of a placed bet, with its state. EXPIRED: nothing of it was matched and nothing is unmatched. */
function placedReport(instruction: object, stake: number, receipt: Receipt, hasCommit: boolean) {
	const { betId, atMs, price, matched, matchedValue, remaining } = receipt;
	const isExpired = remaining === 0 && matched < stake;
	return {
		status: 'SUCCESS' as const,
		instruction,
		betId: String(betId),
		placedDate: wireTime(atMs),
		// Of a post-only order that was moved: where it stands.
		price: price === undefined ? undefined : wirePrice(price),
		averagePriceMatched: wireAverage(matched, matchedValue),
		sizeMatched: wireSize(matched),
		orderStatus: remaining > 0 ? 'EXECUTABLE' : isExpired && matched === 0 ? 'EXPIRED' : 'EXECUTION_COMPLETE',
		commit: commitOf(receipt, hasCommit),
	};
}

/** The stake of an order, which may be given by its payout or profit. @throws BadInstruction INVALID_BET_SIZE */
function stakeOf({ size, price, betTargetType, betTargetSize }: LimitOrder): Minor {
	const isByTarget = betTargetType !== undefined && betTargetSize !== undefined;
	const asked = isByTarget ? sizeFor(betTargetType, betTargetSize, price) : size;
	const stake = asked === undefined || asked <= 0 ? null : amountOf(asked);
	if (stake === null || stake <= 0) throw new BadInstruction('INVALID_BET_SIZE');
	return stake;
}

/** Rounded down, from whole numbers: a profit of 10 at 1.1 takes a stake of 100, while decimals make 99.999 of it. */
function sizeFor(type: 'BACKERS_PROFIT' | 'PAYOUT', target: number, price: number): number {
	const hundredths = hundredthsFromDecimal(price);
	const divisor = type === 'PAYOUT' ? hundredths : hundredths - 100;
	const minor = Math.floor(Number((target * 100).toFixed(4)));
	return divisor > 0 ? Math.floor((minor * 100) / divisor) / 100 : 0;
}

/** @throws BadInstruction INVALID_RUNNER */
function runnerOfInstruction(listing: MarketListing, { selectionId, handicap }: PlaceInstruction): number {
	const runner = runnerOf(listing, selectionId);
	if (runner < 0 || (handicap && handicap !== handicapOf(listing, runner))) throw new BadInstruction('INVALID_RUNNER');
	return runner;
}

/** @throws BadInstruction INVALID_PERSISTENCE_TYPE where an order cannot take the starting price, because there is none */
function checkPersistence(
	{ exchange }: BotParts,
	marketId: string,
	persistence: v.InferOutput<typeof PersistenceType> | undefined,
): void {
	if (persistence !== 'MARKET_ON_CLOSE' || exchange.market(marketIdOf(marketId))?.startingPrice) return;
	throw new BadInstruction('INVALID_PERSISTENCE_TYPE');
}

/** The size of an order on close; null for any other. @throws BadInstruction */
function sizeOnClose({ orderType, limitOnCloseOrder, marketOnCloseOrder }: PlaceInstruction): Minor | null {
	if (orderType === 'LIMIT') return null;
	const asked = orderType === 'LIMIT_ON_CLOSE' ? limitOnCloseOrder : marketOnCloseOrder;
	if (!asked) throw new BadInstruction('ERROR_IN_ORDER');
	const size = amountOf(asked.liability);
	if (size === null || size <= 0) throw new BadInstruction('INVALID_BET_SIZE');
	return size;
}

/** An order on close; null for any other. @throws BadInstruction */
function onCloseOf(listing: MarketListing, instruction: PlaceInstruction) {
	const size = sizeOnClose(instruction);
	if (size === null) return null;
	const { orderType, side, limitOnCloseOrder } = instruction;
	const limit = orderType === 'LIMIT_ON_CLOSE' ? (limitOnCloseOrder?.price ?? null) : null;
	return { listing, runner: runnerOfInstruction(listing, instruction), side: sideOf(side), size, limit };
}

/** @throws BadInstruction; Refused VALIDATION_FAILED as `betTerms` */
function orderOf(
	listing: MarketListing,
	instruction: PlaceInstruction,
	marketVersion: number | undefined,
	clock: () => number,
) {
	const { side, limitOrder } = instruction;
	if (!limitOrder) throw new BadInstruction('ERROR_IN_ORDER');
	const runner = runnerOfInstruction(listing, instruction);
	const fillOrKill = limitOrder.timeInForce === 'FILL_OR_KILL';
	const { minFillSize } = limitOrder;
	const minFill = minFillSize === undefined ? undefined : amountOf(minFillSize);
	if (minFill === null || (minFill !== undefined && !fillOrKill)) throw new BadInstruction('INVALID_MIN_FILL_SIZE');
	const goodUntilMatched =
		limitOrder.goodUntilMatched === undefined ? undefined : amountOf(limitOrder.goodUntilMatched);
	if (goodUntilMatched === null || (goodUntilMatched ?? 1) <= 0) throw new BadInstruction('INVALID_BET_SIZE');
	return {
		listing,
		runner,
		side: sideOf(side),
		decimal: limitOrder.price,
		stake: stakeOf(limitOrder),
		persist: limitOrder.persistenceType === 'PERSIST',
		takesStart: limitOrder.persistenceType === 'MARKET_ON_CLOSE',
		fillOrKill,
		minFill,
		terms: betTerms(limitOrder, goodUntilMatched, clock),
		marketVersion,
	};
}

/** An order that is placed when a price is reached, or by a plan. @throws Refused, BadInstruction */
async function placeTrigger(
	parts: BotParts,
	order: ReturnType<typeof orderOf>,
	waits: ReturnType<typeof waitsOf>,
	caller: BotCaller,
	terms: OrderTerms,
): Promise<Receipt> {
	const { listing, runner, side, decimal, stake, persist, marketVersion } = order;
	if (order.fillOrKill || order.terms || order.takesStart) throw new BadInstruction('INVALID_ORDER_TYPE');
	const asked = { listing, runner, side, decimal, stake, persist, marketVersion: marketVersion ?? null };
	return await submitTrigger(parts, { ...asked, ...waits }, caller, terms);
}

/** What is told of an accepted order. */
function acceptedOrder(instruction: PlaceInstruction, receipt: Receipt, hasCommit: boolean) {
	const { limitOrder } = instruction;
	const size = sizeOnClose(instruction);
	if (size !== null) return placedReport(echoOf(instruction, 0), size, receipt, hasCommit);
	const stake = limitOrder ? stakeOf(limitOrder) : 0;
	const echo = echoOf(instruction, stake);
	if (!(limitOrder?.trigger || limitOrder?.plan)) return placedReport(echo, stake, receipt, hasCommit);
	return {
		status: 'SUCCESS' as const,
		instruction: echo,
		betId: String(receipt.betId),
		placedDate: wireTime(receipt.atMs),
		averagePriceMatched: 0,
		sizeMatched: 0,
		orderStatus: 'PENDING',
		commit: commitOf(receipt, hasCommit),
	};
}

function placeOrders(parts: BotParts, input: PlaceOrders, caller: BotCaller) {
	const { marketId, instructions, customerRef, customerStrategyRef } = input;
	checkCount(instructions.length, MOST_PLACED);
	const marketVersion = input.marketVersion?.version;
	const hasCommit = makesCommits(input);
	const siteMarketId = String(marketIdOf(marketId));
	const clock = () => parts.exchange.now();
	const submit = (instruction: PlaceInstruction, terms: OrderTerms): Promise<Receipt> => {
		const listing = activeListingOf(parts.fixtures, siteMarketId, caller);
		const { customerOrderRef } = instruction;
		const isNamed = customerOrderRef !== undefined || customerStrategyRef !== undefined;
		const references = { orderRef: customerOrderRef ?? null, strategyRef: customerStrategyRef ?? null };
		const named = isNamed ? { ...terms, references } : terms;
		const onClose = onCloseOf(listing, instruction);
		if (onClose) return submitOnClose(parts, { ...onClose, marketVersion }, caller, named);
		const order = orderOf(listing, instruction, marketVersion, clock);
		checkPersistence(parts, marketId, instruction.limitOrder?.persistenceType);
		const { trigger, plan } = instruction.limitOrder ?? {};
		if (trigger || plan) {
			const waits = waitsOf({ ...(trigger ? { trigger } : {}), ...(plan ? { plan } : {}) });
			return placeTrigger(parts, order, waits, caller, terms);
		}
		return submitBet(parts, order, caller, named);
	};
	const besides = [customerStrategyRef, marketVersion];
	const accepted = (instruction: PlaceInstruction, receipt: Receipt) => acceptedOrder(instruction, receipt, hasCommit);
	const refused = (instruction: PlaceInstruction) => ({ instruction: echoOf(instruction, 0) });
	const batch = { name: 'placeOrders', marketId, customerRef, instructions, besides };
	return runBatch<PlaceInstruction>(parts, { ...batch, submit, accepted, refused }, caller);
}

const CancelInstruction = v.object({ betId: BetIdText, sizeReduction: given(Numeric) });
const CancelOrders = v.object({
	marketId: given(MarketIdText),
	instructions: given(v.pipe(v.array(CancelInstruction), v.maxLength(MOST_READ))),
	customerRef: Ref(32),
	withCommit: Flag,
});
type CancelInstruction = v.InferOutput<typeof CancelInstruction>;

/** @throws Refused UNKNOWN_ORDER for a bet of another market, too */
async function betIn(parts: BotParts, betId: string, marketId: string | undefined, caller: BotCaller) {
	const own = await ownBet(parts, betId, caller.login.playerId);
	if (own.bet && marketId !== undefined && own.bet.marketId !== marketIdOf(marketId)) {
		throw new Refused('UNKNOWN_ORDER');
	}
	return own;
}

/** The caller's trigger of that id, in that market; null for any other id. */
const triggerIn = (parts: BotParts, wireId: string, marketId: string, { login }: BotCaller): TriggerView | null =>
	parts.exchange
		.triggers(login.playerId)
		.find((own) => String(own.triggerId) === wireId && own.marketId === marketIdOf(marketId)) ?? null;

async function cancelOrders(parts: BotParts, input: v.InferOutput<typeof CancelOrders>, caller: BotCaller) {
	const { marketId, instructions, customerRef } = input;
	const { playerId } = caller.login;
	if (!instructions || instructions.length === 0) return await cancelEverything(parts, input, caller);
	checkCount(instructions.length, MOST_CANCELLED);
	if (marketId === undefined) throw new ApingException('INVALID_INPUT_DATA', 'marketId');
	const submit = async ({ betId: wireId, sizeReduction }: CancelInstruction, { key, onOrdered }: OrderTerms) => {
		const terms = { untilMs: caller.untilMs, admit: () => onOrdered?.() };
		const of = { walletId: playerId };
		const trigger = triggerIn(parts, wireId, marketId, caller);
		const command = trigger
			? { kind: 'cancel-trigger' as const, triggerId: trigger.triggerId }
			: { kind: 'cancel-bet' as const, betId: (await betIn(parts, wireId, marketId, caller)).betId };
		const size = sizeReduction === undefined ? undefined : amountOf(sizeReduction);
		if (size === null || (size !== undefined && size <= 0)) throw new BadInstruction('INVALID_BET_SIZE');
		return await parts.exchange.submit({ ...command, ...of, ...(size === undefined ? {} : { size }) }, key, terms);
	};
	const hasCommit = makesCommits(input);
	const accepted = (instruction: CancelInstruction, receipt: Receipt) => ({
		status: 'SUCCESS' as const,
		instruction,
		sizeCancelled: wireSize(receipt.cancelled),
		cancelledDate: wireTime(receipt.atMs),
		commit: commitOf(receipt, hasCommit),
	});
	const refused = (instruction: CancelInstruction) => ({ instruction, sizeCancelled: 0 });
	return await runBatch<CancelInstruction>(
		parts,
		{ name: 'cancelOrders', marketId, customerRef, instructions, submit, accepted, refused },
		caller,
	);
}

/** All unmatched bets of the caller, in one market or in all. */
async function cancelEverything(parts: BotParts, input: v.InferOutput<typeof CancelOrders>, caller: BotCaller) {
	const { marketId, customerRef } = input;
	const { playerId } = caller.login;
	const only = marketId === undefined ? {} : { marketId: marketIdOf(marketId) };
	if (marketId !== undefined && !parts.exchange.market(marketIdOf(marketId))) {
		return { marketId, status: 'FAILURE', errorCode: 'INVALID_MARKET_ID', instructionReports: [] };
	}
	const answer = {
		...(customerRef === undefined ? {} : { customerRef }),
		status: 'SUCCESS',
		...(marketId === undefined ? {} : { marketId }),
		instructionReports: [],
	};
	const cancel = async (key?: RequestKey) => {
		const all = { kind: 'cancel-all' as const, walletId: playerId, ...only };
		const receipt = await parts.exchange.submit(all, key, { untilMs: caller.untilMs });
		const commit = commitOf(receipt, makesCommits(input));
		return { answer: { ...answer, commit }, hasRefusal: false, isFinal: true };
	};
	if (customerRef === undefined) return (await cancel()).answer;
	const body = JSON.stringify([marketId]);
	const keyIn = (period: number) => ({
		walletId: playerId,
		clientRequestId: `api.cancelAll.${period}.${customerRef}`,
		body,
	});
	return await parts.firstAnswers.first(
		{ playerId, name: `cancelAll ${customerRef}`, bodyHash: secretHash(body) },
		{
			work: (period) => cancel(keyIn(period)),
			acceptedAt: (period) => firstAccepted(parts, [keyIn(period)], parts.exchange.now()),
		},
	);
}

const UpdateInstruction = v.object({ betId: BetIdText, newPersistenceType: PersistenceType });
const UpdateOrders = v.object({
	marketId: MarketIdText,
	instructions: v.pipe(v.array(UpdateInstruction), v.maxLength(MOST_READ)),
	customerRef: Ref(32),
	withCommit: Flag,
});
type UpdateInstruction = v.InferOutput<typeof UpdateInstruction>;

/** Changes the fate of orders at the turn in-play. They keep their places in the queue. */
function updateOrders(parts: BotParts, input: v.InferOutput<typeof UpdateOrders>, caller: BotCaller) {
	const { marketId, instructions, customerRef } = input;
	checkCount(instructions.length, MOST_UPDATED);
	const submit = async (instruction: UpdateInstruction, terms: OrderTerms) => {
		const { newPersistenceType } = instruction;
		checkPersistence(parts, marketId, newPersistenceType);
		const own = await betIn(parts, instruction.betId, marketId, caller);
		const persist = newPersistenceType === 'PERSIST';
		const takesStart = newPersistenceType === 'MARKET_ON_CLOSE';
		return await submitUpdate(parts, { ...own, persist, takesStart }, caller, terms);
	};
	const hasCommit = makesCommits(input);
	const accepted = (instruction: UpdateInstruction, receipt: Receipt) => ({
		status: 'SUCCESS' as const,
		instruction,
		commit: commitOf(receipt, hasCommit),
	});
	const refused = (instruction: UpdateInstruction) => ({ instruction });
	return runBatch<UpdateInstruction>(
		parts,
		{ name: 'updateOrders', marketId, customerRef, instructions, submit, accepted, refused },
		caller,
	);
}

const ReplaceInstruction = v.object({ betId: BetIdText, newPrice: Numeric });
const ReplaceOrders = v.object({
	marketId: MarketIdText,
	instructions: v.pipe(v.array(ReplaceInstruction), v.maxLength(MOST_READ)),
	customerRef: Ref(32),
	marketVersion: Version,
	async: Flag,
	withCommit: Flag,
});
type ReplaceInstruction = v.InferOutput<typeof ReplaceInstruction>;

type ReplacedBet = Pick<BetRecord, 'marketId' | 'runner' | 'side' | 'persist' | 'takesStart'>;

/**
 * The order placed by a replacement, in the shape of an instruction. The service's reports always have one, so for an
 * unknown bet it has the requested price, and zeros.
 */
function newOrder(bet: ReplacedBet | null, listing: MarketListing | null, stake: number, price: number) {
	const handicap = bet && listing ? handicapOf(listing, bet.runner) : 0;
	const limitOrder = { size: wireSize(stake), price, persistenceType: wirePersistence(bet ?? { persist: false }) };
	return {
		selectionId: bet && listing ? selectionIdOf(listing, bet.runner) : 0,
		handicap: handicap === 0 ? undefined : handicap,
		limitOrder,
		orderType: 'LIMIT',
		side: wireSide(bet?.side ?? BACK),
	};
}

/** The player's bet, in memory or not; null if the player has no bet with that id. */
async function replacedBet(parts: BotParts, wireId: string, { login }: BotCaller): Promise<ReplacedBet | null> {
	const betId = Number(wireId);
	if (!Number.isSafeInteger(betId)) return null;
	const known = parts.exchange.bet(betId);
	if (known) return known.walletId === login.playerId ? known : null;
	const { rows } = await parts.db.query<ReplacedBet>(
		`select market_id as "marketId", runner, side, persist, coalesce(takes_start, false) as "takesStart" from bet where bet_id = $1 and wallet_id = $2`,
		[betId, login.playerId],
	);
	return rows[0] ?? null;
}

/** The listing of the bet's market, in memory or not. */
const listingOf = async ({ fixtures }: BotParts, { marketId }: ReplacedBet): Promise<MarketListing | null> =>
	fixtures.market(marketId) ?? (await fixtures.named([marketId])).get(marketId)?.listing ?? null;

/** Refusals about the old bet; the others are about its new price. */
const OF_OLD_BET: ReadonlySet<InstructionCode> = new Set(['INVALID_BET_ID', 'BET_TAKEN_OR_LAPSED']);

/** Atomic, and clients read both reports: a bet whose replacement is refused stays. */
async function refusedReplacement(
	parts: BotParts,
	{ betId, newPrice }: ReplaceInstruction,
	errorCode: InstructionCode,
	caller: BotCaller,
) {
	const bet = await replacedBet(parts, betId, caller);
	const listing = bet && (await listingOf(parts, bet));
	const remaining = parts.exchange.bet(Number(betId))?.remaining ?? 0;
	const [ofCancel, ofPlace] = OF_OLD_BET.has(errorCode)
		? ([errorCode, 'RELATED_ACTION_FAILED'] as const)
		: (['RELATED_ACTION_FAILED', errorCode] as const);
	return {
		cancelInstructionReport: { status: 'FAILURE', errorCode: ofCancel, instruction: { betId }, sizeCancelled: 0 },
		placeInstructionReport: {
			status: 'FAILURE',
			errorCode: ofPlace,
			instruction: newOrder(bet, listing, bet ? remaining : 0, newPrice),
		},
	};
}

function replaceOrders(parts: BotParts, input: v.InferOutput<typeof ReplaceOrders>, caller: BotCaller) {
	const { marketId, instructions, customerRef } = input;
	checkCount(instructions.length, MOST_REPLACED);
	const marketVersion = input.marketVersion?.version;
	const isNewer =
		marketVersion !== undefined && (parts.exchange.market(marketIdOf(marketId))?.version ?? 0) > marketVersion;
	/** The old bets, which may leave the memory when they are replaced. */
	const replaced = new Map<string, ReplacedBet>();
	const submit = async (instruction: ReplaceInstruction, terms: OrderTerms) => {
		if (isNewer) throw new BadInstruction('BET_TAKEN_OR_LAPSED');
		const own = await betIn(parts, instruction.betId, marketId, caller);
		if (own.bet) replaced.set(instruction.betId, own.bet);
		return await submitReplacement(parts, { ...own, decimal: instruction.newPrice }, caller, terms);
	};
	const hasCommit = makesCommits(input);
	const accepted = async ({ betId, newPrice }: ReplaceInstruction, receipt: Receipt) => {
		const bet = replaced.get(betId) ?? (await replacedBet(parts, betId, caller));
		const listing = bet && (await listingOf(parts, bet));
		const placed = newOrder(bet, listing, receipt.stake, newPrice);
		return {
			status: 'SUCCESS' as const,
			cancelInstructionReport: {
				status: 'SUCCESS',
				instruction: { betId },
				sizeCancelled: wireSize(receipt.stake),
				cancelledDate: wireTime(receipt.atMs),
				commit: commitOf(receipt, hasCommit),
			},
			placeInstructionReport: placedReport(placed, receipt.stake, receipt, hasCommit),
		};
	};
	const refused = (instruction: ReplaceInstruction, errorCode: InstructionCode) =>
		refusedReplacement(parts, instruction, errorCode, caller);
	const batch = { name: 'replaceOrders', marketId, customerRef, instructions, besides: marketVersion };
	return runBatch<ReplaceInstruction>(parts, { ...batch, submit, accepted, refused }, caller);
}

/**
 * Remembered reports without their batches, at any depth: typed clients build their objects of the fields that they
 * know. A copy, because a repeated call is answered with the same reports; field by field, because it is a part of a
 * bet's time. An instruction is what was sent, and has none.
 */
function withoutCommits(answer: unknown): unknown {
	if (typeof answer !== 'object' || answer === null) return answer;
	if (Array.isArray(answer)) return answer.map(withoutCommits);
	const kept: Record<string, unknown> = {};
	for (const name in answer) {
		const part = (answer as Record<string, unknown>)[name];
		if (name !== 'commit') kept[name] = name === 'instruction' ? part : withoutCommits(part);
	}
	return kept;
}

/** An operation whose reports have their batches for a client that asks for them. */
const asAsked =
	<Input extends CommitTerms>(run: (parts: BotParts, input: Input, caller: BotCaller) => Promise<unknown>) =>
	async (parts: BotParts, input: Input, caller: BotCaller): Promise<unknown> => {
		const answer = await run(parts, input, caller);
		return input.withCommit || !makesCommits(input) ? answer : withoutCommits(answer);
	};

export const ORDER_OPERATIONS = {
	placeOrders: operation({ request: PlaceOrders, trades: true, stakes: true, run: asAsked(placeOrders) }),
	cancelOrders: operation({ request: CancelOrders, trades: true, run: asAsked(cancelOrders) }),
	updateOrders: operation({ request: UpdateOrders, trades: true, stakes: true, run: asAsked(updateOrders) }),
	replaceOrders: operation({ request: ReplaceOrders, trades: true, stakes: true, run: asAsked(replaceOrders) }),
};
