import { type FormEvent, type ReactElement, useId, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { ladderOf } from '#values/price-ladder.ts';
import { formatMoney, formatQuote } from '#web/format.ts';
import { ladderTermsOf } from '#web/store/market-ladder.ts';
import { showNotice } from '#web/store/notices.ts';
import { cancelAll, cancelBet, replaceBet } from '#web/store/orders.ts';
import type { Market, OpenBet } from '#web/store/queries.ts';
import type { Quoting } from '#web/store/quoting.ts';
import { newRequestId } from '#web/store/request-id.ts';
import { MARKET_WORDS } from '#web/texts/market.ts';
import { BET_WORDS, betWords, sideWord } from '#web/texts/slip.ts';
import { TEXTS } from '#web/texts.ts';

const words = BET_WORDS;

/** Other odds for what waits, a rung at a time or typed; only prices of the market's ladder are asked. */
function NewOdds({ bet, market, onDone }: { bet: OpenBet; market: Market; onDone: () => void }): ReactElement {
	const id = useId();
	const ladder = ladderOf(ladderTermsOf(market));
	const [typed, setTyped] = useState(String(bet.price));
	const [busy, setBusy] = useState(false);
	const [problem, setProblem] = useState<string | null>(null);
	const [clientRequestId] = useState(newRequestId);
	const nearest = () => {
		const { below, above } = ladder.nearest(Math.round(Number(typed) * 100));
		return below ?? above;
	};
	function move(rungs: number): void {
		const from = nearest();
		if (from === null) return;
		const rung = Math.min(ladder.rungs - 1, Math.max(0, ladder.rungOf(from) + rungs));
		setTyped(String(ladder.priceAt(rung) / 100));
	}
	async function save(event: FormEvent): Promise<void> {
		event.preventDefault();
		const price = nearest();
		if (busy || price === null) return;
		setBusy(true);
		const refused = await replaceBet(bet, price, clientRequestId);
		setBusy(false);
		setProblem(refused);
		if (refused !== null) return;
		showNotice(words.replaced(formatQuote(price / 100, market.lineRange ? 'SPREAD' : 'ODDS')), 'success');
		onDone();
	}
	return (
		<form noValidate onSubmit={(event) => void save(event)} className="own-edit">
			<label htmlFor={id} className="unseen">
				{words.newOdds}
			</label>
			<div className="field-box odds-box">
				<button type="button" className="step" aria-label={TEXTS.slip.down} onClick={() => move(-1)}>
					−
				</button>
				<input
					id={id}
					className="w-16 px-0 text-center font-semibold"
					inputMode="decimal"
					autoComplete="off"
					value={typed}
					onChange={(event) => setTyped(event.target.value.replace(',', '.'))}
					onKeyDown={(event) => {
						if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
						event.preventDefault();
						move(event.key === 'ArrowUp' ? 1 : -1);
					}}
				/>
				<button type="button" className="step" aria-label={TEXTS.slip.up} onClick={() => move(1)}>
					+
				</button>
			</div>
			<Button type="submit" variant="primary" busy={busy}>
				{words.save}
			</Button>
			<Button onClick={onDone}>{words.keep}</Button>
			<p role="alert" className="w-full text-xs text-loss empty:hidden">
				{problem}
			</p>
		</form>
	);
}

function Order({ bet, market, quoting }: { bet: OpenBet; market: Market; quoting: Quoting }): ReactElement {
	const [editing, setEditing] = useState(false);
	const [busy, setBusy] = useState(false);
	const side = sideWord(bet.side, quoting);
	const stake = formatMoney(bet.remainingStake);
	const price = formatQuote(bet.price, quoting);
	async function cancel(): Promise<void> {
		if (busy) return;
		setBusy(true);
		await cancelBet(bet, (amount) => words.cancelled(formatMoney(amount)));
		setBusy(false);
	}
	return (
		<li className="own-order" data-side={bet.side}>
			<p className="min-w-0 flex-1">
				<b className="own-side">{side}</b> {betWords(bet.runnerName, price, quoting)} ·{' '}
				<span className="font-semibold">{stake}</span>
				{bet.status === 'PENDING' && <span className="text-suspended"> · {MARKET_WORDS.pending}</span>}
			</p>
			<Button
				size="small"
				aria-expanded={editing}
				aria-label={words.editLabel(side, bet.runnerName, price)}
				onClick={() => setEditing(!editing)}
			>
				{words.edit}
			</Button>
			<Button
				size="small"
				variant="danger"
				busy={busy}
				aria-label={words.cancelLabel(side, bet.runnerName, stake, price)}
				onClick={() => void cancel()}
			>
				{words.cancel}
			</Button>
			{editing && <NewOdds bet={bet} market={market} onDone={() => setEditing(false)} />}
		</li>
	);
}

/** The player's bets that wait in this market, where they can be changed without leaving the grid. */
export function OwnOrders({
	market,
	bets,
	quoting,
}: {
	market: Market;
	bets: readonly OpenBet[];
	quoting: Quoting;
}): ReactElement | null {
	const [busy, setBusy] = useState(false);
	const waiting = bets.filter(({ remainingStake }) => remainingStake > 0);
	if (waiting.length === 0) return null;
	async function takeAllBack(): Promise<void> {
		setBusy(true);
		await cancelAll(market.id, (amount) => words.cancelled(formatMoney(amount)));
		setBusy(false);
	}
	return (
		<div className="own-orders">
			<div className="flex items-center gap-2">
				<h3 className="flex-1 text-xs font-semibold text-muted">{MARKET_WORDS.mine}</h3>
				{waiting.length > 1 && (
					<Button size="small" variant="outline" busy={busy} onClick={() => void takeAllBack()}>
						{MARKET_WORDS.cancelAllHere(waiting.length)}
					</Button>
				)}
			</div>
			<ul>
				{waiting.map((bet) => (
					<Order key={bet.betId} bet={bet} market={market} quoting={quoting} />
				))}
			</ul>
		</div>
	);
}
