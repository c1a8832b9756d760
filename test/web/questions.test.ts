/** A question before a call goes on, when another player logs in before it is answered: in this tab or in another one. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { call } from '#web/api/client.ts';
import { clearStored, writeStored } from '#web/api/storage.ts';
import { answerQuestion, useQuestions } from '#web/store/questions.ts';
import { useSession } from '#web/store/session.ts';

/** Of each request for money the token that it was sent with. */
let sentWith: (string | null)[];
/** What the server answers the first of them. */
let refuse: (refusal: Response) => void;

const answerOf = (status: number, body: object): Response => new Response(JSON.stringify(body), { status });

/** As a log-in stores it, in whatever tab. */
function logInAs(player: string): void {
	writeStored('accessToken', `token of ${player}`);
	writeStored('preferencesOf', player);
	useSession.setState(({ loginCount }) => ({ loginCount: loginCount + 1 }));
}

beforeEach(() => {
	sentWith = [];
	const refusal = new Promise<Response>((resolve) => (refuse = resolve));
	vi.stubGlobal('fetch', async (_: string, { headers }: { headers: Record<string, string> }) => {
		sentWith.push(headers['Authorization'] ?? null);
		return sentWith.length === 1 ? await refusal : answerOf(200, { success: true, result: {} });
	});
	logInAs('Asha');
});
afterEach(() => {
	for (const { question } of useQuestions.getState().asked) answerQuestion(question, false);
	clearStored();
	vi.unstubAllGlobals();
});

const questions = () => useQuestions.getState().asked.map(({ question }) => question);
const refusal = (code: string) => answerOf(403, { success: false, error: { code, message: code } });
const withdraw = () =>
	call('createWithdrawal', {
		amount: 500_00 as never,
		details: { method: 'UPI', upiId: 'asha@upi' },
		clientRequestId: 'a-request-of-asha',
	}).then(
		() => 'done',
		({ code }) => code,
	);

it.each(['PASSWORD_NEEDED', 'TERMS_DUE'] as const)(
	'%s: the answer of the player who was asked lets the call go on',
	async (code) => {
		const asked = withdraw();
		refuse(refusal(code));
		await vi.waitFor(() => expect(questions()).toEqual([code]));
		// The login is renewed meanwhile: it is the same one.
		writeStored('accessToken', 'another token of Asha');
		answerQuestion(code, true);
		expect([await asked, sentWith]).toEqual(['done', ['Bearer token of Asha', 'Bearer another token of Asha']]);
	},
);

it.each(['PASSWORD_NEEDED', 'TERMS_DUE'] as const)(
	'%s: a question goes with the login, and its call is refused: the next player is asked for nothing',
	async (code) => {
		const asked = withdraw();
		refuse(refusal(code));
		await vi.waitFor(() => expect(questions()).toEqual([code]));
		logInAs('Bina');
		expect([questions(), await asked, sentWith]).toEqual([[], code, ['Bearer token of Asha']]);
	},
);

it('is not asked after the next player has logged in', async () => {
	const asked = withdraw();
	await vi.waitFor(() => expect(sentWith.length).toBe(1));
	logInAs('Bina');
	refuse(refusal('PASSWORD_NEEDED'));
	expect([await asked, questions(), sentWith]).toEqual(['ABORTED', [], ['Bearer token of Asha']]);
});

it('stops the call, too, where the tab hears of the next player only after the answer', async () => {
	const asked = withdraw();
	refuse(refusal('PASSWORD_NEEDED'));
	await vi.waitFor(() => expect(questions()).toEqual(['PASSWORD_NEEDED']));
	writeStored('accessToken', 'token of Bina');
	writeStored('preferencesOf', 'Bina');
	answerQuestion('PASSWORD_NEEDED', true);
	expect([await asked, sentWith]).toEqual(['PASSWORD_NEEDED', ['Bearer token of Asha']]);
});
