/** The accepted values of the environment and the options, and the message for others. */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '#server/process/config.ts';

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'backlay-config-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const read = (environment: Record<string, string>, ...args: string[]) => readConfig(args, environment, folder);
const SECRET = 'x'.repeat(32);

describe('a configuration', () => {
	it('has an SMS gateway only with its address', () => {
		expect(read({}).sms).toBeNull();
		expect(read({ SMS_GATEWAY_URL: 'https://sms.example/send', SMS_GATEWAY_KEY: 'k' }).sms).toEqual({
			url: 'https://sms.example/send',
			key: 'k',
			sender: 'BACKLAY',
		});
		expect(() => read({ SMS_GATEWAY_URL: 'sms' })).toThrow('SMS_GATEWAY_URL must be an address.');
	});

	it('has a mail server only with its address and the sender’s, and alarms by mail only with one', () => {
		expect(read({}).mail).toBeNull();
		const named = { MAIL_FROM: 'no-reply@brand.example' };
		expect(read({ ...named, SMTP_URL: 'smtp://u%40x:p%3Aw@mail.example' }).mail).toEqual({
			host: 'mail.example',
			port: 587,
			isSecure: false,
			needsTls: false,
			login: { user: 'u@x', password: 'p:w' },
			from: 'no-reply@brand.example',
		});
		const secure = read({ ...named, SMTP_URL: 'smtps://mail.example:4465', ALARM_MAIL_TO: 'a@x.example, b@x.example' });
		expect(secure.mail).toMatchObject({ port: 4465, isSecure: true, login: null });
		expect(secure.alarmMails).toEqual(['a@x.example', 'b@x.example']);
		expect(() => read({ SMTP_URL: 'smtp://mail.example' })).toThrow('Mail needs SMTP_URL and MAIL_FROM.');
		expect(() => read({ ALARM_MAIL_TO: 'a@x.example' })).toThrow('Mail needs SMTP_URL and MAIL_FROM.');
		expect(() => read({ ...named, SMTP_URL: 'mail.example' })).toThrow('SMTP_URL must be an address');
		expect(() => read({ SMTP_URL: 'smtp://x', MAIL_FROM: 'Brand <a@x.example>' })).toThrow('MAIL_FROM must be');
		expect(() => read({ ALARM_MAIL_TO: 'the ops team' })).toThrow('ALARM_MAIL_TO must be');
	});

	it('has a log-in of the company only with the issuer, the client and the secret', () => {
		expect(read({}).signOn).toBeNull();
		const named = { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'console', OIDC_CLIENT_SECRET: 's' };
		expect(read(named).signOn).toEqual({
			issuer: 'https://id.example',
			clientId: 'console',
			clientSecret: 's',
			name: 'company account',
		});
		expect(() => read({ OIDC_ISSUER: 'https://id.example' })).toThrow('OIDC_CLIENT_ID and OIDC_CLIENT_SECRET');
		expect(() => read({ ...named, OIDC_ISSUER: 'id.example' })).toThrow('OIDC_ISSUER must be an address');
		const production = { NODE_ENV: 'production', TOKEN_KEY: randomBytes(32).toString('base64') };
		expect(() => read({ ...named, ...production, OIDC_ISSUER: 'http://id.example' })).toThrow('https://');
		const mail = { SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'a@x.example' };
		expect(read({ ...production, ...mail }).mail?.needsTls).toBe(true);
	});

	it('has traces only with a collector’s address', () => {
		expect(read({ OTEL_TRACES_SAMPLER: 'parentbased_always_on' }).traces).toBeNull();
		expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' }).traces).toEqual({
			url: 'http://collector:4318/v1/traces',
			headers: {},
			serviceName: 'backlay',
			ratio: 0.01,
		});
		const chosen = {
			OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
			OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/in?for=us',
			OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20key%2Cencoded==, x-team=us',
			OTEL_SERVICE_NAME: 'exchange',
			OTEL_TRACES_SAMPLER_ARG: '0.25',
		};
		expect(read(chosen).traces).toEqual({
			url: 'https://traces.example/in?for=us',
			headers: { 'x-key': 'a key,encoded==', 'x-team': 'us' },
			serviceName: 'exchange',
			ratio: 0.25,
		});
		expect(read({ ...chosen, OTEL_TRACES_SAMPLER: 'parentbased_always_off' }).traces?.ratio).toBe(0);
		expect(read({ ...chosen, OTEL_TRACES_SAMPLER: 'parentbased_always_on' }).traces?.ratio).toBe(1);
	});

	it('has all pools in one engine, or those that are named, in one order', () => {
		const { pools, engines, tokenKey, feeds } = read({ TOKEN_KEY: SECRET });
		expect([pools, engines]).toEqual([['DEMO', 'PLAY', 'REAL'], [{ pools, tokenKey }]]);
		const some = read({ POOLS: 'PLAY, DEMO', TOKEN_KEY: SECRET, METRICS_PORT: '9464' });
		expect(some.pools).toEqual(['DEMO', 'PLAY']);
		expect(some.metrics?.labels).toEqual({ pools: 'DEMO,PLAY' });
		// Engines that play one match at two speeds would tell each other’s results.
		const seeds = ['DEMO', 'PLAY', 'REAL', 'DEMO,PLAY', 'DEMO,REAL', 'PLAY,REAL'].map(
			(POOLS) => read({ POOLS, NATS_URL: 'nats://here', TOKEN_KEY: SECRET }).feeds.seed,
		);
		expect(new Set([...seeds, feeds.seed]).size).toBe(7);
		const further = ['DEMO-EUR', 'PLAY-EUR,REAL-EUR', 'REAL-JPY'].map(
			(POOLS) => read({ POOLS, NATS_URL: 'nats://here', TOKEN_KEY: SECRET }).feeds.seed,
		);
		expect(new Set([...seeds, feeds.seed, ...further]).size).toBe(10);
		expect(read({ POOLS: 'DEMO,PLAY,REAL,PLAY-EUR', TOKEN_KEY: SECRET }).feeds.seed).toBe(feeds.seed);
	});

	it('of a gateway names the engines behind it, each with its pools and its key', () => {
		const other = 'y'.repeat(32);
		const gateway = (ENGINES: string) => read({ ENGINES, NATS_URL: 'nats://here' }, '--gateway').engines;
		expect(gateway(`REAL:${SECRET};DEMO,PLAY:${other}:;`)).toEqual([
			{ pools: ['REAL'], tokenKey: SECRET },
			{ pools: ['DEMO', 'PLAY'], tokenKey: `${other}:` },
		]);
		const shape = 'ENGINES must be POOLS:TOKEN_KEY of each engine, with semicolons between.';
		expect(() => gateway('REAL')).toThrow(shape);
		expect(() => gateway(`GOLD:${SECRET}`)).toThrow(shape);
		expect(() => gateway(`REAL:${SECRET};DEMO:${SECRET}`)).toThrow('ENGINES must have a TOKEN_KEY of its own');
		expect(() => gateway(`REAL:${SECRET};DEMO,REAL:${other}`)).toThrow('ENGINES must name each pool once.');
		const production = { ENGINES: `REAL:${SECRET}`, NATS_URL: 'nats://here', NODE_ENV: 'production' };
		expect(() => read(production, '--gateway')).toThrow('TOKEN_KEY could be guessed');
	});

	it.each([',', 'GOLD', 'DEMO,DEMO', 'real', 'DEMO;PLAY'])('is refused with the pools %j', (POOLS) => {
		expect(() => read({ POOLS })).toThrow('POOLS must be DEMO, PLAY, REAL, DEMO-EUR, ');
	});

	it('of demo players alone is refused without a way to the domains', () => {
		expect(() => read({ POOLS: 'DEMO' })).toThrow('An engine of DEMO alone needs NATS_URL');
	});

	it('has eight connections to the database, or as many as it says, and never fewer than a start needs', () => {
		expect(read({}).databaseConnections).toBe(8);
		expect(read({ DATABASE_CONNECTIONS: '3' }).databaseConnections).toBe(3);
		expect(() => read({ DATABASE_CONNECTIONS: '2' })).toThrow('DATABASE_CONNECTIONS');
	});

	it('gives an exchange up sooner when it has no connections than when it is silent, and never at once', () => {
		const environment = { DATABASE_URL: 'postgres://localhost/x' };
		expect(read(environment, '--standby').standby).toEqual({ silenceMs: 300, goneMs: 60 });
		expect(read({ ...environment, STANDBY_SILENCE_MS: '150' }, '--standby').standby).toEqual({
			silenceMs: 150,
			goneMs: 30,
		});
	});

	it('prefers an option to the environment, and both to the default', () => {
		expect(read({}).port).toBe(3000);
		expect(read({ PORT: '3100' }).port).toBe(3100);
		expect(read({ PORT: '3100' }, '--port', '3200').port).toBe(3200);
	});

	it('needs nothing: the data folder keeps the generated secret, for its owner only', () => {
		const first = read({});
		expect(read({}).tokenKey).toBe(first.tokenKey);
		expect(first.tokenKey.length).toBeGreaterThanOrEqual(32);
		expect(readFileSync(join(folder, 'token.key'), 'utf8').trim()).toBe(first.tokenKey);
		expect(statSync(join(folder, 'token.key')).mode & 0o777).toBe(0o600);
	});

	it('has the recording’s own speed', () => {
		expect(read({ SIM_SPEED: '5' }, '--recording', 'm.bz2', '--speed', '60').feeds).toMatchObject({ speed: 60 });
		expect(read({ SIM_SPEED: '5' }).feeds).toMatchObject({ speed: 5, recordings: [] });
	});

	it('plays simulated sports by default outside production alone, and none without feeds', () => {
		const TOKEN_KEY = createHash('sha256').update('simulated sports').digest('base64');
		const isOn = (environment: Record<string, string>, ...args: string[]) =>
			read(environment, ...args).feeds.simulatedSports;
		const production = { NODE_ENV: 'production', TOKEN_KEY };
		expect([isOn({}), isOn(production)]).toEqual([true, false]);
		expect(isOn({ ...production, SIMULATED_SPORTS: 'on' })).toBe(true);
		expect(isOn({ SIMULATED_SPORTS: 'off' })).toBe(false);
		expect(isOn({ SIMULATED_SPORTS: 'on' }, '--no-feeds')).toBe(false);
	});

	it('keeps Betfair beside --no-feeds, which leaves out recordings and simulated sports', () => {
		const betfair = { BETFAIR_APP_KEY: 'key', BETFAIR_USERNAME: 'name', BETFAIR_PASSWORD: 'word', RECORDING: '/m.bz2' };
		expect(read(betfair, '--no-feeds').feeds).toMatchObject({
			simulatedSports: false,
			recordings: [],
			betfair: { appKey: 'key' },
		});
	});

	it('names recordings as files and folders, scores included', () => {
		const several = ['--recording', '/a/m.bz2', '--recording', '/b', '--score', '/s.bz2'];
		expect(read({}, ...several).feeds.recordings).toEqual(['/a/m.bz2', '/b', '/s.bz2']);
		expect(read({ RECORDING: '/a/m.bz2, /b' }).feeds.recordings).toEqual(['/a/m.bz2', '/b']);
	});
});

