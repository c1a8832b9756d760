/** Assembles funds: the parts that players and operators call, and the background jobs. */
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { DomainSetting } from '#contract/domain-setting.ts';
import type { CommittedListener } from '#server/exchange/committed.ts';
import type { Exchange } from '#server/exchange/exchange.ts';
import { openWorkflows } from '#server/exchange/recovery/stored-workflows.ts';
import { Bonuses } from '#server/money/funds/bonuses/bonuses.ts';
import { Referrals } from '#server/money/funds/bonuses/referrals.ts';
import { Coins } from '#server/money/funds/coins.ts';
import { DebtFreeze } from '#server/money/funds/disputes/debt-freeze.ts';
import { Disputes } from '#server/money/funds/disputes/disputes.ts';
import { Shortfalls } from '#server/money/funds/disputes/shortfalls.ts';
import { FundsLedger } from '#server/money/funds/funds-ledger.ts';
import { FundsRows } from '#server/money/funds/funds-rows.ts';
import { type DocumentListener, Documents } from '#server/money/funds/identity/documents.ts';
import { Decisions } from '#server/money/funds/operators/decisions.ts';
import { HouseKeeping } from '#server/money/funds/operators/house-keeping.ts';
import { PaymentClaims } from '#server/money/funds/operators/payment-claims.ts';
import { Reconciliation } from '#server/money/funds/operators/reconciliation.ts';
import type { HyperswitchConfig } from '#server/money/funds/payments/hyperswitch/hyperswitch-provider.ts';
import { openProviders, type PaymentsConfig } from '#server/money/funds/payments/open-providers.ts';
import { Payments } from '#server/money/funds/payments/payments.ts';
import { type PaymentProviders, providerOf } from '#server/money/funds/payments/provider.ts';
import { AcceptedTerms } from '#server/money/funds/protection/accepted-terms.ts';
import { Leaving } from '#server/money/funds/protection/leaving.ts';
import { Protection } from '#server/money/funds/protection/protection.ts';
import { RealMoney } from '#server/money/funds/protection/real-money.ts';
import { Deposits } from '#server/money/funds/receipts/deposits.ts';
import { EvidenceBooks } from '#server/money/funds/receipts/evidence.ts';
import { Images } from '#server/money/funds/receipts/images.ts';
import { Retention } from '#server/money/funds/retention.ts';
import { ClosedTaxes } from '#server/money/funds/taxes/closed-taxes.ts';
import { UnfinishedWork } from '#server/money/funds/unfinished-work.ts';
import { PayoutDetails } from '#server/money/funds/withdrawals/payout-details.ts';
import { Withdrawals } from '#server/money/funds/withdrawals/withdrawals.ts';
import { WorkflowPoller, type WorkflowPollerOptions } from '#server/money/funds/workflow-poller.ts';
import { Persons } from '#server/people/persons/persons.ts';
import { StaffAccounts } from '#server/people/persons/staff-accounts.ts';
import type { Players } from '#server/people/players/players.ts';
import { DataKeys } from '#server/platform/keys/data-keys.ts';
import { Media } from '#server/platform/media/media.ts';
import type { Journal } from '#server/platform/postgres/journal.ts';
import type { Brand, Brands } from '#server/world/brands/brands.ts';
import type { PlayerId } from '#values/ids.ts';
import { isDemoPool, isRealPool } from '#values/pools.ts';

export interface Funds {
	ledger: FundsLedger;
	coins: Coins;
	payments: Payments;
	persons: Persons;
	staffAccounts: StaffAccounts;
	disputes: Disputes;
	protection: Protection;
	realMoney: RealMoney;
	terms: AcceptedTerms;
	/** Where pictures are decoded. */
	media: Media;
	images: Images;
	documents: Documents;
	deposits: Deposits;
	payoutDetails: PayoutDetails;
	withdrawals: Withdrawals;
	rows: FundsRows;
	bonuses: Bonuses;
	referrals: Referrals;
	decisions: Decisions;
	claims: PaymentClaims;
	retention: Retention;
	houseKeeping: HouseKeeping;
	reconciliation: Reconciliation;
	closedTaxes: ClosedTaxes;
	/** The keyed fingerprint of a text that must not be stored in the clear. */
	fingerprint(content: string): string;
	/** The same under all keys, the current one first. */
	fingerprints: DataKeys['fingerprints'];
	/**
	 * Cancels the unmatched bets of a player who excludes themselves or closes the account, and forfeits their bonuses.
	 */
	leave(playerId: PlayerId): Promise<void>;
	/** Cancels what a barred player ordered, and could still become a bet. */
	onBarred: (playerId: PlayerId) => void;
	/** The player's identity is verified: withdrawals waiting for it continue. */
	verified(playerId: PlayerId): Promise<void>;
	/** A new account gets its person's limits, before it can be used. */
	onMade(playerId: PlayerId, mobile: { number: string; isProven: boolean }): Promise<void>;
	/** The player proved the mobile: limits and exclusions of its owner now hold for the account. */
	onProven(playerId: PlayerId, mobile: string): Promise<void>;
	/** Prepares the funds of a new player. */
	welcome(registered: Registered): Promise<void>;
	providers: PaymentProviders;
	/** Registers the routes of the providers' webhooks. */
	webhookRoutes: (scope: FastifyInstance) => Promise<void>;
	onCommitted: CommittedListener;
	start(): void;
	stop(): Promise<void>;
}

