/** Runs the instructions of one call in their order, and reports each of them. */

import type { OrderTerms } from '#server/calls/order-bet.ts';
import { orderedOnce } from '#server/calls/request-key.ts';
import type { BotCaller } from '#server/doors/bots-api/caller.ts';
import {
	ApingException,
	COUNTERPARTS,
	type ExecutionCode,
	type InstructionCode,
	isPassing,
} from '#server/doors/bots-api/errors.ts';
import type { BotParts } from '#server/doors/bots-api/operation.ts';
import type { Receipt, RequestKey } from '#server/exchange/exchange.ts';
import { secretHash } from '#server/platform/keys/secret-hash.ts';
import type { TurnsOptions } from '#server/platform/pacing/turns.ts';
import { type ErrorCode, Refused } from '#values/error-catalogue.ts';

/** Bets a second of one player over this interface. */
const BETS_PER_SECOND = 1_000;

/**
 * The exchange takes a limited number of one player's requests at a time, so calls with many instructions queue behind
 * each other. This limit is below the exchange's own, so that the player's site stays usable.
 */
export const IN_FLIGHT: TurnsOptions = { atOnce: 220, mostWaiting: 100, refusal: () => new Refused('THROTTLED') };

type Status = 'SUCCESS' | 'FAILURE' | 'TIMEOUT';

/** A refusal of an instruction: a code of the catalogue, or a code of the service without a counterpart there. */
export class BadInstruction extends Error {
	readonly code: InstructionCode;
	constructor(code: InstructionCode) {
		super(code);
		this.code = code;
	}
}

/** Whole, the status first: to copy a report behind its status would be a good part of making it. */
interface AcceptedReport {
	status: 'SUCCESS';
}

interface Outcome {
	status: Status;
	errorCode?: InstructionCode;
	/** The refusal's code in our catalogue; null for a success and for a BadInstruction. */
	refusal: ErrorCode | null;
	/** Of a success the AcceptedReport; of a refusal what `refused` gives. */
	report: object;
}

interface Batch<Instruction> {
	/** The operation's name, which a reference belongs to. */
	name: string;
	marketId?: string | undefined;
	customerRef?: string | undefined;
	instructions: readonly Instruction[];
	/** Further fields that a repetition has to return, besides the instructions. */
	besides?: unknown;
	/** @throws Refused, BadInstruction; at once or by the promise */
	submit(instruction: Instruction, terms: OrderTerms): Promise<Receipt>;
	/** An accepted instruction's report: of the instruction and its receipt alone, so a repetition is told the same. */
	accepted(instruction: Instruction, receipt: Receipt): AcceptedReport | Promise<AcceptedReport>;
	/** Fields of a refused instruction's report, besides its status and the code. */
	refused(instruction: Instruction, errorCode: InstructionCode): object | Promise<object>;
}

/** The body of the service's execution reports. */
export async function runBatch<Instruction>(parts: BotParts, batch: Batch<Instruction>, caller: BotCaller) {
	const { playerId } = caller.login;
	const { name, marketId, customerRef, instructions } = batch;
	const work = async (period: number) => {
		const run = () => inOrder(parts, batch, caller, period);
		const outcomes = await parts.inFlight.take(playerId, run, Math.max(1, instructions.length));
		const refusals = outcomes.flatMap(({ refusal }) => refusal ?? []);
		const { status, errorCode } = verdictOf(outcomes);
		const instructionReports = outcomes.map(reportOf);
		return {
			answer: { customerRef, marketId, status, errorCode, instructionReports },
			hasRefusal: status !== 'SUCCESS',
			isFinal: !refusals.some(isPassing),
		};
	};
	if (customerRef === undefined) return (await work(0)).answer;
	const keys = (period: number) => instructions.flatMap((_, at) => keyFor(batch, at, caller, period) ?? []);
	const acceptedAt = (period: number) => firstAccepted(parts, keys(period), parts.exchange.now());
	const bodyHash = secretHash(JSON.stringify([name, marketId, instructions, batch.besides]));
	try {
		return await parts.firstAnswers.first({ playerId, name: `${name} ${customerRef}`, bodyHash }, { work, acceptedAt });
	} catch (error) {
		if (!(error instanceof Refused) || error.code !== 'REQUEST_ID_REUSED') throw error;
		const refusal = { status: 'FAILURE' as const, errorCode: 'DUPLICATE_TRANSACTION' as const };
		return { customerRef, marketId, ...refusal, instructionReports: [] };
	}
}

/**
 * The exchange assigns places in the order of the instructions. Each is sent as soon as the previous one has its place,
 * and all are awaited together until they are durable.
 */
