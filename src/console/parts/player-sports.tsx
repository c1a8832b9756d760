/** The operator's limits of a player, and the sports that are closed to the player. */
import type { ReactElement } from 'react';
import { useAct, useMe } from '#console/api/queries.ts';
import { amount } from '#console/parts/format.ts';
import { Problem } from '#console/parts/loaded.tsx';
import { Button } from '#ui/button.tsx';
import { majorFromPaise } from '#values/money.ts';
import { SPORTS } from '#values/sports.ts';

const LIMITS = [
	['maxStake', 'Largest stake'],
	['maxProfit', 'Largest profit of a bet'],
	['maxExposure', 'Largest exposure'],
] as const;

interface PlayerSportsProps {
	playerId: string;
	/** In paise; 0 means no limit. Null without any. */
	limits: Readonly<Record<string, unknown>> | null;
	closedSports: readonly string[];
}

export function PlayerSports({ playerId, limits, closedSports }: PlayerSportsProps): ReactElement {
	const { data: me } = useMe();
	const act = useAct('player-sport');
	const mayEdit = me?.permissions.includes('players.edit') ?? false;
	return (
		<section aria-label="Limits and sports">
			<h2>Limits of the operator</h2>
			<dl className="facts">
				{LIMITS.map(([name, label]) => (
					<div key={name}>
						<dt>{label}</dt>
						<dd>{Number(limits?.[name] ?? 0) === 0 ? 'none' : amount(majorFromPaise(Number(limits?.[name])))}</dd>
					</div>
				))}
			</dl>
			<h2>Sports</h2>
			<ul>
				{SPORTS.map(({ key, name }) => {
					const isClosed = closedSports.includes(key);
					return (
						<li key={key}>
							{name}: {isClosed ? <span className="text-loss">closed</span> : 'open'}{' '}
							{mayEdit && (
								<Button
									size="small"
									aria-label={`${isClosed ? 'Open' : 'Close'} ${name}`}
									disabled={act.isPending}
									onClick={() => act.mutate({ playerId, sport: key, allowed: isClosed })}
								>
									{isClosed ? 'Open' : 'Close'}
								</Button>
							)}
						</li>
					);
				})}
			</ul>
			<Problem error={act.error} />
		</section>
	);
}
