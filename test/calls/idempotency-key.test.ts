/** The header `Idempotency-Key`: the call's own key once more, or refused. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Call, takesRequestId } from '#contract/call.ts';
import { CALLS } from '#contract/registry.ts';
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

const post = (body: object, key: string, more: Record<string, string> = {}) =>
	server.post('Bet/PlaceBetV2', JSON.stringify(body), { ...bearer(token), 'Idempotency-Key': key, ...more });
const place = async (body: object, key: string) => answered<{ betId: string }>(await post(body, key));

describe('the header Idempotency-Key', () => {
	it('may repeat the clientRequestId, bare or as a quoted string', async () => {
		const bet = betOn(match, { price: 7 });
		const first = await place(bet, bet.clientRequestId);
		const again = await place(bet, `"${bet.clientRequestId}"`);
		expect(first.status).toBe(200);
		expect(again.body.result).toEqual(first.body.result);
	});

	it('is refused when it has another key, and no bet is placed', async () => {
		const bet = betOn(match, { price: 7 });
		const before = await server.result('getUserOpenBets', {}, token);
		const { status, code } = await place(bet, 'another-key-1');
		expect([status, code]).toEqual([400, 'WRONG_IDEMPOTENCY_KEY']);
		const { clientRequestId, ...without } = bet;
		expect((await place(without, clientRequestId)).code).toBe('WRONG_IDEMPOTENCY_KEY');
		expect(await server.result('getUserOpenBets', {}, token)).toEqual(before);
	});

	it('is compared with the key of an encoded body', async () => {
		const bet = betOn(match, { price: 7 });
		const body = { d: Buffer.from(JSON.stringify(bet)).toString('base64url') };
		const status = async (key: string) => (await post(body, key, { 'X-Enc': '1' })).status;
		expect([await status('another-key-1'), await status(bet.clientRequestId)]).toEqual([400, 200]);
	});

	const without = Object.entries<Call>(CALLS).filter(([, call]) => !takesRequestId(call));
	it.each(without)('is refused by a call that takes no key: %s', async (_, { method, path }) => {
		const { code } = await server.send(`/${path}`, {
			method,
			...(method === 'POST' ? { body: '{}' } : {}),
			headers: {
				...(method === 'POST' ? { 'Content-Type': 'application/json' } : {}),
				Authorization: `Bearer ${token}`,
				'Idempotency-Key': 'some-key-1',
			},
		});
		expect(code).toBe('WRONG_IDEMPOTENCY_KEY');
	});

	it('belongs to every call that moves money', () => {
		const taking = Object.entries<Call>(CALLS).flatMap(([name, call]) => (takesRequestId(call) ? [name] : []));
		expect(taking).toEqual(expect.arrayContaining(['placeBetV2', 'replaceBet', 'cancelBet', 'cancelAll', 'cashOut']));
	});
});
