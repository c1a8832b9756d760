/** Passes work to the process that took over: over HTTP, with the key shared by the processes of one exchange. */

interface Asked {
	/** Of the successor. */
	address: string;
	path: string;
	operatorKey: string;
	body: object;
	/** Monotonic. */
	untilMs: number;
}

/** @throws Error if there is no answer before the deadline */
export function askSuccessor({ address, path, operatorKey, body, untilMs }: Asked): Promise<Response> {
	return fetch(new URL(path, address), {
		method: 'POST',
		headers: { Authorization: `Operator ${operatorKey}`, 'Content-Type': 'application/json' },
		body: JSON.stringify(body),
		signal: AbortSignal.timeout(Math.max(1, Math.ceil(untilMs - performance.now()))),
	});
}
