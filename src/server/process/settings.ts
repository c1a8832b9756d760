/** The variables of the environment: the form of each, and its default. */
import * as v from 'valibot';
import { GameProviders } from '#server/money/casino/providers/provider.ts';
import { ORDER_TAG } from '#server/money/funds/payments/hyperswitch/ids.ts';
import { LEAST_KEY } from '#server/platform/keys/token-key.ts';
import { ApproversSetting } from '#server/process/health/release-approval.ts';
import { listed } from '#server/process/listed.ts';
import { EnginesSetting, PoolsSetting } from '#server/process/pool-settings.ts';
import { isMailAddress } from '#values/mail-address.ts';
import { HOME_POOLS, poolsText } from '#values/pools.ts';
import { HOME_ZONE, isZone } from '#values/zoned-calendar.ts';

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

export const Settings = v.object({
	PORT: v.optional(wholeNumber('PORT', 0, 65_535), '3000'),
	HOST: v.optional(v.string(), '0.0.0.0'),
	DATA_DIR: v.string(),
	DATABASE_URL: v.optional(v.string(), ''),
	DATABASE_CONNECTIONS: v.optional(wholeNumber('DATABASE_CONNECTIONS', 3, 1_000), '8'),
	WAL_ARCHIVE: v.optional(v.string(), ''),
	POOLS: v.optional(PoolsSetting, poolsText(HOME_POOLS)),
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
	LOCATION_FILE: v.optional(v.string(), ''),
	EXCLUSION_LIST_URL: v.optional(httpAddress('EXCLUSION_LIST_URL'), ''),
	EXCLUSION_LIST_KEY: v.optional(v.string(), ''),
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
	STANDBY_SILENCE_MS: v.optional(wholeNumber('STANDBY_SILENCE_MS', 150, 60_000), '300'),
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
	ALARM_MAIL_TO: v.optional(
		v.pipe(
			v.string(),
			v.check(
				(text) => listed(text).every(isMailAddress),
				'ALARM_MAIL_TO must be mail addresses, with commas between.',
			),
		),
		'',
	),
	SMTP_URL: v.optional(
		v.pipe(
			v.string(),
			v.check(
				(text) =>
					text === '' || (/^smtps?:$/.test(URL.parse(text)?.protocol ?? '') && URL.parse(text)?.hostname !== ''),
				'SMTP_URL must be an address that begins with smtp:// or smtps://.',
			),
		),
		'',
	),
	MAIL_FROM: v.optional(
		v.pipe(
			v.string(),
			v.check((text) => text === '' || isMailAddress(text), 'MAIL_FROM must be a mail address without a name.'),
		),
		'',
	),
	TIME_SOURCE: v.optional(
		v.pipe(
			v.string(),
			v.check(
				(text) => text === '' || /^(ntp|https?):$/.test(URL.parse(text)?.protocol ?? ''),
				'TIME_SOURCE must be an address that begins with ntp://, http:// or https://.',
			),
		),
		'',
	),
	OIDC_ISSUER: v.optional(httpAddress('OIDC_ISSUER'), ''),
	OIDC_CLIENT_ID: v.optional(v.string(), ''),
	OIDC_CLIENT_SECRET: v.optional(v.string(), ''),
	OIDC_NAME: v.optional(v.pipe(v.string(), v.maxLength(40, 'OIDC_NAME has at most 40 characters.')), 'company account'),
	RELEASE_DIGEST: v.optional(
		v.pipe(v.string(), v.regex(/^([0-9a-f]{64})?$/, 'RELEASE_DIGEST must have 64 hexadecimal digits.')),
		'',
	),
	RELEASE_KEYS: v.optional(ApproversSetting, ''),
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
	BEACON_RELAYS: v.optional(
		v.pipe(
			v.string(),
			v.regex(/^(https?:\/\/[^\s,]+(,|$))*$/, 'BEACON_RELAYS must be addresses, with commas between.'),
		),
		'',
	),
	TABLE_SPEED: v.optional(number('TABLE_SPEED', 1, 100), '1'),
	BOOKS_ZONE: v.optional(
		v.pipe(v.string(), v.check(isZone, 'BOOKS_ZONE must be a time zone, such as Europe/London.')),
		HOME_ZONE,
	),
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

export type SettingValues = v.InferOutput<typeof Settings>;

/** The variables that the server reads. */
export const SETTING_NAMES: readonly string[] = Object.keys(Settings.entries);

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
