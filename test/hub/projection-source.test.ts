/** What the process with the engine tells gateways of itself. */
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { HEARTBEAT_MS } from '#contract/hub-messages.ts';
import { ProjectionSource } from '#server/doors/gateway/projection-source.ts';
import { TestServer } from '../support/server.ts';

it('vouches for nothing while another process may lead, and goes on', async () => {
	// Never fresh: no batch was confirmed less than no time ago.
	const server = await TestServer.start(undefined, { commandRows: true, freshMs: 0 });
	onTestFinished(() => server.dispose());
	const { exchange, fixtures } = server.running;
	vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
	onTestFinished(() => void vi.useRealTimers());
	let told = 0;
	const bus = { publishBytes: () => void told++, subscribeBytes: () => () => undefined };
	const source = new ProjectionSource({ bus, fixtures, exchange });
	const unhandled: unknown[] = [];
	const hear = (reason: unknown) => void unhandled.push(reason);
	process.on('unhandledRejection', hear);
	onTestFinished(() => void process.off('unhandledRejection', hear));
	const first = told;
	vi.advanceTimersByTime(HEARTBEAT_MS);
	// A deadline of now passes with the next timers.
	await delay(50);
	expect([unhandled, told]).toEqual([[], first]);
	source.close();
});
