/** What asks the player, wherever bets are placed: the server before a call goes on, the law, and the watch on the stay. */
import { type ReactElement, Suspense } from 'react';
import { LimitQuestion, PasswordDialog, TermsDialog, Watchers } from '#web/routes/lazy-parts.ts';
import { useBrandRules } from '#web/store/brand-rules.ts';
import { useQuestions } from '#web/store/questions.ts';
import { useSession } from '#web/store/session.ts';

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
