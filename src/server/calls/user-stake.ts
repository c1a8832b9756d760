import { type HandlersOf, type Parts, playerOf } from '#server/calls/handler.ts';

export const userStakeHandlers = ({ players }: Parts): HandlersOf<'addUserStake'> => ({
	addUserStake: async ({ stakes }, caller) => ({
		stakes: await players.setStakes(playerOf(caller).playerId, stakes),
	}),
});
