/** A registration that awaits its one-time code: its name and mobile, and when a new code may be requested. */

import { create } from 'zustand';
import { showLoginStep } from '#web/store/dialogs.ts';

/** A code can be asked for again after two minutes (product specification, section 9). */
const RESEND_AFTER_MS = 120_000;

export interface Registration {
	/** As the form had them; empty when nothing is known. */
	userName: string;
	mobile: string;
	domain: string;
	/** Milliseconds since the epoch. */
	resendAtMs: number;
}

const NONE: Registration = { userName: '', mobile: '', domain: '', resendAtMs: 0 };

export const useRegistration = create<Registration>(() => NONE);

export function keepRegistration(data: { userName: string; mobile: string; domain: string }): void {
	useRegistration.setState(data);
	restartCountdown();
}

export const restartCountdown = (): void => useRegistration.setState({ resendAtMs: Date.now() + RESEND_AFTER_MS });

export const forgetRegistration = (): void => useRegistration.setState(NONE);

/** The registration in progress, or null; without a name or a mobile the register form opens again. */
export function registrationInProgress(): { userName: string; mobile: string; domain: string } | null {
	const { userName, mobile, domain } = useRegistration.getState();
	if (userName !== '' && mobile !== '') return { userName, mobile, domain };
	showLoginStep('register');
	return null;
}
