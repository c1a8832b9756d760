/** The referral code of the link that a visitor came by. It fills in the registration form until a player logs in. */
import { readStored, removeStored, writeStored } from '#web/api/storage.ts';
import { useBrand } from '#web/store/brand.ts';
import { showLoginStep } from '#web/store/dialogs.ts';
import { isLoggedIn } from '#web/store/session.ts';

const CODE = /^[\w-]{1,32}$/;

/** Keeps the code and opens the registration form. A player who is logged in has an account already. */
export function receiveInvitation(code: string): void {
	if (isLoggedIn() || !CODE.test(code)) return;
	writeStored('referralCode', code);
	if (!useBrand.getState().setting?.allowSignUp) return;
	showLoginStep('register');
}

export const invitationCode = (): string => readStored('referralCode') ?? '';

export const forgetInvitation = (): void => removeStored('referralCode');
