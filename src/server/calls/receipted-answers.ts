/** Adds a receipt, or the reference of one, to the answers of calls that ask for it: those that are done once by their `clientRequestId`. */
import { hash } from 'node:crypto';
import type { Logger } from 'pino';
import { takesRequestId } from '#contract/call.ts';
import { CALLS } from '#contract/registry.ts';
import type { AnswerCall, CallAnswer, CheckedCall } from '#server/calls/checked-call.ts';
import type { ReceiptWriter } from '#server/platform/public-log/receipt-writer.ts';

interface ReceiptParts {
	receipts: Pick<ReceiptWriter, 'receipt' | 'reference'>;
	log: Logger;
}

export function receiptedAnswers(answer: AnswerCall, parts: ReceiptParts): AnswerCall {
	const withReceipt = async (call: CheckedCall): Promise<CallAnswer> => {
		const answered = await answer(call);
		return answered.playerId === undefined ? answered : receipted(call, answered, answered.playerId, parts);
	};
	return (call) => (call.wantsReceipt && takesRequestId(CALLS[call.name]) ? withReceipt(call) : answer(call));
}

/** What was answered is durable, so an answer without a receipt is better than none. The request may be repeated for one. */
async function receipted(
	{ name, host, input, wantsReceipt }: CheckedCall,
	answered: CallAnswer,
	player: number,
	{ receipts, log }: ReceiptParts,
): Promise<CallAnswer> {
	const { clientRequestId } = input as { clientRequestId: string };
	// As `resultDigest` of the verifiers.
	const result = hash('sha256', answered.json);
	try {
		const statement = { call: name, host, player, clientRequestId, result };
		if (wantsReceipt === 'later') return { ...answered, receipt: receipts.reference(statement) };
		const receipt = await receipts.receipt(statement);
		return { ...answered, receipt: Buffer.from(JSON.stringify(receipt)).toString('base64') };
	} catch (error) {
		log.warn({ err: error, call: name }, 'an answer goes out without its receipt');
		return answered;
	}
}
