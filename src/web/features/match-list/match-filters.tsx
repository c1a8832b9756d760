import type { ReactElement } from 'react';
import { Button } from '#ui/button.tsx';
import { FilterSelect } from '#ui/filter-select.tsx';
import type { PricedEvent } from '#web/api/answers.ts';
import { competitionsOf, daysOf, type MatchFilter, NO_FILTER } from '#web/features/match-list/filter-events.ts';
import { TEXTS } from '#web/texts.ts';

const words = TEXTS.filters;

/** Filters by competition and day, as far as there is a choice. */
export function MatchFilters({
	events,
	filter,
	onFilter,
}: {
	events: readonly PricedEvent[];
	filter: MatchFilter;
	onFilter: (filter: MatchFilter) => void;
}): ReactElement | null {
	const competitions = competitionsOf(events);
	const days = daysOf(events, TEXTS.matches);
	const chosen = filter !== NO_FILTER;
	if (competitions.length < 2 && days.length < 2 && !chosen) return null;
	return (
		<fieldset className="filters list-filters" aria-label={words.label}>
			<FilterSelect
				label={words.competition}
				value={filter.competition}
				options={[
					{ value: '', text: words.everyCompetition },
					...competitions.map((name) => ({ value: name, text: name })),
				]}
				onChange={(competition) => onFilter({ ...filter, competition })}
			/>
			<FilterSelect
				label={words.day}
				value={filter.day}
				options={[{ value: '', text: words.everyDay }, ...days.map(({ day, name }) => ({ value: day, text: name }))]}
				onChange={(day) => onFilter({ ...filter, day })}
			/>
			{chosen && (
				<Button variant="ghost" size="small" onClick={() => onFilter(NO_FILTER)}>
					{words.clear}
				</Button>
			)}
		</fieldset>
	);
}
