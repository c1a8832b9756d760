/** Sends a call to the running server and prints its answer. */
import type { Ask, Output } from '#server/operators/commands/program.ts';

interface Answer {
	success: boolean;
	result: unknown;
	error: { code: string; message: string; details: object } | null;
}

interface Asking {
	url: string;
	key: string;
	operator: string;
	output: Output;
}

/** @returns the exit code */
export async function askServer({ call, body, also }: Ask, asking: Asking): Promise<number> {
	const { url, key, operator, output } = asking;
	let response: Response;
	try {
		response = await fetch(`${url}/operator/api/${call}`, {
			method: 'POST',
			headers: {
				Authorization: `Operator ${key}`,
				'Content-Type': 'application/json',
				'X-Operator': encodeURIComponent(operator),
			},
			body: JSON.stringify(body),
		});
	} catch {
		output.error(`No server answers at ${url}. Start it, or name another with --url.`);
		return 1;
	}
	const answer = await answerOf(response);
	if (answer === null) {
		output.error(`What answers at ${url} is not the server: status ${response.status}.`);
		return 1;
	}
	if (!answer.success) {
		const hint = response.status === 401 ? ' Is TOKEN_KEY or DATA_DIR the server’s?' : '';
		output.error(`${answer.error?.code}: ${answer.error?.message}${hint} ${JSON.stringify(answer.error?.details)}`);
		return 1;
	}
	const rows = Array.isArray(answer.result) ? answer.result : [answer.result];
	for (const row of rows) output.log(JSON.stringify({ ...row, ...also }));
	return 0;
}

async function answerOf(response: Response): Promise<Answer | null> {
	try {
		return (await response.json()) as Answer;
	} catch {
		return null;
	}
}
