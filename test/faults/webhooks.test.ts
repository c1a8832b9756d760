/**
 * kill -9 of the process that sends webhooks, and the takeover by its standby: each event of an act that was answered
 * reaches the receiver, and one is repeated only if its attempt was under way. The new process repeats it after half a
 * minute.
 *
 * @module-tag thorough
 */
import type pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { WebhookReceiver } from '../webhooks/webhook-receiver.ts';
import { ExchangePair, type Member } from './support/exchange-pair.ts';
import { EVENT_ID } from './support/listed-match.ts';

const SILENCE_MS = 1_000;
const HOST = 'localhost';
const EACH = 25;
/** Acts of each kind until the receiver gives no more answers, and until the kill. */
const HELD_FROM = 6;
const KILLED_AT = 10;

/** Markets of the listed match, for which an operator can say that they are void. */
async function openMarkets(member: Member, db: pg.Pool): Promise<string[]> {
	for (let at = 0; at < EACH; at++) {
		const market = { eventId: String(EVENT_ID), name: `Winner ${at}`, type: 'MATCH_ODDS', runners: ['Reds', 'Blues'] };
		expect(await member.operate('open-market', market)).toBe(null);
	}
	const { rows } = await db.query<{ id: number }>('select id from market_listing where fixture_id = $1', [EVENT_ID]);
	return rows.map(({ id }) => String(id));
}

it('an event that was answered for is told through kill -9 and takeover, and no event three times', async () => {
	const receiver = await WebhookReceiver.open();
	const pair = await ExchangePair.start(SILENCE_MS, 0);
	onTestFinished(async () => {
		await pair.dispose();
		receiver.close();
	});
	const { serving, following } = await pair.settled();
	const events = ['player.registered', 'market.settled'];
	expect(await serving.operate('webhook-add', { host: HOST, url: receiver.url(), events })).toBe(null);
	const { db } = pair.database;
	const markets = await openMarkets(serving, db);
	const answered = new Set<string>();
	const arrived = (count: number) =>
		expect.poll(() => receiver.ids().length, { timeout: 20_000 }).toBeGreaterThanOrEqual(count);
	/** Until an act gets no answer. */
	async function act(member: Member, from: number): Promise<number> {
		for (let at = from; at < EACH; at++) {
			const userName = `player-${at}`;
			try {
				if (!(await member.operate('create-player', { host: HOST, userName, password: `Kingfisher-${at}` })))
					answered.add(userName);
				if (!(await member.operate('void', { marketId: markets[at] }))) answered.add(String(markets[at]));
			} catch {
				return at + 1;
			}
			if (member === serving && at === HELD_FROM) {
				await arrived(answered.size);
				receiver.answer = () => 'held';
			}
			// Attempts are under way by then.
			if (member === serving && at === KILLED_AT) {
				await arrived((HELD_FROM + 1) * 2 + 1);
				member.signal('SIGKILL');
			}
		}
		return EACH;
	}
	const reached = await act(serving, 0);
	receiver.answer = () => 200;
	expect(reached).toBeLessThan(EACH);
	await expect.poll(() => following.isReady(), { timeout: 20_000 }).toBe(true);
	await act(following, reached);
	const waiting = async () => {
		const sql = `select (select count(*) from webhook_event)::int + (select count(*) from webhook_delivery where state = 'WAITING')::int as count`;
		return (await db.query<{ count: number }>(sql)).rows[0]?.count;
	};
	const told = async () => {
		const { rows } = await db.query<{ userName: string }>(
			'select user_name as "userName" from player where player_id::text = any($1)',
			[receiver.bodies().map(({ data }) => ('playerId' in data ? data.playerId : ''))],
		);
		const ofMarkets = receiver.bodies().map(({ data }) => ('marketId' in data ? data.marketId : ''));
		return new Set([...rows.map(({ userName }) => userName), ...ofMarkets]);
	};
	const untold = async () => {
		const names = await told();
		return [...answered].filter((name) => !names.has(name));
	};
	await expect.poll(untold, { timeout: 60_000 }).toEqual([]);
	await expect.poll(waiting, { timeout: 60_000 }).toBe(0);
	const counts = [...Map.groupBy(receiver.ids(), (id) => id).values()].map(({ length }) => length);
	expect(new Set(counts)).toEqual(new Set([1, 2]));
});
