import { type ReactElement, type Ref, useId, useImperativeHandle, useRef, useState } from 'react';
import { crashPayout } from '#games/crash/cash-outs.ts';
import { Button } from '#ui/button.tsx';
import { useRefusedFocus } from '#ui/refused-focus.ts';
import { type Minor, minorOf } from '#values/money.ts';
import { latin } from '#values/read-amount.ts';
import { AutoBetFields, useAutoBet } from '#web/features/casino/crash/auto-bet-fields.tsx';
import { type CrashBet, liveBet, useCrash } from '#web/features/casino/crash/crash-store.ts';
import { multiplierText } from '#web/features/casino/crash/flight-clock.ts';
import { type CashOutReceipt, useCrashBet } from '#web/features/casino/crash/use-crash-bet.ts';
import { StakeField, useStake } from '#web/features/casino/stake-field.tsx';
import { useSteadyPress } from '#web/features/casino/steady-press.ts';
import type { RefusedStake } from '#web/features/casino/use-round.ts';
import { formatMoney } from '#web/format.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';

const words = CASINO_TEXTS.crash;

/** A slot's interface for the space bar and the frame loop. */
export interface SlotHandle {
	/** Cashes the slot's bet out. @returns whether there was one in flight */
	cashOut: () => boolean;
	/** Shows the current value of a cash-out; null while it is unknown. */
	show: (cents: number | null) => void;
}

/** "2.5" and "2.50" are 250 hundredths; null for an invalid target, including empty text. */
function autoCentsOf(text: string): number | null {
	const [, units = '', parts = ''] = /^(\d{1,5})(?:[.,](\d{1,2}))?$/.exec(text) ?? [];
	const cents = units === '' ? 0 : Number(units) * 100 + Number(parts.padEnd(2, '0'));
	return cents >= 101 && cents <= 1_000_000 ? cents : null;
}

function AutoCashOut({
	slot,
	text,
	disabled,
	onChange,
}: {
	slot: number;
	text: string;
	disabled: boolean;
	onChange: (text: string) => void;
}): ReactElement {
	const id = useId();
	return (
		<div className="stake-field">
			<label htmlFor={id}>{words.auto}</label>
			<div className="field-box">
				<input
					id={id}
					name={`auto-${slot}`}
					inputMode="decimal"
					autoComplete="off"
					placeholder={words.off}
					value={text}
					disabled={disabled}
					aria-invalid={(text !== '' && autoCentsOf(text) === null) || undefined}
					onChange={({ target }) => onChange(latin(target.value).replace(/[^\d.,]/g, ''))}
				/>
				<span aria-hidden="true">x</span>
			</div>
		</div>
	);
}

function Receipt({ receipt }: { receipt: CashOutReceipt }): ReactElement {
	const { cents, receivedAt, durableMs, roundTripMs } = receipt;
	return (
		<p className="game-note">
			{words.receipt(multiplierText(cents), clockText(receivedAt), Math.round(durableMs), roundTripMs)}
		</p>
	);
}

/** Local time with milliseconds, to distinguish flights. */
function clockText(iso: string): string {
	const at = new Date(iso);
	const parts = [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, '0'));
	return `${parts.join(':')}.${String(at.getMilliseconds()).padStart(3, '0')}`;
}

interface Action {
	/** What a press does; `none` while nothing can be done. */
	meaning: 'place' | 'cancel' | 'cashOut' | 'none';
	text: string;
	variant: 'primary' | 'outline';
	isBlocked?: boolean;
	press: () => void;
}

const NOT_REFUSED = { said: '', stake: null };

/** Below the button, where nothing was refused. */
const restWords = (bet: CrashBet | null, stake: Minor | null): string =>
	bet?.state === 'WAITING' ? words.waits : stake === null && bet === null ? CASINO_TEXTS.stake.whole : '';

