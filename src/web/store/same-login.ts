/**
 * What one player has begun is not gone on with after another has logged in at the same page, as from another tab. A call
 * throws by itself where its answer is another login's (`api/client.ts`); this is for acts with further steps, and for
 * what is said of a failure.
 */
import { loginName } from '#web/store/session.ts';
import { TEXTS } from '#web/texts.ts';

/** @returns whether the login is still the one of this call */
export function sameLogin(): () => boolean {
	const login = loginName();
	return () => loginName() === login;
}

/**
 * The steps of one act of the login of this call.
 * @returns sends a step; after another log-in it throws, and sends nothing
 */
export function stepsOfLogin(): <Answer>(send: () => Promise<Answer>) => Promise<Answer> {
	const isSameLogin = sameLogin();
	return async (send) => {
		if (!isSameLogin()) throw new Error(TEXTS.failures.aborted);
		return await send();
	};
}
