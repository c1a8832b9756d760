/** What proves a round of Crash: computed here, from what the server published. */
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { crashCents, previousHash } from '#games/crash/crash-result.ts';
import { Modal } from '#ui/modal.tsx';
import type { AnswerOf } from '#web/api/units.ts';
import { ChainWalk, ProofMark, ProofScript } from '#web/features/casino/chain-proof.tsx';
import { crashScript } from '#web/features/casino/crash/crash-script.ts';
import { multiplierText } from '#web/features/casino/crash/flight-clock.ts';
import { crashRoundQuery } from '#web/store/casino-queries.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';

const words = CASINO_TEXTS.crash.proof;

type RoundProof = AnswerOf<'getCrashRound'>;

function Steps({ proof }: { proof: RoundProof & { hash: string } }): ReactElement {
	const { hash, previousHash: before, bettorSeeds, position, chain } = proof;
	const { salt, returnPercent, commitment } = chain;
	const computed = crashCents({ hash, salt, bettorSeeds, returnPercent });
	return (
		<>
			<h3>{words.link}</h3>
			<code>{before}</code>
			<ProofMark isRight={previousHash(hash) === before} text={words.linked} />
			<h3>{words.result}</h3>
			<code>{[salt, ...bettorSeeds].join(':')}</code>
			<ProofMark
				isRight={proof.crashCents === null || computed === proof.crashCents}
				text={proof.isVoid ? words.void : words.crashedAt(multiplierText(computed))}
			/>
			<h3>{words.chain}</h3>
			<code>{commitment}</code>
			<ChainWalk hash={hash} position={position} commitment={commitment} />
			<ProofScript script={crashScript({ hash, salt, bettorSeeds, returnPercent })} />
		</>
	);
}

/** The proof of a round as a part of a page or of a dialog. */
export function CrashProof({ round }: { round: string }): ReactElement {
	const { data: proof, isError } = useQuery(crashRoundQuery(round));
	if (isError) return <p role="alert">{words.unknown}</p>;
	if (!proof) return <p>{words.loading}</p>;
	return (
		<section className="proof" aria-label={words.title(round)}>
			{proof.chain.isDevelopment && <p className="proof-warning">{words.development}</p>}
			<h3>{words.hash}</h3>
			<code>{proof.hash ?? words.secret}</code>
			{proof.hash !== null && <Steps proof={{ ...proof, hash: proof.hash }} />}
			<p>{words.limits}</p>
		</section>
	);
}

/** Opened from a crash on the strip. */
export function CrashProofDialog({ round, onClose }: { round: string; onClose: () => void }): ReactElement {
	return (
		<Modal open sheet title={words.title(round)} closeLabel={TEXTS.app.close} onClose={onClose}>
			<CrashProof round={round} />
		</Modal>
	);
}
