import { type HandlersOf, type Parts, playerOf } from '#server/calls/handler.ts';

export const userStakeHandlers = ({ accounts }: Parts): HandlersOf<'addUserStake'> => ({
	addUserStake: async ({ stakes }, caller) => ({
		stakes: await accounts.setStakes(playerOf(caller).playerId, stakes),
	}),
});
