/** The state machines of funds: their steps, and that the document shows them as they are. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Machine, stepOf } from '#server/money/funds/machine.ts';
import { withTables } from '#server/money/funds/machine-table.ts';
import { ALL_MACHINES } from '#server/money/funds/machines/all-machines.ts';

const statesOf = ({ rows }: Machine) => [...new Set(rows.flatMap(({ from, to }) => [...from, ...(to ? [to] : [])]))];
const eventsOf = ({ rows }: Machine) => [...new Set(rows.map(({ event }) => event))];
/** Enough of every amount; facts under which every guard holds, or none does. */
const AMOUNTS = new Proxy({}, { get: () => 100, has: () => true });
const facts = (holds: boolean) => new Proxy({}, { get: () => holds }) as never;

describe.each(ALL_MACHINES.map((machine) => [machine.title, machine] as const))('%s', (_, machine) => {
	it('refuses every event that no row allows from a state', () => {
		for (const state of [null, ...statesOf(machine)]) {
			for (const event of eventsOf(machine)) {
				const isAllowed = machine.rows.some(
					({ from, event: of }) => of === event && (state === null ? from.length === 0 : from.includes(state)),
				);
				const step = () =>
					stepOf(machine, state === null ? null : { id: 1, state }, {
						event,
						facts: facts(true),
						amounts: AMOUNTS,
						actor: 'server',
					});
				if (isAllowed) expect(step()).toMatchObject({ from: state });
				else expect(step).toThrow(expect.objectContaining({ code: 'WRONG_STATE' }));
			}
		}
	});

	it('reaches every state from its beginning, and leaves no open state without a way on', () => {
		const reached = new Set(machine.rows.flatMap(({ from, to }) => (from.length === 0 && to ? [to] : [])));
		for (let size = -1; size !== reached.size; ) {
			size = reached.size;
			for (const { from, to } of machine.rows) if (to && from.some((state) => reached.has(state))) reached.add(to);
		}
		expect([...reached].sort()).toEqual(statesOf(machine).sort());
		for (const state of machine.open) {
			expect([state, machine.rows.some(({ from, to }) => from.includes(state) && to !== null)]).toEqual([state, true]);
		}
	});

	it('asks no row after one without a guard for the same event and state', () => {
		for (const [at, row] of machine.rows.entries()) {
			if (row.guard) continue;
			const later = machine.rows.slice(at + 1).filter(({ event }) => event === row.event);
			const hidden = later.filter(({ from }) =>
				row.from.length === 0 ? from.length === 0 : from.some((state) => row.from.includes(state)),
			);
			expect(hidden).toEqual([]);
		}
	});
});

it('docs/FUNDS.md shows every machine as it is; `npm run funds-tables` writes them', () => {
	const squeezed = (text: string) => text.replace(/ +/g, ' ').replace(/-{3,}/g, '---');
	const document = readFileSync('docs/FUNDS.md', 'utf8');
	expect(squeezed(document)).toBe(squeezed(withTables(document)));
});
