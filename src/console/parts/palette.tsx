/** The command palette: screens, saved views, what the member may do everywhere, and whatever a pasted reference names. */
import { useNavigate, useRouter } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useMe } from '#console/api/queries.ts';
import { words } from '#console/parts/format.ts';
import type { MenuEntry } from '#console/parts/menu.ts';
import { type Reference, referencesIn } from '#console/parts/references.ts';
import { useViews } from '#console/parts/saved-views.tsx';
import { type Command, CommandPalette, matching } from '#ui/command-palette.tsx';
import type { Permission } from '#values/staff-permissions.ts';

const WORDS = {
	title: 'Go to',
	placeholder: 'A screen, a view, or a reference',
	nothing: 'Nothing is named so.',
	close: 'Close',
};

interface PaletteProps {
	menu: readonly MenuEntry[];
	/** What the member may do on every screen. */
	acts: readonly Command[];
	onClose: () => void;
}

export function Palette({ menu, acts, onClose }: PaletteProps): ReactElement {
	const navigate = useNavigate();
	const { history } = useRouter();
	const { data: views = [] } = useViews();
	const { data: me } = useMe();
	const may = (permission: Permission) => me?.permissions.includes(permission) ?? false;
	const known: Command[] = [
		...menu.map(({ to, label, key }) => ({ label, hint: `g ${key}`, run: () => void navigate({ to }) })),
		...views.map(({ name, address }) => ({ label: `View: ${name}`, run: () => history.push(address) })),
		...acts,
	];
	const commandOf = (reference: Reference): Command[] => {
		if (reference.kind === 'payment') {
			const { of: kind, id } = reference;
			const run = () => void navigate({ to: '/payments/$kind/$id', params: { kind, id } });
			return may('payments.read') ? [{ label: `Open ${words(kind)} ${id}`, run }] : [];
		}
		if (!may('players.read')) return [];
		if (reference.kind === 'player') {
			const { playerId } = reference;
			return [
				{
					label: `Open player ${playerId}`,
					run: () => void navigate({ to: '/players/$playerId', params: { playerId } }),
				},
			];
		}
		const { query } = reference;
		return [
			{
				label: `Find “${query}” and where its money is`,
				run: () => void navigate({ to: '/find', search: { reference: query } }),
			},
		];
	};
	const commandsFor = (text: string) => [...matching(known, text), ...referencesIn(text).flatMap(commandOf)];
	return <CommandPalette commandsFor={commandsFor} words={WORDS} onClose={onClose} />;
}
