import { useMutation } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Button } from '#ui/button.tsx';
import { saveText } from '#ui/save-text.ts';
import { call } from '#web/api/client.ts';
import { messageOf } from '#web/api/failure.ts';
import { PROTECTION_TEXTS } from '#web/texts/more.ts';

const words = PROTECTION_TEXTS.data;

/** All stored data of the player. A press saves one file, because browsers stop pages that save many at once. */
export function OwnData(): ReactElement {
	const asking = useMutation({ mutationFn: () => call('exportData', {}) });
	return (
		<section className="surface-card" aria-label={words.title}>
			<h2>{words.title}</h2>
			<p className="text-muted">{words.hint}</p>
			{asking.data ? (
				<div className="protection-acts">
					{asking.data.files.map(({ name, csv }) => (
						<Button key={name} variant="outline" onClick={() => saveText(name, csv)}>
							{words.save(name)}
						</Button>
					))}
				</div>
			) : (
				<div className="protection-acts">
					<Button variant="outline" busy={asking.isPending} onClick={() => asking.mutate()}>
						{words.get}
					</Button>
				</div>
			)}
			{asking.error && (
				<p role="alert" className="text-loss">
					{messageOf(asking.error)}
				</p>
			)}
		</section>
	);
}
