/** The environment and the command line, read once. A value that is not valid stops the start with a message. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import type { StreamConfig } from '#server/doors/bots-api/stream-server.ts';
import type { TracesConfig } from '#server/doors/traces/traces.ts';
import { type DrandConfig, quicknetAt } from '#server/money/casino/beacon/drand-beacon.ts';
import type { Provider } from '#server/money/casino/providers/provider.ts';
import type { HyperswitchConfig } from '#server/money/funds/payments/hyperswitch/hyperswitch-provider.ts';
import type { PaymentsConfig } from '#server/money/funds/payments/open-providers.ts';
import type { ExclusionListConfig } from '#server/people/players/exclusion-lists.ts';
import type { SmsConfig } from '#server/people/players/sms-gateway.ts';
import type { SignOnConfig } from '#server/people/staff/sign-on.ts';
import { keptTokenKey } from '#server/platform/keys/kept-token-key.ts';
import { ledgerKeyOf } from '#server/platform/keys/ledger-key.ts';
import { whyGuessable } from '#server/platform/keys/token-key.ts';
import type { MailConfig } from '#server/platform/mail/smtp.ts';
import { clusterFolder } from '#server/platform/postgres/embedded-postgres.ts';
import type { Approver } from '#server/process/health/release-approval.ts';
import { listed } from '#server/process/listed.ts';
import type { MetricsConfig } from '#server/process/metrics/metrics.ts';
import { type EngineConfig, seedOf } from '#server/process/pool-settings.ts';
import { SETTING_NAMES, Settings, type SettingValues } from '#server/process/settings.ts';
import type { BetfairConfig, FeedsConfig } from '#server/world/feeds/start-feeds.ts';
import { isDemoPool, type Pool, poolsNumber, poolsText } from '#values/pools.ts';

export interface Config {
	port: number;
	host: string;
	dataDir: string;
	/** Null for the embedded PostgreSQL in `dataDir`. */
	databaseUrl: string | null;
	/** At most, for all but the ledger, long reads and the look at readiness. */
	databaseConnections: number;
	/** The folder that gets all WAL of the embedded database; null for none. */
	walArchive: string | null;
	production: boolean;
	logLevel: string;
	/** The secret from which tokens and the operators' key are derived; gateways have the same one. */
	tokenKey: string;
	/** The key that seals the ledger; derived from `tokenKey` unless LEDGER_KEY is set. */
	ledgerKey: string;
	/** The pools that this process serves, in the order of `POOLS`. */
	pools: readonly Pool[];
	/** Of a gateway: the engines behind it. Each has pools and a token key of its own. */
	engines: readonly EngineConfig[];
	/** The bus between processes; null for a single process. */
	natsUrl: string | null;
	/** Prefix of the tokens of this process's hub connections; a random one when empty. */
	nodeId: string;
	/** The host of the operators' console, without a port; null without a console. */
	consoleHost: string | null;
	/** Write the commands of each batch, which standbys follow. */
	commandRows: boolean;
	/**
	 * Follow the exchange, and take over when it falls silent for this long, or for goneMs without a connection left; null for
	 * a server that starts at once.
	 */
	standby: { silenceMs: number; goneMs: number } | null;
	/** Serve calls, site and hub in addition to the process with the engine. */
	gateway: boolean;
	trustedProxies: string[];
	/** An mmdb file with the countries of addresses; null for none. */
	locationFile: string | null;
	/** The bridge to registers of excluded persons; null for none. */
	exclusionList: ExclusionListConfig | null;
	/** The SMS gateways for one-time codes; null keeps them in the outbox, where operators read them. */
	sms: SmsConfig | null;
	/** The company's log-in of staff; null without one. */
	signOn: SignOnConfig | null;
	/** The mail server; null keeps messages in the table. */
	mail: MailConfig | null;
	rateLimitFactor: number;
	/** The time limit of a call before it is refused. */
	callDeadlineMs: number;
	/** The time limits of a client for sending its request, and for reading the answer. */
	clientTimeoutMs: number;
	/** Limits of hub connections, by address and by player. */
	hubLimits: { perAddress: number; perPlayer: number };
	/** Encrypt personal data; the first one encrypts new data. Derived from `tokenKey` unless DATA_KEYS is set. */
	dataKeys: readonly string[];
	/** The time zone of the days of books that belong to no brand. */
	booksZone: string;
	/** How long receipts and bank details are kept. */
	retentionDays: number;
	payments: PaymentsConfig;
	/** The payment provider of real money; null without one. */
	hyperswitch: HyperswitchConfig | null;
	/** The stream of bots; null without one. */
	stream: StreamConfig | null;
	/** The webhook that is told of alarms; null for none. */
	alarmUrl: string | null;
	/** The addresses of staff that are told of alarms by mail. */
	alarmMails: readonly string[];
	/** Asked how late this machine's clock is; null for the database alone. */
	timeSource: string | null;
	/** The digest that was published with the release; null to compare with the start alone. */
	releaseDigest: string | null;
	/** The folder of the release. */
	releaseRoot: string;
	/** Two of them have to have signed the release; empty to start without. */
	approvers: readonly Approver[];
	/** Which keys the environment names; the others are derived from `tokenKey`. */
	namedKeys: { ledger: boolean; data: boolean };
	/** The address for Prometheus; null for none. */
	metrics: MetricsConfig | null;
	/** The collector of traces; null for none. */
	traces: TracesConfig | null;
	/** The speed of shared rounds. */
	tableSpeed: number;
	/** The public beacon of shared rounds; null for a local one, which takes no real money. */
	drand: DrandConfig | null;
	/** Outside providers of games. */
	gameProviders: readonly Provider[];
	/** How long a provider's round may be open before operators are alerted. */
	roundAlarmMs: number;
	feeds: FeedsConfig;
}

