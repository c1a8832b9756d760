/** `npm run follow` prints the way of a job as the running product takes it. */
import { runInNewContext } from 'node:vm';
import { expect, it, onTestFinished } from 'vitest';
import { mapOf } from '../../tools/follow/map.ts';
import { type MarkedFunction, withMarks } from '../../tools/follow/marks.ts';
import { freshDatabase } from '../support/database.ts';
import { runTool } from '../support/run-tool.ts';

/**
 * Files that decide about a bet or change something for it. A commit that adds one says which rule it holds; from 51 it
 * went up by the auction before the start, walking settlements, standing quotes, live bets, the pace of steps, receipts,
 * accepted terms, profile stakes, whole coins, log-ins, tables that grow a part at a time, a person's limits apart from the
 * bars of a player, and deadlines that share a timer.
 */
const MOST_DECIDING = 64;

/** Stations of a bet in their order, from the door to the hub. */
const STATIONS = [
	'src/server/doors/http/call-routes.ts',
	'src/server/calls/bet.ts',
	'src/server/calls/order-bet.ts',
	'src/server/calls/bet-admission.ts',
	'src/engine/place-bet.ts',
	'src/kernel/judge.ts',
	'src/kernel/matching.ts',
	'src/server/exchange/ledger/committer.ts',
	'src/server/exchange/views/publisher.ts',
	'src/server/doors/hub/transports/web-sockets.ts',
];

it('a bet passes its stations in order, and few files decide about it', { tags: 'thorough' }, async () => {
	const { url, drop } = await freshDatabase();
	onTestFinished(drop);
	const { code, stdout, stderr } = await runTool('tools/follow.ts', ['bet'], { ...process.env, DATABASE_URL: url });
	expect([code, stderr]).toEqual([0, '']);
	const files = [...stdout.matchAll(/^ *\d+ +(src\/\S+?):? /gm)].map(([, file = '']) => file);
	expect(files.filter((file) => STATIONS.includes(file))).toEqual(STATIONS);
	const [, all, deciding] = /^A bet passes (\d+) files; (\d+) of them /m.exec(stdout) ?? [];
	expect(Number(all)).toBe(files.length);
	expect(Number(deciding)).toBeLessThanOrEqual(MOST_DECIDING);
});

it('a marked source says which functions it passes, in order, and what they do', () => {
	const source = `
		const inner = (x) => ({ twice: x * 2 });
		class Wallet {
			#cash = 0;
			take = (by) => { if (by > 9) throw new Refused('TOO_MUCH'); return this.pay(by); };
			pay(by) { this.#cash += by; return [by].map((one) => inner(one).twice); }
		}
		new Wallet().take(3)[0];`;
	const functions: MarkedFunction[] = [];
	const passed: MarkedFunction[] = [];
	const marked = withMarks('src/engine/wallet.ts', source, 'mark', (one) => functions.push(one) - 1);
	const mark = (number: number) => void passed.push(functions[number] as MarkedFunction);
	expect(runInNewContext(marked, { mark })).toBe(6);
	expect(passed.map(({ name, refuses, writes }) => [name, refuses, writes])).toEqual([
		['take', true, false],
		['pay', false, true],
		['pay', false, false],
		['inner', false, false],
	]);
});

it('counts the files that decide or change something, and how often the way comes back', () => {
	const at = (file: string, does: Partial<MarkedFunction> = {}): MarkedFunction => ({
		file,
		name: 'go',
		refuses: false,
		writes: false,
		...does,
	});
	const door = at('src/server/doors/door.ts', { writes: true });
	const call = at('src/server/calls/call.ts', { refuses: true });
	const book = at('src/kernel/book.ts', { writes: true });
	const { lines, ...counts } = mapOf([door, call, call, book, call, door]);
	expect(counts).toEqual({ files: 3, deciding: 2, returns: 2 });
	expect(lines.map((line) => line.trim())).toEqual([
		'1 src/server/doors/door.ts: go',
		'2   src/server/calls/call.ts [decides]: go',
		'3           src/kernel/book.ts [changes]: go',
	]);
});
