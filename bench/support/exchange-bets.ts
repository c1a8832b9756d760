/** Bets submitted to an exchange without HTTP: their market, their players, and the commands. */
import type { Exchange, Request, RequestKey } from '#server/exchange/exchange.ts';
import { type BetMix, RUNNERS, STAKE_MINOR } from './bet-mix.ts';

type Submit = Exchange['submit'];

export const PLAYERS = 500;
const FIRST_WALLET = 1_000_000;
const MARKET_ID = 1;
/** Enough for any run. */
const FUNDS_MINOR = 1_000_000_000;

/** Opens the market and the players' wallets. */
export async function openTable(submit: Submit): Promise<void> {
	const commands: Request[] = [
		{
			kind: 'open-market',
			marketId: MARKET_ID,
			pools: ['DEMO', 'PLAY'],
			runners: RUNNERS,
			numberOfWinners: 1,
			commissionBp: 200,
			minStake: STAKE_MINOR,
			maxStake: 50_000_000,
			profitRatioRule: true,
			selfMatch: 'REFUSE',
			suspended: false,
		},
	];
	for (let player = 0; player < PLAYERS; player++) {
		const walletId = FIRST_WALLET + player;
		commands.push(
			{ kind: 'open-wallet', walletId, pool: 'DEMO' },
			{ kind: 'grant-coins', grantId: walletId, walletId, amount: FUNDS_MINOR },
		);
	}
	await Promise.all(commands.map((command) => submit(command)));
}

let placed = 0;

/** The next bet with a request id, as the call `PlaceBetV2` hands it to the exchange. */
export function nextBet(mix: BetMix): [Request, RequestKey] {
	const { player, runner, side, price } = mix.next();
	const walletId = FIRST_WALLET + player;
	placed += 1;
	return [
		{ kind: 'place-bet', walletId, marketId: MARKET_ID, runner, side, price, stake: STAKE_MINOR, persist: false },
		{
			walletId,
			clientRequestId: `bench-request-${placed}`,
			body: JSON.stringify(['PlaceBetV2', MARKET_ID, runner, side, price, STAKE_MINOR]),
		},
	];
}
