/**
 * The hub as the official client meets it: registering, balances, books as images and deltas, bets, scores, the end of
 * a login. The same tests for every transport and protocol, and for each server of them.
 */
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { MarketBookDelta, MarketBookImage } from '#contract/hub-messages.ts';
import { betOn, openTestMatch, type TestMatch } from '../support/match.ts';
import type { TestServer } from '../support/server.ts';
import { HubClient, type Way } from './hub-client.ts';

export interface Served {
	/** The process with the engine: calls go there. */
	server: TestServer;
	/** Where the hub is. */
	hubUrl: string;
}

/** Describes the hub as a client of this transport and protocol sees it. */
export function hubServes(way: Way, served: () => Served): void {
	let match: TestMatch;
	let server: TestServer;
	const clients: HubClient[] = [];
	beforeAll(async () => {
		server = served().server;
		match = await openTestMatch(server);
	});
	afterEach(async () => {
		await Promise.all(clients.splice(0).map((client) => client.stop()));
	});

	async function connect(token = ''): Promise<HubClient> {
		const client = await HubClient.connect(served().hubUrl, token, way);
		clients.push(client);
		return client;
	}

	describe('a player', () => {
		it('gets the balance at registration and at each change, with a rising version', async () => {
			const { token } = await server.demoPlayer();
			const client = await connect(token);
			const first = await client.message('UserBalance');
			expect(first).toMatchObject({ Balance: 20_000, Exposure: 0 });
			await server.result('placeBetV2', betOn(match, { price: 40, stake: 150 }), token);
			const second = await client.message('UserBalance', ({ Exposure }) => Exposure === 150);
			expect(second.Balance).toBe(19_850);
			expect(second.Version).toBeGreaterThan(first.Version);
		});

		it('gets updates of the player’s own bets, and no other player does', async () => {
			const own = await openTestMatch(server);
			const [backer, layer] = [await server.demoPlayer(), await server.demoPlayer()];
			const [backing, laying] = [await connect(backer.token), await connect(layer.token)];
			const { betId } = await server.result('placeBetV2', betOn(own, { price: 3 }), backer.token);
			await server.result('placeBetV2', betOn(own, { side: 'LAY', price: 3 }), layer.token);
			const matched = await backing.message('BetUpdate', ({ event }) => event === 'MATCHED');
			expect(matched).toMatchObject({
				betId,
				eventStake: 100,
				matchedStake: 100,
				remainingStake: 0,
				status: 'MATCHED',
			});
			await own.settle(1);
			const settled = await laying.message('BetUpdate', ({ event }) => event === 'SETTLED');
			expect(settled.runnerId).toBe('IND');
			const heard = laying.received.filter(({ code }) => code === 'BetUpdate').map(({ data }) => data);
			expect(heard).not.toContainEqual(expect.objectContaining({ betId }));
		});

		it('gets the reason why a resting bet lapsed', async () => {
			const own = await openTestMatch(server);
			const { token } = await server.demoPlayer();
			const client = await connect(token);
			await server.result('placeBetV2', betOn(own), token);
			await own.market.turnInPlay();
			const lapsed = await client.message('BetUpdate', ({ event }) => event === 'LAPSED');
			expect(lapsed).toMatchObject({ reason: 'TURNED_IN_PLAY', eventStake: 100, status: 'LAPSED' });
		});

		it('is told what became of a trigger and of a bet’s own term by a registration that missed it, and by no other', async () => {
			const own = await openTestMatch(server);
			const [player, layer, backer] = [await server.demoPlayer(), await server.demoPlayer(), await server.demoPlayer()];
			const there = await connect(player.token);
			const bet = betOn(own, { price: 50, stake: 25, goodUntilMatched: 60 });
			const { betId } = await server.result('placeBetV2', bet, player.token);
			const trigger = { ...betOn(own, { price: 4 }), moves: 'FALLS', at: 3 } as const;
			const { triggerId } = await server.result('placeTrigger', trigger as never, player.token);
			await server.result('placeBetV2', betOn(own, { side: 'LAY', price: 2, stake: 60 }), layer.token);
			await server.result('placeBetV2', betOn(own, { price: 2, stake: 60 }), backer.token);
			await there.message('BetUpdate', ({ reason }) => reason === 'VOLUME_REACHED');
			await there.message('TriggerUpdate', ({ status }) => status === 'PLACED');
			const orders = ({ received }: HubClient) =>
				received
					.filter(({ code }) => code === 'BetUpdate' || code === 'TriggerUpdate')
					.map(({ data }) => data)
					.sort((one, next) => Number('triggerId' in one) - Number('triggerId' in next));
			for (const [missedMs, told] of [
				[
					60_000,
					[
						{ betId, reason: 'VOLUME_REACHED' },
						{ triggerId, status: 'PLACED' },
					],
				],
				[0, []],
			] as const) {
				const late = await connect();
				await late.register(player.token, missedMs);
				await late.message('UserBalance');
				expect(orders(late)).toMatchObject(told);
			}
		});

		it('is disconnected at log-out', async () => {
			const { token } = await server.demoPlayer();
			const client = await connect(token);
			const closed = client.closed();
			await server.result('logout', {}, token);
			await client.message('LoggedOut');
			await closed;
		});

		it('is refused with an ended token, and stays a visitor', async () => {
			const client = await connect();
			await expect(client.register('made.1.up')).rejects.toThrow('LOGIN_EXPIRED');
			expect(await client.subscribe('sports')).toMatchObject({ success: true });
		});
	});

	describe('a market', () => {
		it('arrives as an image and then as deltas that follow one another', async () => {
			const own = await openTestMatch(server);
			const { token } = await server.demoPlayer();
			const client = await connect(token);
			await client.subscribe(`market:${own.marketId}`);
			const image = (await client.message('MarketBook')) as MarketBookImage;
			expect(image).toMatchObject({ kind: 'IMAGE', marketId: own.marketId, status: 'OPEN' });
			for (const stake of [10, 20, 30]) {
				await server.result('placeBetV2', betOn(own, { price: 5, stake }), token);
			}
			await client.message('MarketBook', (book) => book.runners[0]?.lay?.[0]?.size === 60);
			const deltas = client.received
				.filter(({ code }) => code === 'MarketBook')
				.map(({ data }) => data as MarketBookDelta);
			let version = image.version;
			for (const delta of deltas.slice(1)) {
				expect(delta).toMatchObject({ kind: 'DELTA', from: version });
				version = delta.version;
			}
		});

		it('has its runners’ results in an image that comes after its settlement', async () => {
			const own = await openTestMatch(server);
			const client = await connect();
			await client.subscribe(`market:${own.marketId}`);
			await own.market.close();
			await client.message('MarketStatus', ({ status }) => status === 'CLOSED');
			await own.settle(0);
			const late = await connect();
			await late.subscribe(`market:${own.marketId}`);
			const image = (await late.message('MarketBook')) as MarketBookImage;
			expect(image.runners.map(({ status }) => status)).toEqual(['WINNER', 'LOSER']);
		});

		it('shows each pool its own book', async () => {
			const own = await openTestMatch(server);
			const { token } = await server.demoPlayer();
			await server.result('placeBetV2', betOn(own, { price: 5 }), token);
			const visitor = await connect();
			await visitor.subscribe(`market:${own.marketId}`);
			const image = (await visitor.message('MarketBook')) as MarketBookImage;
			expect(image.runners[0]?.lay).toEqual([]);
		});

		it('reports when a runner is suspended alone, and when it is resumed', async () => {
			const own = await openTestMatch(server);
			const client = await connect();
			await client.subscribe(`market:${own.marketId}`);
			const { exchange } = server.running;
			const second = { marketId: Number(own.marketId), runner: 1 };
			await exchange.submit({ kind: 'suspend-runner', ...second });
			await client.message('MarketStatus', ({ runners }) => runners?.[1]?.status === 'SUSPENDED');
			await exchange.submit({ kind: 'resume-runner', ...second });
			await client.message('MarketStatus', ({ runners }) => runners?.[1]?.status === 'ACTIVE');
		});

		it('reports its states and its result', async () => {
			const own = await openTestMatch(server);
			const client = await connect();
			await client.subscribe(`market:${own.marketId}`);
			await own.market.suspend();
			await client.message('MarketStatus', ({ status }) => status === 'SUSPENDED');
			await own.settle(0);
			const settled = await client.message('MarketStatus', ({ status }) => status === 'SETTLED');
			expect(settled.runners).toEqual([
				{ runnerId: 'IND', status: 'WINNER' },
				{ runnerId: 'NEP', status: 'LOSER' },
			]);
		});
	});

	describe('channels', () => {
		it('report unknown names, and subscribe to the rest', async () => {
			const client = await connect();
			const answer = await client.subscribe('market:424242', 'market:', 'kitchen', `event:${match.eventId}`);
			expect(answer).toEqual({ success: false, unknown: ['market:424242', 'market:', 'kitchen'], refused: [] });
		});

		it('are silent after they were left', async () => {
			const own = await openTestMatch(server);
			const client = await connect();
			await client.subscribe(`market:${own.marketId}`);
			await client.message('MarketBook');
			await client.connection.invoke('Unsubscribe', { channels: [`market:${own.marketId}`] });
			await own.market.suspend();
			// Messages arrive in order: had the status been sent, it would precede this answer.
			await client.connection.invoke('Unsubscribe', { channels: [] });
			expect(client.received.some(({ code }) => code === 'MarketStatus')).toBe(false);
		});
	});
}
