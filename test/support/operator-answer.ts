/** Compares answers of the operators' calls with the contract, wherever a test makes such a call. */
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import type { OperatorCall } from '#contract/operators/operator-call.ts';
import { OPERATOR_CALLS } from '#contract/operators/registry.ts';

const CALLS: ReadonlyMap<string, OperatorCall> = new Map(Object.entries(OPERATOR_CALLS));

/** @throws Error for a result that the contract does not declare, field for field */
export function checkAnswer(name: string, result: unknown): void {
	const call = CALLS.get(name);
	if (!call) return;
	const { success, output, issues = [] } = v.safeParse(call.response, result);
	const wrong = issues.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`);
	if (!success) throw new Error(`${name} answers otherwise than the contract: ${wrong.join('; ')}`);
	if (!isDeepStrictEqual(output, result))
		throw new Error(`${name} answers more than the contract: ${JSON.stringify(result).slice(0, 2000)}`);
}
