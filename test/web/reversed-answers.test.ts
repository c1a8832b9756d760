/** Answers that come in another order than their requests were made: the request that began last counts. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { minorOf } from '#values/money.ts';
import { clearStored, writeStored } from '#web/api/storage.ts';
import { markPlayed } from '#web/features/casino/game-marks.ts';
import { changeProtection } from '#web/features/protection/change-protection.ts';
import { loadPlayerSports } from '#web/store/active-sports.ts';
import { gameMarksQuery } from '#web/store/casino-queries.ts';
import { type Protection, protectionQuery } from '#web/store/protection-queries.ts';
import { queryClient } from '#web/store/query-client.ts';
import { type User, useSession } from '#web/store/session.ts';
import { resetWallet, showAnsweredWallet, showVersionedWallet, useWallet } from '#web/store/wallet.ts';

/** The requests that have no answer yet, in the order in which they were sent. */
let waiting: ((result: object) => void)[];

beforeEach(() => {
	waiting = [];
	vi.stubGlobal('fetch', async () => {
		const result = await new Promise<object>((resolve) => waiting.push(resolve));
		return new Response(JSON.stringify({ success: true, result }));
	});
	writeStored('accessToken', 'Asha');
	useSession.setState(({ loginCount }) => ({ user: { userId: '7' } as User, loginCount: loginCount + 1 }));
});
afterEach(() => {
	queryClient.clear();
	useSession.setState(({ loginCount }) => ({ user: null, loginCount: loginCount + 1 }));
	clearStored();
	vi.unstubAllGlobals();
});

/** Everything that is sent without a further answer is sent. */
const allSent = () => new Promise((resolve) => setTimeout(resolve));

/** Answers a number of requests, of those that wait at a time the last one first; each with what the server had by then. */
async function answerReversed(results: readonly object[]): Promise<void> {
	for (let left = [...results]; left.length > 0; ) {
		await vi.waitFor(() => expect(waiting).not.toEqual([]));
		await allSent();
		const sent = waiting.splice(0);
		for (const [at, answer] of [...sent.entries()].reverse()) {
			answer(left[at] ?? {});
			await allSent();
		}
		left = left.slice(sent.length);
	}
}

it('of two games that were opened the later one stands first', async () => {
	const marks = (...recent: string[]) => ({ favourites: [], recent });
	markPlayed('mines');
	markPlayed('dice');
	await answerReversed([marks('mines'), marks('dice', 'mines')]);
	expect(queryClient.getQueryData(gameMarksQuery().queryKey)).toEqual(marks('dice', 'mines'));
});

it('of two limits both stand', async () => {
	const { queryKey } = protectionQuery();
	const send = async () => {
		const answer = await fetch('');
		return ((await answer.json()) as { result: Protection }).result;
	};
	const changed = [changeProtection(send), changeProtection(send)];
	await answerReversed([{ realityCheckMinutes: 30 }, { realityCheckMinutes: 60 }]);
	await Promise.all(changed);
	expect(queryClient.getQueryData(queryKey)).toEqual({ realityCheckMinutes: 60 });
});

it('a question from before a change is not its answer', async () => {
	const { queryKey } = protectionQuery();
	const asked = queryClient.fetchQuery(protectionQuery()).catch(() => 'dropped');
	await vi.waitFor(() => expect(waiting).toHaveLength(1));
	const [answerOld] = waiting.splice(0);
	await changeProtection(async () => ({ realityCheckMinutes: 60 }) as Protection);
	answerOld?.({ realityCheckMinutes: 30 });
	await asked;
	expect(queryClient.getQueryData(queryKey)).toEqual({ realityCheckMinutes: 60 });
});

it('a sport that is closed after another stays closed', async () => {
	const asked = [loadPlayerSports(), loadPlayerSports()];
	await answerReversed([
		{ tennis: false, kabaddi: true },
		{ tennis: false, kabaddi: false },
	]);
	await Promise.all(asked);
	expect(useSession.getState().user).toMatchObject({ tennis: false, kabaddi: false });
});

it('a balance is that of the act that began last, until the hub tells a newer one', () => {
	const balance = () => useWallet.getState().balance;
	resetWallet(minorOf(500), minorOf(0));
	showAnsweredWallet(minorOf(300), minorOf(200), 20);
	showAnsweredWallet(minorOf(400), minorOf(100), 10);
	expect(balance()).toBe(300);
	showVersionedWallet(minorOf(250), minorOf(250), 1, 30);
	showAnsweredWallet(minorOf(300), minorOf(200), 25);
	expect(balance()).toBe(250);
});
