/**
 * What the workflows of each kind know besides their state. Amounts are minor units. A row of the table is compared with the
 * schema of its kind where it is read (stored-workflows), and its type says from there on what it is. Fields that came
 * later are optional: older rows lack them.
 */
import * as v from 'valibot';
import { BONUS_KINDS } from '#contract/calls/bonus.ts';
import type { TransferKind } from '#engine/effect.ts';
import { IDENTITY_REASONS } from '#values/identity-documents.ts';

/** Data never holds a secret: personal data is encrypted before. */
export interface WorkflowData {
	readonly [field: string]: WorkflowValue;
}
export type WorkflowValue = string | number | boolean | null | readonly WorkflowValue[] | WorkflowData;

const isValue = (value: unknown): value is WorkflowValue =>
	value === null || ['string', 'number', 'boolean', 'object'].includes(typeof value);
/** JSON of any shape; the database stores nothing else. */
const Value = v.custom<WorkflowValue>(isValue);
const Fields = v.custom<WorkflowData>((value) => typeof value === 'object' && value !== null && !Array.isArray(value));

const Integer = v.pipe(v.number(), v.safeInteger());
const maybe = <Schema extends v.GenericSchema>(schema: Schema) => v.exactOptional(schema);
const listOf = <Schema extends v.GenericSchema>(schema: Schema) => v.pipe(v.array(schema), v.readonly());

/** What operators leave. */
const ofDecisions = {
	/** What the first of two persons proposed; null once it is decided. */
	proposed: maybe(v.nullable(v.object({ event: v.string(), by: v.string(), reason: v.string(), atMs: Integer }))),
	/** The operator who decided about it last. */
	decidedBy: maybe(v.string()),
	reason: maybe(v.string()),
};

/** Disputes leave these in what was paid. */
const ofDisputes = {
	/** What disputes took, of ended cycles. */
	lost: maybe(Integer),
	/** Of a dispute from before disputes had workflows of their own: what it holds. */
	held: maybe(v.nullable(Integer)),
	/** While it waited for review: what the provider said last of each chargeback, by its name, empty for one without. */
	chargebacks: maybe(
		v.record(v.string(), v.object({ state: v.picklist(['OPEN', 'WON', 'LOST']), sequence: v.nullable(Integer) })),
	),
};

/** An order of a payment. */
const Order = v.object({
	/** As ordered. */
	amount: Integer,
	provider: v.string(),
	expiresAtMs: Integer,
	payee: v.object({ name: v.string(), upiId: v.string() }),
	/** How often the provider was asked to make the order. */
	attempts: Integer,
	providerId: maybe(v.string()),
	/** What the payer opens, of a provider that makes it; empty once it cannot be paid. */
	link: maybe(v.string()),
	/** Attempts to return it that the provider refused. */
	refusedRefunds: maybe(Integer),
	/** As paid, with the bank's reference. */
	paid: maybe(Integer),
	paidAtMs: maybe(Integer),
	utr: maybe(v.string()),
	of: maybe(v.undefined()),
	...ofDecisions,
	...ofDisputes,
});

/** A second payment on an order that was paid: it was never ordered. */
const SecondPayment = v.object({
	/** Id of the order. */
	of: Integer,
	amount: Integer,
	paid: Integer,
	paidAtMs: Integer,
	utr: v.string(),
	...ofDecisions,
	...ofDisputes,
});

/** A deposit by receipt. */
const Deposit = v.object({
	amount: Integer,
	utr: v.string(),
	imageRef: v.string(),
	/** The findings of OCR; null when it was given up on the picture, and absent while it is not read yet. */
	read: maybe(v.nullable(v.object({ utr: v.boolean(), amount: v.picklist(['FOUND', 'AMBIGUOUS', 'NOT_FOUND']) }))),
	paidAtMs: maybe(Integer),
	/** When the bank's statement had it. */
	bankAtMs: maybe(Integer),
	...ofDecisions,
});

/** The reasons for a review of a withdrawal by a person. */
const DOUBTS = [
	'AMOUNT',
	'NEW_DETAILS',
	'SHARED_DETAILS',
	'LINKED_ACCOUNTS',
	'LARGE_WIN',
	'LITTLE_BET',
	'FROZEN',
	'DISPUTE',
	'DISPUTED_WINNINGS',
	'NO_MOBILE',
] as const;

