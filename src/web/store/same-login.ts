/** What one player has begun is not gone on with after another has logged in at the same page, as from another tab. */
import { useSession } from '#web/store/session.ts';
import { TEXTS } from '#web/texts.ts';

/** @returns whether the login is still the one of this call */
export function sameLogin(): () => boolean {
	const { loginCount } = useSession.getState();
	return () => useSession.getState().loginCount === loginCount;
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
