/**
 * `npm run bench:http-paired -- DIR`: the bets of `bench:http` on this checkout's server and on the one in DIR, which
 * run at the same time and take turns of two seconds, so that both meet the same machine. Prints one JSON line: bets a
 * second of both, and this checkout's as a ratio of the other's, over all turns and turn by turn.
 *
 * `npm run bench:command-rows`: what command rows cost. Both servers are this checkout's; `ours` writes them.
 */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { demoTokens } from './support/bet-client.ts';
import { type BetLoad, betRate, loadFigures, loadOn } from './support/bet-load.ts';
import { byTurns } from './support/by-turns.ts';
import { percentile, print, round } from './support/figures.ts';
import { withDataDir } from './support/scratch.ts';
import type * as ServerChildModule from './support/server-child.ts';

const PLAYERS = 500;
const WARM_UP_MS = 6_000;
const TURN_MS = 2_000;
const MUST = { ratio: 0.97 };

const { positionals, values } = parseArgs({
	allowPositionals: true,
	options: { turns: { type: 'string', default: '30' }, 'command-rows': { type: 'boolean', default: false } },
});
const HERE = join(import.meta.dirname, '..');
const commandRows = values['command-rows'];
const [otherFolder = commandRows ? HERE : null] = positionals;
if (!otherFolder) throw new Error('Name the folder of the other checkout.');

await withSide({ folder: HERE, commandRows }, async (ours) => {
	await withSide({ folder: resolve(otherFolder), commandRows: false }, async (other) => {
		await other(WARM_UP_MS);
		await ours(WARM_UP_MS);
		const turns = await byTurns(
			Number(values.turns),
			() => ours(TURN_MS),
			() => other(TURN_MS),
		);
		tell(turns.ours, turns.other);
	});
});

interface Side {
	/** The checkout. */
	folder: string;
	commandRows: boolean;
}

/** Starts the side's server, with the market and the players of `bench:http`. */
async function withSide(
	{ folder, commandRows }: Side,
	work: (load: (forMs: number) => Promise<BetLoad>) => Promise<void>,
) {
	const { openBenchMarket, startServerChild }: typeof ServerChildModule = await import(
		join(folder, 'bench', 'support', 'server-child.ts')
	);
	await withDataDir(async (dataDir) => {
		const market = await openBenchMarket(dataDir);
		const server = await startServerChild(dataDir, { commandRows });
		try {
			await work(loadOn(server.port, market, await demoTokens(server.port, PLAYERS)));
		} finally {
			await server.stop();
		}
	});
}

function tell(ours: readonly BetLoad[], other: readonly BetLoad[]): void {
	const ratios = ours.map((load, turn) => betRate([load]) / betRate(other.slice(turn, turn + 1)));
	print({
		turns: ratios.length,
		ours: loadFigures(ours),
		other: loadFigures(other),
		ratio: round(betRate(ours) / betRate(other), 3),
		ratioByTurn: [0.25, 0.5, 0.75].map((part) => round(percentile(ratios, part), 3)),
		must: MUST,
	});
}
