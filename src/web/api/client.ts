import type { CallName } from '#contract/registry.ts';
import type { CallRoute } from '#web/api/all-calls.ts';
import { readAnswer } from '#web/api/answer.ts';
import { encodePayload } from '#web/api/encoding.ts';
import { CallFailure } from '#web/api/failure.ts';
import { takeFirstAnswer } from '#web/api/first-answer.ts';
import { FIRST_ANSWER_FIELDS, FIRST_REQUEST_FIELDS, FIRST_ROUTES, type FirstCall } from '#web/api/first-calls.ts';
import { beginRequest } from '#web/api/in-flight.ts';
import { addressOf, encodesRequestsTo } from '#web/api/server-address.ts';
import { readStored } from '#web/api/storage.ts';
import { type AnswerOf, fromWire, type RequestOf, toWire, type UnitFields } from '#web/api/units.ts';
import { TEXTS } from '#web/texts.ts';

let onUnauthorised: () => void = () => undefined;

/** Reports that a login has ended; the session store clears the stored login and leaves for /Auth/Logout. */
export function setUnauthorisedHandler(handler: () => void): void {
	onUnauthorised = handler;
}

let loginNow = (): unknown => null;

/** @param now names the login of this moment, or its absence; the session store knows it */
export function setLoginName(now: () => unknown): void {
	loginNow = now;
}

/** Refusals after which a call goes on when the player has answered a question. */
export type Question = 'PASSWORD_NEEDED' | 'TERMS_DUE';
const isQuestion = (code: string): code is Question => code === 'PASSWORD_NEEDED' || code === 'TERMS_DUE';

/** Without a dialog, the refusal is shown. */
let askPlayer: (question: Question) => Promise<boolean> = async () => false;

/** @param asker asks the player; resolves with whether the call may go on */
export function setAsker(asker: (question: Question) => Promise<boolean>): void {
	askPlayer = asker;
}

/** An answer and its tag, kept between calls. */
export interface Tagged<Answer> {
	tag: string | null;
	answer: Answer | null;
}

/**
 * Makes one call of the contract. Amounts are minor units and prices hundredths on this side of it.
 * @param options.tagged for a versioned call: sends its tag, and stores the new answer
 * @returns the `result` of the envelope
 * @throws CallFailure whenever `success` is not true; for a question, when the player does not answer it; for an answer to a
 * player who has logged out meanwhile
 */
export async function call<Name extends CallName>(
	name: Name,
	input: RequestOf<Name>,
	options: CallOptions<Name> = {},
): Promise<AnswerOf<Name>> {
	const login = loginNow();
	// What one player asked for does not go on with the answer of the next.
	const isSameLogin = () => loginNow() === login;
	for (const asked: Question[] = []; ; ) {
		try {
			// Again it is the same request, with its id.
			return await callOnce(name, input, options);
		} catch (failure) {
			const isNew = failure instanceof CallFailure && isQuestion(failure.code) && !asked.includes(failure.code);
			if (!isNew || !isSameLogin()) throw failure;
			if (!(await askPlayer(failure.code as Question)) || !isSameLogin()) throw failure;
			asked.push(failure.code as Question);
		}
	}
}

interface CallOptions<Name extends CallName> {
	signal?: AbortSignal | undefined;
	/** The request outlives the page. */
	keepalive?: boolean;
	tagged?: Tagged<AnswerOf<Name>>;
}

