/** The environment and the command line, read once. A value that is not valid stops the start with a message. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import type { StreamConfig } from '#server/doors/bots-api/stream-server.ts';
import type { TracesConfig } from '#server/doors/traces/traces.ts';
import { GameProviders, type Provider } from '#server/money/casino/providers/provider.ts';
import type { HyperswitchConfig } from '#server/money/funds/payments/hyperswitch/hyperswitch-provider.ts';
import { ORDER_TAG } from '#server/money/funds/payments/hyperswitch/ids.ts';
import type { PaymentsConfig } from '#server/money/funds/payments/open-providers.ts';
import type { SmsConfig } from '#server/people/players/sms-gateway.ts';
import { keptTokenKey } from '#server/platform/keys/kept-token-key.ts';
import { ledgerKeyOf } from '#server/platform/keys/ledger-key.ts';
import { whyGuessable } from '#server/platform/keys/token-key.ts';
import { listed } from '#server/process/listed.ts';
import type { MetricsConfig } from '#server/process/metrics/metrics.ts';
import { type EngineConfig, EnginesSetting, LEAST_KEY, PoolsSetting, seedOf } from '#server/process/pool-settings.ts';
import type { BetfairConfig, FeedsConfig } from '#server/world/feeds/start-feeds.ts';
import { POOLS, type Pool, poolsNumber, poolsText } from '#values/pools.ts';

export interface Config {
	port: number;
	host: string;
	dataDir: string;
	/** Null for the embedded PostgreSQL in `dataDir`. */
	databaseUrl: string | null;
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
	 * How long state from memory counts as current, if standbys follow: the shortest silence after which one takes over.
	 */
	freshMs: number;
	/**
	 * Follow the exchange, and take over when it falls silent for this long, or for goneMs without a connection left; null for
	 * a server that starts at once.
	 */
	standby: { silenceMs: number; goneMs: number } | null;
	/** Serve calls, site and hub in addition to the process with the engine. */
	gateway: boolean;
	trustedProxies: string[];
	/** The SMS gateways for one-time codes; null keeps them in the outbox, where operators read them. */
	sms: SmsConfig | null;
	rateLimitFactor: number;
	/** The time limit of a call before it is refused. */
	callDeadlineMs: number;
	/** The time limits of a client for sending its request, and for reading the answer. */
	clientTimeoutMs: number;
	/** Limits of hub connections, by address and by player. */
	hubLimits: { perAddress: number; perPlayer: number };
	/** Encrypt personal data; the first one encrypts new data. Derived from `tokenKey` unless DATA_KEYS is set. */
	dataKeys: readonly string[];
	/** How long receipts and bank details are kept. */
	retentionDays: number;
	payments: PaymentsConfig;
	/** The payment provider of real money; null without one. */
	hyperswitch: HyperswitchConfig | null;
	/** The stream of bots; null without one. */
	stream: StreamConfig | null;
	/** The webhook that is told of alarms; null for none. */
	alarmUrl: string | null;
	/** Which keys the environment names; the others are derived from `tokenKey`. */
	ownKeys: { ledger: boolean; data: boolean };
	/** The address for Prometheus; null for none. */
	metrics: MetricsConfig | null;
	/** The collector of traces; null for none. */
	traces: TracesConfig | null;
	/** The speed of shared rounds. */
	tableSpeed: number;
	/** Outside providers of games. */
	gameProviders: readonly Provider[];
	/** How long a provider's round may be open before operators are alerted. */
	roundAlarmMs: number;
	feeds: FeedsConfig;
}

/**
 * The peers of a process besides its clients and its database: gateways, phones, the payment provider, bots, Prometheus
 * and standbys.
 */
export type Reach = Pick<Config, 'natsUrl' | 'sms' | 'hyperswitch' | 'stream' | 'metrics' | 'commandRows' | 'alarmUrl'>;
/** The process's own settings, independent of its peers. */
export type OwnConfig = Omit<Config, keyof Reach>;

const number = (name: string, min: number, max: number) =>
	v.pipe(
		v.string(),
		v.regex(/^\d+(\.\d+)?$/, `${name} must be a number.`),
		v.transform(Number),
		v.minValue(min, `${name} must be at least ${min}.`),
		v.maxValue(max, `${name} must be at most ${max}.`),
	);

/** Empty for none. */
const httpAddress = (name: string) =>
	v.pipe(
		v.string(),
		v.check(
			(text) => text === '' || /^https?:$/.test(URL.parse(text)?.protocol ?? ''),
			`${name} must be an address that begins with http:// or https://.`,
		),
	);

