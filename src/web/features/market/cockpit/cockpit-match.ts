/** The parts of the right column that belong to a match. This file: which match and which of its markets they show. */
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { DECIDED_STATUSES } from '#values/market-statuses.ts';
import type { EventSummary, Market } from '#web/api/answers.ts';
import { eventMarketsQuery } from '#web/store/queries.ts';

interface CockpitMatch {
	event: EventSummary;
	/** Markets of an exchange that are not over, the main one first. */
	markets: readonly Market[];
}

const isTraded = ({ bettingModel, status }: Market): boolean =>
	bettingModel === 'EXCHANGE' && !DECIDED_STATUSES.has(status);

/** The match on the screen, or the last one while a list is looked at; null for none, and for one without such markets. */
export function useCockpitMatch(): CockpitMatch | null {
	const { dreamEventId } = useParams({ strict: false });
	const [docked, setDocked] = useState(dreamEventId ?? '');
	if (dreamEventId && dreamEventId !== docked) setDocked(dreamEventId);
	const { data } = useQuery({ ...eventMarketsQuery(docked), enabled: docked !== '' });
	const traded = data?.markets.filter(isTraded) ?? [];
	if (!data || traded.length === 0) return null;
	const isMain = ({ id }: Market) => id === data.event.mainMarketId;
	return { event: data.event, markets: [...traded].sort((one, other) => Number(isMain(other)) - Number(isMain(one))) };
}
