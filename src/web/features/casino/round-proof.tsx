/**
 * The proof of a round of the player's own: its seeds, and the result derived from them once the server seed is known.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { gameOf } from '#games/all-games.ts';
import { standingOf } from '#games/pair-proof.ts';
import { Modal } from '#ui/modal.tsx';
import { ProofMark } from '#ui/proof-mark.tsx';
import { isRevealed, type RevealedPair } from '#web/features/casino/pair-check.ts';
import { PairProof, StandingMark } from '#web/features/casino/pair-proof.tsx';
import { resultText } from '#web/features/casino/result-text.ts';
import { RotateSeeds, SeedFacts } from '#web/features/casino/seed-facts.tsx';
import { noteOf } from '#web/features/casino/seed-notes.ts';
import { computed, ProofSteps } from '#web/features/casino/seed-proof.tsx';
import { formatMoment, formatMoney } from '#web/format.ts';
import { type CasinoRecord, type CasinoSeeds, roundQuery } from '#web/store/casino-queries.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';

const words = CASINO_TEXTS.ownRounds;
const fair = CASINO_TEXTS.fairness;

/** The round recomputed from its revealed seeds, beside the commitment and the payout. */
function Revealed({ round, seeds }: { round: CasinoRecord; seeds: RevealedPair }): ReactElement | null {
	const game = gameOf(round.game);
	if (!game || game.kind === 'crash') return null;
	const proof = computed(
		game,
		{ serverSeed: seeds.serverSeed, clientSeed: seeds.clientSeed, nonce: round.nonce ?? 0 },
		{ choice: round.bets[0]?.bet ?? '', actions: round.actions },
	);
	return (
		<>
			<StandingMark standing={standingOf(seeds, noteOf(seeds))} />
			<ProofMark isRight={proof?.result === round.result} text={words.gives(round.result)} />
			<PairProof seeds={seeds} />
			{proof && <ProofSteps proof={proof} />}
		</>
	);
}

function Proof({ round, seeds }: { round: CasinoRecord; seeds: CasinoSeeds | null }): ReactElement {
	const queries = useQueryClient();
	const { stake } = round;
	return (
		<>
			<p className="round-paid">
				{words.paid(formatMoney(stake), resultText(round))} · {formatMoment(round.at)}
			</p>
			{seeds && (
				<>
					<SeedFacts
						rows={[
							[CASINO_TEXTS.verify.result, round.result],
							...(seeds.serverSeed === null ? [] : [[fair.revealed, seeds.serverSeed] as const]),
							[fair.commitment, seeds.commitment],
							[fair.client, seeds.clientSeed],
							[CASINO_TEXTS.verify.nonce, String(round.nonce)],
						]}
					/>
					{!isRevealed(seeds) ? (
						<>
							<p className="proof-warning">{words.secret}</p>
							<RotateSeeds
								onRevealed={() => void queries.invalidateQueries({ queryKey: roundQuery(round.roundId).queryKey })}
							/>
						</>
					) : (
						<Revealed round={round} seeds={seeds} />
					)}
				</>
			)}
		</>
	);
}

/** Opened from a round among the last ones. */
export function RoundProofDialog({ roundId, onClose }: { roundId: string; onClose: () => void }): ReactElement {
	const { data, isError } = useQuery(roundQuery(roundId));
	return (
		<Modal open sheet title={words.title(roundId)} closeLabel={TEXTS.app.close} onClose={onClose}>
			{data ? (
				<div className="round-proof">
					<Proof round={data.round} seeds={data.seeds} />
				</div>
			) : (
				<p role={isError ? 'alert' : undefined}>
					{isError ? CASINO_TEXTS.crash.proof.unknown : CASINO_TEXTS.crash.proof.loading}
				</p>
			)}
		</Modal>
	);
}
