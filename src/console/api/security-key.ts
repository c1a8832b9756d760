/** Security keys of the member who is logging in or is in: asks the browser for one, and the server what it thinks of it. */
import {
	type PublicKeyCredentialCreationOptionsJSON,
	type PublicKeyCredentialRequestOptionsJSON,
	startAuthentication,
	startRegistration,
} from '@simplewebauthn/browser';
import { Failure, sessionCall } from '#console/api/operate.ts';

/** What the browser says when the member waits too long, cancels, or has no such key at hand: it tells no more. */
async function asked<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
	try {
		return await ask();
	} catch {
		throw new Failure('WRONG_KEY', 'The browser got no answer of a key. Please try again, with a key that is yours.');
	}
}

/** Shows a key in place of a code. @throws Failure */
export async function showKey(remember: boolean): Promise<void> {
	const options = (await sessionCall('begin-key', {})) as unknown as PublicKeyCredentialRequestOptionsJSON;
	const response = await asked(() => startAuthentication({ optionsJSON: options }));
	await sessionCall('show-key', { response: { ...response, response: { ...response.response } }, remember });
}

/** Adds a key under that name. @throws Failure */
export async function addKey(name: string): Promise<void> {
	const options = (await sessionCall('begin-adding-key', {})) as unknown as PublicKeyCredentialCreationOptionsJSON;
	const response = await asked(() => startRegistration({ optionsJSON: options }));
	await sessionCall('finish-adding-key', { name, response: { ...response, response: { ...response.response } } });
}
