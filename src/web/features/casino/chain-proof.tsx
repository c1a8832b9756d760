/** The proof of a shared round, computed here from the server's published data. */
import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { type ReactElement, type ReactNode, Suspense, useEffect, useState } from 'react';
import type { BeaconChain } from '#games/beacon/beacon-chain.ts';
import { previousHash } from '#games/crash/crash-result.ts';
import { Button } from '#ui/button.tsx';
import { lazyPart } from '#ui/lazy-part.ts';
import { ProofMark } from '#ui/proof-mark.tsx';
import { CASINO_TEXTS } from '#web/texts/more.ts';

const words = CASINO_TEXTS.crash.proof;

/** The curve of its signatures is as large as the rest of the page. */
const BeaconProof = lazyPart(async () => ({
	default: (await import('#web/features/casino/beacon-proof.tsx')).BeaconProof,
}));

/** The common part of all games' proofs. */
interface ProvenRound {
	round: string;
	position: number;
	previousHash: string;
	/** Null until it is revealed. */
	hash: string | null;
	/** Null in a chain without a beacon. */
	beacon: { round: number; signature: string | null } | null;
	chain: {
		commitment: string;
		salt: string;
		isDevelopment: boolean;
		beacon: BeaconChain | null;
		saltRound: number | null;
		saltSignature: string | null;
	};
}

/** The differences between games. */
export interface ProofSteps<Proven extends ProvenRound> {
	/** Shown in place of a hash that is not revealed. */
	secret: string;
	/** From the hash to the result. */
	result: (proof: Proven, hash: string) => ReactNode;
	/** The title of the last step. */
	chain: string;
	/** The same as a script without any of our code. */
	script: (proof: Proven, hash: string) => string;
}

function Steps<Proven extends ProvenRound>({
	steps,
	proof,
	hash,
}: {
	steps: ProofSteps<Proven>;
	proof: Proven;
	hash: string;
}): ReactElement {
	const { previousHash: before, position, chain, beacon } = proof;
	// Without the beacon's value nothing is known of the result.
	const isKnown = beacon === null || beacon.signature !== null;
	return (
		<>
			<h3>{words.link}</h3>
			<code>{before}</code>
			<ProofMark isRight={previousHash(hash) === before} text={words.linked} />
			{beacon && chain.beacon && (
				<Suspense fallback={null}>
					<BeaconProof beacon={beacon} chain={{ ...chain, beacon: chain.beacon }} />
				</Suspense>
			)}
			{isKnown && steps.result(proof, hash)}
			<h3>{steps.chain}</h3>
			<code>{chain.commitment}</code>
			<ChainWalk hash={hash} position={position} commitment={chain.commitment} />
			{isKnown && <ProofScript script={steps.script(proof, hash)} />}
		</>
	);
}

/** The proof of a round as a part of a page or of a dialog. */
export function ChainProof<Proven extends ProvenRound, Key extends QueryKey>({
	query,
	steps,
}: {
	query: UseQueryOptions<Proven, Error, Proven, Key>;
	steps: ProofSteps<Proven>;
}): ReactElement {
	const { data: proof, isError } = useQuery(query);
	if (isError) return <p role="alert">{words.unknown}</p>;
	if (!proof) return <p>{words.loading}</p>;
	const { round, hash, chain } = proof;
	return (
		<section className="proof" aria-label={words.title(round)}>
			{chain.isDevelopment && (
				<p className="proof-warning">{chain.beacon ? CASINO_TEXTS.beacon.local : words.development}</p>
			)}
			<h3>{words.hash}</h3>
			<code>{hash ?? steps.secret}</code>
			{hash !== null && <Steps steps={steps} proof={proof} hash={hash} />}
			<p>{chain.beacon && !chain.isDevelopment ? CASINO_TEXTS.beacon.limits : words.limits}</p>
		</section>
	);
}

/** Walks from the round's hash to the first published one, off the main thread. */
function ChainWalk({
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
