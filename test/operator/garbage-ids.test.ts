/** Ids that are none, of every act that takes one: each is refused by name, and nothing fails inside. */
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { KEY_CALLS, SHARED_CALLS } from '#contract/operators/registry.ts';
import { CALLS, type CallName } from '#contract/registry.ts';
import { actsIn } from '#server/operators/all-acts.ts';
import { freshRequestId } from '../support/match.ts';
import type { TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { signUp } from '../support/sign-up.ts';
import { validInput } from '../support/valid-input.ts';
import { IS_WHOLE } from '../support/whole-run.ts';

let server: TestServer;
beforeAll(async () => {
	server = await sharedServer();
});

const WITH_IDS = actsIn({ ...SHARED_CALLS, ...KEY_CALLS }).flatMap(({ name, input }) =>
	Object.keys(input.entries)
		.filter((field) => field === 'id' || field.endsWith('Id'))
		.map((field) => [name, field, input] as const),
);
const GARBAGE = ['abc', 'WITHDRAWAL-', '-1', '1e9', '12.5', '١٢', '99999999999999999999', ' 7', "7'--"];
/** Ids are read alike everywhere: `npm test` gives each field a third of them in turn, and the thorough tests all. */
const PARTS = IS_WHOLE ? 1 : 3;
const garbageFor = (place: number): string[] => GARBAGE.filter((_, at) => (at + place) % PARTS === 0);
/** Well written, and nothing of ours. */
const UNKNOWN = '999999999999999';

describe('an id that is none', () => {
	const rows = WITH_IDS.map((row, place) => [...row, garbageFor(place)] as const);
	it.each(rows)('of %s, as %s, is refused with a code', async (name, field, input, garbage) => {
		const valid = validInput(input) as object;
		const ask = (id: string) => server.operator(name, { ...valid, [field]: id });
		const answers = await Promise.all(garbage.map(ask));
		const refused = answers.map(({ status, code }) => status >= 400 && status < 500 && code !== null);
		expect(refused).toEqual(garbage.map(() => true));
		expect((await ask(UNKNOWN)).status).toBeLessThan(500);
	});

	it('stands in the list above for the acts that name markets, players and workflows', () => {
		const names = new Set<string>(WITH_IDS.map(([name]) => name));
		const expected = ['void', 'payment-decide', 'player', 'abandon', 'round-close', 'postings'];
		expect(expected.filter((name) => !names.has(name))).toEqual([]);
	});
});

const PLAYER_IDS = Object.entries(CALLS).flatMap(([name, { request }]) =>
	Object.keys((request as unknown as { entries?: object }).entries ?? {})
		.filter((field) => field === 'id' || field.endsWith('Id'))
		.map((field) => [name as CallName, field] as const),
);

it('of a player’s call fails inside nowhere, either', async () => {
	const player = await signUp(server);
	for (const [place, [name, field]] of PLAYER_IDS.entries()) {
		for (const id of [...garbageFor(place), UNKNOWN]) {
			const { status } = await server.raw(name, { [field]: id, clientRequestId: freshRequestId() }, player.token);
			expect([name, field, id, status < 500]).toEqual([name, field, id, true]);
		}
	}
});

it('a withdrawal is found by its number, and as its player reads it out, but not under another kind', async () => {
	const player = await signUp(server);
	const details = { method: 'UPI', upiId: 'reader@bank' } as const;
	const { turnover } = server.brand.setting.funds;
	const setTurnover = (value: number) =>
		server.act('brand-set', { host: 'localhost', field: 'funds.turnover', value: String(value) });
	await setTurnover(0);
	onTestFinished(async () => void (await setTurnover(turnover)));
	const asked = { amount: 500, details, clientRequestId: freshRequestId() };
	const { id } = await server.result('createWithdrawal', asked, player.token);
	expect(id).toMatch(/^WITHDRAWAL-\d+$/);
	for (const spoken of [id, id.replace('WITHDRAWAL-', '')])
		expect(await server.act('payment-show', { kind: 'WITHDRAWAL', id: spoken })).toMatchObject({ amount: 500 });
	expect((await server.operator('payment-show', { kind: 'DEPOSIT', id })).code).toBe('VALIDATION_FAILED');
});
