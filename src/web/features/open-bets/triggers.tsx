import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Button } from '#ui/button.tsx';
import { Failed } from '#ui/loaded.tsx';
import { call } from '#web/api/client.ts';
import { messageOf } from '#web/api/failure.ts';
import { newRequestId } from '#web/api/request-id.ts';
import type { Quoting } from '#web/betting/quoting.ts';
import { formatMoney, formatQuote } from '#web/format.ts';
import { useBetMarket } from '#web/orders/bet-market.ts';
import { showNotice } from '#web/store/notices.ts';
import { refreshTriggers, type Trigger, triggersQuery } from '#web/store/triggers.ts';
import { sideWord } from '#web/texts/bet-words.ts';
import { BET_WORDS, TRIGGER_WORDS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';

const words = TRIGGER_WORDS;

/** What a plan does; its bets stand among the others. */
function ruleOf({ kind, stake, visible, ticks, profitTicks, stopTicks }: NonNullable<Trigger['plan']>): string {
	const whole = formatMoney(stake);
	if (kind === 'ICEBERG') return words.iceberg(whole, formatMoney(visible ?? stake));
	return kind === 'PEG' ? words.peg(whole, ticks ?? 0) : words.bracket(whole, profitTicks ?? 0, stopTicks ?? 0);
}

function conditionOf({ status, watches, moves, at, trail, plan }: Trigger, quoting: Quoting): string {
	if (plan || watches === 'NONE') return plan ? ruleOf(plan) : '';
	if (status === 'DUE') return words.due;
	const price = at === null ? '–' : formatQuote(at, quoting);
	const reaches = {
		LAST_TRADED: { RISES: words.rises, FALLS: words.falls },
		BEST: { RISES: words.bestRises, FALLS: words.bestFalls },
	}[watches][moves](price);
	return trail === null ? reaches : `${words.trails(trail)} · ${reaches}`;
}

function TriggerItem({ trigger }: { trigger: Trigger }): ReactElement {
	const { triggerId, side, runnerName, stake, price } = trigger;
	const { quoting } = useBetMarket(trigger);
	const cancel = useMutation({
		mutationFn: () => call('cancelTrigger', { triggerId, clientRequestId: newRequestId() }),
		onSuccess: () => showNotice(words.cancelled, 'success'),
		onError: (failure) => showNotice(messageOf(failure), 'error'),
		onSettled: refreshTriggers,
	});
	const sideName = sideWord(side, quoting);
	return (
		<li data-side={side} className="bet-item">
			<div className="min-w-0 flex-1">
				<p className="truncate">
					<b className="bet-side">{sideName}</b> <span className="font-semibold">{runnerName}</span>
				</p>
				<p>{BET_WORDS.at(formatMoney(stake), formatQuote(price, quoting))}</p>
				<p className="text-xs text-muted">{conditionOf(trigger, quoting)}</p>
			</div>
			<Button
				size="small"
				busy={cancel.isPending}
				aria-label={words.cancelLabel(sideName, runnerName)}
				onClick={() => cancel.mutate()}
			>
				{words.cancel}
			</Button>
		</li>
	);
}

/** The player's bets that are placed when a price is reached; nothing without any, and why where it cannot be known. */
export function Triggers({ enabled }: { enabled: boolean }): ReactElement | null {
	const { data, error } = useQuery({ ...triggersQuery(), enabled });
	if (!enabled || (data ? data.triggers.length === 0 : !error)) return null;
	return (
		<section aria-label={words.title} className="mx-2 mt-2 rounded-lg border border-line bg-surface-2">
			<h3 className="flex min-h-11 items-center px-3 font-semibold">{words.title}</h3>
			{!data && error && <Failed error={error} words={TEXTS.app} />}
			<ul>
				{data?.triggers.map((trigger) => (
					<TriggerItem key={trigger.triggerId} trigger={trigger} />
				))}
			</ul>
		</section>
	);
}
