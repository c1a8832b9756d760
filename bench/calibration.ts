/**
 * `npm run bench -- calibration`: in 10,000 simulated fixtures of each sport, the outcomes priced at 20–30 %, 45–55 %
 * and 70–80 %, and how often they happen. Prints one JSON line for each kind of market and one for all; exits with 1 if
 * one deviates by more than chance explains.
 */
import { parseArgs } from 'node:util';
import { SIMULATED_SPORTS } from '#sports/all-sports.ts';
import { calibrate, deviationsOf } from './support/calibration.ts';
import { print, round } from './support/figures.ts';

/** Standard deviations of a share of that many outcomes. */
const SLACK = 4;

const { values } = parseArgs({ options: { fixtures: { type: 'string', default: '10000' } } });
let holds = true;
for (const sport of SIMULATED_SPORTS) {
	for (const [kind, bands] of calibrate(sport, Number(values.fixtures), 20_261)) {
		const shown = bands.map((band) => {
			const { from, to, seen, expected, happened } = band;
			const off = deviationsOf(band);
			holds &&= off < SLACK;
			const share = happened / Math.max(1, seen);
			return { from, to, seen, expected: round(expected, 4), happened: round(share, 4), deviations: round(off, 1) };
		});
		print({ sport: sport.key, kind, fixtures: Number(values.fixtures), bands: shown });
	}
}
process.exit(holds ? 0 : 1);
