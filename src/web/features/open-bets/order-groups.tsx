import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Button } from '#ui/button.tsx';
import { call } from '#web/api/client.ts';
import { messageOf } from '#web/api/failure.ts';
import type { AnswerOf } from '#web/api/units.ts';
import { formatMoney, formatTime } from '#web/format.ts';
import { showNotice } from '#web/store/notices.ts';
import { GROUP_WORDS } from '#web/texts/more.ts';

type Group = AnswerOf<'getOrderGroups'>['groups'][number];

const words = GROUP_WORDS;
/** What counts as matched fades within seconds. */
const ASKED_EVERY_MS = 5_000;

const groupsQuery = () =>
	queryOptions({
		queryKey: ['player', 'order-groups'],
		queryFn: ({ signal }) => call('getOrderGroups', {}, { signal }),
		staleTime: 0,
		refetchInterval: ({ state }) => (state.data && state.data.groups.length > 0 ? ASKED_EVERY_MS : false),
	});

function GroupItem({ group: { name, most, matched, closedAt } }: { group: Group }): ReactElement {
	const client = useQueryClient();
	const reset = useMutation({
		mutationFn: () => call('setOrderGroup', { name, most }),
		onSuccess: () => showNotice(words.isReset(name), 'success'),
		onError: (failure) => showNotice(messageOf(failure), 'error'),
		onSettled: () => client.invalidateQueries({ queryKey: groupsQuery().queryKey }),
	});
	return (
		<li className="bet-item">
			<div className="min-w-0 flex-1">
				<p className="truncate font-semibold">
					<bdi>{name}</bdi>
				</p>
				<p>{words.limit(formatMoney(matched), formatMoney(most))}</p>
				<p className="text-xs text-muted">
					{closedAt === undefined ? words.takesBets : words.closed(formatTime(closedAt))}
				</p>
			</div>
			{closedAt !== undefined && (
				<Button size="small" busy={reset.isPending} aria-label={words.resetLabel(name)} onClick={() => reset.mutate()}>
					{words.reset}
				</Button>
			)}
		</li>
	);
}

/** The player's groups of bets, which a bot or a tool opened; nothing without any. */
export function OrderGroups({ enabled }: { enabled: boolean }): ReactElement | null {
	const { data } = useQuery({ ...groupsQuery(), enabled });
	if (!enabled || !data || data.groups.length === 0) return null;
	return (
		<section aria-label={words.title} className="mx-2 mt-2 rounded-lg border border-line bg-surface-2">
			<h3 className="flex min-h-11 items-center px-3 font-semibold">{words.title}</h3>
			<ul>
				{data.groups.map((group) => (
					<GroupItem key={group.name} group={group} />
				))}
			</ul>
		</section>
	);
}