/**
 * The peers of a process besides its clients and its database: gateways, phones, mail, the staff's log-in, registers of excluded
 * persons, the payment provider, bots, Prometheus, standbys and a source of time.
 */
export type Reach = Pick<
	Config,
	| 'natsUrl'
	| 'sms'
	| 'mail'
	| 'signOn'
	| 'exclusionList'
	| 'hyperswitch'
	| 'stream'
	| 'metrics'
	| 'commandRows'
	| 'alarmUrl'
	| 'alarmMails'
	| 'timeSource'
>;
/** The process's own settings, independent of its peers. */
export type OwnConfig = Omit<Config, keyof Reach>;

/** This file is three folders below the root. */
const ROOT = join(import.meta.dirname, '../../..');

/** `--data-dir` on the command line is DATA_DIR in the environment, and so on. */
const OPTIONS = [
	'port',
	'host',
	'data-dir',
	'database-url',
	'nats-url',
	'node-id',
	'log-level',
	'rate-limit-factor',
	'call-deadline-ms',
	'sim-speed',
	'sim-seed',
	'sim-fixtures',
	'speed',
] as const;
/** May be repeated; in the environment, values are separated by commas. */
const LISTS = ['recording', 'score'] as const;

/**
 * @param defaultDataDir the folder if neither names one
 * @throws Error with a message for each invalid value
 */
