/**
 * `npm run bench -- growth`: what a bet costs while ever more bets are open. Runs `bench memory` with 10,000 to 1,000,000
 * open bets, five minutes in all, and prints one JSON line: for each size the processor time of a bet, the memory of an
 * open bet, and the time to start, for an open bet as well. `-- --plot docs/growth.svg` draws each of them as a share of
 * what it is at the first size.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { print, round } from './support/figures.ts';
import { plotOf } from './support/plot.ts';

const { values } = parseArgs({
	options: { bets: { type: 'string', default: '10000,30000,100000,300000,1000000' }, plot: { type: 'string' } },
});
const SIZES = values.bets.split(',').map(Number);

/** What `bench memory` prints of the exchange that read its bets from the tables. */
interface Recovered {
	startSeconds: number;
	bet: { bytes: number };
	microsecondsABet: number;
	pauses: { longestMs: number };
}

async function measuredWith(bets: number) {
	const command = [join(import.meta.dirname, 'run.ts'), 'memory', '--bets', `${bets}`, '--placed', 'no'];
	const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] });
	const [told] = await Promise.all([text(child.stdout), once(child, 'exit')]);
	const { recovered } = JSON.parse(told.trimEnd().split('\n').at(-1) ?? '') as { recovered: Recovered };
	const size = {
		bets,
		microsecondsABet: recovered.microsecondsABet,
		bytesAnOpenBet: recovered.bet.bytes,
		startSeconds: recovered.startSeconds,
		startMicrosecondsAnOpenBet: round((recovered.startSeconds * 1e6) / bets, 1),
		longestPauseMs: recovered.pauses.longestMs,
	};
	console.error(JSON.stringify(size));
	return size;
}

const sizes: Awaited<ReturnType<typeof measuredWith>>[] = [];
for (const bets of SIZES) sizes.push(await measuredWith(bets));

/** As shares of the first. */
const shares = (of: (size: (typeof sizes)[number]) => number): number[] =>
	sizes.map((size) => of(size) / of(sizes[0] ?? size));

if (values.plot !== undefined) {
	const lines = {
		'processor time of a bet': shares(({ microsecondsABet }) => microsecondsABet),
		'memory of an open bet': shares(({ bytesAnOpenBet }) => bytesAnOpenBet),
		'time to start, for an open bet': shares(({ startMicrosecondsAnOpenBet }) => startMicrosecondsAnOpenBet),
	};
	writeFileSync(values.plot, plotOf(SIZES, lines, 'open bets'));
}
print({ sizes });
