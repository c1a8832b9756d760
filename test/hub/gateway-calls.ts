/** What calls through a gateway have to be like: as calls to the process with the engine. */
import { isDeepStrictEqual } from 'node:util';
import sharp from 'sharp';
import { beforeAll, expect, it } from 'vitest';
import type { Call } from '#contract/call.ts';
import { CALLS, type CallName } from '#contract/registry.ts';
import { fieldsOf, goodInputOf } from '../support/call-inputs.ts';
import { openTestMatch, type TestMatch } from '../support/match.ts';
import { plainRequest } from '../support/plain-request.ts';
import { bearer, type TestServer } from '../support/server.ts';
import { IS_WHOLE } from '../support/whole-run.ts';

/** Logging out ends the login that the tests live by. */
const NAMES = (Object.keys(CALLS) as CallName[]).filter((name) => name !== 'logout');
/** Sealed with another key. */
const FORGED = `${'a'.repeat(22)}.1.${'b'.repeat(43)}`;
/**
 * A gateway answers visitors itself, and passes the calls of players on alike: `npm test` sends each of those as players do
 * and in one other way in turn, and the thorough tests in every way.
 */
/** Of no player, so that both players are refused alike. */
const UNKNOWN_BET = '999999999';
/** Headers that are part of an answer. */
const HEADERS = [
	'content-type',
	'cache-control',
	'retry-after',
	'x-enc',
	'allow',
	'set-cookie',
	'etag',
	'x-request-id',
];

/** A value with its numbers and free texts left out, so that the answers to two players compare. */
function shapeOf(value: unknown): unknown {
	if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
	if (typeof value === 'number' || typeof value === 'string') return typeof value;
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shapeOf(part)]));
}

interface Sent {
	token: string | null;
	input: Record<string, unknown>;
	isEncoded: boolean;
}

async function answerOf(url: string, name: CallName, { token, input, isEncoded }: Sent) {
	const { method, path, from } = CALLS[name] as Call;
	const encoded = { d: Buffer.from(JSON.stringify(input)).toString('base64url') };
	const fields = isEncoded ? encoded : input;
	const query = from === 'query' ? `?${new URLSearchParams(fields as Record<string, string>)}` : '';
	const { status, text, headers } = await plainRequest(`${url}/${path}${query}`, {
		method,
		headers: {
			'X-Request-Id': 'from-the-browser',
			...(token === null ? {} : bearer(token)),
			...(isEncoded ? { 'X-Enc': '1' } : {}),
			...(from === 'query' ? {} : { 'Content-Type': 'application/json' }),
		},
		...(from === 'query' ? {} : { body: JSON.stringify(fields) }),
	});
	const body = JSON.parse(text) as { d?: string };
	const plain = body.d === undefined ? body : JSON.parse(Buffer.from(body.d, 'base64url').toString());
	const { result, ...rest } = plain as { result: unknown };
	const ofAnswer = Object.fromEntries(HEADERS.map((header) => [header, headers[header]]));
	return { status, headers: ofAnswer, ...rest, result: shapeOf(result) };
}