export function readConfig(args: string[], environment: NodeJS.ProcessEnv, defaultDataDir: string): Config {
	const { values } = parseArgs({
		args,
		options: {
			...Object.fromEntries(OPTIONS.map((name) => [name, { type: 'string' as const }])),
			...Object.fromEntries(LISTS.map((name) => [name, { type: 'string' as const, multiple: true as const }])),
			'no-feeds': { type: 'boolean' as const },
			step: { type: 'boolean' as const },
			gateway: { type: 'boolean' as const },
			standby: { type: 'boolean' as const },
		},
	});
	const given: Record<string, unknown> = { DATA_DIR: defaultDataDir };
	for (const name of SETTING_NAMES) {
		const option = values[name.toLowerCase().replaceAll('_', '-') as keyof typeof values];
		const value = (Array.isArray(option) ? option.join(',') : option) ?? (environment[name] || undefined);
		if (value !== undefined) given[name] = value;
	}
	const parsed = v.safeParse(Settings, given);
	if (!parsed.success) throw new Error(parsed.issues.map((issue) => issue.message).join('\n'));
	const settings = parsed.output;
	const production = settings.NODE_ENV === 'production';
	const gateway = values.gateway === true;
	if (gateway && !settings.NATS_URL) throw new Error('A gateway needs NATS_URL, where the engine publishes.');
	if (settings.POOLS.every(isDemoPool) && !settings.NATS_URL)
		throw new Error('An engine of DEMO alone needs NATS_URL, where other engines tell it their domains.');
	const isOfEngines = gateway && settings.ENGINES.length > 0;
	if (production && !isOfEngines) checkTokenKey(settings.TOKEN_KEY);
	if (production) for (const { tokenKey } of settings.ENGINES) checkTokenKey(tokenKey);
	const dataDir = resolve(settings.DATA_DIR);
	const tokenKey = isOfEngines ? '' : (settings.TOKEN_KEY ?? keptTokenKey(dataDir, existsSync(clusterFolder(dataDir))));
	return {
		port: settings.PORT,
		host: settings.HOST,
		dataDir,
		...databaseOf(settings),
		production,
		logLevel: settings.LOG_LEVEL,
		tokenKey,
		ledgerKey: ledgerKeyOf(tokenKey, settings.LEDGER_KEY),
		pools: settings.POOLS,
		engines: isOfEngines ? settings.ENGINES : [{ pools: settings.POOLS, tokenKey }],
		natsUrl: settings.NATS_URL || null,
		nodeId: settings.NODE_ID,
		// In production the console has a host once one is named.
		consoleHost: settings.CONSOLE_HOST || (production ? null : 'console.localhost'),
		...standbyOf(settings, values.standby === true),
		gateway,
		...addressesOf(settings),
		exclusionList: exclusionListOf(settings, production),
		...connectedOf(settings, production),
		rateLimitFactor: settings.RATE_LIMIT_FACTOR,
		callDeadlineMs: settings.CALL_DEADLINE_MS,
		clientTimeoutMs: settings.CLIENT_TIMEOUT_SECONDS * 1000,
		hubLimits: { perAddress: settings.HUB_CONNECTIONS_PER_ADDRESS, perPlayer: settings.HUB_CONNECTIONS_PER_USER },
		...recordsOf(settings, tokenKey),
		payments: paymentsOf(settings),
		hyperswitch: hyperswitchOf(settings, production),
		stream: settings.STREAM_PORT > 0 && !gateway ? streamOf(settings) : null,
		...healthOf(settings),
		namedKeys: { ledger: settings.LEDGER_KEY !== undefined, data: settings.DATA_KEYS !== '' },
		metrics: settings.METRICS_PORT > 0 ? metricsOf(settings, gateway) : null,
		traces: tracesOf(settings),
		...tablesOf(settings),
		gameProviders: settings.GAME_PROVIDERS,
		roundAlarmMs: settings.ROUND_ALARM_MINUTES * 60_000,
		feeds: feedsOf(settings, values, production),
	};
}

const databaseOf = ({
	DATABASE_URL,
	DATABASE_CONNECTIONS,
	WAL_ARCHIVE,
}: SettingValues): Pick<Config, 'databaseUrl' | 'databaseConnections' | 'walArchive'> => ({
	databaseUrl: DATABASE_URL || null,
	databaseConnections: DATABASE_CONNECTIONS,
	walArchive: WAL_ARCHIVE ? resolve(WAL_ARCHIVE) : null,
});

