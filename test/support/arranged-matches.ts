/** Real matches that look arranged: one player loses to another, far off the market that others make. */
import { betOn, openTestMatch, type TestMatch } from './match.ts';
import type { Player, TestServer } from './server.ts';
import { signUp } from './sign-up.ts';

export interface Pair {
	one: Player & { userName: string };
	other: Player & { userName: string };
}

export const newPair = async (server: TestServer): Promise<Pair> => ({
	one: await signUp(server),
	other: await signUp(server),
});

interface Trade {
	price: number;
	stake: number;
}

async function matched(server: TestServer, match: TestMatch, { one, other }: Pair, trade: Trade): Promise<void> {
	await server.result('placeBetV2', betOn(match, { ...trade, side: 'BACK' }), one.token);
	await server.result('placeBetV2', betOn(match, { ...trade, side: 'LAY' }), other.token);
}

/** In each of the markets, the first one loses ₹400 to the second. */
export async function arrangeLosses(server: TestServer, pair: Pair, markets: number): Promise<void> {
	const others = await newPair(server);
	for (let count = 0; count < markets; count++) {
		const match = await openTestMatch(server);
		await matched(server, match, others, { price: 2, stake: 10 });
		await matched(server, match, pair, { price: 3, stake: 400 });
		await matched(server, match, others, { price: 2, stake: 10 });
		await match.settle(1);
	}
}
