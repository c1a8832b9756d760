/** Relays of a beacon as drand's are, on this machine: with a key of the test, so that it has values of any time. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type BeaconChain, beaconTimeOf } from '../../src/games/beacon/beacon-chain.ts';
import { BEACON_SEED_BYTES, beaconKeys, beaconSignature } from '../../src/games/beacon/beacon-signature.ts';

const keysOf = (byte: number) => beaconKeys(new Uint8Array(BEACON_SEED_BYTES).fill(byte));
const OWN = keysOf(1);
const OTHER = keysOf(2);

export const TEST_BEACON: BeaconChain = {
	name: 'quicknet',
	publicKey: OWN.publicKey,
	genesisMs: 0,
	periodMs: 600,
};

/** To sign costs as much as a bet, and both relays and the tests ask for the same rounds. */
const signed = new Map<number, string>();

/** As TEST_BEACON publishes it. */
export function signatureOf(round: number): string {
	const signature = signed.get(round) ?? beaconSignature(OWN.secretKey, round);
	signed.set(round, signature);
	return signature;
}
/** Of another beacon. */
export const forgedSignature = (round: number): string => beaconSignature(OTHER.secretKey, round);

/**
 * silent: takes requests and answers none · broken: answers what no relay does · forged: signed with another key ·
 * replaced: the value of another round under this one's number.
 */
export type RelayWay = 'honest' | 'silent' | 'broken' | 'forged' | 'replaced';

export class BeaconRelay {
	/** What it does from now on. */
	way: RelayWay = 'honest';
	/** How far the beacon is ahead of this machine's clock. */
	aheadMs = 0;
	readonly #server: Server;
	/** By round; where it has none, the relay signs itself. */
	readonly #published: ReadonlyMap<number, string>;
	/** The rounds that were asked for, in order. */
	readonly asked: number[] = [];

	private constructor(published: ReadonlyMap<number, string>) {
		this.#published = published;
		this.#server = createServer((request, response) => {
			const round = Number(request.url?.split('/').at(-1));
			this.asked.push(round);
			if (this.way === 'silent') return;
			const answer = this.#answer(round);
			response.writeHead(answer === null ? 404 : 200, { 'Content-Type': 'application/json' }).end(answer);
		});
	}

	static async start(published: ReadonlyMap<number, string> = new Map()): Promise<BeaconRelay> {
		const relay = new BeaconRelay(published);
		await new Promise<void>((resolve) => relay.#server.listen(0, '127.0.0.1', resolve));
		return relay;
	}

	get url(): string {
		return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
	}

	async stop(): Promise<void> {
		this.#server.closeAllConnections();
		await new Promise((resolve) => this.#server.close(resolve));
	}

	#answer(round: number): string | null {
		if (this.way === 'broken') return `{"round":${round},"signature":"${'00'.repeat(4_000)}"}`;
		if (this.way === 'forged') return JSON.stringify({ round, signature: forgedSignature(round) });
		const signature = this.#published.get(this.way === 'replaced' ? round - 1 : round);
		if (signature) return JSON.stringify({ round, signature });
		if (this.#published.size > 0 || beaconTimeOf(TEST_BEACON, round) > Date.now() + this.aheadMs) return null;
		return JSON.stringify({ round, signature: signatureOf(this.way === 'replaced' ? round - 1 : round) });
	}
}
