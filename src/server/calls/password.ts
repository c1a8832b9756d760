/** A player's password: changed, shown again, and what unlocks an account after too many wrong ones. */
import { type HandlersOf, type Parts, playerOf } from '#server/calls/handler.ts';

export const passwordHandlers = ({
	players,
}: Parts): HandlersOf<'changePassword' | 'confirmPassword' | 'sendUnlockCode' | 'unlockAccount'> => ({
	changePassword: async (passwords, caller) => {
		await players.changePassword(playerOf(caller), passwords, caller.visitor);
		return null;
	},
	confirmPassword: async ({ password }, caller) => {
		await players.confirmPassword(playerOf(caller), password, caller.visitor);
		return null;
	},
	sendUnlockCode: async ({ userNameOrEmailAddress }, { visitor }) => {
		await players.sendUnlockCode(userNameOrEmailAddress, visitor);
		return null;
	},
	unlockAccount: async ({ userNameOrEmailAddress, otp }, { visitor }) => {
		await players.unlock(userNameOrEmailAddress, otp, visitor);
		return null;
	},
});