const wholeNumber = (name: string, min: number, max: number) =>
	v.pipe(number(name, min, max), v.integer(`${name} must be a whole number.`));

const Settings = v.object({
	PORT: v.optional(wholeNumber('PORT', 0, 65_535), '3000'),
	HOST: v.optional(v.string(), '0.0.0.0'),
	DATA_DIR: v.string(),
	DATABASE_URL: v.optional(v.string(), ''),
	WAL_ARCHIVE: v.optional(v.string(), ''),
	POOLS: v.optional(PoolsSetting, poolsText(POOLS)),
	ENGINES: v.optional(EnginesSetting, ''),
	NATS_URL: v.optional(
		v.pipe(v.string(), v.regex(/^(?:(?:nats|tls):\/\/\S+)?$/, 'NATS_URL must begin with nats:// or tls://.')),
		'',
	),
	NODE_ID: v.optional(v.pipe(v.string(), v.regex(/^[\w-]{0,32}$/, 'NODE_ID must be letters, digits, _ and -.')), ''),
	NODE_ENV: v.optional(
		v.picklist(['production', 'development', 'test'], 'NODE_ENV must be production, development or test.'),
		'development',
	),
	LOG_LEVEL: v.optional(v.picklist(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']), 'info'),
	TOKEN_KEY: v.optional(v.pipe(v.string(), v.minLength(LEAST_KEY, 'TOKEN_KEY must have at least 32 characters.'))),
	LEDGER_KEY: v.optional(v.pipe(v.string(), v.minLength(32, 'LEDGER_KEY must have at least 32 characters.'))),
	CONSOLE_HOST: v.optional(
		v.pipe(
			v.string(),
			v.toLowerCase(),
			v.regex(/^[a-z0-9.-]{0,253}$/, 'CONSOLE_HOST must be a host name without a port.'),
		),
		'',
	),
	TRUSTED_PROXIES: v.optional(v.string(), ''),
	SMS_GATEWAY_URL: v.optional(v.pipe(v.string(), v.url('SMS_GATEWAY_URL must be an address.'))),
	SMS_GATEWAY_KEY: v.optional(v.string(), ''),
	SMS_SECOND_GATEWAY_URL: v.optional(httpAddress('SMS_SECOND_GATEWAY_URL'), ''),
	SMS_SECOND_GATEWAY_KEY: v.optional(v.string(), ''),
	SMS_RECEIPT_KEY: v.optional(
		v.union([v.literal(''), v.pipe(v.string(), v.minLength(32))], 'SMS_RECEIPT_KEY must have at least 32 characters.'),
		'',
	),
	SMS_SENDER: v.optional(v.pipe(v.string(), v.maxLength(20, 'SMS_SENDER has at most 20 characters.')), 'BACKLAY'),
	RATE_LIMIT_FACTOR: v.optional(number('RATE_LIMIT_FACTOR', 0.001, 1_000_000), '1'),
	COMMAND_ROWS: v.optional(v.picklist(['on', 'off'], 'COMMAND_ROWS must be on or off.'), 'off'),
	STANDBY_SILENCE_MS: v.optional(wholeNumber('STANDBY_SILENCE_MS', 150, 60_000), '1000'),
	CALL_DEADLINE_MS: v.optional(number('CALL_DEADLINE_MS', 2_000, 60_000), '10000'),
	CLIENT_TIMEOUT_SECONDS: v.optional(number('CLIENT_TIMEOUT_SECONDS', 1, 600), '30'),
	HUB_CONNECTIONS_PER_ADDRESS: v.optional(wholeNumber('HUB_CONNECTIONS_PER_ADDRESS', 1, 1_000_000), '200'),
	HUB_CONNECTIONS_PER_USER: v.optional(wholeNumber('HUB_CONNECTIONS_PER_USER', 1, 1_000_000), '20'),
	STREAM_PORT: v.optional(wholeNumber('STREAM_PORT', 0, 65_535), '0'),
	STREAM_TLS_CERT: v.optional(v.string(), ''),
	STREAM_TLS_KEY: v.optional(v.string(), ''),
	METRICS_PORT: v.optional(wholeNumber('METRICS_PORT', 0, 65_535), '0'),
	METRICS_HOST: v.optional(v.string(), '127.0.0.1'),
	ALARM_WEBHOOK_URL: v.optional(httpAddress('ALARM_WEBHOOK_URL'), ''),
	OTEL_EXPORTER_OTLP_ENDPOINT: v.optional(httpAddress('OTEL_EXPORTER_OTLP_ENDPOINT'), ''),
	OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: v.optional(httpAddress('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'), ''),
	OTEL_EXPORTER_OTLP_PROTOCOL: v.optional(
		v.picklist(['http/json'], 'OTEL_EXPORTER_OTLP_PROTOCOL must be http/json, the only one that the server speaks.'),
		'http/json',
	),
	OTEL_EXPORTER_OTLP_HEADERS: v.optional(
		v.pipe(
			v.string(),
			v.rawTransform(({ dataset, addIssue, NEVER }) => {
				const headers = headersIn(dataset.value);
				if (headers) return headers;
				addIssue({
					message: 'OTEL_EXPORTER_OTLP_HEADERS must be name=value, with commas between and values encoded as in a URL.',
				});
				return NEVER;
			}),
		),
		'',
	),
	OTEL_SERVICE_NAME: v.optional(
		v.pipe(v.string(), v.maxLength(100, 'OTEL_SERVICE_NAME has at most 100 characters.')),
		'backlay',
	),
	OTEL_TRACES_SAMPLER: v.optional(
		v.picklist(
			['parentbased_traceidratio', 'parentbased_always_on', 'parentbased_always_off'],
			'OTEL_TRACES_SAMPLER must be parentbased_traceidratio, parentbased_always_on or parentbased_always_off: the process that receives a call decides for the others.',
		),
		'parentbased_traceidratio',
	),
	OTEL_TRACES_SAMPLER_ARG: v.optional(number('OTEL_TRACES_SAMPLER_ARG', 0, 1), '0.01'),
	TABLE_SPEED: v.optional(number('TABLE_SPEED', 1, 100), '1'),
	PAYMENT_ORDER_SECONDS: v.optional(number('PAYMENT_ORDER_SECONDS', 30, 3_600), '300'),
	PAYMENT_POLL_SECONDS: v.optional(number('PAYMENT_POLL_SECONDS', 1, 600), '3'),
	PAYMENT_WEBHOOK_KEYS: v.optional(
		v.pipe(
			v.string(),
			v.regex(
				/^([\w-]{1,40}:[\x21-\x2b\x2d-\x7e]{32,}(,|$))*$/,
				'PAYMENT_WEBHOOK_KEYS must be id:secret, with commas between.',
			),
		),
		'',
	),
	HYPERSWITCH_URL: v.optional(httpAddress('HYPERSWITCH_URL'), ''),
	HYPERSWITCH_API_KEY: v.optional(v.string(), ''),
	HYPERSWITCH_WEBHOOK_KEYS: v.optional(
		v.pipe(
			v.string(),
			v.regex(
				/^([^,]{32,}(,|$))*$/,
				'HYPERSWITCH_WEBHOOK_KEYS must have at least 32 characters each, with commas between.',
			),
		),
		'',
	),
	HYPERSWITCH_ORDER_TAG: v.optional(
		v.pipe(
			v.string(),
			v.check(
				(tag) => tag === '' || ORDER_TAG.test(tag),
				'HYPERSWITCH_ORDER_TAG must be two to six letters in lower case or digits.',
			),
		),
		'',
	),
	HYPERSWITCH_PROFILE_ID: v.optional(v.string(), ''),
	DATA_KEYS: v.optional(
		v.pipe(
			v.string(),
			v.regex(/^([^,]{32,}(,|$))*$/, 'DATA_KEYS must have at least 32 characters each, with commas between.'),
		),
		'',
	),
	GAME_PROVIDERS: v.optional(GameProviders, '[]'),
	ROUND_ALARM_MINUTES: v.optional(number('ROUND_ALARM_MINUTES', 1, 20_000), '60'),
	DATA_RETENTION_DAYS: v.optional(wholeNumber('DATA_RETENTION_DAYS', 30, 36_500), '1825'),
	SIM_PAYMENT_SECONDS: v.optional(number('SIM_PAYMENT_SECONDS', 0, 3_600), '4'),
	SIMULATED_SPORTS: v.optional(v.picklist(['on', 'off'], 'SIMULATED_SPORTS must be on or off.')),
	SIM_SPEED: v.optional(number('SIM_SPEED', 0.1, 100_000), '1'),
	SIM_SEED: v.optional(v.pipe(number('SIM_SEED', 0, 4_294_967_295), v.integer()), '1'),
	SIM_FIXTURES: v.optional(wholeNumber('SIM_FIXTURES', 2, 60), '60'),
	PROPOSED_RESULTS: v.optional(
		v.pipe(
			v.string(),
			v.regex(
				/^((simulated|recording|betfair)(,|$))*$/,
				'PROPOSED_RESULTS must be simulated, recording or betfair, with commas between.',
			),
		),
		'',
	),
	RECORDING: v.optional(v.string(), ''),
	SCORE: v.optional(v.string(), ''),
	SPEED: v.optional(number('speed', 0.1, 100_000), '1'),
	BETFAIR_APP_KEY: v.optional(v.string(), ''),
	BETFAIR_USERNAME: v.optional(v.string(), ''),
	BETFAIR_PASSWORD: v.optional(v.string(), ''),
	BETFAIR_MARKET_FILTER: v.optional(
		v.pipe(
			v.string(),
			v.rawTransform(({ dataset, addIssue, NEVER }) => {
				try {
					const filter: unknown = JSON.parse(dataset.value);
					if (typeof filter === 'object' && filter !== null && !Array.isArray(filter)) return filter;
				} catch {
					// Reported below.
				}
				addIssue({ message: 'BETFAIR_MARKET_FILTER must be a JSON object.' });
				return NEVER;
			}),
		),
		'{"eventTypeIds":["1","2","4","7"],"marketTypes":["MATCH_ODDS","WIN","PLACE","OVER_UNDER_25"],"turnInPlayEnabled":true}',
	),
	BETFAIR_STREAM: v.optional(
		v.pipe(v.string(), v.regex(/^[\w.-]+:\d+$/, 'BETFAIR_STREAM must be host:port.')),
		'stream-api.betfair.com:443',
	),
	BETFAIR_CATALOGUE_URL: v.optional(
		v.pipe(v.string(), v.url('BETFAIR_CATALOGUE_URL must be an address.')),
		'https://api.betfair.com/exchange/betting/rest/v1.0',
	),
	BETFAIR_LOGIN_URL: v.optional(
		v.pipe(v.string(), v.url('BETFAIR_LOGIN_URL must be an address.')),
		'https://identitysso.betfair.com/api/login',
	),
});

/** The variables that the server reads. */
export const SETTING_NAMES: readonly string[] = Object.keys(Settings.entries);

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
	if (poolsText(settings.POOLS) === 'DEMO' && !settings.NATS_URL)
		throw new Error('An engine of DEMO alone needs NATS_URL, where other engines tell it their domains.');
	const isOfEngines = gateway && settings.ENGINES.length > 0;
	if (production && !isOfEngines) checkTokenKey(settings.TOKEN_KEY);
	if (production) for (const { tokenKey } of settings.ENGINES) checkTokenKey(tokenKey);
	const dataDir = resolve(settings.DATA_DIR);
	const tokenKey = isOfEngines ? '' : (settings.TOKEN_KEY ?? keptTokenKey(dataDir));
	return {
		port: settings.PORT,
		host: settings.HOST,
		dataDir,
		databaseUrl: settings.DATABASE_URL || null,
		walArchive: settings.WAL_ARCHIVE ? resolve(settings.WAL_ARCHIVE) : null,
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
		trustedProxies: listed(settings.TRUSTED_PROXIES),
		sms: smsOf(settings),
		rateLimitFactor: settings.RATE_LIMIT_FACTOR,
		callDeadlineMs: settings.CALL_DEADLINE_MS,
		clientTimeoutMs: settings.CLIENT_TIMEOUT_SECONDS * 1000,
		hubLimits: { perAddress: settings.HUB_CONNECTIONS_PER_ADDRESS, perPlayer: settings.HUB_CONNECTIONS_PER_USER },
		retentionDays: settings.DATA_RETENTION_DAYS,
		dataKeys: settings.DATA_KEYS ? listed(settings.DATA_KEYS) : [tokenKey],
		payments: paymentsOf(settings),
		hyperswitch: hyperswitchOf(settings, production),
		stream: settings.STREAM_PORT > 0 && !gateway ? streamOf(settings) : null,
		alarmUrl: settings.ALARM_WEBHOOK_URL || null,
		ownKeys: { ledger: settings.LEDGER_KEY !== undefined, data: settings.DATA_KEYS !== '' },
		metrics: settings.METRICS_PORT > 0 ? metricsOf(settings, gateway) : null,
		traces: tracesOf(settings),
		tableSpeed: settings.TABLE_SPEED,
		gameProviders: settings.GAME_PROVIDERS,
		roundAlarmMs: settings.ROUND_ALARM_MINUTES * 60_000,
		feeds: feedsOf(settings, values, production),
	};
}

/** @throws Error when there is no recording to step through */
function feedsOf(
	settings: v.InferOutput<typeof Settings>,
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

/** Of an engine of some pools, figures name them: Prometheus has those of all engines. */
function metricsOf(
	{ METRICS_PORT: port, METRICS_HOST: host, POOLS: pools }: v.InferOutput<typeof Settings>,
	isGateway: boolean,
): MetricsConfig {
	return { port, host, labels: isGateway || poolsNumber(pools) === 0 ? {} : { pools: poolsText(pools) } };
}

function paymentsOf(settings: v.InferOutput<typeof Settings>): PaymentsConfig {
	return {
		orderMs: settings.PAYMENT_ORDER_SECONDS * 1000,
		simulatedDelayMs: settings.SIM_PAYMENT_SECONDS * 1000,
		pollMs: settings.PAYMENT_POLL_SECONDS * 1000,
		webhookKeys: Object.fromEntries(listed(settings.PAYMENT_WEBHOOK_KEYS).map((pair) => pair.split(/:(.*)/s))),
	};
}

/** @throws Error if a part is missing, or keys would cross a network in the clear */
function hyperswitchOf(settings: v.InferOutput<typeof Settings>, production: boolean): Config['hyperswitch'] {
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

/** @throws Error for a second gateway without a first one */
function smsOf(settings: v.InferOutput<typeof Settings>): Config['sms'] {
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

/** A stall ends no connections, so a process without connections is given up sooner than one that may be busy. */
const LONGEST_GONE_MS = 250;

/** A standby that took over writes the rows that the next standby follows. @throws Error without a database */
function standbyOf(
	{ COMMAND_ROWS, STANDBY_SILENCE_MS, DATABASE_URL }: v.InferOutput<typeof Settings>,
	isStandby: boolean,
): Pick<Config, 'commandRows' | 'freshMs' | 'standby'> {
	const goneMs = Math.min(STANDBY_SILENCE_MS / 2, LONGEST_GONE_MS);
	if (!isStandby) return { commandRows: COMMAND_ROWS === 'on', freshMs: goneMs, standby: null };
	if (!DATABASE_URL) throw new Error('A standby needs DATABASE_URL, the database that it shares with the exchange.');
	return { commandRows: true, freshMs: goneMs, standby: { silenceMs: STANDBY_SILENCE_MS, goneMs } };
}

/** Plain connections are only for this machine. @throws Error if a file cannot be read, or one of two is missing */
function streamOf({
	STREAM_PORT,
	STREAM_TLS_CERT,
	STREAM_TLS_KEY,
	HOST,
}: v.InferOutput<typeof Settings>): StreamConfig {
	const authenticateMs = 15_000;
	if (!STREAM_TLS_CERT && !STREAM_TLS_KEY) return { port: STREAM_PORT, host: '127.0.0.1', tls: null, authenticateMs };
	if (!STREAM_TLS_CERT || !STREAM_TLS_KEY) throw new Error('STREAM_TLS_CERT and STREAM_TLS_KEY belong together.');
	const tls = { cert: readFileSync(STREAM_TLS_CERT, 'utf8'), key: readFileSync(STREAM_TLS_KEY, 'utf8') };
	return { port: STREAM_PORT, host: HOST, tls, authenticateMs };
}

function tracesOf(settings: v.InferOutput<typeof Settings>): TracesConfig | null {
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

/** Headers as OpenTelemetry writes them in a variable: `name=value,name=value`; null when they cannot be sent. */
function headersIn(text: string): Record<string, string> | null {
	try {
		const pairs = listed(text).map((pair) => /^([\w-]+)\s*=\s*(.*)$/.exec(pair));
		const headers = pairs.map((pair): [string, string] => [pair?.[1] ?? '', decodeURIComponent(pair?.[2] ?? '')]);
		const isSound = headers.every(([name, value]) => name !== '' && /^[\x20-\x7e]*$/.test(value));
		return isSound ? Object.fromEntries(headers) : null;
	} catch {
		return null;
	}
}

/** @throws Error if tokens made with the key could be forged by guessing it */
function checkTokenKey(key: string | undefined): void {
	if (!key) throw new Error('TOKEN_KEY is required in production.');
	const reason = whyGuessable(key);
	if (reason) throw new Error(`TOKEN_KEY could be guessed: ${reason}. Make one with: openssl rand -base64 32`);
}

function betfairOf(settings: v.InferOutput<typeof Settings>): BetfairConfig {
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
