/** What proves a round of a table: computed here, from what the server published. */
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { gameOf } from '#games/all-games.ts';
import { previousHash } from '#games/crash/crash-result.ts';
import { resultOf } from '#games/round-result.ts';
import { blocksOf } from '#games/seeded-words.ts';
import { Modal } from '#ui/modal.tsx';
import type { AnswerOf } from '#web/api/units.ts';
import { ChainWalk, ProofMark, ProofScript } from '#web/features/casino/chain-proof.tsx';
import { tableScript } from '#web/features/casino/tables/table-script.ts';
import { tableRoundQuery } from '#web/store/casino-queries.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';

const words = CASINO_TEXTS.crash.proof;
const own = CASINO_TEXTS.tables.proof;

type RoundProof = AnswerOf<'getTableRound'>;

function Steps({ proof, hash }: { proof: RoundProof; hash: string }): ReactElement | null {
	const { game: code, round, previousHash: before, position, chain, isVoid } = proof;
	const game = gameOf(code);
	if (game?.kind !== 'table') return null;
	const seeds = { serverSeed: hash, clientSeed: chain.salt, nonce: Number(round) };
	const { outcome, result } = resultOf(game, seeds, { choice: '', actions: [] });
	const isRight = isVoid || JSON.stringify(outcome) === JSON.stringify(proof.outcome);
	return (
		<>
			<h3>{words.link}</h3>
			<code>{before}</code>
			<ProofMark isRight={previousHash(hash) === before} text={words.linked} />
			<h3>{own.draws}</h3>
			<code>{`${chain.salt}:${round}:0`}</code>
			<code>{blocksOf(seeds, 1)[0]}</code>
			<h3>{own.result}</h3>
			<ProofMark isRight={isRight} text={isVoid ? words.void : result} />
			<h3>{own.chain}</h3>
			<code>{chain.commitment}</code>
			<ChainWalk hash={hash} position={position} commitment={chain.commitment} />
			<ProofScript script={tableScript(hash, chain.salt, round)} />
		</>
	);
}

/** The proof of a round as a part of a page or of a dialog. */
export function TableProof({ game, round }: { game: string; round: string }): ReactElement {
	const { data: proof, isError } = useQuery(tableRoundQuery(game, round));
	if (isError) return <p role="alert">{words.unknown}</p>;
	if (!proof) return <p>{words.loading}</p>;
	const { hash, chain } = proof;
	return (
		<section className="proof" aria-label={words.title(round)}>
			{chain.isDevelopment && <p className="proof-warning">{words.development}</p>}
			<h3>{words.hash}</h3>
			<code>{hash ?? own.secret}</code>
			{hash !== null && <Steps proof={proof} hash={hash} />}
			<p>{words.limits}</p>
		</section>
	);
}

/** Opened from a result in the history. */
export function TableProofDialog({
	game,
	round,
	onClose,
}: {
	game: string;
	round: string;
	onClose: () => void;
}): ReactElement {
	return (
		<Modal open sheet title={words.title(round)} closeLabel={TEXTS.app.close} onClose={onClose}>
			<ol className="fair-how">
				{own.how.map((step) => (
					<li key={step}>{step}</li>
				))}
			</ol>
			<TableProof game={game} round={round} />
		</Modal>
	);
}
