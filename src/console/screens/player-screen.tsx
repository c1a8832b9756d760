/** Everything about a player on one page, and the acts on the player. */
import { useNavigate, useParams } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import type { ResultOf } from '#console/api/operate.ts';
import { useAct, useCall, useMe } from '#console/api/queries.ts';
import { Dialog } from '#console/parts/dialog.tsx';
import { amount, time, words } from '#console/parts/format.ts';
import { LinkedAccounts } from '#console/parts/linked-accounts.tsx';
import { Loaded, Problem } from '#console/parts/loaded.tsx';
import { PlayerCases } from '#console/parts/player-cases.tsx';
import { PlayerLogins } from '#console/parts/player-logins.tsx';
import { LIMIT_FIELDS, PlayerSports, standingLimits } from '#console/parts/player-sports.tsx';
import { PlayerTags } from '#console/parts/player-tags.tsx';
import { PlayerTickets } from '#console/parts/player-tickets.tsx';
import { PostingsLink } from '#console/parts/postings-link.tsx';
import { RecordForm } from '#console/parts/record-form.tsx';
import { RecordTable } from '#console/parts/record-table.tsx';
import { DocumentDialog, type DocumentView } from '#console/screens/documents-screen.tsx';
import { PreviewedProposal } from '#console/screens/propose-dialog.tsx';
import { OPERATOR_CALLS } from '#contract/operators/registry.ts';
import { Button } from '#ui/button.tsx';
import type { Column } from '#ui/table-columns.ts';
import type { Permission } from '#values/staff-permissions.ts';

type Player = ResultOf<'player'>;
type Row = Player['bets'][number];
const EVERY_MS = 5_000;

export function PlayerScreen(): ReactElement {
	const { playerId } = useParams({ from: '/players/$playerId' });
	const query = useCall('player', { playerId }, EVERY_MS);
	return <Loaded query={query}>{(player) => <PlayerView player={player} />}</Loaded>;
}

const FIGURES: ReadonlySet<string> = new Set(['amount', 'balance', 'stake', 'matched', 'matchedStake', 'price']);
/** Shares of the width of what is longer than a word. */
const WIDTHS: Readonly<Record<string, number>> = {
	about: 3,
	market: 3.4,
	eventTitle: 2.6,
	marketName: 2,
	runnerName: 2,
	runner: 1.6,
	status: 2,
	state: 1.6,
};
const figure = (value: Row[string] | undefined): string =>
	typeof value === 'number' ? amount(value) : String(value ?? '');

/** Columns by the names of a row's fields; times and amounts are shown as such. */
const columnsOf = (heads: Record<string, string>): Column<Row>[] =>
	Object.entries(heads).map(([name, head]) => {
		const value = (row: Row) => row[name] ?? '';
		const isTime = name === 'at' || name === 'placed' || name === 'since' || name === 'placedAt';
		return {
			head,
			value,
			isFigure: FIGURES.has(name),
			width: WIDTHS[name] ?? (isTime ? 2.2 : 1),
			...(isTime ? { show: (row: Row) => time(String(row[name])) } : {}),
			...(FIGURES.has(name) ? { show: (row: Row) => figure(row[name]) } : {}),
		};
	});

const TABLES: readonly { title: string; of: keyof Player; heads: Record<string, string>; empty: string }[] = [
	{
		title: 'Open bets',
		of: 'openBets',
		heads: {
			betId: 'Bet',
			eventTitle: 'Event',
			marketName: 'Market',
			runnerName: 'Runner',
			side: 'Side',
			price: 'Price',
			stake: 'Stake',
			matchedStake: 'Matched',
			status: 'State',
		},
		empty: 'No bet is open.',
	},
	{
		title: 'Bets',
		of: 'bets',
		heads: {
			betId: 'Bet',
			placed: 'Placed',
			market: 'Market',
			runner: 'Runner',
			side: 'Side',
			price: 'Price',
			stake: 'Stake',
			matched: 'Matched',
			result: 'Result',
		},
		empty: 'The player has placed no bet.',
	},
	{
		title: 'Statement',
		of: 'statement',
		heads: { at: 'At', kind: 'Kind', about: 'About', amount: 'Amount', balance: 'Balance' },
		empty: 'No money has moved.',
	},
	{
		title: 'Deposits, withdrawals and bonuses',
		of: 'money',
		heads: { kind: 'Kind', id: 'Id', state: 'State', since: 'Since', amount: 'Amount', reason: 'Reason' },
		empty: 'There are none.',
	},
	{
		title: 'Tries to log in',
		of: 'logIns',
		heads: { at: 'At', address: 'Address', succeeded: 'Right password' },
		empty: 'There are none.',
	},
	{
		title: 'Journal',
		of: 'journal',
		heads: { at: 'At', actor: 'By', act: 'Act', outcome: 'Outcome' },
		empty: 'There is nothing.',
	},
];

