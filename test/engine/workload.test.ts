/** The public order flow: the engine must give the fills and the final book that seven other engines agree on. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bookHash, fillHash } from '../../bench/engine/answer-hash.ts';
import { EngineRun } from '../../bench/engine/engine-run.ts';
import { readWorkload, type Workload } from '../../bench/engine/workload.ts';
import { sharedFolder } from '../support/shared-folder.ts';

const { path: FOLDER, isPresent } = sharedFolder('workload', 'the test of the workload is skipped');
const OPS = 20_000;

interface Answer {
	variant: string;
	ops: number;
	seed: number;
	fillHash: string;
	bookHash: string;
}

function generate(variant: string): Workload {
	const folder = mkdtempSync(join(tmpdir(), 'backlay-workload-'));
	try {
		const file = join(folder, 'ops.bin');
		execFileSync(process.execPath, [
			join(FOLDER, 'generate.mjs'),
			'--variant',
			variant,
			'--ops',
			String(OPS),
			'--out',
			file,
		]);
		return readWorkload(readFileSync(file));
	} finally {
		rmSync(folder, { recursive: true });
	}
}

describe.skipIf(!isPresent)('the shared workload', () => {
	it.each(['single', 'multi'])('%s gives the known fills and the known book', (variant) => {
		const answers = JSON.parse(readFileSync(join(FOLDER, 'expected.json'), 'utf8')) as Answer[];
		const answer = answers.find(({ ops, seed, ...other }) => other.variant === variant && ops === OPS && seed === 1);
		const workload = generate(variant);
		const run = new EngineRun(workload);
		run.begin();
		for (let op = 0; op < workload.ops; op++) run.apply(op);
		expect(fillHash(run.fills)).toBe(answer?.fillHash);
		expect(bookHash(run.resting())).toBe(answer?.bookHash);
	});
});