async function callOnce<Name extends CallName>(
	name: Name,
	input: RequestOf<Name>,
	{ signal, tagged, keepalive = false }: CallOptions<Name>,
): Promise<AnswerOf<Name>> {
	// Read before anything is waited for: a log-out sends its call and forgets the token.
	const token = readStored('accessToken');
	const login = loginNow();
	const { route, requestFields, answerFields } = isFirst(name) ? firstTables(name) : await laterTables(name);
	const end = beginRequest(route.quiet === true);
	try {
		const request = toWire(input, requestFields) as Record<string, unknown>;
		const response = await send(route, request, token, { signal: signal ?? null, keepalive, tag: tagged?.tag ?? null });
		if (response.status === 304 && tagged?.answer) return tagged.answer;
		const answer = await readAnswer(response);
		// It is about a player who has left: the next one neither sees nor keeps it.
		if (login !== loginNow() && !route.auth && name !== 'logout') throw aborted();
		if ('result' in answer) {
			const result = fromWire(answer.result, answerFields) as AnswerOf<Name>;
			if (tagged) Object.assign(tagged, { tag: response.headers.get('ETag'), answer: result });
			return result;
		}
		if (answer.unauthorised && isDeadLogin(name, token)) onUnauthorised();
		throw answer.failure;
	} catch (failure) {
		if (failure instanceof CallFailure) throw failure;
		throw unanswered(signal);
	} finally {
		end();
	}
}

interface CallTables {
	route: CallRoute;
	requestFields: UnitFields | null | undefined;
	answerFields: UnitFields | null | undefined;
}

const isFirst = (name: CallName): name is FirstCall => Object.hasOwn(FIRST_ROUTES, name);

const firstTables = (name: FirstCall): CallTables => ({
	route: FIRST_ROUTES[name],
	requestFields: FIRST_REQUEST_FIELDS[name],
	answerFields: FIRST_ANSWER_FIELDS[name],
});

/** @throws CallFailure if they do not load */
async function laterTables(name: CallName): Promise<CallTables> {
	const { CALL_ROUTES, REQUEST_FIELDS, ANSWER_FIELDS } = await loadLaterCalls().catch(() => {
		throw unanswered(undefined);
	});
	return { route: CALL_ROUTES[name], requestFields: REQUEST_FIELDS[name], answerFields: ANSWER_FIELDS[name] };
}

/** What all calls but the first need. */
export const loadLaterCalls = () => import('#web/api/all-calls.ts');

/** Why no answer came; the calls themselves know no time limit. */
function unanswered(signal: AbortSignal | undefined): CallFailure {
	if (!signal?.aborted) return new CallFailure('NETWORK', 0, TEXTS.failures.network);
	const timeout = signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError';
	return timeout ? new CallFailure('TIMEOUT', 0, TEXTS.failures.timeout) : aborted();
}

const aborted = (): CallFailure => new CallFailure('ABORTED', 0, TEXTS.failures.aborted);

/** A refusal of a token that was replaced meanwhile says nothing about the login that replaced it. */
function isDeadLogin(name: CallName, sentToken: string | null): boolean {
	return name !== 'authenticate' && readStored('accessToken') === sentToken;
}

function send(
	route: CallRoute,
	input: Record<string, unknown>,
	token: string | null,
	{ tag, ...options }: { signal: AbortSignal | null; keepalive: boolean; tag: string | null },
): Promise<Response> {
	const { path, method = 'POST', auth = 'player', host = 'server', from = method === 'GET' ? 'query' : 'body' } = route;
	const address = addressOf(host);
	const encoded = encodesRequestsTo(address);
	const headers: Record<string, string> = { Accept: 'application/json' };
	if (token && auth !== 'none') headers['Authorization'] = `Bearer ${token}`;
	if (encoded) headers['X-Enc'] = '1';
	if (tag) headers['If-None-Match'] = tag;
	const request: RequestInit = { method, headers, cache: 'no-store', ...options };
	let url = `${address}/${path.replace(/^\//, '')}`;
	if (from === 'query') {
		const query = encoded ? `d=${encodePayload(input)}` : queryOf(input);
		if (query !== '') url += `?${query}`;
	} else {
		headers['Content-Type'] = 'application/json';
		request.body = JSON.stringify(encoded ? { d: encodePayload(input) } : input);
	}
	return takeFirstAnswer(url, token) ?? fetch(url, request);
}

function queryOf(input: Record<string, unknown>): string {
	const query = new URLSearchParams();
	for (const [name, value] of Object.entries(input)) {
		if (value !== undefined) query.set(name, String(value));
	}
	return query.toString();
}
