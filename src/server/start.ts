/** Ties the parts of the server together, in the order they need one another, and takes them apart again. */
import type pg from 'pg';
import { pino } from 'pino';
import type { Accounts } from '#server/accounts/accounts.ts';
import { openAccounts } from '#server/accounts/open-accounts.ts';
import { Outbox } from '#server/accounts/outbox.ts';
import { smsGateway } from '#server/accounts/sms-gateway.ts';
import { openSportPermissions } from '#server/accounts/sport-permissions.ts';
import { openBrands, seedDemoBrands } from '#server/brands/open-brands.ts';
import { type SuspendedBets, type SuspendedBetsOptions, watchSuspendedBets } from '#server/brands/suspended-bets.ts';
import { LocalBus } from '#server/bus.ts';
import { BetAdmission } from '#server/calls/bet-admission.ts';
import { AutoCashOut } from '#server/cash-out/auto-cash-out.ts';
import type { Config } from '#server/config.ts';
import { connect } from '#server/db/connect.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/db/embedded-postgres.ts';
import { lockFolder } from '#server/db/folder-lock.ts';
import { Journal } from '#server/db/journal.ts';
import { migrate } from '#server/db/migrate.ts';
import type { CommittedListener } from '#server/exchange/committed.ts';
import type { Exchange } from '#server/exchange/exchange.ts';
import { openExchange } from '#server/exchange/open-exchange.ts';
import { createPublisher } from '#server/exchange/publisher.ts';
import { type FeedParts, openMarket } from '#server/feeds/fixture-market.ts';
import { type Feeds, startFeeds } from '#server/feeds/start-feeds.ts';
import { openFixtures } from '#server/fixtures/catalogue.ts';
import type { Fixture, Fixtures, MarketListing } from '#server/fixtures/fixtures.ts';
import { type Housekeeping, rememberedAt, startHousekeeping } from '#server/housekeeping.ts';
import { createHttpServer } from '#server/http/create-http-server.ts';
import { urlOf } from '#server/http/plain-server.ts';
import { createHubBackend } from '#server/hub/hub-backend.ts';
import { openHub } from '#server/hub/open-hub.ts';
import { answerQuestions } from '#server/hub/questions.ts';
import { NatsBus } from '#server/nats-bus.ts';
import type { OperatorMarket } from '#server/operator/act.ts';
import { operatorKeyOf } from '#server/operator/operator-key.ts';
import { Refused } from '#values/error-catalogue.ts';

export interface RunningServer {
	url: string;
	exchange: Exchange;
	fixtures: Fixtures;
	accounts: Accounts;
	pool: pg.Pool;
	housekeeping: Housekeeping;
	/** Takes no more bets, makes what was accepted durable, closes everything. */
	stop(): Promise<void>;
}

/** What logs never show, wherever it stands in a logged object. */
const REDACTED = [
	'password',
	'confirmPassword',
	'currentPassword',
	'newPassword',
	'accessToken',
	'refreshToken',
	'otp',
	'autoVerifyCode',
	'client_secret',
	'code_hash',
	'token',
	'authorization',
].flatMap((key) => [key, `*.${key}`, `*.*.${key}`]);

