/** What a page says of orders that end by themselves, as the hub tells of them, and tells again after a registration. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { setNoticeHandler } from '#web/store/notices.ts';
import { receiveBetUpdate } from '#web/store/open-bets.ts';
import { useSession } from '#web/store/session.ts';
import { receiveTriggerUpdate } from '#web/store/triggers.ts';
import { ORDER_NOTICES } from '#web/texts/more.ts';

let notices: string[];
beforeEach(() => {
	notices = [];
	setNoticeHandler((text) => notices.push(text));
	vi.stubGlobal('document', { querySelector: () => null });
});
afterEach(() => {
	setNoticeHandler(() => undefined);
	vi.unstubAllGlobals();
});

let ids = 0;
const trigger = (changes: object) =>
	({ triggerId: String(++ids), runnerName: 'India', status: 'PLACED', ...changes }) as never;
const bet = (changes: object) =>
	({ betId: String(++ids), runnerName: 'India', event: 'LAPSED', status: 'LAPSED', ...changes }) as never;

/** What was said once all of it had time to come. */
async function said(count: number): Promise<string[]> {
	await vi.waitFor(() => expect(notices.length).toBeGreaterThanOrEqual(count));
	await vi.dynamicImportSettled();
	return notices;
}

it('a trigger and a bet are told of once, however often the hub tells', async () => {
	const { triggered, triggerRefused, expired, volumeReached } = ORDER_NOTICES;
	const [placed, refused] = [trigger({}), trigger({ status: 'REFUSED' })];
	const [late, full] = [bet({ reason: 'EXPIRED' }), bet({ reason: 'VOLUME_REACHED' })];
	for (const _ of ['as it happens', 'after a registration']) {
		receiveTriggerUpdate(placed);
		receiveTriggerUpdate(refused);
		receiveBetUpdate(late);
		receiveBetUpdate(full);
	}
	expect(await said(4)).toEqual([triggered, triggerRefused, expired, volumeReached].map((words) => words('India')));
});

it('a plan that is through reached no price, and one that broke off says so', async () => {
	const plan = { kind: 'ICEBERG', stake: 1, visible: 1 };
	receiveTriggerUpdate(trigger({ plan }));
	receiveTriggerUpdate(trigger({ plan, status: 'REFUSED' }));
	expect(await said(1)).toEqual([ORDER_NOTICES.planRefused('India')]);
});

it('the next player hears nothing of an order of the one before', async () => {
	receiveTriggerUpdate(trigger({}));
	useSession.setState(({ loginCount }) => ({ loginCount: loginCount + 1 }));
	receiveTriggerUpdate(trigger({ runnerName: 'Australia' }));
	expect(await said(1)).toEqual([ORDER_NOTICES.triggered('Australia')]);
});
