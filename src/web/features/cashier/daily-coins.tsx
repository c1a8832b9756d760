import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Button } from '#ui/button.tsx';
import { Failed } from '#ui/loaded.tsx';
import { call } from '#web/api/client.ts';
import { messageOf } from '#web/api/failure.ts';
import { formatDateTime, formatMoney } from '#web/format.ts';
import { dailyCoinsQuery } from '#web/store/funds-queries.ts';
import { showNotice } from '#web/store/notices.ts';
import { useCountdown } from '#web/store/use-countdown.ts';
import { CASHIER_TEXTS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';

const words = CASHIER_TEXTS.coins;

/** The free play coins of the day. The balance in the header follows by the hub. */
export function DailyCoins(): ReactElement | null {
	const queries = useQueryClient();
	const { queryKey } = dailyCoinsQuery();
	const { data: coins, error } = useQuery(dailyCoinsQuery());
	const isLater = useCountdown(coins ? Date.parse(coins.nextAt) : 0) > 0;
	const claim = useMutation({
		mutationFn: () => call('claimDailyCoins', {}),
		onSuccess: ({ given, amount, floor, nextAt }) => {
			queries.setQueryData(queryKey, { amount, floor, nextAt });
			showNotice(words.claimed(formatMoney(given)), 'success');
		},
		onError: () => queries.invalidateQueries({ queryKey }),
	});
	if (!coins)
		return (
			error && (
				<section className="surface-card" aria-label={words.title}>
					<h2>{words.title}</h2>
					<Failed error={error} words={TEXTS.app} />
				</section>
			)
		);
	const nothing = isLater ? words.later(formatDateTime(coins.nextAt)) : words.enough(formatMoney(coins.floor));
	return (
		<section className="surface-card" aria-label={words.title}>
			<h2>{words.title}</h2>
			<p className="text-muted">
				{coins.amount > 0 ? words.due(formatMoney(coins.amount), formatMoney(coins.floor)) : nothing}
			</p>
			{coins.amount > 0 && (
				<Button variant="outline" busy={claim.isPending} onClick={() => claim.mutate()}>
					{words.claim}
				</Button>
			)}
			{claim.error && <p role="alert">{messageOf(claim.error)}</p>}
		</section>
	);
}
