/** What asks the player, wherever bets are placed: the server before a call goes on, the law, and the watch on the stay. */
import { type ReactElement, Suspense } from 'react';
import { lazyPart } from '#ui/lazy-part.ts';
import { pause } from '#web/pause.ts';
import { useBrandRules } from '#web/store/brand-rules.ts';
import { useQuestions } from '#web/store/questions.ts';
import { useSession } from '#web/store/session.ts';
import { withTexts } from '#web/texts/held.ts';

const REALITY_CHECK_AFTER_MS = 10_000;

const PasswordDialog = lazyPart(async () => ({
	default: (await withTexts(() => import('#web/features/password/password-dialog.tsx'))).PasswordDialog,
}));
const TermsDialog = lazyPart(async () => ({
	default: (await withTexts(() => import('#web/features/terms/terms-dialog.tsx'))).TermsDialog,
}));
const LimitQuestion = lazyPart(async () => ({
	default: (await withTexts(() => import('#web/features/protection/limit-question.tsx'))).LimitQuestion,
}));
/** Not due before minutes have passed, so that it comes after all that the first screen needs. */
const Watchers = lazyPart(async () => {
	await pause(REALITY_CHECK_AFTER_MS);
	return { default: (await withTexts(() => import('#web/routes/watchers.tsx'))).Watchers };
});

export function PlayerModals(): ReactElement {
	const loggedIn = useSession(({ user }) => user !== null);
	const question = useQuestions(({ asked }) => asked[0]?.question);
	const asksForLimits = useBrandRules().limitPrompt !== 'never';
	return (
		<>
			<Suspense fallback={null}>{loggedIn && <Watchers />}</Suspense>
			<Suspense fallback={null}>{question === 'TERMS_DUE' && <TermsDialog />}</Suspense>
			<Suspense fallback={null}>{loggedIn && asksForLimits && <LimitQuestion />}</Suspense>
			<Suspense fallback={null}>{question === 'PASSWORD_NEEDED' && <PasswordDialog />}</Suspense>
		</>
	);
}
