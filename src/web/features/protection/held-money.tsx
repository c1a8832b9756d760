import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Loaded } from '#ui/loaded.tsx';
import { Modal } from '#ui/modal.tsx';
import { ScreenState } from '#ui/screen-state.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { minorOf } from '#values/money.ts';
import { formatDateTime, formatMoney } from '#web/format.ts';
import { useDialogs } from '#web/store/dialogs.ts';
import { type HeldMoney, heldMoneyQuery } from '#web/store/protection-queries.ts';
import { PROTECTION_TEXTS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';
import './protection.css';

const words = PROTECTION_TEXTS.held;

/** The bonus is locked, and not part of the held amount. */
function Sums({ exposure, hold, bonus, rounds }: HeldMoney): ReactElement {
	const stakes = minorOf(rounds.reduce((sum, { held }) => sum + held, 0));
	const sums = [
		{ name: words.exposure, amount: exposure },
		{ name: words.roundStakes, amount: stakes },
		{ name: words.hold, amount: hold },
		{ name: words.total, amount: minorOf(exposure + stakes + hold) },
		{ name: words.bonus, amount: bonus },
	];
	return (
		<dl>
			{sums
				.filter(({ amount }) => amount > 0)
				.map(({ name, amount }) => (
					<div key={name} className="held-item held-row">
						<dt>{name}</dt>
						<dd className="font-semibold">{formatMoney(amount)}</dd>
					</div>
				))}
		</dl>
	);
}

function Market({ market }: { market: HeldMoney['markets'][number] }): ReactElement {
	return (
		<li className="held-item">
			<div className="held-row font-semibold">
				<span>
					<bdi>{market.eventTitle}</bdi>
					<span className="block text-xs font-normal text-muted">{market.marketName}</span>
				</span>
				<span>{formatMoney(market.held)}</span>
			</div>
			<ul>
				{market.bets.map(({ betId, side, runnerName, liability }) => (
					<li key={betId} className="held-row text-sm text-muted">
						<span>
							{side === 'BACK' ? TEXTS.market.back : TEXTS.market.lay} <bdi>{runnerName}</bdi>
						</span>
						<span>{words.liability(formatMoney(liability))}</span>
					</li>
				))}
				{market.triggers.map(({ triggerId, side, runnerName, liability }) => (
					<li key={triggerId} className="held-row text-sm text-muted">
						<span>
							{side === 'BACK' ? TEXTS.market.back : TEXTS.market.lay} <bdi>{runnerName}</bdi> · {words.waits}
						</span>
						<span>{words.liability(formatMoney(liability))}</span>
					</li>
				))}
			</ul>
		</li>
	);
}

function Details({ held, onClose }: { held: HeldMoney; onClose: () => void }): ReactElement {
	const { markets, rounds, others } = held;
	return (
		<div className="flex flex-col gap-4">
			<Sums {...held} />
			{markets.length > 0 && (
				<section aria-label={words.bets}>
					<h3 className="section-title">{words.bets}</h3>
					<p className="text-xs text-muted">{words.marketHint}</p>
					<ul>
						{markets.map((market) => (
							<Market key={market.marketId} market={market} />
						))}
					</ul>
				</section>
			)}
			{rounds.length > 0 && (
				<section aria-label={words.rounds}>
					<h3 className="section-title">{words.rounds}</h3>
					<ul>
						{rounds.map(({ roundId, game, held: amount, since }) => (
							<li key={roundId} className="held-item held-row">
								<span>
									<bdi>{game}</bdi> {words.since(formatDateTime(since))}
								</span>
								<b>{formatMoney(amount)}</b>
							</li>
						))}
					</ul>
				</section>
			)}
			{others.length > 0 && (
				<ul>
					{others.map(({ id, kind, held: amount, since }) => (
						<li key={id} className="held-item">
							<Link to="/dwrequests" className="held-row" onClick={onClose}>
								<span className="underline">
									{words.others[kind]} {words.since(formatDateTime(since))}
								</span>
								<b>{formatMoney(amount)}</b>
							</Link>
						</li>
					))}
				</ul>
			)}
		</div>
	);
}

/** Why the free balance is less than the player's total: bet by bet, round by round, withdrawal by withdrawal. */
export function HeldMoneyDialog({ onClose }: { onClose: () => void }): ReactElement {
	return (
		// As high before its answer as after it, so that nothing moves under a finger.
		<Modal
			open
			opener={useDialogs((dialogs) => dialogs.opener)}
			sheet
			height="min(26rem, 80dvh)"
			title={words.title}
			closeLabel={TEXTS.app.close}
			onClose={onClose}
		>
			<Loaded
				asked={useQuery(heldMoneyQuery())}
				words={TEXTS.app}
				waiting={<Skeleton className="h-40 w-full" />}
				empty={
					<ScreenState icon="wallet" title={words.none}>
						{words.noneHint}
					</ScreenState>
				}
				isEmpty={({ exposure, hold, bonus, rounds }) => exposure + hold + bonus === 0 && rounds.length === 0}
			>
				{(held) => <Details held={held} onClose={onClose} />}
			</Loaded>
		</Modal>
	);
}
