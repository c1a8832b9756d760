/** The payment providers of the server, each with the inbox and the route of its webhooks. */
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { FundsLedger } from '#server/money/funds/funds-ledger.ts';
import {
	type HyperswitchConfig,
	HyperswitchProvider,
} from '#server/money/funds/payments/hyperswitch/hyperswitch-provider.ts';
import type { Payments } from '#server/money/funds/payments/payments.ts';
import type { PaymentProvider, PaymentProviders, ProviderNews } from '#server/money/funds/payments/provider.ts';
import { SimulatedProvider } from '#server/money/funds/payments/simulated-provider.ts';
import { WebhookInbox } from '#server/money/funds/payments/webhook-inbox.ts';
import { simulatorKey, webhookKeys } from '#server/money/funds/payments/webhook-keys.ts';
import { webhookRoute } from '#server/money/funds/payments/webhook-route.ts';
import type { Withdrawals } from '#server/money/funds/withdrawals/withdrawals.ts';

/** A payment with its attempts, refunds and disputes is long. */
const LARGEST_WEBHOOK = 256 * 1024;
const LARGEST_SIMULATED_WEBHOOK = 16 * 1024;

export interface PaymentsConfig {
	/** How long a player has to pay an order. */
	orderMs: number;
	/** How long the simulated payer takes. */
	simulatedDelayMs: number;
	/** The delay before the provider is first asked about an order. */
	pollMs: number;
	/** Secrets of the simulator's webhooks by key id. */
	webhookKeys: Readonly<Record<string, string>>;
}

interface ProvidersOptions {
	db: pg.Pool;
	log: Logger;
	clock: () => number;
	tokenKey: string;
	payments: PaymentsConfig;
	/** The provider of real money; null without one. */
	hyperswitch: HyperswitchConfig | null;
	ledger: FundsLedger;
}

/** The parts that hear what providers say. */
interface Hearers {
	payments: Pick<Payments, 'hear' | 'hearDispute' | 'hearRefund'>;
	withdrawals: Pick<Withdrawals, 'hear'>;
}

interface OpenProviders {
	providers: PaymentProviders;
	/** What starts and stops with funds. */
	runs: readonly { start(): void; stop(): Promise<void> }[];
	routes: (scope: FastifyInstance) => Promise<void>;
}

/**
 * @param hearers asked for when the first webhook comes
 * @throws Error with a sentence if the simulator has moved real money
 */
export async function openProviders(options: ProvidersOptions, hearers: () => Hearers): Promise<OpenProviders> {
	await refuseSimulatedRealMoney(options.db);
	const { db, log, clock, tokenKey, payments, hyperswitch } = options;
	const { simulatedDelayMs: delayMs } = payments;
	const play = new SimulatedProvider({
		db,
		log,
		clock,
		delayMs,
		key: simulatorKey(tokenKey),
		keys: webhookKeys({ tokenKey, payments }),
		deliver: (body, headers) => simulated.receive(body, headers),
	});
	const simulated = openInbox(options, play, hearers);
	const real = hyperswitch && new HyperswitchProvider({ ...hyperswitch, clock });
	const inbox = real && openInbox(options, real, hearers);
	const doors = [
		{
			url: '/api/Payment/Webhook',
			largestBytes: LARGEST_SIMULATED_WEBHOOK,
			signatureHeader: 'x-payment-signature',
			inbox: simulated,
		},
		...(inbox
			? [
					{
						url: '/api/Payment/Webhook/Hyperswitch',
						largestBytes: LARGEST_WEBHOOK,
						signatureHeader: 'x-webhook-signature-512',
						inbox,
					},
				]
			: []),
	];
	return {
		providers: { play, real },
		runs: [simulated, play, ...(inbox ? [inbox] : [])],
		routes: async (scope) => {
			for (const door of doors) await scope.register(webhookRoute(door));
		},
	};
}

function openInbox(
	{ db, log, clock, ledger }: ProvidersOptions,
	provider: PaymentProvider,
	hearers: () => Hearers,
): WebhookInbox {
	const house = ledger.houseOf(provider.pools);
	return new WebhookInbox({
		db,
		log,
		clock,
		provider,
		hear: (news) => heard(news, provider, hearers()),
		giveUp: (eventId, news) => ledger.report(`webhook-failed:${eventId}`, house, detailsOf(news)),
	});
}

/** Passes what a provider says to the part that it is about. */
async function heard(news: ProviderNews, from: PaymentProvider, { payments, withdrawals }: Hearers): Promise<void> {
	switch (news.about) {
		case 'PAYMENT':
			return await payments.hear(news.word, from);
		case 'DISPUTE':
			return await payments.hearDispute(news.word, from);
		case 'REFUND':
			return await payments.hearRefund(news.word, from);
		case 'PAYOUT':
			return await withdrawals.hear(news.word, from);
		case 'NOTHING':
			return;
	}
}

/** For a finding. */
const detailsOf = (news: ProviderNews) =>
	JSON.parse(JSON.stringify(news.about === 'NOTHING' ? {} : news.word)) as Record<string, string>;

/** A database of such rows was made without the constraint of the schema. */
async function refuseSimulatedRealMoney(db: Pick<pg.Pool, 'query'>): Promise<void> {
	const { rows } = await db.query<{ kind: string; id: number }>(
		`select kind, id from workflow where pool like 'REAL%' and kind in ('PAYMENT', 'WITHDRAWAL')
		   and data ->> 'provider' = 'SIMULATOR' limit 1`,
	);
	const [moved] = rows;
	if (!moved) return;
	throw new Error(
		`The payment simulator has ${moved.kind} ${moved.id} of real money. It moves play money alone: nothing was paid.`,
	);
}
