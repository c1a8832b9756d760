/** A request that is repeated after a lost answer has the same id, so that the server executes it once. */
import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { isOutcomeUnknown, messageOf } from '#web/api/failure.ts';
import { newRequestId } from '#web/api/request-id.ts';
import { CASHIER_TEXTS } from '#web/texts/more.ts';

/** The id belongs to the input: another amount is another request. */
export function useSentOnce<Input, Answer>(
	send: (input: Input, clientRequestId: string) => Promise<Answer>,
	onSuccess: (answer: Answer) => void,
): UseMutationResult<Answer, Error, Input> {
	const unanswered = useRef<{ input: string; id: string } | null>(null);
	return useMutation({
		mutationFn: async (given: Input) => {
			const input = JSON.stringify(given);
			if (unanswered.current?.input !== input) unanswered.current = { input, id: newRequestId() };
			try {
				const answer = await send(given, unanswered.current.id);
				unanswered.current = null;
				return answer;
			} catch (failure) {
				if (!isOutcomeUnknown(failure)) unanswered.current = null;
				throw failure;
			}
		},
		onSuccess,
	});
}

/** Why a request failed, or that its outcome is unknown; empty otherwise. */
export function failureText(error: Error | null): string {
	if (!error) return '';
	return isOutcomeUnknown(error) ? CASHIER_TEXTS.lost : messageOf(error);
}
