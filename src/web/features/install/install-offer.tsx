import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Button } from '#ui/button.tsx';
import { Modal } from '#ui/modal.tsx';
import { answerInstall, useInstall } from '#web/store/install.ts';
import { betHistoryQuery } from '#web/store/record-queries.ts';
import { SCREEN_TEXTS } from '#web/texts/more.ts';

/** Among these the first that won is found. */
const LATEST = 20;

const words = SCREEN_TEXTS.install;

/** Asks, after the first bet that won, whether the site shall be on the home screen. */
export function InstallOffer(): ReactElement | null {
	const { offer, wasAsked } = useInstall();
	// Asked again when a bet is settled.
	const { data } = useQuery({
		...betHistoryQuery({ maxResultCount: LATEST, skipCount: 0 }),
		enabled: offer !== null && !wasAsked,
	});
	const hasWon = data?.items.some(({ result }) => result === 'WON') ?? false;
	if (!offer || !hasWon || wasAsked) return null;
	return (
		<Modal
			open
			sheet
			size="small"
			title={words.title}
			closeLabel={words.later}
			onClose={() => void answerInstall(false)}
		>
			<div className="flex flex-col gap-3">
				<p className="text-muted">{words.hint}</p>
				<Button variant="primary" onClick={() => void answerInstall(true)}>
					{words.install}
				</Button>
				<Button variant="outline" onClick={() => void answerInstall(false)}>
					{words.later}
				</Button>
			</div>
		</Modal>
	);
}
