/** The question for the password before money moves: one dialog for all calls that wait for the answer. */
import { create } from 'zustand';
import { setPasswordAsker } from '#web/api/client.ts';

interface PasswordQuestion {
	/** Called with whether the password was given; empty while nothing is asked. */
	waiting: readonly ((isGiven: boolean) => void)[];
}

export const usePasswordQuestion = create<PasswordQuestion>(() => ({ waiting: [] }));

setPasswordAsker(
	() => new Promise((resolve) => usePasswordQuestion.setState(({ waiting }) => ({ waiting: [...waiting, resolve] }))),
);

/** Calls that wait at the same time get the same answer. */
export function answerPasswordQuestion(isGiven: boolean): void {
	const { waiting } = usePasswordQuestion.getState();
	usePasswordQuestion.setState({ waiting: [] });
	for (const answer of waiting) answer(isGiven);
}
