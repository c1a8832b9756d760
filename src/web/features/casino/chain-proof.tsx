/** What proofs of rounds that everybody played have in common: marks, the walk back along the chain, scripts to copy. */
import { type ReactElement, useEffect, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { CASINO_TEXTS } from '#web/texts/more.ts';

const words = CASINO_TEXTS.crash.proof;

export function ProofMark({ isRight, text }: { isRight: boolean; text: string }): ReactElement {
	return (
		<p className="proof-mark" data-right={isRight || undefined}>
			{isRight ? '✓' : '✗'} {text}
		</p>
	);
}

/** Walks from the round's hash to the one that was published first, off the page's own thread. */
export function ChainWalk({
	hash,
	position,
	commitment,
}: {
	hash: string;
	position: number;
	commitment: string;
}): ReactElement {
	const [walk, setWalk] = useState<{ at: number; reached: string | null } | null>(null);
	const [isAsked, setAsked] = useState(false);
	useEffect(() => {
		if (!isAsked) return;
		const worker = new Worker(new URL('./chain-walk.worker.ts', import.meta.url), { type: 'module' });
		worker.onmessage = ({ data }: MessageEvent<{ at: number; reached: string | null }>) => setWalk(data);
		worker.postMessage({ hash, position }, []);
		return () => worker.terminate();
	}, [isAsked, hash, position]);
	if (walk?.reached) return <ProofMark isRight={walk.reached === commitment} text={words.walked(position)} />;
	return (
		<Button size="small" variant="outline" busy={isAsked} onClick={() => setAsked(true)}>
			{isAsked ? words.walking(walk?.at ?? position) : words.walk(position)}
		</Button>
	);
}

/** A script that computes the same without this page. */
export function ProofScript({ script }: { script: string }): ReactElement {
	const [copied, setCopied] = useState(false);
	const copy = async () => {
		await navigator.clipboard.writeText(script);
		setCopied(true);
	};
	return (
		<>
			<h3>{words.script}</h3>
			<pre>{script}</pre>
			<Button size="small" variant="outline" onClick={() => void copy()}>
				{copied ? CASINO_TEXTS.verify.copied : CASINO_TEXTS.verify.copy}
			</Button>
		</>
	);
}