/** One of the player's two slots: a stake, a target, and the one button that is relevant now. */
export function BetSlot({ slot, ref }: { slot: 1 | 2; ref: Ref<SlotHandle> }): ReactElement {
	const view = useCrash();
	const betting = useCrashBet(slot);
	const stake = useStake();
	const [autoText, setAutoText] = useState('');
	const worth = useRef<HTMLSpanElement>(null);
	const bet = liveBet(view, slot);
	const phase = view.snapshot?.state.phase ?? 'CLOSED';
	const autoCents = autoText === '' ? null : autoCentsOf(autoText);
	// A target that a bet carries is shown where it is changed.
	const shownAuto = bet?.autoCents ? (bet.autoCents / 100).toFixed(2) : autoText;
	const [asked, setAsked] = useState<RefusedStake | null>(null);
	const [slotBox, lead] = useRefusedFocus<HTMLElement>();
	const noteId = useId();
	const isWrong = stake.amount === null || (autoText !== '' && autoCents === null);
	const place = () => {
		if (stake.amount === null) return Promise.resolve(false);
		setAsked({ stake: stake.amount });
		return betting.place(stake.amount, autoCents);
	};
	/** By the player's own press, which a refusal of the stake leads back to its field. */
	const placeByPress = () => void place().then((isPlaced) => isPlaced || lead());
	const auto = useAutoBet({ slot, stake: stake.amount, isReady: !isWrong && bet === null, place });
	const isFlying = phase === 'FLYING' && bet?.state === 'OPEN';
	useImperativeHandle(ref, () => ({
		cashOut: () => {
			if (!isFlying || !bet || betting.isPending) return false;
			void betting.cashOut(bet);
			return true;
		},
		show: (cents) => {
			if (worth.current && bet) worth.current.textContent = cents === null ? '' : worthText(bet, cents);
		},
	}));
	// The table's state of the slot answers a request whose own answer was lost, unless the bet has not changed.
	const isUnknown = betting.unknown === 'place' ? bet === null : betting.unknown !== null && bet !== null;
	const action = actionOf();
	const isSteady = useSteadyPress(betting.isPending ? null : isUnknown ? 'again' : action.meaning);
	function actionOf(): Action {
		if (bet?.state === 'WAITING' || (bet && phase === 'BETTING')) {
			const text = bet.state === 'WAITING' ? words.cancelWaiting : words.cancel(formatMoney(bet.stake));
			return { meaning: 'cancel', text, variant: 'outline', press: () => void betting.cancel(bet) };
		}
		if (bet && isFlying)
			return { meaning: 'cashOut', text: '', variant: 'primary', press: () => void betting.cashOut(bet) };
		if (bet)
			return { meaning: 'none', text: words.starting, variant: 'outline', isBlocked: true, press: () => undefined };
		const amount = stake.amount === null ? '' : formatMoney(stake.amount);
		const text = phase === 'BETTING' ? CASINO_TEXTS.stake.bet(amount) : words.betNext(amount);
		const isBlocked = isWrong || phase === 'CLOSED';
		return { meaning: 'place', text, variant: 'primary', isBlocked, press: placeByPress };
	}
	/** A cash-out is never too early; what comes in its place, or in that of a bet, is no second press. */
	const press = () => {
		if (action.meaning === 'cashOut' || isSteady()) action.press();
	};
	const refusal = betting.unknown ? '' : betting.refusal;
	const queued = view.refusals[slot] ?? NOT_REFUSED;
	const refused = betting.isOfAmount ? asked : queued.stake;
	const note = isUnknown ? CASINO_TEXTS.stake.unknown : refusal || queued.said;
	return (
		<section ref={slotBox} className="crash-slot" aria-label={words.slot(slot)}>
			<div className="crash-fields">
				<StakeField stake={stake} disabled={bet !== null} refused={refused} note={noteId} />
				<AutoCashOut slot={slot} text={shownAuto} disabled={bet !== null} onChange={setAutoText} />
			</div>
			{isUnknown ? (
				<Button variant="primary" className="crash-action" onClick={betting.retry}>
					{CASINO_TEXTS.stake.again}
				</Button>
			) : (
				<Button
					variant={action.variant}
					className="crash-action"
					busy={betting.isPending}
					disabled={action.isBlocked ?? false}
					onClick={press}
				>
					{isFlying && bet ? (
						<>
							{words.cashOut} <span ref={worth}>{worthText(bet, 100)}</span>
						</>
					) : (
						action.text
					)}
				</Button>
			)}
			<div className="crash-foot">
				<AutoBetFields auto={auto} />
				{note === '' && betting.receipt !== null ? (
					<Receipt receipt={betting.receipt} />
				) : (
					<p id={noteId} className="game-note" role={note ? 'alert' : undefined}>
						{note || restWords(bet, stake.amount)}
					</p>
				)}
			</div>
		</section>
	);
}

const worthText = ({ stake, autoCents }: CrashBet, cents: number): string =>
	formatMoney(minorOf(crashPayout(stake, Math.min(cents, autoCents ?? cents))));
