/** What one player has begun in the casino is not gone on with after another has logged in at the same page. */
import { useSession } from '#web/store/session.ts';

/** @returns whether the login is still the one of this call */
export function sameLogin(): () => boolean {
	const { loginCount } = useSession.getState();
	return () => useSession.getState().loginCount === loginCount;
}
