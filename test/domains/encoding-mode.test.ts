/** The encoding mode `X-Enc: 1`: the same calls, with bodies and queries of one canonical form and nothing beside it. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Envelope } from '#contract/call.ts';
import { betOn, openTestMatch, type TestMatch } from '../support/match.ts';
import { answered, bearer, type TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

let server: TestServer;
let match: TestMatch;
let token: string;
beforeAll(async () => {
	server = await sharedServer();
	match = await openTestMatch(server);
	({ token } = await server.demoPlayer());
});

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const encodeText = (text: string): string => Buffer.from(text).toString('base64url');
const decode = (text: string): Envelope => JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as Envelope;

const headers = (mode: string) => ({ 'X-Enc': mode, ...bearer(token) });

/** An answer that must be encoded itself. */
async function decoded(response: Response): Promise<{ status: number; envelope: Envelope }> {
	expect(response.headers.get('x-enc')).toBe('1');
	const body = (await response.json()) as { d: string };
	expect(Object.keys(body)).toEqual(['d']);
	return { status: response.status, envelope: decode(body.d) };
}

const get = (path: string, mode = '1') => fetch(`${server.url}/${path}`, { headers: headers(mode) });
const post = (path: string, body: string, mode = '1') => server.post(path, body, headers(mode));

/** The code of a POST refused in the mode. */
async function refusal(body: string, path = 'Bet/PlaceBetV2'): Promise<string | undefined> {
	const { status, envelope } = await decoded(await post(path, body));
	expect(status).toBe(400);
	return envelope.error?.code;
}

