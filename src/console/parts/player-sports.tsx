/** The operator's limits of a player, in all and by sport, and the sports that are closed to the player. */
import { type ReactElement, useState } from 'react';
import type { ResultOf } from '#console/api/operate.ts';
import { useAct, useMe } from '#console/api/queries.ts';
import { typedLimit } from '#console/parts/amount-words.ts';
import { Dialog } from '#console/parts/dialog.tsx';
import { amount } from '#console/parts/format.ts';
import { Problem } from '#console/parts/loaded.tsx';
import { RecordForm } from '#console/parts/record-form.tsx';
import { OPERATOR_CALLS } from '#contract/operators/registry.ts';
import { Button } from '#ui/button.tsx';
import { majorFromMinor } from '#values/money.ts';
import { SPORTS } from '#values/sports.ts';

const LIMITS = [
	['maxStake', 'Largest stake'],
	['maxProfit', 'Largest profit of a bet'],
	['maxExposure', 'Largest exposure'],
] as const;
type Limits = ResultOf<'player'>['limits'];

const limitIn = (limits: Limits, name: string): number => majorFromMinor(Number(limits?.[name] ?? 0));

/** The fields of the dialog that sets the limits, and what they begin with. */
export const LIMIT_FIELDS = Object.fromEntries(LIMITS.map(([name, label]) => [name, `${label}; empty for none`]));
export const standingLimits = (limits: Limits): Record<string, string> =>
	Object.fromEntries(LIMITS.map(([name]) => [name, typedLimit(limitIn(limits, name))]));

interface PlayerSportsProps {
	playerId: string;
	/** In minor units; 0 means no limit. Null without any. */
	limits: Limits;
	closedSports: readonly string[];
	sportLimits: ResultOf<'player'>['sportLimits'];
}

type SportLimit = ResultOf<'player'>['sportLimits'][number];

/** “stake 100.00, profit 150.00”; empty without a limit. */
function limitText(limit: SportLimit | undefined): string {
	if (!limit) return '';
	const parts = [
		...(limit.maxStake > 0 ? [`stake ${amount(limit.maxStake)}`] : []),
		...(limit.maxProfit > 0 ? [`profit ${amount(limit.maxProfit)}`] : []),
	];
	return `, at most ${parts.join(', ')} a bet`;
}

export function PlayerSports({ playerId, limits, closedSports, sportLimits }: PlayerSportsProps): ReactElement {
	const { data: me } = useMe();
	const act = useAct('player-sport');
	const mayEdit = me?.permissions.includes('players.edit') ?? false;
	const [limited, setLimited] = useState<(typeof SPORTS)[number] | null>(null);
	return (
		<section aria-label="Limits and sports">
			<h2>Limits of the operator</h2>
			<dl className="facts">
				{LIMITS.map(([name, label]) => (
					<div key={name}>
						<dt>{label}</dt>
						<dd>{limitIn(limits, name) === 0 ? 'none' : amount(limitIn(limits, name))}</dd>
					</div>
				))}
			</dl>
			<h2>Sports</h2>
			<ul>
				{SPORTS.map(({ key, name }) => {
					const isClosed = closedSports.includes(key);
					return (
						<li key={key}>
							{name}: {isClosed ? <span className="text-loss">closed</span> : 'open'}
							{limitText(sportLimits.find(({ sport }) => sport === key))}{' '}
							{mayEdit && (
								<Button
									size="small"
									aria-label={`${isClosed ? 'Open' : 'Close'} ${name}`}
									disabled={act.isPending}
									onClick={() => act.mutate({ playerId, sport: key, allowed: isClosed })}
								>
									{isClosed ? 'Open' : 'Close'}
								</Button>
							)}{' '}
							{mayEdit && (
								<Button
									size="small"
									aria-label={`Limit ${name} …`}
									onClick={() => setLimited(SPORTS.find((sport) => sport.key === key) ?? null)}
								>
									Limit …
								</Button>
							)}
						</li>
					);
				})}
			</ul>
			<Problem error={act.error} />
			{limited && (
				<LimitDialog
					playerId={playerId}
					sport={limited}
					standing={sportLimits.find(({ sport }) => sport === limited.key)}
					onClose={() => setLimited(null)}
				/>
			)}
		</section>
	);
}

function LimitDialog({
	playerId,
	sport: { key, name },
	standing,
	onClose,
}: {
	playerId: string;
	sport: (typeof SPORTS)[number];
	standing: SportLimit | undefined;
	onClose: () => void;
}): ReactElement {
	const limit = useAct('player-sport-limits');
	return (
		<Dialog title={`Limits of a bet in ${name}`} onClose={onClose}>
			<RecordForm
				schema={OPERATOR_CALLS['player-sport-limits'].input}
				fields={{ maxStake: 'Largest stake; empty for none', maxProfit: 'Largest profit; empty for none' }}
				fixed={{ playerId, sport: key }}
				standing={{
					maxStake: typedLimit(standing?.maxStake ?? 0),
					maxProfit: typedLimit(standing?.maxProfit ?? 0),
				}}
				submit="Set the limits"
				error={limit.error}
				isBusy={limit.isPending}
				onSubmit={(input) => limit.mutate(input, { onSuccess: onClose })}
			/>
		</Dialog>
	);
}
