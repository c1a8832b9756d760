/** Icebergs that bots cancel, whole and in part, by the plan's id and by that of the part that is shown, at random. */
import { beforeAll, expect, it } from 'vitest';
import { SeededNumbers } from '../reference/random-commands.ts';
import type { TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { type Bot, limit, openBot, result, type Wire } from './bot.ts';
import { openTestMatch } from './numbered-match.ts';

/** Rupees: the smallest stake of a market. */
const LEAST = 10;

let server: TestServer;
let bot: Bot;
let rival: Bot;
beforeAll(async () => {
	server = await sharedServer();
	[bot, rival] = [await openBot(server), await openBot(server)];
});

/** What is said in one line: the stake is hidden, shown, matched or cancelled, and never two of these. */
class Model {
	readonly visible: number;
	hidden: number;
	shown = 0;
	matched = 0;
	/** The shown part was reduced, so it is not matched whole any more. */
	isReduced = false;

	constructor(stake: number, visible: number) {
		this.visible = visible;
		this.hidden = stake;
		this.showNext();
	}

	/** The plan has ended with its last part. */
	get isPlan(): boolean {
		return this.hidden > 0;
	}

	showNext(): void {
		this.shown = Math.min(this.visible, this.hidden);
		this.hidden -= this.shown;
		this.isReduced = false;
	}

	match(size: number): void {
		this.shown -= size;
		this.matched += size;
		if (this.shown > 0) return;
		// A part that its player cancelled, be it in part, ends the plan.
		if (this.isReduced) this.hidden = 0;
		else this.showNext();
	}

	/** @returns what the report says */
	cancelShown(size: number): number | string {
		if (size > this.shown) return 'INVALID_BET_SIZE';
		const left = this.shown - size;
		const cancelled = left < LEAST ? this.shown : size;
		this.shown -= cancelled;
		this.isReduced = true;
		if (this.shown === 0) this.hidden = 0;
		return cancelled;
	}

	cancelPlan(size: number): number | string {
		const unmatched = this.hidden + this.shown;
		if (size > unmatched) return 'INVALID_BET_SIZE';
		const left = Math.max(0, this.hidden - size);
		if (left > 0 && (left % this.visible || this.visible) < LEAST) return 'INVALID_BET_SIZE';
		const ofShown = Math.max(0, size - this.hidden);
		const ofHidden = this.hidden - left;
		this.hidden = left;
		if (ofShown === 0) return ofHidden;
		return ofHidden + (this.cancelShown(ofShown) as number);
	}
}

it.each([1, 2, 3, 4, 5, 6])(
	'hidden and shown parts are cancelled as a simple model says, sequence %i',
	async (seed) => {
		const numbers = new SeededNumbers(seed);
		const match = await openTestMatch(server);
		const of = { marketId: `1.${match.marketId}` };
		const heldBefore = server.money(botAsPlayer())[1];
		const visible = 2 * LEAST + numbers.below(30);
		const last = LEAST + numbers.below(visible - LEAST);
		const model = new Model(visible * (2 + numbers.below(3)) + last, visible);
		const stake = model.hidden + model.shown;
		const order = limit(1, 'BACK', 4, stake, { plan: { kind: 'ICEBERG', visible } });
		const placed = await result(server, bot, 'placeOrders', { ...of, instructions: [order] });
		const planId: string = placed.instructionReports[0].betId;
		const orders = async (): Promise<Wire[]> =>
			(await result(server, bot, 'listCurrentOrders', { marketIds: [of.marketId], orderProjection: 'EXECUTABLE' }))
				.currentOrders;
		/** As the exchange and the bot's reports have it, once the plan has gone on. */
		const agrees = async () => {
			await expect
				.poll(async () => (await orders()).map((one) => one.sizeRemaining))
				.toEqual(model.shown > 0 ? [model.shown] : []);
			const held = () => server.money(botAsPlayer())[1] - heldBefore;
			await expect.poll(held).toBe(model.hidden + model.shown + model.matched);
		};
		const cancel = async (betId: string, size: number | null) => {
			const instruction = size === null ? { betId } : { betId, sizeReduction: size };
			const { instructionReports } = await result(server, bot, 'cancelOrders', { ...of, instructions: [instruction] });
			const [{ sizeCancelled, errorCode }] = instructionReports;
			return errorCode ?? sizeCancelled;
		};
		await agrees();
		for (let step = 0; step < 8 && model.shown > 0; step++) {
			const what = numbers.below(10);
			if (what < 4 && model.shown >= LEAST) {
				const size = LEAST + numbers.below(model.shown - LEAST + 1);
				const lay = limit(1, 'LAY', 4, size, { timeInForce: 'FILL_OR_KILL' });
				await result(server, rival, 'placeOrders', { ...of, instructions: [lay] });
				model.match(size);
			} else if (what < 6) {
				const [{ betId }] = await orders();
				const size = 1 + numbers.below(model.shown + 1);
				expect(await cancel(betId, size)).toBe(model.cancelShown(size));
			} else if (model.isPlan) {
				const unmatched = model.hidden + model.shown;
				const size = what === 9 ? null : 1 + numbers.below(unmatched + 1);
				expect(await cancel(planId, size)).toBe(model.cancelPlan(size ?? unmatched));
			}
			await agrees();
		}
		const unmatched = model.hidden + model.shown;
		await result(server, bot, 'cancelOrders', of);
		await expect.poll(() => server.money(botAsPlayer())[1] - heldBefore).toBe(model.matched);
		expect(unmatched + model.matched).toBeLessThanOrEqual(stake);
	},
);

const botAsPlayer = () => ({ userId: bot.userId, token: '', refreshToken: '' });