export interface Registered {
	playerId: PlayerId;
	brand: Brand;
	mobile: string;
}

interface FundsOptions {
	db: pg.Pool;
	/** For reads of all that an account or a brand ever did. */
	throughHistory: Pick<pg.Pool, 'query'>;
	exchange: Exchange;
	journal: Journal;
	brands: Brands;
	players: Pick<Players, 'brandOf' | 'listedIn'>;
	onDocument: DocumentListener;
	/** An account is barred from now on: its open workflows end. */
	onBarred: (playerId: PlayerId) => void;
	log: Logger;
	tokenKey: string;
	keys: DataKeys;
	retentionDays: number;
	payments: PaymentsConfig;
	/** The provider of real money; null without one. */
	hyperswitch: HyperswitchConfig | null;
	clock?: () => number;
}

/** The parts shared by all of funds. */
interface Base {
	options: FundsOptions;
	clock: () => number;
	settingOf: (playerId: PlayerId) => DomainSetting | null;
	ledger: FundsLedger;
	persons: Persons;
	protection: Protection;
	realMoney: RealMoney;
	terms: AcceptedTerms;
	shortfalls: Shortfalls;
	staffAccounts: StaffAccounts;
	evidence: EvidenceBooks;
	disputes: Disputes;
	debtFreeze: DebtFreeze;
}

export async function openFunds(options: FundsOptions): Promise<Funds> {
	const { db, exchange, keys, log } = options;
	const base = await openProtection(options);
	const { clock, settingOf, ledger, persons, protection, realMoney, terms, shortfalls, staffAccounts, disputes } = base;
	const coins = new Coins({ ledger, exchange, protection, db, clock });
	const open = await openProvidersOf(base, () => ({ payments, withdrawals: paid.withdrawals }));
	const { providers } = open;
	const payments = openPayments(base, providers);
	const bonuses = new Bonuses({ ledger, exchange, db, protection, keys, clock });
	const referrals = new Referrals({ ledger, exchange, db, protection, settingOf, clock });
	const paid = openReceiptsAndPayouts(base, { payments, providers, bonuses });
	const leaving = new Leaving({ exchange, protection, bonuses, log });
	const { documents, retention, verified } = openDocuments(base, paid, leaving);
	const [pollers] = await Promise.all([
		openPollers(base, { payments, paid, bonuses, referrals }),
		// Accounts that share details are found by fingerprints of one key.
		paid.payoutDetails.sealAnew(),
		documents.sealAnew(),
	]);
	const unfinished = unfinishedWork(log, { leaving, disputes, referrals, withdrawals: paid.withdrawals });
	const runs = [...open.runs, retention, base.debtFreeze, ...pollers, ...unfinished];
	return {
		media: paid.media,
		images: paid.images,
		deposits: paid.deposits,
		payoutDetails: paid.payoutDetails,
		withdrawals: paid.withdrawals,
		decisions: paid.decisions,
		claims: paid.claims,
		fingerprint: (content) => keys.fingerprint(content),
		fingerprints: (content) => keys.fingerprints(content),
		documents,
		verified,
		onMade: (playerId, mobile) => protection.welcome(playerId, mobile),
		onProven: async (playerId, mobile) => {
			await protection.welcome(playerId, { number: mobile, isProven: true });
			await leaving.leaveIfLeft(playerId);
		},
		onBarred: (playerId) => leaving.onBarred(playerId),
		persons,
		staffAccounts,
		ledger,
		coins,
		payments,
		disputes,
		protection,
		realMoney,
		terms,
		rows: new FundsRows(db),
		bonuses,
		referrals,
		retention,
		houseKeeping: new HouseKeeping({ ledger }),
		closedTaxes: new ClosedTaxes({ ledger, db, throughHistory: options.throughHistory, protection }),
		reconciliation: new Reconciliation({ ledger, db, clock, evidence: base.evidence }),
		leave: (playerId) => leaving.leave(playerId),
		welcome: ({ playerId, brand }) => coins.welcome(playerId, brand).then(() => referrals.link(playerId)),
		webhookRoutes: open.routes,
		providers,
		onCommitted: (committed) => {
			protection.onCommitted(committed);
			shortfalls.onCommitted(committed);
			for (const poller of pollers) poller.onCommitted(committed);
		},
		start: () => {
			for (const run of runs) run.start();
		},
		stop: () => Promise.all([paid.media, leaving, ...runs].map((one) => one.stop())).then(() => undefined),
	};
}

