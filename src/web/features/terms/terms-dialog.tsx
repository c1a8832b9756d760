import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { Modal } from '#ui/modal.tsx';
import { call } from '#web/api/client.ts';
import { messageOf } from '#web/api/failure.ts';
import { answerQuestion } from '#web/store/questions.ts';
import { ACCOUNT_TEXTS } from '#web/texts/more.ts';

const words = ACCOUNT_TEXTS.terms;

/** Asks the player to accept the present terms and privacy policy; what was asked for then goes on. */
export function TermsDialog(): ReactElement {
	const { data, error } = useQuery({
		queryKey: ['player', 'terms'],
		queryFn: ({ signal }) => call('getTerms', {}, { signal }),
		staleTime: 0,
		gcTime: 0,
	});
	const [isBusy, setBusy] = useState(false);
	const [refusal, setRefusal] = useState('');
	const versionOf = (kind: 'TERMS' | 'PRIVACY') => data?.texts.find((text) => text.kind === kind)?.version ?? '';
	async function accept(): Promise<void> {
		setBusy(true);
		setRefusal('');
		try {
			await call('acceptTerms', { terms: versionOf('TERMS'), privacy: versionOf('PRIVACY') });
			answerQuestion('TERMS_DUE', true);
		} catch (failure) {
			setRefusal(messageOf(failure));
			setBusy(false);
		}
	}
	return (
		<Modal
			open
			size="small"
			title={words.title}
			closeLabel={words.leave}
			onClose={() => answerQuestion('TERMS_DUE', false)}
		>
			<div className="flex flex-col gap-4">
				<p className="text-muted">{words.hint}</p>
				<ul className="flex flex-col gap-2">
					{(data?.texts ?? []).map(({ kind, version, link }) => (
						<li key={kind}>
							{link === '' ? (
								words.named[kind](version)
							) : (
								<a className="inline-flex min-h-11 items-center underline" href={link} target="_blank" rel="noreferrer">
									{words.named[kind](version)}
								</a>
							)}
						</li>
					))}
				</ul>
				<p role="alert" className="min-h-5 text-loss">
					{refusal || (error ? messageOf(error) : '')}
				</p>
				<Button variant="primary" busy={isBusy} disabled={!data} onClick={() => void accept()}>
					{words.accept}
				</Button>
			</div>
		</Modal>
	);
}
