/** The proof of a round of a dealt table. */
import type { ReactElement } from 'react';
import { gameOf } from '#games/all-games.ts';
import { isPublished, resultOf } from '#games/round-result.ts';
import { blocksOf } from '#games/seeded-words.ts';
import { drawSeeds } from '#games/shared-result.ts';
import { ProofMark } from '#ui/proof-mark.tsx';
import type { AnswerOf } from '#web/api/units.ts';
import { ChainProof, type ProofSteps } from '#web/features/casino/chain-proof.tsx';
import { tableScript } from '#web/features/casino/tables/table-script.ts';
import { tableRoundQuery } from '#web/store/casino-queries.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';

const words = CASINO_TEXTS.tables.proof;

type RoundProof = AnswerOf<'getTableRound'>;

/** @param hash of the chain */
const drawnOf = ({ round, beacon, bettorSeeds, chain: { salt } }: RoundProof, hash: string) => ({
	hash,
	signature: beacon?.signature ?? null,
	salt,
	bettorSeeds,
	round: Number(round),
});

function Result({ proof, hash }: { proof: RoundProof; hash: string }): ReactElement | null {
	const { game: code, round, isVoid, voided } = proof;
	const game = gameOf(code);
	if (game?.kind !== 'table') return null;
	const seeds = drawSeeds(drawnOf(proof, hash));
	const { outcome, result } = resultOf(game, seeds, { choice: '', actions: [] });
	const published = voided?.outcome ?? proof.outcome;
	// Void rounds of earlier releases have no outcome.
	const isRight = published === null || isPublished(outcome, published);
	return (
		<>
			<h3>{words.draws}</h3>
			<code>{`${seeds.clientSeed}:${round}:0`}</code>
			<code>{blocksOf(seeds, 1)[0]}</code>
			<h3>{words.result}</h3>
			<ProofMark isRight={isRight} text={isVoid ? CASINO_TEXTS.crash.proof.void(result) : result} />
		</>
	);
}

const STEPS: ProofSteps<RoundProof> = {
	secret: words.secret,
	result: (proof, hash) => <Result proof={proof} hash={hash} />,
	chain: words.chain,
	script: (proof, hash) => tableScript(drawnOf(proof, hash)),
};

export const TableProof = ({ game, round }: { game: string; round: string }): ReactElement => (
	<ChainProof query={tableRoundQuery(game, round)} steps={STEPS} />
);
