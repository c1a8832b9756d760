/** Which games of the casino are open, and their largest stakes: on all brands, and on each. */
import { type ReactElement, useState } from 'react';
import type { ResultOf } from '#console/api/operate.ts';
import { useAct, useCall, useMe } from '#console/api/queries.ts';
import { Dialog } from '#console/parts/dialog.tsx';
import { amount } from '#console/parts/format.ts';
import { Loaded } from '#console/parts/loaded.tsx';
import { RecordForm } from '#console/parts/record-form.tsx';
import { RecordTable } from '#console/parts/record-table.tsx';
import { OPERATOR_CALLS } from '#contract/operators/registry.ts';
import { Button } from '#ui/button.tsx';
import type { Column } from '#ui/table-columns.ts';

type Game = ResultOf<'game-rules'>[number];
type Rule = Game['rules'][number];

const stands = ({ open, maxStake }: Rule): string =>
	[open ? 'open' : 'closed', ...(maxStake === null ? [] : [`at most ${amount(maxStake)}`])].join(', ');
const isOwn = ({ open, maxStake }: Rule): boolean => !open || maxStake !== null;
const where = ({ host }: Rule): string => host ?? 'All brands';

const COLUMNS: readonly Column<Game>[] = [
	{ head: 'Game', value: ({ name }) => name, width: 1.5 },
	{ head: 'Provider', value: ({ provider }) => provider ?? 'the house' },
	{
		head: 'Rules',
		value: ({ rules }) => {
			const own = rules.filter(isOwn);
			return own.length === 0 ? 'open' : own.map((rule) => `${where(rule)}: ${stands(rule)}`).join('; ');
		},
		width: 4,
	},
];

export function GameRules(): ReactElement {
	const query = useCall('game-rules', {});
	const [opened, setOpened] = useState<string | null>(null);
	return (
		<>
			<h2>Open and closed games</h2>
			<Loaded query={query}>
				{(games) => {
					const game = games.find((one) => one.game === opened);
					return (
						<>
							<RecordTable
								title="Open and closed games"
								isPlain
								columns={COLUMNS}
								rows={games}
								keyOf={({ game: code }) => code}
								onOpen={({ game: code }) => setOpened(code)}
								empty="There is no game."
							/>
							{game && <RulesDialog game={game} onClose={() => setOpened(null)} />}
						</>
					);
				}}
			</Loaded>
		</>
	);
}

interface Asked {
	rule: Rule;
	what: 'open' | 'close' | 'limit';
}

function RulesDialog({ game, onClose }: { game: Game; onClose: () => void }): ReactElement {
	const { data: me } = useMe();
	const mayEdit = me?.permissions.includes('casino.edit') ?? false;
	const [asked, setAsked] = useState<Asked | null>(null);
	// Of single brands, members change no rule that all brands share.
	const mayChange = ({ host }: Rule) => mayEdit && (host !== null || me?.brands === null);
	return (
		<Dialog title={game.name} onClose={onClose}>
			<p>A closed game begins no rounds. Rounds that have begun are finished. The stricter of two rules holds.</p>
			<dl className="facts">
				{game.rules.map((rule) => (
					<div key={where(rule)}>
						<dt>{where(rule)}</dt>
						<dd>
							{stands(rule)}{' '}
							{mayChange(rule) && (
								<>
									<Button size="small" onClick={() => setAsked({ rule, what: rule.open ? 'close' : 'open' })}>
										{rule.open ? 'Close' : 'Open'} …
									</Button>{' '}
									<Button size="small" onClick={() => setAsked({ rule, what: 'limit' })}>
										Limit …
									</Button>
								</>
							)}
						</dd>
					</div>
				))}
			</dl>
			{asked && (
				<RuleForm
					key={`${where(asked.rule)} ${asked.what}`}
					game={game.game}
					asked={asked}
					onDone={() => setAsked(null)}
				/>
			)}
		</Dialog>
	);
}

const TITLES = { open: 'Open it', close: 'Close it', limit: 'Limit its stakes' };

function RuleForm({ game, asked, onDone }: { game: string; asked: Asked; onDone: () => void }): ReactElement {
	const { rule, what } = asked;
	const onBrand = useAct('game-rule-set');
	const onAll = useAct('game-rule-set-for-all');
	const { error, isPending } = rule.host === null ? onAll : onBrand;
	const kept = what !== 'limit' && rule.maxStake !== null ? { maxStake: rule.maxStake } : {};
	const open = what === 'limit' ? rule.open : what === 'open';
	return (
		<section aria-label={TITLES[what]}>
			<h3>
				{TITLES[what]}: {where(rule)}
			</h3>
			<RecordForm
				schema={OPERATOR_CALLS['game-rule-set-for-all'].input}
				fields={{
					...(what === 'limit' ? { maxStake: 'Largest stake of a player in a round; empty for the house’s' } : {}),
					reason: 'Reason',
				}}
				fixed={{ game, open, ...kept }}
				submit={TITLES[what]}
				error={error}
				isBusy={isPending}
				onSubmit={(input) =>
					rule.host === null
						? onAll.mutate(input, { onSuccess: onDone })
						: onBrand.mutate({ host: rule.host, ...input }, { onSuccess: onDone })
				}
			/>
		</section>
	);
}