describe('in the encoding mode', () => {
	it('a body is decoded and the answer encoded', async () => {
		const { status, envelope } = await decoded(
			await post('Bet/PlaceBetV2', JSON.stringify({ d: encode(betOn(match, { price: 7 })) })),
		);
		expect(status).toBe(200);
		expect(envelope).toMatchObject({ success: true, result: { status: 'UNMATCHED', stake: 100 } });
	});

	it('a query is decoded and the answer encoded', async () => {
		const query = encode({ marketId: match.marketId });
		const { envelope } = await decoded(await get(`Odds/GetUserLimits?d=${query}`));
		expect(envelope.result).toMatchObject({ minStake: 10 });
	});

	it('text beyond ASCII survives both ways', async () => {
		const stakes = [{ title: '₹ एक 🏏', value: 100 }];
		const { envelope } = await decoded(await post('UserStake/Add', JSON.stringify({ d: encode({ stakes }) })));
		expect(envelope.result).toEqual({ stakes });
	});

	it('{} is e30, in a query, in a body, and where nothing is sent', async () => {
		expect(encode({})).toBe('e30');
		for (const path of ['Account/GetUserInfo?d=e30', 'Account/GetUserInfo']) {
			expect((await decoded(await get(path))).envelope.success).toBe(true);
		}
		const { envelope } = await decoded(await post('Bet/GetUserBetHistory', '{"d":"e30"}'));
		expect(envelope.result).toMatchObject({ items: [] });
	});

	it('refusals are encoded as well: of the call, of the login, of the path', async () => {
		const tooDear = await decoded(
			await post('Bet/PlaceBetV2', JSON.stringify({ d: encode(betOn(match, { stake: 400_000 })) })),
		);
		expect([tooDear.status, tooDear.envelope.error?.code]).toEqual([422, 'INSUFFICIENT_FUNDS']);
		const stranger = await fetch(`${server.url}/Account/GetUserInfo`, { headers: { 'X-Enc': '1' } });
		expect((await decoded(stranger)).envelope).toMatchObject({ unAuthorizedRequest: true });
		expect((await decoded(await get('Nothing/Here'))).envelope.error?.code).toBe('NOT_FOUND');
	});

	it('validation errors name the decoded fields', async () => {
		const { envelope } = await decoded(await get(`event/GetBySportName?d=${encode({ sportName: 7 })}`));
		expect(envelope.error?.validationErrors.map(({ member }) => member)).toEqual(['sportName']);
	});

	const bet = () => betOn(match);
	it.each([
		['a plain body', () => JSON.stringify(bet())],
		['a plain field beside the encoded', () => JSON.stringify({ d: encode(bet()), stake: 5 })],
		['two encoded fields', () => JSON.stringify({ d: encode(bet()), e: encode(bet()) })],
		['a number', () => '{"d":7}'],
		['a list', () => JSON.stringify({ d: [encode(bet())] })],
		['nothing in it', () => '{"d":""}'],
		['padding', () => JSON.stringify({ d: `${encodeText('{"a":1}')}=` })],
		['the other alphabet', () => JSON.stringify({ d: Buffer.from('{"a":"???>>>"}').toString('base64') })],
		['a space', () => JSON.stringify({ d: `${encode(bet())} ` })],
		['a line end', () => JSON.stringify({ d: `${encode(bet())}\n` })],
		['bits that mean nothing', () => JSON.stringify({ d: 'e31' })],
		['one character too many', () => JSON.stringify({ d: `${encode({})}A` })],
		['bytes that are no UTF-8', () => JSON.stringify({ d: Buffer.from([0x7b, 0xff, 0x7d]).toString('base64url') })],
		['a byte order mark', () => JSON.stringify({ d: encodeText('\uFEFF{}') })],
		['JSON without an end', () => JSON.stringify({ d: encodeText('{"a":') })],
		['an array', () => JSON.stringify({ d: encode([]) })],
		['a text', () => JSON.stringify({ d: encode('{}') })],
		['what was encoded twice', () => JSON.stringify({ d: encode(encode(bet())) })],
		['a key twice', () => JSON.stringify({ d: encodeText('{"stake":1,"stake":2}') })],
		['a key twice outside', () => '{"d":"e30","d":"e30"}'],
	])('%s is refused', async (_, body) => {
		expect(['BAD_ENCODING', 'MALFORMED_JSON']).toContain(await refusal(body()));
	});

	it('is decoded once: an encoded field inside it is an ordinary field', async () => {
		expect(await refusal(JSON.stringify({ d: encode({ d: encode(bet()) }) }))).toBe('VALIDATION_FAILED');
	});

	it('a plain query beside an encoded body is refused, whichever of them the call reads', async () => {
		const body = JSON.stringify({ d: encode(bet()) });
		expect(await refusal(body, 'Bet/PlaceBetV2?stake=5')).toBe('BAD_ENCODING');
		const { envelope } = await decoded(await get(`Odds/GetUserLimits?d=${encode({})}&marketId=${match.marketId}`));
		expect(envelope.error?.code).toBe('BAD_ENCODING');
		expect((await decoded(await get('event/GetBySportName?sportName=cricket'))).envelope.error?.code).toBe(
			'BAD_ENCODING',
		);
	});

	it('an amount with an exponent is refused, encoded or not', async () => {
		const text = JSON.stringify(bet()).replace('"stake":100', '"stake":1e2');
		expect(await refusal(JSON.stringify({ d: encodeText(text) }))).toBe('INVALID_AMOUNT');
	});
});

describe('another version', () => {
	it.each(['0', '2', '1.0', 'true', '1, 1', '', ' '])('“%s” is refused, and answered plainly', async (mode) => {
		const response = await post('Bet/PlaceBetV2', JSON.stringify({ d: encode(betOn(match)) }), mode);
		expect(response.status).toBe(400);
		expect(response.headers.get('x-enc')).toBeNull();
		expect(await response.json()).toMatchObject({ error: { code: 'BAD_ENCODING' } });
	});
});

describe('without the header', () => {
	it('an encoded body is an unknown field', async () => {
		const body = JSON.stringify({ d: encode(betOn(match)) });
		const { code } = await answered(await server.post('Bet/PlaceBetV2', body, bearer(token)));
		expect(code).toBe('VALIDATION_FAILED');
	});
});
