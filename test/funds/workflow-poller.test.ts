/** When a poller advances a workflow again, and which ones when more are due than it may advance at once. */
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Committed } from '#server/exchange/committed.ts';
import type { Workflow } from '#server/exchange/order/workflow.ts';
import { WorkflowPoller } from '#server/money/funds/workflow-poller.ts';

/** Between two looks, and the first pause: looks come as often as it, twice a second at least. */
const TICK_MS = 100;
const grant = (id: number) =>
	({ kind: 'BONUS', id, walletId: id, pool: 'DEMO', isOpen: true, state: 'ACTIVE' }) as Workflow;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('advances first what has been due for longest, and what a settlement makes due before all others', async () => {
	const advanced: number[] = [];
	const poller = new WorkflowPoller(
		{
			kind: 'BONUS',
			states: ['ACTIVE'],
			advance: async (id) => void advanced.push(id),
			// The first one is due again before the last one was advanced.
			firstMs: TICK_MS,
			mostAtOnce: 1,
			isDueAtSettlement: true,
			clock: Date.now,
			log: pino({ level: 'silent' }),
			stuck: async () => undefined,
		},
		[1, 2, 3].map(grant),
	);
	poller.start();
	await vi.advanceTimersByTimeAsync(3 * TICK_MS);
	expect(advanced).toEqual([1, 2, 3]);
	poller.onCommitted({
		workflows: [],
		wallets: [],
		settlements: [{ walletId: 3 } as Committed['settlements'][number]],
	});
	await vi.advanceTimersByTimeAsync(TICK_MS);
	expect(advanced).toEqual([1, 2, 3, 3]);
	await poller.stop();
});

it('begins the pauses anew at a settlement, because what it decides may count some seconds later', async () => {
	const FIRST_MS = 1_000;
	let attempts = 0;
	const poller = new WorkflowPoller(
		{
			kind: 'BONUS',
			states: ['ACTIVE'],
			advance: async () => void attempts++,
			firstMs: FIRST_MS,
			isDueAtSettlement: true,
			clock: Date.now,
			log: pino({ level: 'silent' }),
			stuck: async () => undefined,
		},
		[grant(1)],
	);
	poller.start();
	// The pauses have grown to minutes.
	await vi.advanceTimersByTimeAsync(20 * 60_000);
	attempts = 0;
	poller.onCommitted({
		workflows: [],
		wallets: [],
		settlements: [{ walletId: 1 } as Committed['settlements'][number]],
	});
	await vi.advanceTimersByTimeAsync(4 * FIRST_MS);
	// At once, and after one more and two more seconds.
	expect(attempts).toBe(3);
	await poller.stop();
});
