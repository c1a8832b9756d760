/**
 * `npm run adversary -- --steps 50000 --seed 1`: the long form of test/adversary. It ends with the first rule that is
 * broken and the fewest steps that break it, one a line, as `--replay FILE` plays them again. `--list` names all rules
 * that are broken instead, `--shrink` with the fewest steps for each; `--ploys poses,siblings` takes these plans alone.
 */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
	options: {
		steps: { type: 'string', default: '5000' },
		seed: { type: 'string', default: '1' },
		replay: { type: 'string' },
		ploys: { type: 'string' },
		list: { type: 'boolean', default: false },
		shrink: { type: 'boolean', default: false },
	},
});
const { steps, seed, replay, ploys, list, shrink } = values;
const env = {
	...process.env,
	ADVERSARY_STEPS: steps,
	ADVERSARY_SEED: seed,
	...(replay === undefined ? {} : { ADVERSARY_REPLAY: resolve(replay) }),
	...(ploys === undefined ? {} : { ADVERSARY_PLOYS: ploys }),
	ADVERSARY_FORM: shrink ? 'shrunk' : list ? 'list' : 'first',
};
const args = ['vitest', 'run', '--project', 'server', 'test/adversary', '--disable-console-intercept'];
process.exit(spawnSync('npx', args, { stdio: 'inherit', env }).status ?? 1);