/** The person of each account, and the bars on a player; all of funds uses it. */
async function openProtection(options: FundsOptions): Promise<Base> {
	const { db, exchange, log, journal, brands, players, onBarred, clock = Date.now } = options;
	const settingOf = (playerId: PlayerId): DomainSetting | null =>
		brands.byHost(players.brandOf(playerId) ?? '')?.setting ?? null;
	const ledger = new FundsLedger({ exchange, db });
	const persons = new Persons(db, journal);
	const shortfalls = new Shortfalls(await openWorkflows(db, log, 'DISPUTE'));
	const isShort = (playerId: PlayerId) => shortfalls.has(playerId);
	const isDemo = (playerId: PlayerId) => isDemoPool(exchange.wallet(playerId)?.pool);
	const protection = new Protection({
		db,
		throughHistory: options.throughHistory,
		journal,
		persons,
		onBarred,
		settingOf,
		isDemo,
		clock: () => ledger.now(),
		isShort,
	});
	const staffAccounts = new StaffAccounts({ db, journal, persons, clock });
	const terms = new AcceptedTerms({ db, settingOf, isDemo, clock: () => ledger.now() });
	await Promise.all([protection.load(), staffAccounts.load(), terms.load()]);
	const realMoney = new RealMoney({
		settingOf,
		poolOf: (playerId) => exchange.wallet(playerId)?.pool ?? null,
		listedIn: (playerId, list) => players.listedIn(playerId, list),
		isIdentified: (playerId) => protection.of(playerId).identifiedAtMs !== undefined,
		isOfStaff: (playerId) => staffAccounts.isOfStaff(playerId),
		clock: () => ledger.now(),
	});
	const evidence = new EvidenceBooks({ ledger, db });
	const debtFreeze = new DebtFreeze({ db, ledger, protection, log });
	const disputes = new Disputes({ ledger, exchange, db, debtFreeze, log });
	return {
		options,
		clock,
		settingOf,
		ledger,
		persons,
		protection,
		realMoney,
		terms,
		shortfalls,
		staffAccounts,
		evidence,
		disputes,
		debtFreeze,
	};
}

/** Work that a crash or an older version left undone. */
const unfinishedWork = (
	log: Logger,
	{
		leaving,
		disputes,
		referrals,
		withdrawals,
	}: Pick<Funds, 'disputes' | 'referrals' | 'withdrawals'> & { leaving: Leaving },
): UnfinishedWork[] => [
	new UnfinishedWork({ name: 'leaving', work: () => leaving.finish(), log }),
	new UnfinishedWork({ name: 'disputes from before cycles', work: () => disputes.adoptHolds(), log }),
	new UnfinishedWork({ name: 'links of referrals', work: () => referrals.linkInterrupted(), log }),
	new UnfinishedWork({ name: 'withdrawals without a verdict', work: () => withdrawals.judgeInterrupted(), log }),
];

/** The payment providers. A brand whose money none of them moves is no reason not to start: its bets are settled. */
async function openProvidersOf(
	{ options, clock, ledger }: Base,
	hearers: Parameters<typeof openProviders>[1],
): ReturnType<typeof openProviders> {
	const { db, log, tokenKey, payments, hyperswitch, brands } = options;
	const takesReal = brands.all().some(({ pool }) => isRealPool(pool));
	if (takesReal && !hyperswitch)
		log.warn('a brand takes real money, and no provider of it is configured: it can neither come in nor go out');
	return await openProviders({ db, log, clock, tokenKey, payments, hyperswitch, ledger }, hearers);
}

function openPayments(base: Base, providers: PaymentProviders): Payments {
	const { options, clock, ledger, protection, evidence, disputes } = base;
	const { db, exchange, log } = options;
	const { orderMs } = options.payments;
	return new Payments({
		ledger,
		exchange,
		db,
		log,
		providers,
		protection,
		clock,
		orderMs,
		evidence,
		disputes,
	});
}

type ReceiptsAndPayouts = Pick<
	Funds,
	'media' | 'images' | 'deposits' | 'payoutDetails' | 'withdrawals' | 'decisions' | 'claims'
