/** Puts the parts of funds together: what players and operators ask, and what runs by itself. */
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { DomainSetting } from '#contract/domain-setting.ts';
import type { Brand, Brands } from '#server/brands/brands.ts';
import type { Config } from '#server/config.ts';
import type { Journal } from '#server/db/journal.ts';
import type { CommittedListener } from '#server/exchange/committed.ts';
import type { Exchange } from '#server/exchange/exchange.ts';
import { openWorkflows } from '#server/exchange/stored-workflows.ts';
import { Coins } from '#server/funds/coins.ts';
import { FundsLedger } from '#server/funds/funds-ledger.ts';
import { PaymentPoller } from '#server/funds/payments/payment-poller.ts';
import { Payments } from '#server/funds/payments/payments.ts';
import { SimulatedProvider } from '#server/funds/payments/simulated-provider.ts';
import { WebhookInbox } from '#server/funds/payments/webhook-inbox.ts';
import { simulatorKey, webhookKeys } from '#server/funds/payments/webhook-keys.ts';
import { webhookRoute } from '#server/funds/payments/webhook-route.ts';
import { Protection } from '#server/funds/protection/protection.ts';
import type { Players } from '#server/players/players.ts';

export interface Funds {
	ledger: FundsLedger;
	coins: Coins;
	payments: Payments;
	protection: Protection;
	/** A player who has just registered. */
	welcome(registered: Registered): Promise<void>;
	/** Registers the provider's own address. */
	webhookRoutes: (scope: FastifyInstance) => Promise<void>;
	onCommitted: CommittedListener;
	start(): void;
	stop(): Promise<void>;
}

export interface Registered {
	playerId: number;
	brand: Brand;
	mobile: string;
}

export interface FundsOptions {
	db: pg.Pool;
	exchange: Exchange;
	journal: Journal;
	brands: Brands;
	players: Pick<Players, 'brandOf'>;
	log: Logger;
	tokenKey: string;
	payments: Config['payments'];
	clock?: () => number;
}

export async function openFunds(options: FundsOptions): Promise<Funds> {
	const { db, exchange, journal, brands, players, log, clock = Date.now } = options;
	const settingOf = (playerId: number): DomainSetting | null =>
		brands.byHost(players.brandOf(playerId) ?? '')?.setting ?? null;
	const ledger = new FundsLedger({ exchange, db });
	const protection = new Protection({ db, journal, settingOf, clock });
	await protection.load();
	const coins = new Coins({ ledger, exchange, db, clock });
	const { simulatedDelayMs, orderMs, pollMs } = options.payments;
	const provider = new SimulatedProvider({
		db,
		log,
		clock,
		delayMs: simulatedDelayMs,
		key: simulatorKey(options.tokenKey),
		deliver: (body, headers) => inbox.receive(body, headers),
	});
	const payments = new Payments({ ledger, exchange, db, log, provider, protection, clock, orderMs });
	const hear = payments.hear.bind(payments);
	const inbox = new WebhookInbox({ db, log, clock, provider, hear, keys: webhookKeys(options) });
	const poller = new PaymentPoller({ payments, clock, log, firstMs: pollMs }, await openWorkflows(db, 'PAYMENT'));
	const runs = [inbox, poller, provider];
	return {
		ledger,
		coins,
		payments,
		protection,
		welcome: async ({ playerId, brand, mobile }) => {
			await protection.welcome(playerId, mobile);
			await coins.welcome(playerId, brand);
		},
		webhookRoutes: webhookRoute(inbox),
		onCommitted: (committed) => {
			protection.onCommitted(committed);
			poller.onCommitted(committed);
		},
		start: () => {
			for (const run of runs) run.start();
		},
		stop: async () => {
			await Promise.all(runs.map((run) => run.stop()));
		},
	};
}