const Withdrawal = v.object({
	amount: Integer,
	method: v.picklist(['UPI', 'BANK']),
	/** Null of a demo player, whose details are not stored. */
	detailsId: v.nullable(v.string()),
	masked: v.string(),
	doubts: listOf(v.picklist(DOUBTS)),
	/** Why the rules ask for the player's identity; null when they do not, or the player was verified. */
	identity: maybe(v.nullable(v.picklist(IDENTITY_REASONS))),
	provider: maybe(v.string()),
	payout: maybe(v.object({ provider: v.string(), reference: v.string(), sentAtMs: Integer })),
	utr: maybe(v.string()),
	paidAtMs: maybe(Integer),
	/** Withheld beside the amount, which is what is paid out; missing where no profile has a tax on winnings. */
	tax: maybe(v.object({ name: v.string(), base: Integer, amount: Integer, yearEndsAtMs: Integer })),
	...ofDecisions,
});

/** A cycle of a dispute. */
const Dispute = v.object({
	/** Id of the payment. */
	payment: Integer,
	/** From 1, of the payment. */
	cycle: Integer,
	/** What is disputed of the payment. */
	amount: Integer,
	/** What of it is on the player's hold. */
	held: Integer,
	/** Once it is lost: what the player has paid, and what the house has. */
	taken: Integer,
	rest: Integer,
	/** When the payment was credited. */
	paidAtMs: Integer,
	/** When it was lost last. */
	lostAtMs: maybe(Integer),
	/** The provider's name for it; null while only we know it. */
	name: v.nullable(v.string()),
	/** Of the provider's last word on it; null when it gives none. */
	sequence: v.nullable(Integer),
	/** The provider said that it was opened, and not only how it ended. */
	wasOpened: v.boolean(),
	/** Until then the bank takes evidence; null when it is not known. */
	deadlineMs: v.nullable(Integer),
	evidence: maybe(listOf(v.object({ atMs: Integer, by: v.string(), text: v.string() }))),
	...ofDecisions,
});

const Adjustment = v.object({
	amount: Integer,
	/** The player gains. */
	isCredit: v.boolean(),
	reasonCode: v.string(),
	requestedBy: v.string(),
	paidAtMs: maybe(Integer),
	...ofDecisions,
});

const ProviderSettlement = v.object({ reference: v.string(), net: Integer, fee: Integer });

const Coins = v.object({ amount: Integer, reason: v.picklist(['SIGN_UP', 'DAILY']) });

/** A grant of a campaign. */
const Bonus = v.object({
	brand: maybe(v.string()),
	campaign: v.string(),
	title: v.string(),
	terms: v.string(),
	bonusKind: v.picklist(BONUS_KINDS),
	amount: Integer,
	required: Integer,
	expiresAtMs: Integer,
	source: v.nullable(v.string()),
	/** As they were when the grant was claimed; the oldest grants have none. */
	sportsWeight: maybe(v.number()),
	casinoWeight: maybe(v.number()),
	...ofDecisions,
});

/** A referral; its wallet is the referrer's. */
const Referral = v.object({
	refereeId: Integer,
	friend: v.string(),
	amount: Integer,
	/** Of the friend's deposits and wagering, by which it qualified; the oldest referrals have none. */
	thresholds: maybe(v.object({ minDeposit: Integer, minWagered: Integer, maturityHours: maybe(Integer) })),
	...ofDecisions,
});

/** Anything may be found; a finding shows what it is about. */
const Finding = v.objectWithRest({ name: v.string() }, Value);

const StakedBet = v.object({ bet: v.string(), stake: Integer, payout: Integer });

/** A round of the house's own games with one player. */
const OwnRound = v.object({
	game: v.string(),
	bets: v.pipe(v.array(StakedBet), v.minLength(1), v.readonly()),
	stake: Integer,
	payout: Integer,
	actions: listOf(v.string()),
	result: v.string(),
	/** Null until the round has ended: a workflow holds no secret. */
	outcome: Value,
	/** The seeds of the round. */
	pair: Integer,
	nonce: Integer,
});

/** A bet on a round that everybody plays. */
const TableBet = v.object({
	game: v.string(),
	round: Integer,
	slot: Integer,
	stake: Integer,
	/** The choices of the bet, in the game's own words. */
	terms: Fields,
	payout: Integer,
	/** Null while the bet is open. */
	outcome: v.nullable(Fields),
});