/** @param places the process with the engine, and a gateway */
export function gatewaysAnswerAlike(places: () => { server: TestServer; gatewayUrl: string }): void {
	let match: TestMatch;
	/** One who calls directly, and one who calls through the gateway. */
	let tokens: [string, string];
	beforeAll(async () => {
		const { server } = places();
		match = await openTestMatch(server);
		const [one, other] = [await server.demoPlayer(), await server.demoPlayer()];
		tokens = [one.token, other.token];
	});

	const inputOf = (name: CallName): Record<string, unknown> => {
		const input = goodInputOf(name, match);
		return 'betId' in input ? { ...input, betId: UNKNOWN_BET } : input;
	};

	it.each(NAMES)('%s has the same answer through a gateway', async (name) => {
		const { server, gatewayUrl } = places();
		const field = fieldsOf(CALLS[name])[0];
		// Each request of its own: an id used twice would be a repetition.
		const sent: ((token: string) => Sent)[] = [
			(token) => ({ token, input: inputOf(name), isEncoded: false }),
			(token) => ({ token, input: inputOf(name), isEncoded: true }),
			(token) => ({ token, input: { ...inputOf(name), ...(field ? { [field]: {} } : {}) }, isEncoded: false }),
			() => ({ token: null, input: inputOf(name), isEncoded: false }),
			() => ({ token: FORGED, input: inputOf(name), isEncoded: false }),
		];
		const inTurn = 1 + (NAMES.indexOf(name) % (sent.length - 1));
		const isPassedOn = CALLS[name].auth === 'player' && !IS_WHOLE;
		for (const make of isPassedOn ? sent.filter((_, at) => at === 0 || at === inTurn) : sent) {
			const ask = () => answerOf(server.url, name, make(tokens[0]));
			const askGateway = () => answerOf(gatewayUrl, name, make(tokens[1]));
			let [directly, answer] = [await ask(), await askGateway()];
			// What everybody plays goes on between two questions: then the process has another answer itself.
			while (!CALLS[name].changesState && !isDeepStrictEqual(answer, directly)) {
				const later = await ask();
				if (isDeepStrictEqual(later, directly)) break;
				[directly, answer] = [later, await askGateway()];
			}
			expect(answer).toEqual(directly);
		}
	});

	it('a repeated request has its first answer, wherever it is sent', async () => {
		const { server, gatewayUrl } = places();
		const { token } = await server.demoPlayer();
		const bet = JSON.stringify(goodInputOf('placeBetV2', match));
		const place = async (url: string) => {
			const headers = { ...bearer(token), 'Content-Type': 'application/json' };
			return await (await fetch(`${url}/Bet/PlaceBetV2`, { method: 'POST', body: bet, headers })).json();
		};
		const first = (await place(gatewayUrl)) as { success: boolean };
		expect(first.success).toBe(true);
		expect([await place(server.url), await place(gatewayUrl)]).toEqual([first, first]);
	});

	it('a login that ended at one process is refused at the others at once', async () => {
		const { server, gatewayUrl } = places();
		const { token } = await server.demoPlayer();
		const info = async () => (await fetch(`${gatewayUrl}/Account/GetUserInfo`, { headers: bearer(token) })).status;
		expect(await info()).toBe(200);
		await server.result('logout', {}, token);
		expect(await info()).toBe(401);
	});

	it('an image that is larger than a message of NATS goes to the engine and back', { tags: 'thorough' }, async () => {
		const { server, gatewayUrl } = places();
		const { token } = await server.playPlayer();
		const noise = { type: 'gaussian' as const, mean: 128, sigma: 60 };
		const photo = sharp({ create: { width: 900, height: 900, channels: 3, background: '#000', noise } });
		const bytes = await photo.png().toBuffer();
		expect(bytes.length).toBeGreaterThan(1024 * 1024);
		const post = { method: 'POST', headers: { ...bearer(token), 'Content-Type': 'application/json' } };
		const stored = await fetch(`${gatewayUrl}/Setting/StoreImage`, {
			...post,
			body: JSON.stringify({ image: bytes.toString('base64') }),
		});
		const { result } = (await stored.json()) as { result: { imageRef: string; width: number } };
		expect(result.width).toBe(900);
		const read = await fetch(`${gatewayUrl}/Setting/GetImage?imageRef=${result.imageRef}`, { headers: bearer(token) });
		expect(await read.json()).toEqual({
			...(await server.call('getImage', { imageRef: result.imageRef }, token)).body,
		});
	});

	it('an uploaded picture of a brand comes through the gateway, to no other name', async () => {
		const { server, gatewayUrl } = places();
		const noise = { type: 'gaussian' as const, mean: 128, sigma: 40 };
		const picture = await sharp({ create: { width: 600, height: 600, channels: 3, background: '#000', noise } })
			.png()
			.toBuffer();
		const upload = { host: 'localhost', field: 'authBackgroundImage', image: picture.toString('base64') };
		const { value: path } = await server.act<{ value: string }>('brand-picture', upload);
		const [here, there] = await Promise.all([fetch(`${server.url}${path}`), fetch(`${gatewayUrl}${path}`)]);
		expect(there.headers.get('cache-control')).toBe(here.headers.get('cache-control'));
		const bytes = Buffer.from(await there.arrayBuffer());
		expect(bytes.length).toBeGreaterThan(50_000);
		expect(bytes.equals(Buffer.from(await here.arrayBuffer()))).toBe(true);
		expect((await fetch(`${gatewayUrl}${path.replace('600x600', '600x601')}`)).status).toBe(404);
	});

	it('a changed setting reaches the gateway’s file', async () => {
		const { server, gatewayUrl } = places();
		const title = async () => {
			const file = await fetch(`${gatewayUrl}/domain-settings/localhost.json`);
			return ((await file.json()) as { result: { domainTitle: string } }).result.domainTitle;
		};
		await server.running.brands.change('localhost', [{ field: 'domainTitle', value: 'Renamed' }]);
		await expect.poll(title).toBe('Renamed');
	});
}
