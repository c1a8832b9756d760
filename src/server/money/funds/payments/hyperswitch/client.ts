/** Requests to Hyperswitch over HTTP, and what its errors mean. */
import * as v from 'valibot';
import { ERRORS, type ErrorMeaning } from '#server/money/funds/payments/hyperswitch/published.ts';

/** Below the time after which an order or a payout is looked up instead. */
const TIMEOUT_MS = 7_000;
/** Anything longer is no answer of this API. */
const LARGEST_ANSWER = 4 * 1024 * 1024;

const Failure = v.object({ error: v.object({ code: v.string(), message: v.optional(v.string(), '') }) });

/** A refusal or a failure that Hyperswitch answered. The message has no field of the request. */
export class HyperswitchError extends Error {
	readonly means: ErrorMeaning;

	constructor(status: number, code: string, message: string) {
		super(`Hyperswitch answered ${status} ${code}: ${message.slice(0, 200)}`);
		this.name = 'HyperswitchError';
		// Codes are for answers to the request; another status comes from something in between.
		this.means = (status >= 400 && status < 500 && Object.hasOwn(ERRORS, code) && ERRORS[code]) || 'UNKNOWN';
	}
}

interface ClientOptions {
	/** Without a trailing slash. */
	url: string;
	apiKey: string;
}

export class HyperswitchClient {
	readonly #options: ClientOptions;

	constructor(options: ClientOptions) {
		this.#options = options;
	}

	/**
	 * @throws HyperswitchError for an error that it answered; another error when it did not answer, or not in the shape of
	 * the schema: then it is not known what was done
	 */
	async ask<Schema extends v.GenericSchema>(
		method: 'GET' | 'POST',
		path: string,
		schema: Schema,
		body?: object,
	): Promise<v.InferOutput<Schema>> {
		const { url, apiKey } = this.#options;
		const response = await fetch(`${url}${path}`, {
			method,
			headers: { 'api-key': apiKey, Accept: 'application/json', 'Content-Type': 'application/json' },
			...(body ? { body: JSON.stringify(body) } : {}),
			redirect: 'error',
			signal: AbortSignal.timeout(TIMEOUT_MS),
		});
		const text = await readUpTo(response, LARGEST_ANSWER);
		const answer = fromJson(text);
		if (response.ok) return v.parse(schema, answer);
		const failure = v.safeParse(Failure, answer);
		if (!failure.success) throw new HyperswitchError(response.status, 'without a code', '');
		const { code, message } = failure.output.error;
		throw new HyperswitchError(response.status, code, message);
	}
}

function fromJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}

/** @throws Error for a longer answer */
async function readUpTo(response: Response, most: number): Promise<string> {
	const parts: Uint8Array[] = [];
	let length = 0;
	for await (const part of response.body ?? []) {
		length += part.length;
		if (length > most) throw new Error('Hyperswitch answered more than an answer has.');
		parts.push(part);
	}
	return Buffer.concat(parts).toString('utf8');
}
