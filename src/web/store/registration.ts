/**
 * A registration that awaits its one-time code: its name and mobile, and when a new code may be requested. It is
 * stored, because the page may be reloaded while its owner reads the code.
 */

import { create } from 'zustand';
import { REGISTRATION_MS } from '#values/registration-time.ts';
import { type FieldTypes, hasFields, readStoredJson, removeStored, writeStoredJson } from '#web/api/storage.ts';
import { showLoginStep, useDialogs } from '#web/store/dialogs.ts';

/** A code can be asked for again after two minutes (product specification, section 9). */
const RESEND_AFTER_MS = 120_000;

interface Registration {
	/** As the form had them; empty when nothing is known. */
	userName: string;
	mobile: string;
	domain: string;
	/** Milliseconds since the epoch. */
	resendAtMs: number;
	/** When the server forgets it; milliseconds since the epoch. */
	endsAtMs: number;
}

const NONE: Registration = { userName: '', mobile: '', domain: '', resendAtMs: 0, endsAtMs: 0 };

const FIELDS: FieldTypes<Registration> = {
	userName: 'string',
	mobile: 'string',
	domain: 'string',
	resendAtMs: 'number',
	endsAtMs: 'number',
};
const isRegistration = (value: unknown): value is Registration => hasFields(value, FIELDS);

export const useRegistration = create<Registration>(() => NONE);

function hold(change: Partial<Registration>): void {
	useRegistration.setState(change);
	writeStoredJson('registration', useRegistration.getState());
}

export function keepRegistration(data: { userName: string; mobile: string; domain: string }): void {
	const now = Date.now();
	hold({ ...data, resendAtMs: now + RESEND_AFTER_MS, endsAtMs: now + REGISTRATION_MS });
}

export const restartCountdown = (): void => hold({ resendAtMs: Date.now() + RESEND_AFTER_MS });

export function forgetRegistration(): void {
	removeStored('registration');
	useRegistration.setState(NONE);
}

// A visitor who closes the dialog does not want to be asked for the code again.
useDialogs.subscribe(({ open }, before) => {
	if (!open && before.step === 'verification') forgetRegistration();
});

/** After a reload: the dialog asks for the code again while the server waits for it. */
export function continueRegistration(): void {
	const stored = readStoredJson('registration', isRegistration);
	if (!stored || stored.endsAtMs <= Date.now()) return forgetRegistration();
	useRegistration.setState(stored);
	showLoginStep('verification');
}

/** The registration in progress, or null; without a name or a mobile the register form opens again. */
export function registrationInProgress(): { userName: string; mobile: string; domain: string } | null {
	const { userName, mobile, domain } = useRegistration.getState();
	if (userName !== '' && mobile !== '') return { userName, mobile, domain };
	showLoginStep('register');
	return null;
}
