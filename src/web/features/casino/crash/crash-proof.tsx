/** The proof of a round of Crash. */
import type { ReactElement } from 'react';
import { resultHash } from '#games/beacon/beacon-chain.ts';
import { crashCents } from '#games/crash/crash-result.ts';
import { ProofMark } from '#ui/proof-mark.tsx';
import type { AnswerOf } from '#web/api/units.ts';
import { ChainProof, type ProofSteps } from '#web/features/casino/chain-proof.tsx';
import { crashScript } from '#web/features/casino/crash/crash-script.ts';
import { multiplierText } from '#web/features/casino/crash/flight-clock.ts';
import { crashRoundQuery } from '#web/store/casino-queries.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';

const words = CASINO_TEXTS.crash.proof;

type RoundProof = AnswerOf<'getCrashRound'>;

/** @param hash of the chain */
const seedsOf = ({ bettorSeeds, beacon, chain: { salt, returnPercent } }: RoundProof, hash: string) => ({
	hash: resultHash(hash, beacon?.signature ?? null),
	salt,
	bettorSeeds,
	returnPercent,
});

function Result({ proof, hash }: { proof: RoundProof; hash: string }): ReactElement {
	const { bettorSeeds, chain, isVoid, voided } = proof;
	const shown = voided?.crashCents ?? proof.crashCents;
	const computed = crashCents(seedsOf(proof, hash));
	const crash = words.crashedAt(multiplierText(computed));
	return (
		<>
			<h3>{words.result}</h3>
			<code>{[chain.salt, ...bettorSeeds].join(':')}</code>
			<ProofMark isRight={shown === null || computed === shown} text={isVoid ? words.void(crash) : crash} />
		</>
	);
}

const STEPS: ProofSteps<RoundProof> = {
	secret: words.secret,
	result: (proof, hash) => <Result proof={proof} hash={hash} />,
	chain: words.chain,
	script: (proof, hash) => crashScript({ ...seedsOf(proof, hash), hash }, proof.beacon?.signature ?? null),
};

export const CrashProof = ({ round }: { round: string }): ReactElement => (
	<ChainProof query={crashRoundQuery(round)} steps={STEPS} />
);
