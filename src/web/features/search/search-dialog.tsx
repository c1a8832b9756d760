import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactElement, useEffect, useRef, useState } from 'react';
import { Icon } from '#ui/icon.tsx';
import { InPlayBadge } from '#ui/in-play-badge.tsx';
import { Modal } from '#ui/modal.tsx';
import { ScreenState } from '#ui/screen-state.tsx';
import { SportIcon } from '#ui/sport-icon.tsx';
import { type Found, findEvents, LEAST_LETTERS } from '#web/features/search/find-events.ts';
import { closeDialog, useDialogs } from '#web/store/dialogs.ts';
import { closestQuery, sportTreeQuery } from '#web/store/queries.ts';
import { SCREEN_TEXTS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';
import './search.css';

const words = SCREEN_TEXTS.search;
const LIST_ID = 'search-results';
const optionId = (at: number): string => `search-result-${at}`;

function note({ kind, within, matches }: Found): string {
	if (kind === 'runner') return words.inEvent(within);
	return kind === 'competition' ? words.matches(matches) : within;
}

function Option({ found, at, chosen, onChoose }: { found: Found; at: number; chosen: boolean; onChoose: () => void }) {
	return (
		<div
			id={optionId(at)}
			// oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the field keeps the focus, which a select would take
			role="option"
			tabIndex={-1}
			aria-selected={chosen}
			className="search-option"
			// The field keeps the focus; a press on a result is a press, not a loss of focus.
			onPointerDown={(event) => event.preventDefault()}
			onClick={onChoose}
			onKeyDown={(event) => event.key === 'Enter' && onChoose()}
		>
			<SportIcon sportId={found.sportId} className="text-muted" />
			<span className="min-w-0 flex-1">
				<bdi className="block truncate font-semibold">{found.name}</bdi>
				<bdi className="block truncate text-xs text-muted">{note(found)}</bdi>
			</span>
			{found.inPlay && <InPlayBadge word={TEXTS.matches.inPlay} />}
			<span className="text-xs text-muted max-md:hidden">{words.groups[found.kind]}</span>
		</div>
	);
}

/** The results and the selected one; Enter opens it, or the first. */
function useFound(typed: string) {
	const tree = useQuery(sportTreeQuery());
	const priced = useQuery(closestQuery());
	const [chosen, setChosen] = useState(0);
	const found = findEvents(tree.data ?? [], priced.data ?? [], typed);
	return { found, chosen: Math.min(chosen, found.length - 1), setChosen };
}

const MOVES: Record<string, (at: number, count: number) => number> = {
	ArrowDown: (at, count) => (at + 1) % count,
	ArrowUp: (at, count) => (at - 1 + count) % count,
	Home: () => 0,
	End: (_, count) => count - 1,
};

/** Search as a combobox after the ARIA pattern: the field keeps the focus, the arrows move through the results. */
export function SearchDialog(): ReactElement {
	const [typed, setTyped] = useState('');
	const field = useRef<HTMLInputElement>(null);
	const navigate = useNavigate();
	const { found, chosen, setChosen } = useFound(typed);
	useEffect(() => {
		document.getElementById(optionId(chosen))?.scrollIntoView({ block: 'nearest' });
	}, [chosen]);

	function go({ eventId, sportId }: Found): void {
		closeDialog('search');
		// In place of the search's own entry in the history.
		void navigate(
			eventId
				? { to: '/markets/{-$eventid}/$dreamEventId', params: { dreamEventId: eventId }, replace: true }
				: { to: '/matchlist/$id', params: { id: String(sportId) }, replace: true },
		);
	}
	function onKey(event: KeyboardEvent): void {
		const move = MOVES[event.key];
		if (move && found.length > 0) {
			event.preventDefault();
			setChosen(move(chosen, found.length));
		}
		const target = found[chosen];
		if (event.key === 'Enter' && target) go(target);
	}
	const enough = typed.trim().length >= LEAST_LETTERS;
	return (
		<Modal
			open
			opener={useDialogs((dialogs) => dialogs.opener)}
			sheet
			size="large"
			height="min(34rem, 80dvh)"
			title={words.title}
			closeLabel={TEXTS.app.close}
			initialFocus={field}
			onClose={() => closeDialog('search')}
		>
			<div className="search-field">
				<Icon solid className="text-muted">
					magnifying-glass
				</Icon>
				<input
					ref={field}
					role="combobox"
					type="search"
					enterKeyHint="go"
					autoComplete="off"
					aria-label={words.label}
					aria-autocomplete="list"
					aria-expanded={found.length > 0}
					aria-controls={LIST_ID}
					aria-activedescendant={found.length > 0 ? optionId(chosen) : undefined}
					placeholder={words.hint}
					value={typed}
					onChange={(event) => {
						setTyped(event.target.value);
						setChosen(0);
					}}
					onKeyDown={onKey}
				/>
			</div>
			<output className="unseen">{enough ? words.found(found.length) : ''}</output>
			{/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- as above */}
			<div id={LIST_ID} role="listbox" aria-label={words.results} className="flex flex-col gap-px pt-2">
				{found.map((one, at) => (
					<Option key={one.key} found={one} at={at} chosen={at === chosen} onChoose={() => go(one)} />
				))}
			</div>
			{found.length === 0 &&
				(enough ? (
					<ScreenState icon="magnifying-glass" title={words.none(typed.trim())}>
						{words.noneHint}
					</ScreenState>
				) : (
					<p className="px-2 py-6 text-center text-muted">{words.start}</p>
				))}
		</Modal>
	);
}
