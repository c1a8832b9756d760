/** Players of a domain of real money, identified and with money, made in the engine's own process before it is measured. */
import { operatorKeyOf } from '#server/operators/operator-key.ts';
import { keptTokenKey } from '#server/platform/keys/kept-token-key.ts';
import type { RunningServer } from '#server/process/serve.ts';

export const REAL_HOST = 'real.localhost';
export const PASSWORD = 'a long enough Passw0rd!';
const RUPEES = 1_000_000;
const RULES = { licence: 'BENCH', countries: ['GB'], identity: 'OPERATOR', location: 'PROXY' };

export const nameOf = (player: number): string => `bench${player}`;

/** The lines of a request's head that a proxy adds: it knows the domain and the country. */
export const REAL_HEAD = `Host: ${REAL_HOST}\r\nX-Forwarded-For: 203.0.113.7\r\nX-Country: GB`;

/** Opens the domain and its players in an engine of real money that runs in this process. */
export async function openRealPlayers(
	{ url, brands, players, exchange }: RunningServer,
	dataDir: string,
	count: number,
): Promise<void> {
	await brands.add(REAL_HOST);
	const brand = await brands.makeReal(REAL_HOST);
	await brands.change(REAL_HOST, [{ field: 'realMoney', value: JSON.stringify(RULES) }]);
	for (let player = 0; player < count; player++) {
		const userName = nameOf(player);
		const { playerId, pool } = await players.createPlayer({ userName, password: PASSWORD, brand });
		const response = await fetch(`${url}/operator/api/verify-identity`, {
			method: 'POST',
			headers: {
				'Content-Type': 'application/json',
				Authorization: `Operator ${operatorKeyOf(keptTokenKey(dataDir))}`,
			},
			body: JSON.stringify({ userName, host: REAL_HOST, age: 18 }),
		});
		if (!response.ok) throw new Error(await response.text());
		const amount = RUPEES * 100;
		await exchange.submit({
			kind: 'transfer',
			walletId: playerId,
			pool,
			steps: [
				{
					workflow: 'ADJUSTMENT',
					from: null,
					to: 'POSTED',
					isOpen: false,
					actor: 'bench',
					data: { amount, isCredit: true, reasonCode: 'TEST', requestedBy: 'bench' },
					moves: [{ debit: 'loss', credit: 'cash', amount, mayOverdraw: true }],
				},
			],
		});
	}
}
