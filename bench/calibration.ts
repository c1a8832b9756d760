/**
 * `npm run bench:calibration`: over 10,000 simulated fixtures a sport, outcomes priced at 20–30 %, 45–55 % and 70–80 %
 * and how often they happened. One JSON line a sport; ends with 1 when one is off by more than chance explains.
 */
import { parseArgs } from 'node:util';
import { SIMULATED_SPORTS } from '#server/feeds/simulated/simulated-sports.ts';
import { calibrate } from './support/calibration.ts';
import { print, round } from './support/figures.ts';

/** Deviations of a share of so many outcomes. */
const SLACK = 4;

const { values } = parseArgs({ options: { fixtures: { type: 'string', default: '10000' } } });
let holds = true;
for (const sport of SIMULATED_SPORTS) {
	const bands = calibrate(sport, Number(values.fixtures), 20_261);
	const shown = bands.map(({ from, to, seen, expected, happened }) => {
		const share = happened / seen;
		const off = Math.abs(share - expected) / Math.sqrt((expected * (1 - expected)) / seen);
		holds &&= off < SLACK;
		return { from, to, seen, expected: round(expected, 4), happened: round(share, 4), deviations: round(off, 1) };
	});
	print({ sport: sport.key, fixtures: Number(values.fixtures), bands: shown });
}
process.exit(holds ? 0 : 1);
