/** A webhook that cannot be applied is tried again for a day, whatever the clock does, and then reported once. */
import pino from 'pino';
import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { ProviderEvent } from '#server/money/funds/payments/provider.ts';
import { WebhookInbox } from '#server/money/funds/payments/webhook-inbox.ts';
import { signatureOf } from '#server/platform/keys/signature.ts';
import { DAY_MS } from '#values/time.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';

const SECRET = 'a secret of the provider';
const RETRY_TICK_MS = 1_000;
/** The longest pause between two tries, and a little more. */
const STEP_MS = 16 * 60_000;
const LEAST_TRIES = 20;

let database: FreshDatabase;
let inbox: WebhookInbox | null = null;
beforeAll(async () => {
	database = await freshDatabase();
});
afterEach(async () => {
	vi.useRealTimers();
	await inbox?.stop();
});
afterAll(() => database?.drop());

/** An inbox whose books are away until they are said to be back. */
function openInbox(name: string) {
	const state = { nowMs: Date.UTC(2026, 0, 1), isAway: true, tries: 0, reported: [] as string[] };
	vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
	const opened = new WebhookInbox({
		db: database.db,
		log: pino({ level: 'silent' }),
		clock: () => state.nowMs,
		provider: {
			name,
			isGenuine: (body, headers) => headers['x-signature'] === signatureOf(SECRET, '', body),
			readWebhook: (body) => {
				const { eventId, word } = v.parse(ProviderEvent, JSON.parse(body.toString()));
				return { eventId, news: { about: 'PAYMENT', word } };
			},
		},
		hear: async () => {
			state.tries += 1;
			if (state.isAway) throw new Error('The books are away.');
		},
		giveUp: async (eventId) => void state.reported.push(eventId),
	});
	inbox = opened;
	const body = Buffer.from(
		JSON.stringify({
			eventId: `${name}-1`,
			word: { reference: 'BLP1', providerId: 'x', status: 'FAILED', amount: 1, currency: 'INR', utr: null },
		}),
	);
	const stored = async () => {
		const { rows } = await database.db.query<{ state: string; tries: number }>(
			'select state, tries from payment_webhook where provider = $1',
			[name],
		);
		return rows[0];
	};
	return {
		state,
		stored,
		async receive(): Promise<void> {
			await opened.receive(body, { 'x-signature': signatureOf(SECRET, '', body) });
			await expect.poll(async () => (await stored())?.tries).toBe(1);
			opened.start();
		},
		/** Lets time pass, and waits until the try that is due is written down. */
		async pass(ms: number): Promise<void> {
			const before = (await stored())?.tries ?? 0;
			state.nowMs += ms;
			vi.advanceTimersByTime(RETRY_TICK_MS);
			await expect.poll(async () => (await stored())?.tries, { interval: 2 }).toBe(before + 1);
		},
	};
}

it('is tried for 24 hours, then reported once and no more', async () => {
	const { state, stored, receive, pass } = openInbox('DAY');
	await receive();
	const fromMs = state.nowMs;
	while (state.nowMs - fromMs + STEP_MS <= DAY_MS) await pass(STEP_MS);
	expect([(await stored())?.state, state.reported]).toEqual(['NEW', []]);
	await pass(STEP_MS);
	expect([(await stored())?.state, state.reported]).toEqual(['DEAD', ['DAY-1']]);
	const { tries } = state;
	state.nowMs += STEP_MS;
	vi.advanceTimersByTime(RETRY_TICK_MS);
	await inbox?.stop();
	expect([state.tries, state.reported.length]).toEqual([tries, 1]);
});

it('is tried often enough when the clock jumps ahead by a month, and applied when the books are back', async () => {
	const { state, stored, receive, pass } = openInbox('JUMP');
	await receive();
	state.nowMs += 30 * DAY_MS;
	while (state.tries < LEAST_TRIES) await pass(STEP_MS);
	expect((await stored())?.state).toBe('NEW');
	state.isAway = false;
	state.nowMs += STEP_MS;
	vi.advanceTimersByTime(RETRY_TICK_MS);
	await expect.poll(async () => (await stored())?.state).toBe('DONE');
	expect(state.reported).toEqual([]);
});

it('is tried at once when the clock is set back by a month', async () => {
	const { state, stored, receive } = openInbox('BACK');
	await receive();
	state.isAway = false;
	state.nowMs -= 30 * DAY_MS;
	vi.advanceTimersByTime(RETRY_TICK_MS);
	await expect.poll(async () => (await stored())?.state).toBe('DONE');
});
