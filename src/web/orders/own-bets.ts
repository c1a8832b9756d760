import { useQuery } from '@tanstack/react-query';
import type { OpenBet, ProfitLoss } from '#web/api/answers.ts';
import { openBetsQuery, profitLossQuery } from '#web/store/queries.ts';
import { useSession } from '#web/store/session.ts';

const NO_BETS: readonly OpenBet[] = [];
const NO_NETS: ProfitLoss = [];

interface OwnBets {
	openBets: readonly OpenBet[];
	profitLoss: ProfitLoss;
	/** Until then what they add up to is no position: a bet that frees money would seem to cost some. */
	isKnown: boolean;
}

/** The player's open bets, and the nets of the matched ones. A visitor is known to have none. */
export function useOwnBets(): OwnBets {
	const enabled = useSession((state) => state.user !== null);
	const bets = useQuery({ ...openBetsQuery(), enabled }).data;
	const nets = useQuery({ ...profitLossQuery(), enabled }).data;
	return {
		openBets: bets?.openBets ?? NO_BETS,
		profitLoss: nets ?? NO_NETS,
		isKnown: !enabled || (bets !== undefined && nets !== undefined),
	};
}