async function inOrder<Instruction>(
	parts: BotParts,
	batch: Batch<Instruction>,
	caller: BotCaller,
	period: number,
): Promise<Outcome[]> {
	const running: Promise<Outcome>[] = [];
	for (const [at, instruction] of batch.instructions.entries()) {
		let hasPlace = false;
		/** Set while the next instruction waits for it. */
		let onPlace: (() => void) | undefined;
		const key = keyFor(batch, at, caller, period);
		const onOrdered = () => {
			hasPlace = true;
			onPlace?.();
		};
		const outcome = outcomeOf(batch, instruction, () => {
			const terms = { key, betsPerSecond: BETS_PER_SECOND, onOrdered };
			// Without a reference there was no first time.
			if (!key) return batch.submit(instruction, terms);
			return orderedOnce(parts.exchange, key, caller.untilMs, (onJudged) => {
				const onOrderedOnce = () => {
					onOrdered();
					onJudged();
				};
				return batch.submit(instruction, { ...terms, onOrdered: onOrderedOnce });
			});
		});
		running.push(outcome);
		// Refusals and repetitions take no place.
		if (!hasPlace) await Promise.race([new Promise<void>((resolve) => (onPlace = resolve)), outcome]);
	}
	return await Promise.all(running);
}

/** With a reference, each instruction has a request key, so an accepted one is applied only once. */
function keyFor<Instruction>(
	{ name, customerRef, marketId, instructions, besides }: Batch<Instruction>,
	at: number,
	{ login }: BotCaller,
	period: number,
): RequestKey | undefined {
	if (customerRef === undefined) return undefined;
	const body = JSON.stringify([name, marketId, instructions[at], besides, instructions.length]);
	return { walletId: login.playerId, clientRequestId: `api.${name}.${at}.${period}.${customerRef}`, body };
}

/**
 * When the first of these requests was accepted, with these orders or with others; null if none was.
 * @param nowMs used for a request with other orders that is in no table yet
 */
export async function firstAccepted(
	{ exchange, db }: Pick<BotParts, 'exchange' | 'db'>,
	keys: readonly RequestKey[],
	nowMs: number,
): Promise<number | null> {
	for (const key of keys) {
		try {
			const receipt = await exchange.earlier(key);
			if (receipt) return receipt.atMs;
		} catch (error) {
			if (!(error instanceof Refused) || error.code !== 'REQUEST_ID_REUSED') throw error;
			return (await writtenAt(db, key)) ?? nowMs;
		}
	}
	return null;
}

/** The exchange tells no receipt of a request with other orders. Its key's minute alone may be almost two minutes ago. */
async function writtenAt(db: BotParts['db'], { walletId, clientRequestId }: RequestKey): Promise<number | null> {
	const { rows } = await db.query<{ at: number }>(
		'select at from request_key where wallet_id = $1 and client_request_id = $2',
		[walletId, clientRequestId],
	);
	return rows[0]?.at ?? null;
}

async function outcomeOf<Instruction>(
	batch: Batch<Instruction>,
	instruction: Instruction,
	submit: () => Promise<Receipt>,
): Promise<Outcome> {
	try {
		const report = batch.accepted(instruction, await submit());
		return { status: 'SUCCESS', refusal: null, report: report instanceof Promise ? await report : report };
	} catch (error) {
		if (error instanceof BadInstruction) {
			const { code } = error;
			return { status: 'FAILURE', errorCode: code, refusal: null, report: await batch.refused(instruction, code) };
		}
		// A key that was used for another call invalidates the whole call.
		if (!(error instanceof Refused) || error.code === 'REQUEST_ID_REUSED') throw error;
		const errorCode = COUNTERPARTS[error.code].instruction;
		const status = error.code === 'OUTCOME_UNKNOWN' ? 'TIMEOUT' : 'FAILURE';
		return { status, errorCode, refusal: error.code, report: await batch.refused(instruction, errorCode) };
	}
}

const reportOf = ({ status, errorCode, report }: Outcome): object =>
	status === 'SUCCESS' ? report : { status, errorCode, ...report };

/** The status of the whole call. */
function verdictOf(outcomes: readonly Outcome[]): {
	status: Status | 'PROCESSED_WITH_ERRORS';
	errorCode?: ExecutionCode;
} {
	const failed = outcomes.filter(({ status }) => status !== 'SUCCESS');
	if (failed.length === 0) return { status: 'SUCCESS' };
	if (failed.some(({ status }) => status === 'TIMEOUT')) return { status: 'TIMEOUT' };
	if (failed.length < outcomes.length) {
		return { status: 'PROCESSED_WITH_ERRORS', errorCode: 'PROCESSED_WITH_ERRORS' };
	}
	const reasons = new Set(failed.map(({ refusal }) => refusal && COUNTERPARTS[refusal].execution));
	const [reason] = reasons;
	return { status: 'FAILURE', errorCode: (reasons.size === 1 && reason) || 'BET_ACTION_ERROR' };
}

/** @throws ApingException when a call has more instructions than it may, or none */
export function checkCount(count: number, most: number): void {
	if (count === 0) throw new ApingException('INVALID_INPUT_DATA', 'instructions');
	if (count > most) throw new ApingException('INVALID_INPUT_DATA', `at most ${most} instructions`);
}