function PlayerView({ player }: { player: Player }): ReactElement {
	const navigate = useNavigate();
	const { userName, brand, pool, mobile, isMobileProven, playerId, since } = player;
	return (
		<>
			<h1>{userName}</h1>
			<p className="text-muted">
				{playerId} · {brand} · {pool} · {mobile ?? 'no mobile'}
				{mobile !== null && !isMobileProven && ' (not proven)'} · since {time(since)}
			</p>
			<PlayerActs player={player} />
			<div className="columns">
				<Money player={player} />
				<Held player={player} />
				<Facts player={player} />
				<Documents player={player} />
				<PlayerTags playerId={playerId} tags={player.tags} />
				<PlayerSports
					playerId={playerId}
					limits={player.limits}
					closedSports={player.closedSports}
					sportLimits={player.sportLimits}
				/>
			</div>
			<PlayerTickets playerId={playerId} />
			<PlayerCases playerId={playerId} />
			<PlayerLogins playerId={playerId} />
			{TABLES.map(({ title, of, heads, empty }) => (
				<div key={title}>
					<h2>{title}</h2>
					<RecordTable
						title={title}
						isPlain
						columns={columnsOf(heads)}
						rows={player[of] as Row[]}
						keyOf={(row) => JSON.stringify(row)}
						{...(of === 'money'
							? {
									onOpen: ({ kind, id }: Row) =>
										void navigate({ to: '/payments/$kind/$id', params: { kind: String(kind), id: String(id) } }),
								}
							: {})}
						empty={empty}
					/>
				</div>
			))}
		</>
	);
}

function Money({ player }: { player: Player }): ReactElement {
	const { playerId } = player;
	const figures: [string, number, string?][] = [
		['Free cash', player.cash, 'cash'],
		['Exposure', player.exposure, 'exposure'],
		['On hold', player.hold, 'hold'],
		['Bonus', player.bonus, 'bonus'],
		['Net deposits', player.netDeposits],
		['Net position', player.netPosition],
	];
	return (
		<section aria-label="Money">
			<h2>Money</h2>
			<dl className="facts">
				{figures.map(([what, figure, account]) => (
					<div key={what}>
						<dt>{what}</dt>
						<dd>{account ? <PostingsLink value={figure} of={{ playerId, account }} /> : amount(figure)}</dd>
					</div>
				))}
			</dl>
		</section>
	);
}

function Held({ player: { held } }: { player: Player }): ReactElement {
	return (
		<section aria-label="Why money is held">
			<h2>Why money is held</h2>
			{held.length === 0 && <p className="py-2 text-muted">Nothing is held.</p>}
			<dl className="facts">
				{held.map(({ what, amount: figure }) => (
					<div key={what}>
						<dt>{what}</dt>
						<dd>{amount(figure)}</dd>
					</div>
				))}
			</dl>
		</section>
	);
}

function Facts({ player }: { player: Player }): ReactElement {
	const { protection, notes } = player;
	return (
		<section aria-label="Protection, links and notes">
			<h2>Protection</h2>
			<ul>
				{protection.map(({ what, value }) => (
					<li key={what}>
						{what}: {value}
					</li>
				))}
				{protection.length === 0 && <li className="text-muted">The player has set nothing.</li>}
			</ul>
			<LinkedAccounts player={player} />
			<h2>Notes</h2>
			<ul>
				{notes.map(({ at, author, note }) => (
					<li key={`${at} ${note}`}>
						{time(at)} {author}: {note}
					</li>
				))}
				{notes.length === 0 && <li className="text-muted">There are none.</li>}
			</ul>
		</section>
	);
}

/** Identity documents; each opens with its pictures, which is recorded. */
function Documents({ player: { userName, documents } }: { player: Player }): ReactElement {
	const { data: me } = useMe();
	const [open, setOpen] = useState<DocumentView | null>(null);
	const mayLook = me?.permissions.includes('documents.read') ?? false;
	return (
		<section aria-label="Identity documents">
			<h2>Identity documents</h2>
			<ul>
				{documents.map((document) => (
					<li key={document.documentId}>
						{time(document.at)} {words(document.kind)} {document.masked}: {words(document.state)}{' '}
						{mayLook && <Button onClick={() => setOpen(document)}>Look at it …</Button>}
					</li>
				))}
				{documents.length === 0 && <li className="text-muted">The player has sent none.</li>}
			</ul>
			{open && <DocumentDialog shown={open} who={userName} onClose={() => setOpen(null)} />}
		</section>
	);
}

