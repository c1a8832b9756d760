/**
 * The calls of players as they saw them, and whether they could have been made one after the other: each took effect once,
 * at the place that the ledger gives it, between its beginning and its end.
 */
import type { Receipt, Request, RequestKey } from '#server/exchange/exchange.ts';
import { canonicalJson } from '#values/canonical-json.ts';
import type { SeededNumbers } from '../seeded-numbers.ts';
import type { Outcome } from '../simulated-process.ts';
import type { LedgerWatch, WrittenRequest } from './ledger-watch.ts';

interface Attempt {
	sentAtMs: number;
	deadlineMs: number;
	/** It was refused with the promise that nothing was done and nothing will be. */
	isRuledOut: boolean;
}

export interface Call {
	request: Request;
	key: RequestKey;
	/** The last batch that was in the ledger when it began. */
	lastBatch: number;
	outcome: Outcome | null;
	attempts: Attempt[];
}

/** Refusals that promise that nothing was done and nothing will be. */
const CERTAIN = new Set(['STARTING', 'DRAINING', 'OVERLOADED', 'DEADLINE_PASSED']);
/** Of the database's clock, as a process knows it. */
const CLOCK_SLACK_MS = 50;
const LONGEST_FREEZE_MS = 15_000;

/** Answers that are not kept: they changed nothing. */
const isKept = ({ request }: Call, receipt: Receipt): boolean => request.kind !== 'cancel-all' || receipt.cancelled > 0;

export class History {
	readonly calls: Call[] = [];
	readonly #watch: LedgerWatch;
	readonly #clockSetBackAtMs: () => number;
	readonly #decided = new Map<number, Call[]>();
	readonly #answered = new Map<number, number>();
	readonly #ended = new Map<number, number>();
	/** The highest batch that a call that has ended was written with. */
	#lastAnswered = 0;
	answers = 0;

	/** @param clockSetBackAtMs when the database's clock was set back last */
	constructor(watch: LedgerWatch, clockSetBackAtMs: () => number) {
		this.#watch = watch;
		this.#clockSetBackAtMs = clockSetBackAtMs;
	}

	begins(request: Request, key: RequestKey): Call {
		const call: Call = {
			request,
			key,
			lastBatch: this.#lastAnswered,
			outcome: null,
			attempts: [],
		};
		this.calls.push(call);
		return call;
	}

	/** An attempt begins. */
	sends(call: Call, sentAtMs: number, deadlineMs: number): void {
		call.attempts.push({ sentAtMs, deadlineMs, isRuledOut: false });
	}

	/** An attempt was refused, to be repeated. @throws Error when the refusal says that nothing was done, and something was */
	refused(call: Call, code: string, copies: number): void {
		const name = `${call.key.walletId} ${call.key.clientRequestId}`;
		const attempt = call.attempts.at(-1);
		if (!attempt || !CERTAIN.has(code) || copies > 1) return;
		attempt.isRuledOut = true;
		const wasNothingDone = call.attempts.every(({ isRuledOut }) => isRuledOut);
		if (wasNothingDone && !this.#isRepeated(call) && this.#watch.requests.has(name))
			throw new Error(`request ${name} was refused with ${code}, and is in the ledger`);
	}

	#isRepeated(call: Call): boolean {
		return this.#decided.get(call.key.walletId)?.some(({ key }) => key === call.key) ?? false;
	}

	/** @throws Error when the answer cannot be */
	ends(call: Call, outcome: Outcome): void {
		call.outcome = outcome;
		const { walletId, clientRequestId } = call.key;
		const name = `${walletId} ${clientRequestId}`;
		const written = this.#watch.requests.get(name);
		if (outcome.kind === 'refused') {
			if (written)
				throw new Error(`request ${name} was refused with ${outcome.code}, and is in batch ${written.batch}`);
			return;
		}
		this.answers++;
		if (!isKept(call, outcome.receipt)) return;
		if (!written) throw new Error(`request ${name} was answered, and is not in the ledger`);
		const [answered, kept] = [outcome.receipt, written.answer].map((receipt) => canonicalJson(receipt));
		if (answered !== kept) throw new Error(`request ${name} was answered with ${answered}, and the ledger has ${kept}`);
		this.#follows(call, written.batch);
		if (!this.#isRepeated(call)) this.#isInTime(call, written, name);
		this.#answered.set(walletId, Math.max(this.#answered.get(walletId) ?? 0, written.walletVersion));
		this.#lastAnswered = Math.max(this.#lastAnswered, written.batch);
		const decided = this.#decided.get(walletId) ?? [];
		decided.push(call);
		this.#decided.set(walletId, decided.slice(-200));
	}

	/** What is written was asked for by an attempt that was not ruled out, and before its deadline. */
	#isInTime({ attempts }: Call, { judgedAtMs: atMs }: WrittenRequest, name: string): void {
		const mayHave = attempts.filter(({ isRuledOut }) => !isRuledOut);
		// The database's clock decides about deadlines, so one that was set back lets a late batch pass.
		const hasDeadline = this.#clockSetBackAtMs() < (attempts[0]?.sentAtMs ?? 0) - LONGEST_FREEZE_MS;
		const isWithin = ({ sentAtMs, deadlineMs }: Attempt) =>
			atMs >= sentAtMs && (!hasDeadline || atMs <= deadlineMs + CLOCK_SLACK_MS);
		if (!mayHave.some(isWithin))
			throw new Error(
				`request ${name} was written at ${atMs}, and no attempt explains it: ${JSON.stringify(attempts)}`,
			);
	}

	/** A call that began after another one was answered comes after it in the ledger, unless it repeats an older one. */
	#follows(call: Call, batch: number): void {
		if (!this.#isRepeated(call) && batch < call.lastBatch)
			throw new Error(
				`request ${call.key.clientRequestId} began after batch ${call.lastBatch} was answered, and is in batch ${batch}`,
			);
	}

	/** The second step of a workflow was asked for. @throws Error when it was done twice */
	ended(id: number, outcome: Outcome): void {
		if (outcome.kind === 'refused') return;
		const times = (this.#ended.get(id) ?? 0) + 1;
		this.#ended.set(id, times);
		if (times > 1) throw new Error(`workflow ${id} was ended twice`);
	}

	someDecided(walletId: number, numbers: SeededNumbers): Call | null {
		const decided = this.#decided.get(walletId) ?? [];
		return decided.length === 0 ? null : numbers.from(decided);
	}

	/** The bets of the requests that the ledger has, of those that place one. */
	betsAskedFor(): unknown[] {
		const kinds = new Map(
			this.calls.map(({ request, key }) => [`${key.walletId} ${key.clientRequestId}`, request.kind]),
		);
		return [...this.#watch.requests].flatMap(([name, { answer }]) => {
			const kind = kinds.get(name);
			return kind === 'place-bet' || kind === 'replace-bet' ? [answer['betId']] : [];
		});
	}

	answeredVersion(walletId: number): number {
		return this.#answered.get(walletId) ?? 0;
	}

	/** @throws Error when a process shows less than was answered before it was asked */
	shows(process: string, walletId: number, { version, least }: { version: number; least: number }): void {
		if (version < least)
			throw new Error(`${process} shows version ${version} of wallet ${walletId}, and ${least} was answered before`);
		const committed = this.#watch.versions.get(walletId) ?? 0;
		if (version > committed)
			throw new Error(`${process} shows version ${version} of wallet ${walletId}; ${committed} is durable`);
	}
}
