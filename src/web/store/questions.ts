/** Questions that the server asks before a call goes on: one dialog for all calls that wait for the same answer. */
import { create } from 'zustand';
import { type Question, setAsker } from '#web/api/client.ts';
import { useSession } from '#web/store/session.ts';

interface Asked {
	question: Question;
	/** Called with whether the call may go on. */
	answer: (goesOn: boolean) => void;
}

export const useQuestions = create<{ asked: readonly Asked[] }>(() => ({ asked: [] }));

setAsker(
	(question) =>
		new Promise((answer) => useQuestions.setState(({ asked }) => ({ asked: [...asked, { question, answer }] }))),
);

/** Calls that wait for it at the same time get the same answer. */
export function answerQuestion(question: Question, goesOn: boolean): void {
	const { asked } = useQuestions.getState();
	useQuestions.setState({ asked: asked.filter((one) => one.question !== question) });
	for (const one of asked) if (one.question === question) one.answer(goesOn);
}

// Those of a login end with it: the next player is not asked for what the one before wanted.
useSession.subscribe(({ loginCount }, before) => {
	if (loginCount === before.loginCount) return;
	for (const { question } of useQuestions.getState().asked) answerQuestion(question, false);
});