const ProviderBet = v.object({
	txId: v.string(),
	stake: Integer,
	payout: Integer,
	isRefunded: v.boolean(),
	/** Of the provider, where it paid for the bet. */
	campaign: maybe(v.string()),
});

/** What a transaction paid for a round. */
const ProviderPayment = v.object({
	txId: v.string(),
	/** The bets that it paid for; none for a promotion. */
	refTxIds: listOf(v.string()),
	amount: Integer,
	isTakenBack: v.boolean(),
});

/** What a round at a provider may take and pay: the limits that the game had when the round began. */
const RoundTerms = v.object({
	/** The smallest bet that is not free. */
	leastStake: Integer,
	/** All stakes of the player in the round together. */
	mostStaked: Integer,
	/** All that the round pays, corrections included. */
	mostPaid: Integer,
	/** All that it pays for bets without a stake. */
	mostFree: Integer,
});

/** A round at a provider. */
const ProviderRound = v.object({
	/** The game's code in the lobby. */
	game: v.string(),
	provider: v.string(),
	providerRound: v.string(),
	bets: listOf(ProviderBet),
	/** Without stakes that were given back. */
	stake: Integer,
	payout: Integer,
	/** Transactions that paid, and the bets that they paid for. */
	wins: listOf(v.string()),
	wonBets: listOf(v.string()),
	/** Of each win its amount, so that it can be taken back; missing for those from before. */
	payments: maybe(listOf(ProviderPayment)),
	rollbacks: listOf(v.string()),
	/** Missing for a round from before, for which the house's hold. */
	terms: maybe(RoundTerms),
	/** How far it has come, in the provider's words; null where it does not say. */
	event: v.nullable(v.string()),
	/** Not a round but a gift of the player's, which is its only bet. */
	isTip: maybe(v.literal(true)),
});

/** The grave of a provider's bet that never came: its id is taken. */
const Grave = v.object({ provider: v.string(), tombstone: v.string(), rollback: v.string() });

/** A tax of a brand's month, or of a player's year. */
const TaxOfPeriod = v.object({
	name: v.string(),
	host: v.string(),
	period: v.string(),
	base: Integer,
	amount: Integer,
});

/** A row is compared with what it says that it is, and not with one shape after the other. */
const has = (data: unknown, field: string): boolean => typeof data === 'object' && data !== null && field in data;
const Payment = v.lazy((data): typeof Order | typeof SecondPayment => (has(data, 'of') ? SecondPayment : Order));
const Casino = v.lazy((data): typeof OwnRound | typeof TableBet | typeof ProviderRound | typeof Grave =>
	has(data, 'tombstone') ? Grave : has(data, 'provider') ? ProviderRound : has(data, 'pair') ? OwnRound : TableBet,
);

const SCHEMAS = {
	COINS: Coins,
	PAYMENT: Payment,
	DEPOSIT: Deposit,
	WITHDRAWAL: Withdrawal,
	PROVIDER_SETTLEMENT: ProviderSettlement,
	ADJUSTMENT: Adjustment,
	BONUS: Bonus,
	REFERRAL: Referral,
	CASINO: Casino,
	FINDING: Finding,
	DISPUTE: Dispute,
	TAX: TaxOfPeriod,
} satisfies Record<TransferKind, v.GenericSchema>;

/** What a workflow of the kind knows. */
export type DataOf<Kind extends TransferKind> = v.InferOutput<(typeof SCHEMAS)[Kind]>;

export type OrderData = v.InferOutput<typeof Order>;
export type Doubt = (typeof DOUBTS)[number];
export type OwnRoundData = v.InferOutput<typeof OwnRound>;
export type TableBetData = v.InferOutput<typeof TableBet>;
export type ProviderRoundData = v.InferOutput<typeof ProviderRound>;
export type GraveData = v.InferOutput<typeof Grave>;
export type ProviderBet = v.InferOutput<typeof ProviderBet>;
export type ProviderPayment = v.InferOutput<typeof ProviderPayment>;
export type RoundTerms = v.InferOutput<typeof RoundTerms>;

/** Whether data is what a workflow of the kind knows. */
export const fitsKind = <Kind extends TransferKind>(kind: Kind, data: unknown): data is DataOf<Kind> =>
	v.is(SCHEMAS[kind], data);