/** @throws Error when there is no recording to step through */
function feedsOf(
	settings: SettingValues,
	values: { 'no-feeds'?: unknown; step?: unknown },
	production: boolean,
): FeedsConfig {
	const isAlone = values['no-feeds'] === true;
	if (values.step === true && !settings.RECORDING)
		throw new Error('--step needs a recording, whose time it steps through.');
	return {
		// Players of real sites bet on no match that a program makes up, unless an operator says so.
		simulatedSports: !isAlone && (settings.SIMULATED_SPORTS ?? (production ? 'off' : 'on')) === 'on',
		recordings:
			settings.RECORDING && !isAlone
				? [...listed(settings.RECORDING), ...listed(settings.SCORE)].map((path) => resolve(path))
				: [],
		speed: settings.RECORDING ? settings.SPEED : settings.SIM_SPEED,
		isStepped: values.step === true,
		seed: seedOf(settings.SIM_SEED, settings.POOLS),
		mostAnnounced: settings.SIM_FIXTURES,
		proposedResults: listed(settings.PROPOSED_RESULTS),
		betfair: settings.BETFAIR_APP_KEY ? betfairOf(settings) : null,
	};
}

function recordsOf(
	{ BOOKS_ZONE, DATA_RETENTION_DAYS, DATA_KEYS }: SettingValues,
	tokenKey: string,
): Pick<Config, 'booksZone' | 'retentionDays' | 'dataKeys'> {
	const dataKeys = DATA_KEYS ? listed(DATA_KEYS) : [tokenKey];
	return { booksZone: BOOKS_ZONE, retentionDays: DATA_RETENTION_DAYS, dataKeys };
}

function tablesOf({ TABLE_SPEED, BEACON_RELAYS }: SettingValues): Pick<Config, 'tableSpeed' | 'drand'> {
	const relays = listed(BEACON_RELAYS);
	return { tableSpeed: TABLE_SPEED, drand: relays.length === 0 ? null : quicknetAt(relays) };
}

/** Of an engine of some pools, figures name them: Prometheus has those of all engines. */
function metricsOf(
	{ METRICS_PORT: port, METRICS_HOST: host, POOLS: pools }: SettingValues,
	isGateway: boolean,
): MetricsConfig {
	return { port, host, labels: isGateway || poolsNumber(pools) === 0 ? {} : { pools: poolsText(pools) } };
}

const healthOf = (
	settings: SettingValues,
): Pick<Config, 'alarmUrl' | 'alarmMails' | 'timeSource' | 'releaseDigest' | 'releaseRoot' | 'approvers'> => ({
	alarmUrl: settings.ALARM_WEBHOOK_URL || null,
	alarmMails: listed(settings.ALARM_MAIL_TO),
	timeSource: settings.TIME_SOURCE || null,
	releaseDigest: settings.RELEASE_DIGEST || null,
	releaseRoot: ROOT,
	approvers: settings.RELEASE_KEYS,
});

function paymentsOf(settings: SettingValues): PaymentsConfig {
	return {
		orderMs: settings.PAYMENT_ORDER_SECONDS * 1000,
		simulatedDelayMs: settings.SIM_PAYMENT_SECONDS * 1000,
		pollMs: settings.PAYMENT_POLL_SECONDS * 1000,
		webhookKeys: Object.fromEntries(listed(settings.PAYMENT_WEBHOOK_KEYS).map((pair) => pair.split(/:(.*)/s))),
	};
}

/** What is known of the addresses of requests. */
const addressesOf = (settings: SettingValues): Pick<Config, 'trustedProxies' | 'locationFile'> => ({
	trustedProxies: listed(settings.TRUSTED_PROXIES),
	locationFile: settings.LOCATION_FILE || null,
});

/** @throws Error if mobiles and the key would cross a network in the clear */
function exclusionListOf(
	{ EXCLUSION_LIST_URL: url, EXCLUSION_LIST_KEY: key }: SettingValues,
	production: boolean,
): Config['exclusionList'] {
	if (url === '') return null;
	const { protocol, hostname } = new URL(url);
	if (production && protocol !== 'https:' && !isThisMachine(hostname))
		throw new Error('EXCLUSION_LIST_URL must begin with https:// in production.');
	return { url, key };
}

