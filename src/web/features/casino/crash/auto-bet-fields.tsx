import { type ReactElement, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { type Minor, minorOf } from '#values/money.ts';
import { latin } from '#values/read-amount.ts';
import {
	type AutoBetRun,
	endOf,
	roundsOf,
	startedRun,
	withPlaced,
	withResult,
} from '#web/features/casino/crash/auto-bet.ts';
import {
	type CrashBet,
	type CrashView,
	crashRounds,
	isSettled,
	useCrash,
} from '#web/features/casino/crash/crash-store.ts';
import { formatSigned } from '#web/format.ts';
import { saidWords } from '#web/orders/amount-words.ts';
import { useBrand } from '#web/store/brand.ts';
import { useBrandRules } from '#web/store/brand-rules.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';
import { readAmount } from '#web/typed-amount.ts';

const words = CASINO_TEXTS.crash.autoBet;

interface AutoBet {
	run: AutoBetRun | null;
	/** Why the last run ended; empty before. */
	ended: string;
	isOffered: boolean;
	isReady: boolean;
	start: (plan: { rounds: number | null; stopLoss: number | null; stopWin: number | null }) => void;
	stop: () => void;
}

interface AutoBetSlot {
	slot: number;
	stake: Minor | null;
	isReady: boolean;
	place: () => Promise<boolean>;
}

/** The bets of the slot that have ended and were not counted before; they are counted from now on. */
function newResults(mine: readonly CrashBet[], slot: number, counted: Set<string>): CrashBet[] {
	const results = mine.filter(
		(bet) => bet.slot === slot && (bet.state === 'WON' || bet.state === 'LOST') && !counted.has(bet.betId),
	);
	for (const { betId } of results) counted.add(betId);
	return results;
}

/** By the brand, and by the rules of its jurisdiction. */
function useIsOffered(): boolean {
	const isOffered = useBrand(({ setting }) => setting?.autoBet ?? false);
	const { autoplay } = useBrandRules();
	return isOffered && autoplay;
}

/**
 * Bets in each round while the page is open. It stops automatically: at the player's own limits, and with the first
 * refused bet, for any reason; once it is not offered any more, and when the table closes.
 */
export function useAutoBet({ slot, stake, isReady, place }: AutoBetSlot): AutoBet {
	const [run, setRun] = useState<AutoBetRun | null>(null);
	const [ended, setEnded] = useState('');
	const isOffered = useIsOffered();
	/** The run's last requested round, and the bets whose results were counted. */
	const askedIn = useRef('');
	const counted = useRef(new Set<string>());

	function end(why: string): void {
		setRun(null);
		setEnded(why);
	}

	// Without its fields there is no button that stops it.
	if (run && !isOffered) end(words.withdrawn);

	async function bet(next: AutoBetRun, round: string): Promise<void> {
		askedIn.current = round;
		setRun(withPlaced(next));
		if (!(await place())) end(words.refused);
	}

	function go(running: AutoBetRun, view: CrashView): void {
		const { snapshot, mine, refusals } = view;
		if (refusals[slot]) return end(words.refused);
		if (snapshot?.state.phase === 'CLOSED') return end(words.closed);
		const results = newResults(mine, slot, counted.current);
		const next = results.reduce((sum, { payout, stake: staked }) => withResult(sum, payout - staked), running);
		const { phase, round = '' } = snapshot?.state ?? {};
		// A bet whose end was missed counts before the next one is placed.
		const isPossible = phase === 'BETTING' && isReady && isSettled(view, slot);
		if (!isPossible || askedIn.current === round || stake === null) {
			if (next !== running) setRun(next);
			return;
		}
		const why = endOf(next, stake);
		if (why) end(words.ends[why]);
		else void bet(next, round);
	}

	const onChange = useEffectEvent((view: CrashView) => {
		if (run) go(run, view);
	});
	// The round and the player's bets change outside of this component; so does a slot that becomes free.
	useEffect(() => useCrash.subscribe((view) => onChange(view)), []);
	return {
		run,
		ended,
		isOffered,
		isReady: stake !== null,
		start: (plan) => {
			crashRounds.clearRefusal(slot);
			const view = useCrash.getState();
			for (const { betId } of view.mine) counted.current.add(betId);
			askedIn.current = '';
			setEnded('');
			const started = startedRun(plan);
			setRun(started);
			go(started, view);
		},
		stop: () => setRun(null),
	};
}

/** An amount at which it stops; null for none, undefined for an invalid text: nothing starts without its limit. */
function stopOf(text: string): Minor | null | undefined {
	const read = readAmount(text);
	if (read.kind === 'EMPTY') return null;
	return read.kind === 'AMOUNT' && read.amount > 0 ? read.amount : undefined;
}

function PlanField({
	label,
	text,
	isAmount = false,
	isWrong,
	onChange,
}: {
	label: string;
	text: string;
	isAmount?: boolean;
	isWrong: boolean;
	onChange: (text: string) => void;
}): ReactElement {
	const id = useId();
	return (
		<div className="stake-field">
			<p className="stake-label">
				<label htmlFor={id}>{label}</label> <span id={`${id}-said`}>{isAmount && saidWords(text)}</span>
			</p>
			<div className="field-box">
				<input
					id={id}
					inputMode="numeric"
					autoComplete="off"
					placeholder={words.none}
					value={text}
					aria-invalid={isWrong || undefined}
					aria-describedby={`${id}-said`}
					onChange={({ target }) => onChange(isAmount ? target.value : latin(target.value).replace(/\D/g, ''))}
				/>
			</div>
		</div>
	);
}

/** Folded away by default; while it runs, it shows its state and the stop button. */
export function AutoBetFields({ auto }: { auto: AutoBet }): ReactElement | null {
	const [rounds, setRounds] = useState('10');
	const [stopLoss, setStopLoss] = useState('');
	const [stopWin, setStopWin] = useState('');
	const [most, loss, win] = [roundsOf(rounds), stopOf(stopLoss), stopOf(stopWin)];
	if (!auto.isOffered) return auto.ended === '' ? null : <p className="game-note">{auto.ended}</p>;
	if (auto.run) {
		const { placed, net } = auto.run;
		return (
			<div className="crash-auto">
				<p>
					{words.running(placed, auto.run.rounds)} · {formatSigned(minorOf(net))}
				</p>
				<Button size="small" variant="outline" onClick={auto.stop}>
					{words.stop}
				</Button>
			</div>
		);
	}
	return (
		<details className="crash-auto-plan">
			<summary>{auto.ended || words.title}</summary>
			<div className="crash-plan">
				<PlanField label={words.rounds} text={rounds} isWrong={most === undefined} onChange={setRounds} />
				<PlanField
					label={words.stopLoss}
					isAmount
					text={stopLoss}
					isWrong={loss === undefined}
					onChange={setStopLoss}
				/>
				<PlanField label={words.stopWin} isAmount text={stopWin} isWrong={win === undefined} onChange={setStopWin} />
			</div>
			<Button
				size="small"
				variant="outline"
				disabled={!auto.isReady || most === undefined || loss === undefined || win === undefined}
				onClick={() => auto.start({ rounds: most ?? null, stopLoss: loss ?? null, stopWin: win ?? null })}
			>
				{words.start}
			</Button>
		</details>
	);
}