describe('an invalid configuration', () => {
	it.each([
		['a port that is none', { PORT: '70000' }, 'PORT'],
		['a port in words', { PORT: 'http' }, 'PORT must be a number.'],
		['an unknown environment', { NODE_ENV: 'prod' }, 'NODE_ENV must be'],
		['a short secret', { TOKEN_KEY: 'short' }, 'TOKEN_KEY must have at least 32 characters.'],
		['production without a secret', { NODE_ENV: 'production' }, 'TOKEN_KEY is required in production.'],
		['a collector without an address', { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, 'must be an address'],
		['a protocol without a client', { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'OTEL_EXPORTER_OTLP_PROTOCOL must be'],
		['a header without a name', { OTEL_EXPORTER_OTLP_HEADERS: '=key' }, 'OTEL_EXPORTER_OTLP_HEADERS must be'],
		['a header that breaks lines', { OTEL_EXPORTER_OTLP_HEADERS: 'a=b%0Ac' }, 'OTEL_EXPORTER_OTLP_HEADERS must be'],
		['a header that is not encoded', { OTEL_EXPORTER_OTLP_HEADERS: 'a=100%' }, 'OTEL_EXPORTER_OTLP_HEADERS must be'],
		['another sampler', { OTEL_TRACES_SAMPLER: 'traceidratio' }, 'OTEL_TRACES_SAMPLER must be'],
		['more than all calls', { OTEL_TRACES_SAMPLER_ARG: '1.5' }, 'OTEL_TRACES_SAMPLER_ARG must be at most 1.'],
		['a speed of nothing', { SIM_SPEED: '0' }, 'SIM_SPEED must be at least'],
	])('is refused with a message: %s', (_, environment, sentence) => {
		expect(() => read(environment)).toThrow(sentence);
	});

	it.each([
		['one character', 'x'.repeat(64), 'too few different characters'],
		['a short alphabet', '0101101011101010'.repeat(4), 'too few different characters'],
		['digits', '83746510293847561029384756102938', 'digits only'],
		['a repeated piece', 'k7Gq2ZpX9v'.repeat(5), 'repeats itself'],
		['a row of characters', 'abcdefghijklmnopqrstuvwxyz0123456789', 'follows a pattern'],
		['a row of keys', 'qwertyuiopasdfghjklzxcvbnm1234567890', 'follows a pattern'],
		['a sentence', 'this is the secret key of our production server', 'made of words'],
		['words between signs', 'Backlay-Production-Token-Key-2026!!', 'made of words'],
		['the placeholder of an example', 'replace_this_with_a_long_random_string', 'made of words'],
	])('in production, a TOKEN_KEY that could be guessed is refused: %s', (_, TOKEN_KEY, reason) => {
		const start = () => read({ NODE_ENV: 'production', TOKEN_KEY });
		expect(start).toThrow(new RegExp(`^TOKEN_KEY could be guessed: .*${reason}.*openssl rand -base64 32$`));
		expect(read({ NODE_ENV: 'test', TOKEN_KEY }).tokenKey).toBe(TOKEN_KEY);
	});

	it.each(['hex', 'base64', 'base64url'] as const)('in production, random bytes in %s are a TOKEN_KEY', (encoding) => {
		// Made from a fixed seed, so that the test is the same in every run.
		for (let seed = 0; seed < 200; seed++) {
			const TOKEN_KEY = createHash('sha256').update(`seed ${seed}`).digest(encoding);
			expect(read({ NODE_ENV: 'production', TOKEN_KEY }).tokenKey).toBe(TOKEN_KEY);
		}
	});

	it('is refused with all messages at once', () => {
		expect(() => read({ PORT: 'x', SIM_SPEED: 'y' })).toThrow(/PORT[\s\S]*SIM_SPEED/);
	});

	it.each([
		['empty', ''],
		['a line without text', ' \n'],
		['cut', 'q83vEjRWeJA'],
	])('with a token.key that is %s is refused, and the file stays as it is', (_, text) => {
		const file = join(folder, 'token.key');
		writeFileSync(file, text);
		expect(() => read({})).toThrow(`${file} has no key of at least 32 characters. Put the file back from a backup`);
		expect(readFileSync(file, 'utf8')).toBe(text);
		expect(read({ TOKEN_KEY: SECRET }).tokenKey).toBe(SECRET);
	});

	it('without the token.key that its database had is refused, and none is made', () => {
		mkdirSync(join(folder, 'postgres'));
		expect(() => read({})).toThrow(`There is a database, and no ${join(folder, 'token.key')}. Put the file back`);
		expect(existsSync(join(folder, 'token.key'))).toBe(false);
		expect(read({ TOKEN_KEY: SECRET }).tokenKey).toBe(SECRET);
	});

	it('with an unknown option is refused', () => {
		expect(() => read({ TOKEN_KEY: SECRET }, '--prot', '3000')).toThrow('--prot');
	});
});
