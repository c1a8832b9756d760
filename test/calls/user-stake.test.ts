import { beforeAll, expect, it } from 'vitest';
import type { TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

const PASSWORD = 'a long enough Passw0rd!';
let server: TestServer;
beforeAll(async () => {
	server = await sharedServer();
});

it('addUserStake: success, the next login has the presets', async () => {
	const brand = { host: 'localhost', pool: 'PLAY' } as const;
	await server.running.players.createPlayer({ userName: 'Ravi', password: PASSWORD, brand });
	const login = { userNameOrEmailAddress: 'Ravi', password: PASSWORD };
	const { accessToken } = await server.result('authenticate', login);
	const stakes = [
		{ title: 'Tea', value: 10 },
		{ title: '1L', value: 100_000 },
	];
	expect(await server.result('addUserStake', { stakes }, accessToken)).toEqual({ stakes });
	expect((await server.result('authenticate', login)).stakes).toEqual(stakes);
});

it.each([
	['none', []],
	['thirteen', Array.from({ length: 13 }, (_, at) => ({ title: String(at), value: 10 }))],
	['an empty label', [{ title: ' ', value: 10 }]],
	['a negative amount', [{ title: 'x', value: -1 }]],
	['an amount of three decimals', [{ title: 'x', value: 1.005 }]],
])('addUserStake: refusal of %s', async (_, stakes) => {
	const { token } = await server.demoPlayer();
	expect((await server.raw('addUserStake', { stakes }, token)).code).toBe('VALIDATION_FAILED');
});

it('addUserStake: not logged in', async () => {
	expect((await server.call('addUserStake', { stakes: [{ title: 'x', value: 10 }] })).status).toBe(401);
});

it('removes markup from a label, and leaves other words alone', async () => {
	const { token } = await server.demoPlayer();
	const stakes = [{ title: '<b>Like</b> <1k>', value: 10 }];
	expect(await server.result('addUserStake', { stakes }, token)).toEqual({
		stakes: [{ title: 'Like <1k>', value: 10 }],
	});
});
