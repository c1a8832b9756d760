/** One POST of JSON to a server that the operator connects, such as a gateway for messages. */

interface Connected {
	url: string;
	/** Sent as a bearer token; empty sends none. */
	key: string;
}

/** Follows no redirect, which could take the key elsewhere. @throws Error without an answer in that time */
export const postJson = ({ url, key }: Connected, body: object, withinMs: number): Promise<Response> =>
	fetch(url, {
		method: 'POST',
		headers: { 'Content-Type': 'application/json', ...(key === '' ? {} : { Authorization: `Bearer ${key}` }) },
		body: JSON.stringify(body),
		redirect: 'error',
		signal: AbortSignal.timeout(withinMs),
	});
