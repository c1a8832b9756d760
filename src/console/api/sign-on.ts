/** The company's log-in: to its page, and back. */
import { sessionCall } from '#console/api/operate.ts';
import { SIGN_ON_PATH } from '#values/sign-on-path.ts';

/** Leaves the page. @throws Failure */
export async function beginSignOn(): Promise<void> {
	const { url } = await sessionCall('begin-sign-on', {});
	location.assign(url);
}

/** Whether the browser comes back from there. */
export const isSignOnReturn = (): boolean => location.pathname === SIGN_ON_PATH;

/** Begins the session by what it brings; the address is cleared first, so that no code stays in the history. @throws Failure */
export async function finishSignOn(): Promise<void> {
	const given = new URLSearchParams(location.search);
	history.replaceState(null, '', '/');
	const one = (name: string) => given.get(name) ?? undefined;
	const [code, iss, error] = ['code', 'iss', 'error'].map(one);
	await sessionCall('finish-sign-on', {
		state: given.get('state') ?? 'none',
		...(code === undefined ? {} : { code }),
		...(iss === undefined ? {} : { iss }),
		...(error === undefined ? {} : { error }),
	});
}
