/** The tags by which the staff find a player. */
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useAct, useMe } from '#console/api/queries.ts';
import { Problem } from '#console/parts/loaded.tsx';
import { RecordForm } from '#console/parts/record-form.tsx';
import { OPERATOR_CALLS } from '#contract/operators/registry.ts';
import { Button } from '#ui/button.tsx';

export function PlayerTags({ playerId, tags }: { playerId: string; tags: readonly string[] }): ReactElement {
	const { data: me } = useMe();
	const act = useAct('player-tag');
	const remove = useAct('player-tag');
	const mayNote = me?.permissions.includes('players.note') ?? false;
	return (
		<section aria-label="Tags">
			<h2>Tags</h2>
			<ul>
				{tags.map((tag) => (
					<li key={tag}>
						<Link to="/players" search={{ query: `#${tag}` }}>
							{tag}
						</Link>{' '}
						{mayNote && (
							<Button
								size="small"
								aria-label={`Remove the tag ${tag}`}
								busy={remove.isPending}
								onClick={() => remove.mutate({ playerId, tag, on: false })}
							>
								Remove
							</Button>
						)}
					</li>
				))}
				{tags.length === 0 && <li className="text-muted">There are none.</li>}
			</ul>
			<Problem error={remove.error} />
			{mayNote && (
				<RecordForm
					key={tags.length}
					schema={OPERATOR_CALLS['player-tag'].input}
					fields={{ tag: 'New tag' }}
					fixed={{ playerId, on: true }}
					submit="Add"
					error={act.error}
					isBusy={act.isPending}
					onSubmit={(input) => act.mutate(input)}
				/>
			)}
		</section>
	);
}
