/** What the beacon did for a shared round, checked here: its value for the round, and the one that salted the chain. */
import type { ReactElement } from 'react';
import { type BeaconChain, beaconTimeOf, randomnessOf } from '#games/beacon/beacon-chain.ts';
import { isBeaconSignature } from '#games/beacon/beacon-signature.ts';
import { ProofMark } from '#ui/proof-mark.tsx';
import { formatMoment } from '#web/format.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';

const words = CASINO_TEXTS.beacon;

interface BeaconProofProps {
	beacon: { round: number; signature: string | null };
	chain: { salt: string; beacon: BeaconChain; saltRound: number | null; saltSignature: string | null };
}

export function BeaconProof({ beacon: { round, signature }, chain }: BeaconProofProps): ReactElement {
	const { beacon, salt, saltRound, saltSignature } = chain;
	const isSalt =
		saltRound !== null &&
		saltSignature !== null &&
		randomnessOf(saltSignature) === salt &&
		isBeaconSignature(beacon.publicKey, { round: saltRound, signature: saltSignature });
	return (
		<>
			<h3>{words.title(words.names[beacon.name])}</h3>
			<p>{words.value(round, formatMoment(new Date(beaconTimeOf(beacon, round)).toISOString()))}</p>
			{signature === null ? (
				<p>{words.silent}</p>
			) : (
				<>
					<code>{signature}</code>
					<ProofMark isRight={isBeaconSignature(beacon.publicKey, { round, signature })} text={words.signed} />
				</>
			)}
			<ProofMark isRight={isSalt} text={words.salted(saltRound ?? 0)} />
		</>
	);
}