>;

/** Deposits by receipt, withdrawals, and what operators decide about them. */
function openReceiptsAndPayouts(
	base: Base,
	{ payments, providers, bonuses }: { payments: Payments; providers: PaymentProviders; bonuses: Bonuses },
): ReceiptsAndPayouts {
	const { options, clock, settingOf, ledger, protection, evidence, disputes } = base;
	const { db, exchange, keys, log } = options;
	const media = new Media();
	const images = new Images({ db, keys, clock, media });
	const deposits = new Deposits({ ledger, exchange, images, media, payments, protection, evidence });
	const payoutDetails = new PayoutDetails({ db, keys, clock });
	const withdrawals = new Withdrawals({
		ledger,
		exchange,
		db,
		throughHistory: options.throughHistory,
		log,
		providers,
		protection,
		clock,
		details: payoutDetails,
		bonuses,
	});
	const claims = new PaymentClaims({ ledger, db, clock });
	const decisions = new Decisions({
		ledger,
		disputes,
		evidence,
		withdrawals,
		claims,
		settingOf,
		limits: protection.limits,
		refunds: (pool) => providerOf(providers, pool)?.refunds ?? false,
		db,
		clock,
	});
	return { media, images, deposits, payoutDetails, withdrawals, decisions, claims };
}

/** Identity documents of players, and the retention of documents and receipts. */
function openDocuments(
	{ options, clock, ledger, protection }: Base,
	{ images, payoutDetails, withdrawals }: ReceiptsAndPayouts,
	leaving: Leaving,
): Pick<Funds, 'documents' | 'retention' | 'verified'> {
	const { db, journal, keys, log, onDocument, retentionDays } = options;
	const verified = async (playerId: PlayerId): Promise<void> => {
		await leaving.leaveIfLeft(playerId);
		await withdrawals.onVerified(playerId);
	};
	const documents = new Documents({
		db,
		keys,
		clock,
		ledger,
		journal,
		protection,
		onDocument,
		onVerified: verified,
	});
	const retention = new Retention({ db, log, clock, documents, images, payoutDetails, retentionDays });
	return { documents, retention, verified };
}

/** The pollers that advance open workflows. */
async function openPollers(
	{ options: { db, log, payments: timing }, clock, ledger, disputes }: Base,
	{
		payments,
		paid: { deposits, withdrawals, decisions },
		bonuses,
		referrals,
	}: Pick<Funds, 'payments' | 'bonuses' | 'referrals'> & {
		paid: Pick<ReceiptsAndPayouts, 'deposits' | 'withdrawals' | 'decisions'>;
	},
): Promise<WorkflowPoller[]> {
	const firstMs = timing.pollMs;
	const polled: Omit<WorkflowPollerOptions, 'firstMs' | 'clock' | 'log' | 'stuck'>[] = [
		{
			kind: 'PAYMENT',
			states: ['CREATED', 'PENDING', 'FAILED', 'EXPIRED', 'REFUNDED', 'DISPUTED'],
			beforeMs: firstMs,
			mostAtOnce: 50,
			endsAtMs: ({ kind, data }) => (kind === 'PAYMENT' && data.of === undefined ? data.expiresAtMs : null),
			advance: (id) => payments.advance(id),
		},
		{
			kind: 'WITHDRAWAL',
			states: ['WAITING_FOR_KYC', 'APPROVED', 'PROCESSING', 'UNKNOWN'],
			advance: (id) => withdrawals.advance(id),
		},
		// Money that becomes free is held, or taken, immediately.
		{ kind: 'DISPUTE', states: ['OPEN', 'OWED'], isDueAtMoney: true, advance: (id) => disputes.advance(id) },
		{ kind: 'DEPOSIT', states: ['SUBMITTED', 'SCREENED'], advance: (id) => deposits.screen(id) },
		// A settlement may complete the wagering of a grant or a referral.
		{ kind: 'BONUS', states: ['ACTIVE'], isDueAtSettlement: true, advance: (id) => bonuses.advance(id) },
		{ kind: 'REFERRAL', states: ['LINKED'], isDueAtSettlement: true, advance: (id) => referrals.advance(id) },
		{ kind: 'ADJUSTMENT', states: ['APPROVED'], advance: (id) => decisions.post(id) },
	];
	return await Promise.all(
		polled.map(async (one) => {
			const stuck: WorkflowPollerOptions['stuck'] = (id, owner) =>
				ledger.report(`stuck:${one.kind}:${id}`, owner, { kind: one.kind, id });
			return new WorkflowPoller({ ...one, firstMs, clock, log, stuck }, await openWorkflows(db, log, one.kind));
		}),
	);
}
