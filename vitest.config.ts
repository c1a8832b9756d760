import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { askedServer } from './test/support/shares-server.ts';
import { IS_WHOLE, PATIENCE_MS } from './test/support/whole-run.ts';

const BROWSER = /\/test\/browser\//;
/** Files that spend their time waiting: for rounds in real time, for timeouts, for processes that were killed. */
const WAITING = new RegExp(
	`/test/(${[
		'bots-api/stream-takeover',
		'browser/crash',
		'calls/(contact|crash|identity|payment|protection|push|referral|registration|tables)\\.',
		'faults/',
		'feeds/(odd-streams|simulated-sports)',
		'funds/(hyperswitch\\.|walks)',
		'games/(beacon-rounds|crash-kills|table-chains)',
		'hub/patience',
		'ledger/(rounds-)?kill\\.',
		'players/mail-outbox',
		'providers/kills\\.',
		'start/traces\\.',
	].join('|')})`,
);

/** With the thorough tests it takes minutes, all of them at one thing, so it begins before all others. */
const LONGEST = /\/test\/values\/starting-price\./;

/**
 * Then come those that share a server, each after others that want the same one, so that no worker starts one twice. Of
 * the rest, what takes longest comes first, so that the workers end together: the browser's files, whatever their size.
 * One that waits runs beside two that compute, so that neither of the two cores is idle.
 */
class LongestFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const bySize = await super.sort(files);
		const placed = bySize
			.map((file) => ({ file, place: placeOf(file) }))
			.sort((one, other) => (one.place < other.place ? -1 : Number(one.place > other.place)));
		const filesAt = (is: (place: string) => boolean) => placed.filter(({ place }) => is(place)).map(({ file }) => file);
		const waiting = filesAt((place) => place === WAITS);
		return [
			...filesAt((place) => place < BROWSES),
			...filesAt((place) => place === BROWSES || place === COMPUTES).flatMap((file, at) =>
				at % 2 === 0 ? [file] : [file, ...waiting.splice(0, 1)],
			),
			...waiting,
		];
	}
}

const [FIRST, SHARES, BROWSES, COMPUTES, WAITS] = ['a', 'b', 'c', 'd', 'e'];

/** Files stay in the order of their size where this is the same. */
function placeOf({ moduleId }: TestSpecification): string {
	const asked = askedServer(moduleId);
	if (asked !== null) return `${SHARES} ${asked}`;
	if (LONGEST.test(moduleId)) return FIRST;
	if (WAITING.test(moduleId)) return WAITS;
	return BROWSER.test(moduleId) ? BROWSES : COMPUTES;
}

/**
 * What `npm test` leaves out and `npm run test:all` runs: a file by `@module-tag thorough` in its head comment, a test or
 * a group by `{ tags: 'thorough' }`. docs/TESTS.md lists them.
 */
const TAGS = [{ name: 'thorough', description: 'runs with `npm run test:all`, not with `npm test`' }];

/**
 * What runs as Node loads it, not as the test runner rewrites it: there each use of an import is a call of a getter, and
 * each worker has a thousand modules made for it. The site's modules need the rewriting.
 */
const LOADED_BY_NODE = /\/src\/(conformity|contract|engine|games|public-log|server|sports|studio|values)\/.*\.ts$/;

/**
 * What a test makes is garbage soon, and 170 MB of modules stay. With the usual limits a worker moves new objects on, and
 * looks at all of those modules again whenever some engines have taken memory beside the heap: a fifth of its CPU.
 */
const COLLECTS_SELDOM = [
	'--min-semi-space-size=32',
	'--max-semi-space-size=64',
	'--initial-heap-size=768',
	'--external-memory-accounted-in-global-limit',
	'--no-memory-reducer',
];

export default defineConfig({
	test: {
		tags: TAGS,
		include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
		globalSetup: ['test/support/global-setup.ts'],
		setupFiles: ['test/support/leaves-nothing.ts', 'test/support/quick-passwords.ts'],
		server: { deps: { external: [LOADED_BY_NODE] } },
		sequence: { sequencer: LongestFirst },
		// What a test awaits has limits of its own; this one is for machines that do much else at the same time.
		testTimeout: IS_WHOLE ? 300_000 : 120_000,
		hookTimeout: 120_000,
		// As patient as what waits in a browser.
		expect: { poll: { timeout: PATIENCE_MS } },
		pool: 'forks',
		execArgv: COLLECTS_SELDOM,
		// On two cores: half of the files' time is waiting, but not of the thorough forms, whose browsers compute all the
		// time. Each worker loads and compiles all modules, for three seconds.
		maxWorkers: Math.max(IS_WHOLE ? 2 : 4, availableParallelism()),
		// The files of a worker share its modules: loading them anew takes more CPU than the tests of most files. The server's
		// keep no state. The site's do, as for one visitor, so its tests put back what they changed.
		isolate: false,
	},
});
