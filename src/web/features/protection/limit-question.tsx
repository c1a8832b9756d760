import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useRouterState } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { Modal } from '#ui/modal.tsx';
import { call } from '#web/api/client.ts';
import { messageOf } from '#web/api/failure.ts';
import { changeProtection } from '#web/features/protection/change-protection.ts';
import { useBrandRules } from '#web/store/brand-rules.ts';
import { protectionQuery } from '#web/store/protection-queries.ts';
import { PROTECTION_TEXTS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';

const words = PROTECTION_TEXTS.question;

/** Asks for limits when the profile of the brand says so: at sign-up or before the first deposit, and again after months. */
export function LimitQuestion(): ReactElement | null {
	const { data: protection } = useQuery(protectionQuery());
	const { limitPrompt } = useBrandRules();
	const path = useRouterState({ select: ({ location }) => location.pathname });
	const [isPutOff, setPutOff] = useState(false);
	const goingOn = useMutation({ mutationFn: () => changeProtection(() => call('setLimits', {})) });
	const due = protection?.limitsDue ?? null;
	const isFirstLater = due === 'FIRST' && limitPrompt === 'first-deposit' && path !== '/deposit';
	if (due === null || isFirstLater || isPutOff || path === '/protection') return null;
	return (
		<Modal open title={words.title} closeLabel={TEXTS.app.close} onClose={() => setPutOff(true)}>
			<div className="flex flex-col gap-4">
				<p>{due === 'FIRST' ? words.first : words.reminder}</p>
				{goingOn.error && (
					<p role="alert" className="text-loss">
						{messageOf(goingOn.error)}
					</p>
				)}
				<Link to="/protection" className="button" data-variant="primary">
					{words.set}
				</Link>
				<Button variant="outline" busy={goingOn.isPending} onClick={() => goingOn.mutate()}>
					{words.goOn}
				</Button>
			</div>
		</Modal>
	);
}