type ActName = 'player-note' | 'player-limits' | 'player-freeze' | 'player-exclude' | 'player-close' | 'adjust';

const ACTS: readonly { name: ActName; label: string; permission: Permission; fields: Record<string, string> }[] = [
	{ name: 'player-note', label: 'Note', permission: 'players.note', fields: { note: 'Note' } },
	{
		name: 'player-limits',
		label: 'Limits',
		permission: 'players.edit',
		fields: LIMIT_FIELDS,
	},
	{ name: 'player-freeze', label: 'Freeze', permission: 'players.protect', fields: { reason: 'Reason' } },
	{
		name: 'player-exclude',
		label: 'Exclude',
		permission: 'players.protect',
		fields: { months: 'Months', reason: 'Reason' },
	},
	{ name: 'player-close', label: 'Close the account', permission: 'players.protect', fields: { reason: 'Reason' } },
	{
		name: 'adjust',
		label: 'Request an adjustment',
		permission: 'payments.adjust',
		fields: { amount: 'Amount; below zero it is taken', reasonCode: 'Kind of reason', reason: 'Reason' },
	},
];

/** Of an account that is locked after wrong passwords. */
const UNLOCK = {
	name: 'player-unlock',
	label: 'Unlock',
	permission: 'players.logins',
	fields: { reason: 'Reason' },
} as const;
type PlayerAct = (typeof ACTS)[number] | typeof UNLOCK;

function PlayerActs({ player: { playerId, protection, limits } }: { player: Player }): ReactElement {
	const { data: me } = useMe();
	const [opened, setOpened] = useState<PlayerAct | null>(null);
	const [isErasing, setErasing] = useState(false);
	const [isResetting, setResetting] = useState(false);
	const unfreeze = useAct('player-freeze');
	const isFrozen = protection.some(({ what }) => what === 'frozen');
	const isLocked = protection.some(({ what }) => what === 'locked');
	const mayProtect = me?.permissions.includes('players.protect') ?? false;
	const mayReset = me?.permissions.includes('players.logins') ?? false;
	const mayErase = me?.permissions.includes('players.erase') ?? false;
	return (
		<>
			<p className="acts">
				{[...ACTS, ...(isLocked ? [UNLOCK] : [])]
					.filter(({ permission }) => me?.permissions.includes(permission))
					.map((one) => (
						<Button key={one.name} onClick={() => setOpened(one)}>
							{one.label} …
						</Button>
					))}
				{isFrozen && mayProtect && (
					<Button busy={unfreeze.isPending} onClick={() => unfreeze.mutate({ playerId, reason: null })}>
						Unfreeze
					</Button>
				)}
				{mayReset && <Button onClick={() => setResetting(true)}>Reset lost factors …</Button>}
				{mayErase && <Button onClick={() => setErasing(true)}>Erase the person …</Button>}
			</p>
			<Problem error={unfreeze.error} />
			{isResetting && (
				<Dialog title="Reset lost factors" onClose={() => setResetting(false)}>
					<p>{OPERATOR_CALLS['player-factors-reset'].summary} Another member confirms it.</p>
					<PreviewedProposal
						act="player-factors-reset"
						input={{ playerId }}
						show="Show what is removed"
						onClose={() => setResetting(false)}
					/>
				</Dialog>
			)}
			{isErasing && (
				<Dialog title="Erase the person" onClose={() => setErasing(false)}>
					<p>{OPERATOR_CALLS['player-erase'].summary} Another member confirms it.</p>
					<PreviewedProposal
						act="player-erase"
						input={{ playerId }}
						show="Show what goes and what stays"
						onClose={() => setErasing(false)}
					/>
				</Dialog>
			)}
			{opened && (
				<ActDialog
					key={opened.name}
					act={opened}
					playerId={playerId}
					standing={opened.name === 'player-limits' ? standingLimits(limits) : {}}
					onClose={() => setOpened(null)}
				/>
			)}
		</>
	);
}

function ActDialog({
	act: { name, label, fields },
	playerId,
	standing,
	onClose,
}: {
	act: PlayerAct;
	playerId: string;
	/** What the fields begin with. */
	standing: Readonly<Record<string, string>>;
	onClose: () => void;
}): ReactElement {
	const act = useAct(name);
	return (
		<Dialog title={label} onClose={onClose}>
			<RecordForm
				schema={OPERATOR_CALLS[name].input}
				fields={fields}
				fixed={{ playerId }}
				standing={standing}
				submit={words(label)}
				error={act.error}
				isBusy={act.isPending}
				onSubmit={(input) => act.mutate(input, { onSuccess: onClose })}
			/>
		</Dialog>
	);
}
