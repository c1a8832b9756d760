/**
 * `npm run simulate -- --seed 1 --seconds 600 --seeds 10`: the long form of test/simulation. A line a seed; for a failure
 * what is wrong and the last events. The same seed always comes to the same end.
 */
import { parseArgs } from 'node:util';
import { simulate } from '../test/simulation/world.ts';

const { values } = parseArgs({
	options: {
		seed: { type: 'string', default: '1' },
		seeds: { type: 'string', default: '1' },
		seconds: { type: 'string', default: '600' },
		standbys: { type: 'string', default: '1' },
		'no-faults': { type: 'boolean', default: false },
	},
});
const first = Number(values.seed);
let failed = 0;
for (let seed = first; seed < first + Number(values.seeds); seed++) {
	const before = process.cpuUsage();
	const result = await simulate({
		seed,
		seconds: Number(values.seconds),
		standbys: Number(values.standbys),
		hasFaults: !values['no-faults'],
	});
	const { user, system } = process.cpuUsage(before);
	const { failure, lastEvents, fingerprint, figures } = result;
	const speed = Math.round((figures.seconds * 1_000_000) / (user + system));
	console.log(JSON.stringify({ seed, ok: failure === null, fingerprint, ...figures, secondsACpuSecond: speed }));
	if (failure === null) continue;
	failed++;
	console.log([...lastEvents, failure].join('\n'));
}
process.exit(failed > 0 ? 1 : 0);
