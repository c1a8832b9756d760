/** The player's own last rounds of a game, newest first; each opens its proof. */
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, Suspense, useState } from 'react';
import { hundredths, multipleText } from '#games/fraction.ts';
import { lazyPart } from '#ui/lazy-part.ts';
import { isWin, resultText } from '#web/features/casino/result-text.ts';
import { type CasinoRecord, lastRoundsQuery } from '#web/store/casino-queries.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';

const words = CASINO_TEXTS.ownRounds;
const MOST = 20;

const RoundProofDialog = lazyPart(async () => ({
	default: (await import('#web/features/casino/round-proof.tsx')).RoundProofDialog,
}));

/** The payout of a round as a multiple of its stake. */
const paidMultiple = ({ stake, payout }: CasinoRecord): string =>
	multipleText(hundredths(stake > 0 ? Math.floor((payout * 100) / stake) : 0));

/** The rounds that ended on this page, before those that the server had when it was opened; without duplicates. */
function merged(ended: readonly CasinoRecord[], earlier: readonly CasinoRecord[]): CasinoRecord[] {
	const rounds = new Map([...ended, ...earlier].map((round) => [round.roundId, round]));
	return [...rounds.values()].filter(({ state }) => state === 'SETTLED').slice(0, MOST);
}

export function OwnRounds({
	game,
	ended,
	markOf = paidMultiple,
}: {
	game: string;
	/** Those of this visit. */
	ended: readonly CasinoRecord[];
	markOf?: ((round: CasinoRecord) => string) | undefined;
}): ReactElement {
	const { data } = useQuery(lastRoundsQuery(game, MOST));
	const [proven, setProven] = useState<string | null>(null);
	const rounds = merged(ended, data?.items ?? []);
	return (
		<>
			<ol className="game-strip round-strip" aria-label={words.label}>
				{rounds.map((round) => (
					<li key={round.roundId}>
						<button
							type="button"
							data-paid={isWin(round) ? 'more' : round.payout > 0 ? 'some' : 'none'}
							aria-label={words.open(markOf(round), resultText(round))}
							onClick={() => setProven(round.roundId)}
						>
							{markOf(round)}
						</button>
					</li>
				))}
				{data && rounds.length === 0 && <li className="round-strip-empty">{words.none}</li>}
			</ol>
			{proven !== null && (
				<Suspense fallback={null}>
					<RoundProofDialog roundId={proven} onClose={() => setProven(null)} />
				</Suspense>
			)}
		</>
	);
}
