/** The proof of a round of a dealt table. */
import type { ReactElement } from 'react';
import { gameOf } from '#games/all-games.ts';
import { isPublished, resultOf } from '#games/round-result.ts';
import { blocksOf } from '#games/seeded-words.ts';
import type { AnswerOf } from '#web/api/units.ts';
import { ChainProof, ProofMark, type ProofSteps } from '#web/features/casino/chain-proof.tsx';
import { tableScript } from '#web/features/casino/tables/table-script.ts';
import { tableRoundQuery } from '#web/store/casino-queries.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';

const words = CASINO_TEXTS.tables.proof;

type RoundProof = AnswerOf<'getTableRound'>;

function Result({ proof, hash }: { proof: RoundProof; hash: string }): ReactElement | null {
	const { game: code, round, chain, isVoid, voided } = proof;
	const game = gameOf(code);
	if (game?.kind !== 'table') return null;
	const seeds = { serverSeed: hash, clientSeed: chain.salt, nonce: Number(round) };
	const { outcome, result } = resultOf(game, seeds, { choice: '', actions: [] });
	const published = voided?.outcome ?? proof.outcome;
	// Void rounds of earlier releases have no outcome.
	const isRight = published === null || isPublished(outcome, published);
	return (
		<>
			<h3>{words.draws}</h3>
			<code>{`${chain.salt}:${round}:0`}</code>
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
	script: ({ chain, round }, hash) => tableScript(hash, chain.salt, round),
};

export const TableProof = ({ game, round }: { game: string; round: string }): ReactElement => (
	<ChainProof query={tableRoundQuery(game, round)} steps={STEPS} />
);
