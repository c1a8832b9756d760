/** Makes the operators' calls. The session is a cookie that no script reads. */
import type * as v from 'valibot';
import type { OperatorInput, OperatorResult } from '#contract/operators/operator-call.ts';
import type { CONSOLE_CALLS, ConsoleCallName } from '#contract/operators/registry.ts';
import type { SESSION_CALLS, SessionCallName } from '#contract/operators/session.ts';

type Calls = typeof CONSOLE_CALLS;
type Sessions = typeof SESSION_CALLS;

export type InputOf<Name extends ConsoleCallName> = OperatorInput<Calls[Name]>;
export type ResultOf<Name extends ConsoleCallName> = OperatorResult<Calls[Name]>;
export type SessionResult<Name extends SessionCallName> = v.InferInput<Sessions[Name]['response']>;

/** A refusal, or a request without an answer. */
export class Failure extends Error {
	readonly code: string;

	constructor(code: string, message: string) {
		super(message);
		this.code = code;
	}
}

/** Called when the session has ended, so that the console asks for the password again. */
let onSessionEnded: () => void = () => undefined;
export const setSessionEndedHandler = (handler: () => void): void => {
	onSessionEnded = handler;
};
export const sessionEnded = (): void => onSessionEnded();

const ENDED: ReadonlySet<string> = new Set(['NOT_LOGGED_IN', 'LOGIN_EXPIRED', 'SECOND_FACTOR_REQUIRED']);

/** Without a press for so long, the screens' repeated requests keep no session alive. */
const IN_USE_MS = 60_000;
let usedAtMs = performance.now();
for (const kind of ['pointerdown', 'keydown']) {
	globalThis.addEventListener(kind, () => {
		usedAtMs = performance.now();
	});
}

async function post(name: string, input: object, signal?: AbortSignal): Promise<unknown> {
	let response: Response;
	try {
		response = await fetch(`/api/${name}`, {
			method: 'POST',
			headers: {
				'Content-Type': 'application/json',
				'X-Console': performance.now() - usedAtMs < IN_USE_MS ? 'used' : 'repeated',
			},
			body: JSON.stringify(input),
			...(signal ? { signal } : {}),
		});
	} catch (error) {
		if (signal?.aborted) throw error;
		throw new Failure('NETWORK', 'The server does not answer. Nothing is known about what was asked.');
	}
	const answer = (await response.json()) as {
		success: boolean;
		result: unknown;
		error: { code: string; message: string } | null;
	};
	if (answer.success) return answer.result;
	const { code = 'INTERNAL', message = 'Something went wrong.' } = answer.error ?? {};
	throw new Failure(code, message);
}

/** @throws Failure */
export async function operate<Name extends ConsoleCallName>(
	name: Name,
	input: InputOf<Name>,
	signal?: AbortSignal,
): Promise<ResultOf<Name>> {
	try {
		return (await post(name, input as object, signal)) as ResultOf<Name>;
	} catch (error) {
		if (error instanceof Failure && ENDED.has(error.code)) sessionEnded();
		throw error;
	}
}

/** A call of logging in. @throws Failure */
export const sessionCall = async <Name extends SessionCallName>(
	name: Name,
	input: v.InferInput<Sessions[Name]['input']>,
): Promise<SessionResult<Name>> => (await post(name, input)) as SessionResult<Name>;
