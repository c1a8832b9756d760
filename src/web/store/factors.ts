/** Passkeys and the authenticator of the player: what the server has of them, and what the browser is asked for. */
import {
	type PublicKeyCredentialCreationOptionsJSON,
	type PublicKeyCredentialRequestOptionsJSON,
	startAuthentication,
	startRegistration,
} from '@simplewebauthn/browser';
import { queryOptions } from '@tanstack/react-query';
import type { Login } from '#web/api/answers.ts';
import { call } from '#web/api/client.ts';
import type { AnswerOf } from '#web/api/units.ts';
import { showChanged } from '#web/store/changes.ts';
import { stepsOfLogin } from '#web/store/same-login.ts';

export type Factors = AnswerOf<'getFactors'>;

export const factorsQuery = () =>
	queryOptions({
		queryKey: ['player', 'factors'],
		queryFn: ({ signal }) => call('getFactors', {}, { signal }),
		staleTime: 0,
	});

export const showFactors = (factors: Factors): Promise<void> => showChanged(factorsQuery().queryKey, () => factors);

/** Whether this browser has passkeys at all. */
export const knowsPasskeys = (): boolean => globalThis.PublicKeyCredential !== undefined;

/** The browser gave no passkey: the player waited too long or cancelled, or none is at hand. It tells no more. */
export class NoPasskey extends Error {}

async function asked<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
	try {
		return await ask();
	} catch {
		throw new NoPasskey();
	}
}

/** @throws NoPasskey, CallFailure */
export async function passkeyLogin(rememberClient: boolean): Promise<Login> {
	const options = (await call('beginPasskeyLogin', {})) as unknown as PublicKeyCredentialRequestOptionsJSON;
	const response = await asked(() => startAuthentication({ optionsJSON: options }));
	return await call('authenticateWithPasskey', {
		response: { ...response, response: { ...response.response } },
		rememberClient,
	});
}

/** @throws NoPasskey, CallFailure; after another log-in */
export async function addPasskey(name: string, password: string): Promise<Factors> {
	const step = stepsOfLogin();
	const begun = await call('beginAddingPasskey', { password });
	const options = begun as unknown as PublicKeyCredentialCreationOptionsJSON;
	const response = await asked(() => startRegistration({ optionsJSON: options }));
	return await step(() => call('addPasskey', { name, response: { ...response, response: { ...response.response } } }));
}
