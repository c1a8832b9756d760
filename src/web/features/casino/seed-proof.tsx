/** The result of a round's seeds, computed here and shown step by step. */
import type { ReactElement } from 'react';
import type { RoundGame, TurnGame } from '#games/game.ts';
import { type Played, resultOf } from '#games/round-result.ts';
import { blocksOf, commitmentOf, type RoundSeeds } from '#games/seeded-words.ts';
import { ProofScript } from '#web/features/casino/chain-proof.tsx';
import { verifyScript } from '#web/features/casino/verify-script.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';

const words = CASINO_TEXTS.verify;
/** More words than most rounds draw. */
const SHOWN_BLOCKS = 2;

export interface SeedProof {
	commitment: string;
	blocks: string[];
	outcome: string;
	result: string;
	script: string;
}

/** Null if the choice or an action is invalid for the game. */
export function computed(game: RoundGame | TurnGame, seeds: RoundSeeds, played: Played): SeedProof | null {
	try {
		const { outcome, result } = resultOf(game, seeds, played);
		return {
			commitment: commitmentOf(seeds.serverSeed),
			blocks: blocksOf(seeds, SHOWN_BLOCKS),
			outcome: JSON.stringify(outcome),
			result,
			script: verifyScript(seeds),
		};
	} catch {
		return null;
	}
}

export function ProofSteps({ proof }: { proof: SeedProof }): ReactElement {
	return (
		<section className="proof" aria-label={words.steps} aria-live="polite">
			<h2>{words.steps}</h2>
			<h3>{words.hash}</h3>
			<code>{proof.commitment}</code>
			<h3>{words.blocks}</h3>
			{proof.blocks.map((block) => (
				<code key={block}>{block}</code>
			))}
			<h3>{words.outcome}</h3>
			<code>{proof.outcome}</code>
			{proof.result && (
				<p>
					{words.result}: <strong>{proof.result}</strong>
				</p>
			)}
			<ProofScript script={proof.script} />
		</section>
	);
}
