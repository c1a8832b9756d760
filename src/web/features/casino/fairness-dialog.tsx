import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { standingOf } from '#games/pair-proof.ts';
import { Modal } from '#ui/modal.tsx';
import { isRevealed } from '#web/features/casino/pair-check.ts';
import { PairProof, StandingMark } from '#web/features/casino/pair-proof.tsx';
import { RotateSeeds, SeedFacts } from '#web/features/casino/seed-facts.tsx';
import { noteOf } from '#web/features/casino/seed-notes.ts';
import { type CasinoSeeds, seedsQuery } from '#web/store/casino-queries.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';

const words = CASINO_TEXTS.fairness;

/** The player's seeds: the commitment, and how to verify it. */
export function FairnessDialog({ onClose }: { onClose: () => void }): ReactElement {
	const { data } = useQuery(seedsQuery());
	const [revealed, setRevealed] = useState<CasinoSeeds | null>(null);
	return (
		<Modal open sheet title={words.title} closeLabel={TEXTS.app.close} onClose={onClose}>
			<ol className="fair-how">
				{words.how.map((step) => (
					<li key={step}>{step}</li>
				))}
			</ol>
			{data?.seeds && (
				<SeedFacts
					rows={[
						[words.client, data.seeds.clientSeed],
						[words.commitment, data.seeds.commitment],
						[words.nonce, String(data.nonce)],
					]}
				/>
			)}
			<RotateSeeds onRevealed={setRevealed} />
			{revealed && (
				<>
					<SeedFacts
						rows={[
							[words.revealed, revealed.serverSeed ?? ''],
							[words.client, revealed.clientSeed],
							[words.commitment, revealed.commitment],
						]}
					/>
					{isRevealed(revealed) && <StandingMark standing={standingOf(revealed, noteOf(revealed))} />}
					{isRevealed(revealed) && <PairProof seeds={revealed} />}
					<Link to="/casino-rounds" className="button" data-variant="outline">
						{words.check}
					</Link>
				</>
			)}
		</Modal>
	);
}