/** @param onStopped told when the server cannot go on by itself */
export async function startServer(config: Config, onStopped: (error: Error) => void): Promise<RunningServer> {
	const log = pino({ level: config.logLevel, redact: REDACTED });
	const nats = config.natsUrl ? await NatsBus.connect(config.natsUrl, log) : null;
	const database = await openDatabase(config);
	const { pool } = database;
	const bus = nats ?? new LocalBus();
	const rememberedMs = rememberedAt(config.feeds.speed);
	const [fixtures, brands, sports] = await Promise.all([
		openFixtures({ pool, bus, clock: Date.now, overSinceMs: Date.now() - rememberedMs }),
		openBrands({ pool, bus, log }),
		openSportPermissions({ pool, bus }),
	]);
	const publisher = createPublisher({ bus, fixtures, exchange: () => exchange, clock: Date.now });
	const listeners = [publisher.onCommitted];
	const remembered = () => fixtures.all().flatMap(({ id }) => fixtures.markets(id).map((market) => market.id));
	const exchange = await openExchange({ ...config, pool, log, onCommitted: toAll(listeners), onStopped, remembered });
	const autoCashOut = new AutoCashOut({ exchange, log });
	listeners.push((committed) => autoCashOut.onCommitted(committed));
	const outbox = new Outbox({ pool, gateway: config.sms ? smsGateway(config.sms) : null, log });
	const journal = new Journal({ pool, ledgerKey: config.ledgerKey });
	await journal.open();
	const accounts = await openAccounts({ ...config, pool, journal, exchange, sports, bus, outbox });
	const suspendedBets = suspendedBetsOf({ brands, bus, log }, exchange, accounts);
	const betAdmission = new BetAdmission(brands, config.rateLimitFactor);
	const parts = { exchange, fixtures, accounts, sports, betAdmission, brands, journal, pool, log, outbox };
	const backend = createHubBackend({ ...parts, logins: accounts, bookImage: publisher.image });
	const hub = openHub({ ...config, bus, backend, log });
	if (nats) answerQuestions(nats, backend);
	let feeds: Feeds | null = null;
	const http = await createHttpServer({
		...parts,
		production: config.production,
		operatorKey: operatorKeyOf(config.tokenKey),
		hubRoutes: hub.routes,
		rateLimitFactor: config.rateLimitFactor,
		trustedProxies: config.trustedProxies,
		abandon: (fixture) => abandonBy(feeds, fixture),
		openMarket: (fixture, market) => openForOperator(parts, fixture, market),
	});
	hub.attach(http.server);
	outbox.start();
	await http.listen({ port: config.port, host: config.host });
	feeds = await startFeeds({ ...parts, options: config.feeds });
	const housekeeping = startHousekeeping({ ...parts, publisher, rememberedMs });

	return {
		url: urlOf(http),
		exchange,
		fixtures,
		accounts,
		pool,
		housekeeping,
		stop: async () => {
			housekeeping.stop();
			await feeds?.stop();
			await suspendedBets.stop();
			await exchange.drain();
			publisher.stop();
			await hub.close();
			await nats?.close();
			http.server.closeAllConnections();
			await http.close();
			await outbox.stop();
			await database.close();
		},
	};
}

function suspendedBetsOf(
	parts: Pick<SuspendedBetsOptions, 'brands' | 'bus' | 'log'>,
	exchange: Exchange,
	accounts: Accounts,
): SuspendedBets {
	return watchSuspendedBets({
		...parts,
		waitingWallets: () => exchange.waitingWallets(),
		brandOf: (walletId) => accounts.brandOf(walletId),
		lapse: async (walletId) => (await exchange.submit({ kind: 'lapse-all', walletId })).cancelled,
	});
}

/** The listeners may become more. */
function toAll(listeners: readonly CommittedListener[]): CommittedListener {
	return (committed) => {
		for (const listener of listeners) listener(committed);
	};
}

/** The tables as this version wants them, of the database that is named or the one we bring. */
async function openDatabase(config: Config): Promise<{ pool: pg.Pool; close(): Promise<void> }> {
	const lock = config.databaseUrl ? null : await lockFolder(config.dataDir);
	const embedded = lock && (await startEmbeddedPostgres({ dataDir: config.dataDir }));
	const pool = connect(config.databaseUrl ?? (embedded as EmbeddedPostgres).url('backlay'));
	await migrate(pool);
	if (!config.production) await seedDemoBrands({ pool, production: config.production });
	return {
		pool,
		close: async () => {
			await pool.end();
			await embedded?.stop();
			lock?.release();
		},
	};
}

/** The feeds start last. @throws Refused STARTING before */
async function abandonBy(feeds: Feeds | null, fixture: Fixture): Promise<void> {
	if (!feeds) throw new Refused('STARTING');
	await feeds.abandon(fixture);
}

async function openForOperator(parts: FeedParts, fixture: Fixture, asked: OperatorMarket): Promise<MarketListing> {
	const market = await openMarket(parts, fixture, { ...asked, byOperator: true });
	if (fixture.status === 'IN_PLAY') await market.turnInPlay();
	return market.listing;
}
