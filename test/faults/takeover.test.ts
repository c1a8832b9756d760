/**
 * Takeovers of real processes under load, each started again by a supervisor. `npm run endurance` makes TAKEOVERS of them
 * and prints how long each took from the fault to the first acknowledged bet.
 */
import { afterEach, expect, it } from 'vitest';
import { expectSound } from '../support/audit.ts';
import { ExchangePair, type Member } from './support/exchange-pair.ts';
import { TakeoverCrowd } from './support/takeover-crowd.ts';

const TAKEOVERS = Number(process.env['TAKEOVERS'] ?? 0);
const LIMIT_MS = 60_000 + TAKEOVERS * 60_000;
const SILENCE_MS = Number(process.env['STANDBY_SILENCE_MS'] ?? 2_000);
const PLAYERS = 6;
/** One of the two machines has a wrong clock. */
const CLOCK_SHIFT_MS = 20 * 60_000;

let pair: ExchangePair | undefined;
afterEach(async () => {
	await pair?.dispose();
	pair = undefined;
});

/** What happens to the process that serves. */
const FAULTS: Readonly<Record<string, (serving: Member) => void>> = {
	killed: (serving) => serving.signal('SIGKILL'),
	stopped: (serving) => serving.signal('SIGSTOP'),
	'cut off from its database': (serving) => serving.gate.cut(),
};

/** A process that was not killed finds itself deposed, and ends. */
function heal(member: Member): void {
	member.signal('SIGCONT');
	member.gate.mend();
}

it.runIf(TAKEOVERS > 0)(
	'loses and doubles nothing that was acknowledged when processes are killed, stopped or cut off under load',
	async () => {
		const running = await ExchangePair.start(SILENCE_MS, CLOCK_SHIFT_MS);
		pair = running;
		await running.settled();
		const crowd = new TakeoverCrowd(running);
		await crowd.open(PLAYERS);
		crowd.work();
		const took: { fault: string; ms: number }[] = [];
		for (let count = 0; count < TAKEOVERS; count++) {
			const [name, fault] = Object.entries(FAULTS)[count % 3] ?? expect.unreachable();
			const settle = await crowd.matched();
			const { serving, following } = await running.settled();
			const epoch = await running.epoch();
			const firstBet = crowd.firstBetOf(following);
			const settling = settle();
			const atMs = performance.now();
			fault(serving);
			took.push({ fault: name, ms: Math.round((await firstBet) - atMs) });
			await settling;
			heal(serving);
			await running.settled();
			expect(await running.epoch()).toBeGreaterThan(epoch);
		}
		await crowd.rest();
		await crowd.expectNothingLost();
		expect(running.members.filter((member) => member.differs())).toEqual([]);
		await expectSound(running.database.url);
		console.log(JSON.stringify({ silenceMs: SILENCE_MS, takeovers: took }));
	},
	LIMIT_MS,
);
