/** A player's mail address, and a new password by a code to it or to the mobile. */
import { type HandlersOf, type Parts, playerOf } from '#server/calls/handler.ts';

type ContactCalls =
	| 'getContact'
	| 'setMailAddress'
	| 'proveMailAddress'
	| 'removeMailAddress'
	| 'setMailNotices'
	| 'sendResetCode'
	| 'resetPassword';

export const contactHandlers = ({ players }: Parts): HandlersOf<ContactCalls> => ({
	getContact: (_, caller) => players.addresses.contact(playerOf(caller).playerId),
	setMailAddress: async ({ address, password }, caller) => {
		const login = playerOf(caller);
		await players.checkPassword(login, password);
		await players.addresses.begin(login.playerId, address, caller.visitor);
		return null;
	},
	proveMailAddress: async ({ otp }, caller) => {
		await players.addresses.prove(playerOf(caller).playerId, otp, caller.visitor);
		return null;
	},
	removeMailAddress: async ({ password }, caller) => {
		const login = playerOf(caller);
		await players.checkPassword(login, password);
		await players.addresses.remove(login.playerId, caller.visitor);
		return null;
	},
	setMailNotices: async (notices, caller) => {
		await players.addresses.setNotices(playerOf(caller).playerId, notices);
		return null;
	},
	sendResetCode: async ({ userNameOrEmailAddress, by }, { visitor }) => {
		await players.resets.begin(userNameOrEmailAddress, by, visitor);
		return null;
	},
	resetPassword: async ({ userNameOrEmailAddress, otp, newPassword }, { visitor }) => {
		await players.resets.finish(userNameOrEmailAddress, otp, newPassword, visitor);
		return null;
	},
});
