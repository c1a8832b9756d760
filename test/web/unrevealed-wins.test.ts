/** The balance on the screen while games show what became of their stakes. */
import fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import { minorOf } from '#values/money.ts';
import {
	beginShow,
	resetWallet,
	showAnsweredWallet,
	shownBalance,
	showVersionedWallet,
	useWallet,
} from '#web/store/wallet.ts';

const shown = () => shownBalance(useWallet.getState());

beforeEach(() => resetWallet(minorOf(100_000), minorOf(0)));

it('loses a stake at once, and has its win when the game has shown it, whenever the hub tells it', () => {
	const end = beginShow(minorOf(1_000));
	expect(shown()).toBe(99_000);
	showVersionedWallet(minorOf(104_000), minorOf(0), 1);
	showAnsweredWallet(minorOf(104_000), minorOf(0), performance.now());
	expect(shown()).toBe(99_000);
	expect(useWallet.getState().balance).toBe(104_000);
	end(minorOf(5_000));
	end(minorOf(5_000));
	expect(shown()).toBe(104_000);
});

it('is the balance again after a login, whatever the one before was shown', () => {
	const end = beginShow(minorOf(1_000));
	resetWallet(minorOf(500), minorOf(0));
	end(minorOf(9_000));
	expect(shown()).toBe(500);
});

it('tells no result before its game does, and is the balance as soon as nothing is shown, however games overlap', () => {
	const step = fc.oneof(
		fc.record({ stake: fc.integer({ min: 100, max: 5_000 }), payout: fc.nat({ max: 50_000 }) }),
		fc.record({ end: fc.nat({ max: 20 }) }),
	);
	fc.assert(
		fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
			let [balance, version] = [100_000, 0];
			resetWallet(minorOf(balance), minorOf(0));
			const running: { end: (payout: ReturnType<typeof minorOf>) => void; payout: number }[] = [];
			for (const act of steps) {
				if ('stake' in act) {
					running.push({ end: beginShow(minorOf(act.stake)), payout: act.payout });
					balance += act.payout - act.stake;
					showVersionedWallet(minorOf(balance), minorOf(0), ++version);
				} else {
					const [ended] = running.splice(act.end % Math.max(1, running.length), 1);
					ended?.end(minorOf(ended.payout));
				}
				const unshown = running.reduce((sum, { payout }) => sum + payout, 0);
				expect(shown()).toBe(balance - unshown);
			}
		}),
	);
});
