/** What happens to a bet that would be matched with one of the player's own: a choice for all bets, kept by the exchange. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { Loaded } from '#ui/loaded.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { call } from '#web/api/client.ts';
import { messageOf } from '#web/api/failure.ts';
import type { AnswerOf } from '#web/api/units.ts';
import { Choices } from '#web/features/settings/choices.tsx';
import { showChanged } from '#web/store/changes.ts';
import { showNotice } from '#web/store/notices.ts';
import { ACCOUNT_TEXTS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';

type Choice = AnswerOf<'getSelfMatch'>['selfMatch'];

const words = ACCOUNT_TEXTS.settings.selfMatch;
const KEY = ['player', 'self-match'];

export function SelfMatch(): ReactElement {
	const asked = useQuery({
		queryKey: KEY,
		queryFn: ({ signal }) => call('getSelfMatch', {}, { signal }),
		staleTime: 0,
	});
	// What was pressed is shown at once; a refusal takes it back, in words.
	const [pressed, setPressed] = useState<Choice | null>(null);
	const choose = useMutation({
		mutationFn: (selfMatch: Choice) => call('setSelfMatch', { selfMatch }),
		onSuccess: async (answer) => {
			await showChanged(KEY, () => answer);
			showNotice(words.saved, 'success');
		},
		onError: (failure) => showNotice(messageOf(failure), 'error'),
		onSettled: () => setPressed(null),
	});
	return (
		<section aria-label={words.title} className="rounded-lg border border-line bg-surface-1 p-4">
			<h2 className="mb-2 font-semibold">{words.title}</h2>
			<Loaded
				asked={asked}
				words={TEXTS.app}
				waiting={<Skeleton className="h-38 w-full" />}
				empty={null}
				isEmpty={() => false}
			>
				{({ selfMatch }) => (
					<Choices
						name="self-match"
						legend={words.hint}
						words={words.choices}
						chosen={pressed ?? selfMatch}
						disabled={choose.isPending}
						onChoose={(choice) => {
							setPressed(choice);
							choose.mutate(choice);
						}}
					/>
				)}
			</Loaded>
		</section>
	);
}
