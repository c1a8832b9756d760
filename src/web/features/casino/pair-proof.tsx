/** The proof given by a pair of seeds, and the check of all rounds with it. */
import { useMutation } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { Standing } from '#games/pair-proof.ts';
import { Button } from '#ui/button.tsx';
import { ExportButton } from '#ui/export-button.tsx';
import { ProofMark } from '#ui/proof-mark.tsx';
import { messageOf } from '#web/api/failure.ts';
import { type CheckedPair, checkPair, pairLines, type RevealedPair } from '#web/features/casino/pair-check.ts';
import { allRounds } from '#web/features/casino/rounds-file.ts';
import { noteOf } from '#web/features/casino/seed-notes.ts';
import { showNotice } from '#web/store/notices.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';

const words = CASINO_TEXTS.pairs;

/** A pair without a note and one of the old rule have no mark: their proof is weaker, and nothing is wrong. */
export function StandingMark({ standing }: { standing: Standing }): ReactElement {
	if (standing === 'proven' || standing === 'broken')
		return <ProofMark isRight={standing === 'proven'} text={words.standings[standing]} />;
	return <p className="proof-warning">{words.standings[standing]}</p>;
}

function Checked({ found }: { found: CheckedPair }): ReactElement {
	const { checked, wrong, missing, repeated } = found;
	return (
		<>
			<ProofMark isRight={wrong.length === 0} text={words.results(checked, wrong.join(', '))} />
			<ProofMark
				isRight={missing.length + repeated.length === 0}
				text={
					missing.length + repeated.length === 0 ? words.noGaps : words.gaps(missing.join(', '), repeated.join(', '))
				}
			/>
		</>
	);
}

export function PairProof({ seeds }: { seeds: RevealedPair }): ReactElement {
	const witnessed = noteOf(seeds);
	const rounds = () => allRounds({ pair: String(seeds.pair) });
	const check = useMutation({ mutationFn: async () => checkPair(await rounds(), seeds, witnessed) });
	return (
		<div className="pair-proof">
			{check.data && <Checked found={check.data} />}
			{check.error && <p role="alert">{messageOf(check.error)}</p>}
			<div className="pair-acts">
				<Button variant="outline" busy={check.isPending} onClick={() => check.mutate()}>
					{words.check}
				</Button>
				<ExportButton
					label={words.save}
					file={`seeds-${seeds.pair}.jsonl`}
					make={async () => pairLines(await rounds(), seeds, witnessed)}
					onFail={(failure) => showNotice(messageOf(failure), 'error')}
				/>
			</div>
		</div>
	);
}
