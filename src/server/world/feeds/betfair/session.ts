/** The session token of a Betfair account: fetched from its log-in service and cached while its validity is certain. */
import * as v from 'valibot';

/** Shorter than a session lasts, so that the token is renewed in time. */
const GOOD_FOR_MS = 3 * 3_600_000;

const LoginAnswer = v.object({ token: v.string(), status: v.string(), error: v.optional(v.string(), '') });

interface Credentials {
	/** Address of the log-in service. */
	url: string;
	appKey: string;
	userName: string;
	password: string;
}

/** @returns a function that returns a token, a new one if the last was refused; it throws if the log-in is refused */
export function keptSession(
	{ url, appKey, userName, password }: Credentials,
	clock: () => number,
): (wasRefused?: boolean) => Promise<string> {
	let kept: { token: string; atMs: number } | null = null;
	return async (wasRefused = false) => {
		if (!wasRefused && kept && clock() - kept.atMs < GOOD_FOR_MS) return kept.token;
		const response = await fetch(url, {
			method: 'POST',
			headers: { Accept: 'application/json', 'X-Application': appKey },
			body: new URLSearchParams({ username: userName, password }),
			signal: AbortSignal.timeout(10_000),
		});
		const answer = v.safeParse(LoginAnswer, await response.json());
		if (!answer.success || answer.output.status !== 'SUCCESS') {
			throw new Error(`the log-in was refused: ${answer.success ? answer.output.error : response.status}`);
		}
		kept = { token: answer.output.token, atMs: clock() };
		return kept.token;
	};
}
