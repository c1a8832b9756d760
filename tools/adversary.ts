/**
 * `npm run adversary -- --steps 50000 --seed 1`: the long form of test/adversary. It ends with the first broken rule
 * and the fewest steps that break it, one per line, in the form that `--replay FILE` plays again. `--list` names all
 * broken rules instead, `--shrink` with the fewest steps for each; `--ploys poses,siblings` uses only these plans.
 * Episodes are of rupees and of yen in turn; `--currency JPY` plays all in one.
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
		currency: { type: 'string' },
		list: { type: 'boolean', default: false },
		shrink: { type: 'boolean', default: false },
	},
});
const { steps, seed, replay, ploys, currency, list, shrink } = values;
const env = {
	...process.env,
	ADVERSARY_STEPS: steps,
	ADVERSARY_SEED: seed,
	...(replay === undefined ? {} : { ADVERSARY_REPLAY: resolve(replay) }),
	...(ploys === undefined ? {} : { ADVERSARY_PLOYS: ploys }),
	...(currency === undefined ? {} : { ADVERSARY_CURRENCY: currency }),
	ADVERSARY_FORM: shrink ? 'shrunk' : list ? 'list' : 'first',
};
const args = ['vitest', 'run', 'test/adversary', '--disable-console-intercept'];
process.exit(spawnSync('npx', args, { stdio: 'inherit', env }).status ?? 1);
