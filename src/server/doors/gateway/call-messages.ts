/**
 * Messages about calls between gateways and the process with the engine. The calls that arrive in one turn of the event
 * loop share one message, and so do answers: the cost of a message is paid once for all of them.
 */
import { createHmac } from 'node:crypto';
import type { CallName } from '#contract/registry.ts';
import type { CallAnswer, CheckedCall, ReceiptWish } from '#server/calls/checked-call.ts';
import type { CookieChange } from '#server/people/players/call-cookies.ts';
import type { ErrorCode, Refused } from '#values/error-catalogue.ts';

/** A process that answers calls. */
export interface Presence {
	/** A random name, new with each start. */
	instance: string;
	/** Of its lease; the process with the highest one is the exchange. */
	epoch: number;
	/** Its monotonic clock. */
	nowMs: number;
	/** Identifies the process's token key and its contract. */
	mark: string;
}

/** Processes may work together only with the same key and the same contract. @param document OpenAPI's, as text */
export const markOf = (tokenKey: string, document: string): string =>
	createHmac('sha256', tokenKey).update(document).digest('base64url').slice(0, 22);

/** Gateways ask here which processes answer calls. */
export const WHERE = 'where';
/** Processes that answer calls announce themselves here. */
export const HERE = 'here';
export const callsOf = (instance: string): string => `calls.${instance}`;
/**
 * The subject of answers to a gateway: from a process, or to a message of the gateway, which names the message when no
 * process received it.
 */
export const answersOf = (gateway: string, from: number | string): string => `answers.${gateway}.${from}`;
export const gatewayOf = (answersSubject: string): string => answersSubject.split('.')[1] ?? '';
export const messageOf = (subject: string): number => Number(subject.slice(subject.lastIndexOf('.') + 1));

/** A call in flight; the times are on the clock of the answering process. */
export interface SentCall extends Omit<CheckedCall, 'receivedMs' | 'seen'> {
	/** Of the gateway. */
	id: number;
}

type CallRow = [
	id: number,
	name: CallName,
	host: string,
	loginId: string,
	generation: number,
	input: unknown,
	address: string,
	country: string | null,
	cookies: string,
	requestId: string,
	untilMs: number,
	/** Null or missing unless the call is traced. */
	trace?: string | null,
	/** Missing unless the client asks for a receipt. */
	wantsReceipt?: ReceiptWish,
];

export function writeCalls(calls: readonly SentCall[]): string {
	const rows = calls.map(
		({ id, name, host, claim, input, address, country, cookies, requestId, untilMs, trace, wantsReceipt }): CallRow => {
			const row: CallRow = [
				id,
				name,
				host,
				claim?.loginId ?? '',
				claim?.generation ?? 0,
				input,
				address,
				country,
				cookies,
				requestId,
				Math.floor(untilMs),
			];
			if (trace !== undefined || wantsReceipt) row.push(trace ?? null);
			if (wantsReceipt) row.push(wantsReceipt);
			return row;
		},
	);
	return JSON.stringify(rows);
}

export function readCalls(text: string): SentCall[] {
	return (JSON.parse(text) as CallRow[]).map(
		([
			id,
			name,
			host,
			loginId,
			generation,
			input,
			address,
			country,
			cookies,
			requestId,
			untilMs,
			trace,
			wantsReceipt,
		]) => ({
			id,
			name,
			host,
			claim: loginId === '' ? null : { loginId, generation },
			input,
			address,
			country,
			cookies,
			requestId,
			untilMs,
			trace: trace ?? undefined,
			wantsReceipt,
		}),
	);
}

export interface Refusal {
	code: ErrorCode;
	message: string;
	details: Record<string, unknown>;
}

export const refusalOf = ({ code, message, details }: Refused): Refusal => ({ code, message, details });

export type SentAnswer = { id: number } & ({ answer: CallAnswer } | { refusal: Refusal });

/** The result's length in characters, or the refusal; cookies, a tag and a receipt where there are any. */
type AnswerRow = [
	id: number,
	lengthOrRefusal: number | Refusal,
	cookies?: readonly CookieChange[],
	etag?: string | null,
	receipt?: string,
];

/** The results follow the rows unchanged, so that a gateway passes them on without parsing. */
export function writeAnswers(nowMs: number, answers: readonly SentAnswer[]): string {
	const results: string[] = [];
	const rows = answers.map((sent): AnswerRow => {
		if ('refusal' in sent) return [sent.id, sent.refusal];
		const { json, cookies, etag, receipt } = sent.answer;
		results.push(json);
		if (receipt !== undefined) return [sent.id, json.length, cookies, etag ?? null, receipt];
		if (etag !== undefined) return [sent.id, json.length, cookies, etag];
		return cookies.length > 0 ? [sent.id, json.length, cookies] : [sent.id, json.length];
	});
	return `${JSON.stringify([nowMs, ...rows])}\n${results.join('')}`;
}

export function readAnswers(text: string): { nowMs: number; answers: SentAnswer[] } {
	const headEnd = text.indexOf('\n');
	const [nowMs, ...rows] = JSON.parse(text.slice(0, headEnd)) as [number, ...AnswerRow[]];
	let at = headEnd + 1;
	const answers = rows.map(([id, result, cookies = [], etag, receipt]): SentAnswer => {
		if (typeof result !== 'number') return { id, refusal: result };
		const json = text.slice(at, at + result);
		at += result;
		return { id, answer: { json, cookies, etag: etag ?? undefined, receipt } };
	});
	return { nowMs, answers };
}