/** @throws Error if a part is missing, or keys would cross a network in the clear */
function hyperswitchOf(settings: SettingValues, production: boolean): Config['hyperswitch'] {
	const { HYPERSWITCH_URL, HYPERSWITCH_API_KEY, HYPERSWITCH_WEBHOOK_KEYS, HYPERSWITCH_ORDER_TAG } = settings;
	const needed = { HYPERSWITCH_URL, HYPERSWITCH_API_KEY, HYPERSWITCH_WEBHOOK_KEYS, HYPERSWITCH_ORDER_TAG };
	const missing = Object.entries(needed).flatMap(([name, value]) => (value === '' ? [name] : []));
	if (missing.length === Object.keys(needed).length) return null;
	if (missing.length > 0) throw new Error(`Real money needs ${missing.join(' and ')}, too.`);
	const { protocol, hostname } = new URL(HYPERSWITCH_URL);
	if (production && protocol !== 'https:' && !isThisMachine(hostname))
		throw new Error('HYPERSWITCH_URL must begin with https:// in production.');
	return {
		url: HYPERSWITCH_URL.replace(/\/$/, ''),
		apiKey: HYPERSWITCH_API_KEY,
		webhookKeys: listed(HYPERSWITCH_WEBHOOK_KEYS),
		orderTag: HYPERSWITCH_ORDER_TAG,
		profileId: settings.HYPERSWITCH_PROFILE_ID,
	};
}

const isThisMachine = (hostname: string): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(hostname);

/** Text messages, mail, and the log-in of the staff. */
const connectedOf = (settings: SettingValues, production: boolean): Pick<Config, 'sms' | 'mail' | 'signOn'> => ({
	sms: smsOf(settings),
	mail: mailOf(settings, production),
	signOn: signOnOf(settings, production),
});

/** @throws Error for a second gateway without a first one */
function smsOf(settings: SettingValues): Config['sms'] {
	const { SMS_GATEWAY_URL: url, SMS_SECOND_GATEWAY_URL: secondUrl, SMS_RECEIPT_KEY: receiptKey } = settings;
	if (!url && secondUrl) throw new Error('SMS_SECOND_GATEWAY_URL needs SMS_GATEWAY_URL, the first gateway.');
	if (!url) return null;
	return {
		url,
		key: settings.SMS_GATEWAY_KEY,
		sender: settings.SMS_SENDER,
		...(secondUrl ? { second: { url: secondUrl, key: settings.SMS_SECOND_GATEWAY_KEY } } : {}),
		...(receiptKey ? { receiptKey } : {}),
	};
}

/** @throws Error if a part is missing */
function mailOf({ SMTP_URL, MAIL_FROM, ALARM_MAIL_TO }: SettingValues, production: boolean): Config['mail'] {
	if (SMTP_URL === '' && MAIL_FROM === '' && ALARM_MAIL_TO === '') return null;
	if (SMTP_URL === '' || MAIL_FROM === '') throw new Error('Mail needs SMTP_URL and MAIL_FROM.');
	const { protocol, hostname, port, username, password } = new URL(SMTP_URL);
	const isSecure = protocol === 'smtps:';
	return {
		host: hostname.replace(/^\[|\]$/g, ''),
		port: Number(port) || (isSecure ? 465 : 587),
		isSecure,
		needsTls: production && !isThisMachine(hostname),
		login: username === '' ? null : { user: decodeURIComponent(username), password: decodeURIComponent(password) },
		from: MAIL_FROM,
	};
}

