/** What proves a round of Crash: computed here, from what the server published; a worker walks the chain back. */
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useEffect, useState } from 'react';
import { crashCents, previousHash } from '#games/crash/crash-result.ts';
import { Button } from '#ui/button.tsx';
import { Modal } from '#ui/modal.tsx';
import type { AnswerOf } from '#web/api/units.ts';
import { crashScript } from '#web/features/casino/crash/crash-script.ts';
import { multiplierText } from '#web/features/casino/crash/flight-clock.ts';
import { crashRoundQuery } from '#web/store/casino-queries.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';

const words = CASINO_TEXTS.crash.proof;

type RoundProof = AnswerOf<'getCrashRound'>;

function Mark({ isRight, text }: { isRight: boolean; text: string }): ReactElement {
	return (
		<p className="proof-mark" data-right={isRight || undefined}>
			{isRight ? '✓' : '✗'} {text}
		</p>
	);
}

/** Walks from the round's hash to the one that was published first, off the page's own thread. */
function ChainWalk({ hash, position, commitment }: { hash: string; position: number; commitment: string }) {
	const [walk, setWalk] = useState<{ at: number; reached: string | null } | null>(null);
	const [isAsked, setAsked] = useState(false);
	useEffect(() => {
		if (!isAsked) return;
		const worker = new Worker(new URL('./chain-walk.worker.ts', import.meta.url), { type: 'module' });
		worker.onmessage = ({ data }: MessageEvent<{ at: number; reached: string | null }>) => setWalk(data);
		worker.postMessage({ hash, position }, []);
		return () => worker.terminate();
	}, [isAsked, hash, position]);
	if (walk?.reached) return <Mark isRight={walk.reached === commitment} text={words.walked(position)} />;
	return (
		<Button size="small" variant="outline" busy={isAsked} onClick={() => setAsked(true)}>
			{isAsked ? words.walking(walk?.at ?? position) : words.walk(position)}
		</Button>
	);
}

function Steps({ proof }: { proof: RoundProof & { hash: string } }): ReactElement {
	const [copied, setCopied] = useState(false);
	const { hash, previousHash: before, bettorSeeds, position, chain } = proof;
	const { salt, returnPercent, commitment } = chain;
	const computed = crashCents({ hash, salt, bettorSeeds, returnPercent });
	const script = crashScript({ hash, salt, bettorSeeds, returnPercent });
	const copy = async () => {
		await navigator.clipboard.writeText(script);
		setCopied(true);
	};
	return (
		<>
			<h3>{words.link}</h3>
			<code>{before}</code>
			<Mark isRight={previousHash(hash) === before} text={words.linked} />
			<h3>{words.result}</h3>
			<code>{[salt, ...bettorSeeds].join(':')}</code>
			<Mark
				isRight={proof.crashCents === null || computed === proof.crashCents}
				text={proof.isVoid ? words.void : words.crashedAt(multiplierText(computed))}
			/>
			<h3>{words.chain}</h3>
			<code>{commitment}</code>
			<ChainWalk hash={hash} position={position} commitment={commitment} />
			<h3>{words.script}</h3>
			<pre>{script}</pre>
			<Button size="small" variant="outline" onClick={() => void copy()}>
				{copied ? CASINO_TEXTS.verify.copied : CASINO_TEXTS.verify.copy}
			</Button>
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