/** @throws Error if a part is missing, or codes and the secret would cross a network in the clear */
function signOnOf(settings: SettingValues, production: boolean): Config['signOn'] {
	const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_NAME: name } = settings;
	const needed = { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET };
	const missing = Object.entries(needed).flatMap(([variable, value]) => (value === '' ? [variable] : []));
	if (missing.length === Object.keys(needed).length) return null;
	if (missing.length > 0) throw new Error(`The staff’s log-in needs ${missing.join(' and ')}, too.`);
	if (production && !OIDC_ISSUER.startsWith('https:'))
		throw new Error('OIDC_ISSUER must begin with https:// in production.');
	return { issuer: OIDC_ISSUER, clientId: OIDC_CLIENT_ID, clientSecret: OIDC_CLIENT_SECRET, name };
}

/** A stall ends no connections, so a process without connections is given up sooner than one that may be stopped. */
const LONGEST_GONE_MS = 60;

/** A standby that took over writes the rows that the next standby follows. @throws Error without a database */
function standbyOf(
	{ COMMAND_ROWS, STANDBY_SILENCE_MS, DATABASE_URL }: SettingValues,
	isStandby: boolean,
): Pick<Config, 'commandRows' | 'standby'> {
	if (!isStandby) return { commandRows: COMMAND_ROWS === 'on', standby: null };
	if (!DATABASE_URL) throw new Error('A standby needs DATABASE_URL, the database that it shares with the exchange.');
	const goneMs = Math.min(STANDBY_SILENCE_MS / 5, LONGEST_GONE_MS);
	return { commandRows: true, standby: { silenceMs: STANDBY_SILENCE_MS, goneMs } };
}

/** Plain connections are only for this machine. @throws Error if a file cannot be read, or one of two is missing */
function streamOf({ STREAM_PORT, STREAM_TLS_CERT, STREAM_TLS_KEY, HOST }: SettingValues): StreamConfig {
	const authenticateMs = 15_000;
	if (!STREAM_TLS_CERT && !STREAM_TLS_KEY) return { port: STREAM_PORT, host: '127.0.0.1', tls: null, authenticateMs };
	if (!STREAM_TLS_CERT || !STREAM_TLS_KEY) throw new Error('STREAM_TLS_CERT and STREAM_TLS_KEY belong together.');
	const tls = { cert: readFileSync(STREAM_TLS_CERT, 'utf8'), key: readFileSync(STREAM_TLS_KEY, 'utf8') };
	return { port: STREAM_PORT, host: HOST, tls, authenticateMs };
}

function tracesOf(settings: SettingValues): TracesConfig | null {
	const base = settings.OTEL_EXPORTER_OTLP_ENDPOINT;
	const url = settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || (base && `${base.replace(/\/$/, '')}/v1/traces`);
	if (!url) return null;
	const ratios = {
		parentbased_traceidratio: settings.OTEL_TRACES_SAMPLER_ARG,
		parentbased_always_on: 1,
		parentbased_always_off: 0,
	};
	return {
		url,
		headers: settings.OTEL_EXPORTER_OTLP_HEADERS,
		serviceName: settings.OTEL_SERVICE_NAME,
		ratio: ratios[settings.OTEL_TRACES_SAMPLER],
	};
}

/** @throws Error if tokens made with the key could be forged by guessing it */
function checkTokenKey(key: string | undefined): void {
	if (!key) throw new Error('TOKEN_KEY is required in production.');
	const reason = whyGuessable(key);
	if (reason) throw new Error(`TOKEN_KEY could be guessed: ${reason}. Make one with: openssl rand -base64 32`);
}

function betfairOf(settings: SettingValues): BetfairConfig {
	const [streamHost, streamPort] = settings.BETFAIR_STREAM.split(':') as [string, string];
	return {
		appKey: settings.BETFAIR_APP_KEY,
		userName: settings.BETFAIR_USERNAME,
		password: settings.BETFAIR_PASSWORD,
		marketFilter: settings.BETFAIR_MARKET_FILTER,
		streamHost,
		streamPort: Number(streamPort),
		catalogueUrl: settings.BETFAIR_CATALOGUE_URL,
		loginUrl: settings.BETFAIR_LOGIN_URL,
	};
}
