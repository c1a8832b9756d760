/** Accounts that are linked with a player's, what operators refute of it, and how the player is related to any other one. */
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import type { ResultOf } from '#console/api/operate.ts';
import { useCall, useMe } from '#console/api/queries.ts';
import { Dialog } from '#console/parts/dialog.tsx';
import { time } from '#console/parts/format.ts';
import { Loaded } from '#console/parts/loaded.tsx';
import { ReasonDialog } from '#console/parts/reason-dialog.tsx';
import { RecordForm } from '#console/parts/record-form.tsx';
import { OPERATOR_CALLS } from '#contract/operators/registry.ts';
import { Button } from '#ui/button.tsx';

type Player = ResultOf<'player'>;
type Linked = Player['linked'][number];
type Hop = NonNullable<ResultOf<'related'>['path']>[number];

const FACTS = { mobile: 'mobile', document: 'identity document', payout: 'payout account' } as const;

export function LinkedAccounts({ player }: { player: Player }): ReactElement {
	const { data: me } = useMe();
	const [refuted, setRefuted] = useState<Linked | null>(null);
	const [isAsking, setAsking] = useState(false);
	const { playerId, userName, linked } = player;
	const mayRefute = me?.permissions.includes('players.protect') ?? false;
	return (
		<>
			<h2>Linked accounts</h2>
			<ul>
				{linked.map((link) => (
					<li key={`${link.playerId} ${link.why}`}>
						<Link to="/players/$playerId" params={{ playerId: link.playerId }}>
							<bdi>{link.userName}</bdi>
						</Link>{' '}
						of {link.brand}: {link.why}{' '}
						{link.fact && mayRefute && <Button onClick={() => setRefuted(link)}>Refute …</Button>}
					</li>
				))}
				{linked.length === 0 && <li className="text-muted">None is known.</li>}
			</ul>
			<Button onClick={() => setAsking(true)}>How is the player related to …</Button>
			{refuted?.fact && (
				<ReasonDialog
					title={`The ${FACTS[refuted.fact]} shared with ${refuted.userName} is not ${userName}’s`}
					act="fact-refute"
					input={(reason) => ({ playerId, otherId: refuted.playerId, kind: refuted.fact, reason })}
					onClose={() => setRefuted(null)}
				/>
			)}
			{isAsking && <RelationDialog playerId={playerId} userName={userName} onClose={() => setAsking(false)} />}
		</>
	);
}

function RelationDialog({
	playerId,
	userName,
	onClose,
}: Pick<Player, 'playerId' | 'userName'> & { onClose: () => void }): ReactElement {
	const [otherId, setOtherId] = useState<string | null>(null);
	return (
		<Dialog title={`How ${userName} is related to another player`} onClose={onClose}>
			<RecordForm
				schema={OPERATOR_CALLS.related.input}
				fields={{ otherId: 'The other player’s id' }}
				fixed={{ playerId }}
				submit="Show"
				error={null}
				isBusy={false}
				onSubmit={(input) => setOtherId(input.otherId)}
			/>
			{otherId !== null && <Relation playerId={playerId} userName={userName} otherId={otherId} />}
		</Dialog>
	);
}

function Relation({
	playerId,
	userName,
	otherId,
}: Pick<Player, 'playerId' | 'userName'> & { otherId: string }): ReactElement {
	const query = useCall('related', { playerId, otherId });
	return (
		<section aria-label="Relation">
			<Loaded query={query}>
				{({ path, isCut }) =>
					path === null ? (
						<p className="py-2 text-muted">
							{isCut
								? 'No relation was found. The two are linked with so many accounts that the search ended early.'
								: 'Nothing relates the two.'}
						</p>
					) : path.length === 0 ? (
						<p className="py-2 text-muted">This is the same account.</p>
					) : (
						<ol>
							{path.map((hop, at) => (
								<HopLine
									key={hop.account?.playerId ?? at}
									hop={hop}
									from={path[at - 1]?.account?.userName ?? userName}
								/>
							))}
						</ol>
					)
				}
			</Loaded>
		</section>
	);
}

function HopLine({ hop: { account, reasons }, from }: { hop: Hop; from: string }): ReactElement {
	return (
		<li>
			<bdi>{from}</bdi> →{' '}
			{account ? (
				<>
					<Link to="/players/$playerId" params={{ playerId: account.playerId }}>
						<bdi>{account.userName}</bdi>
					</Link>{' '}
					of {account.brand}
				</>
			) : (
				'an account of another brand'
			)}
			: {reasons.map(({ why, since }) => (since ? `${why} since ${time(since)}` : why)).join(', ')}
		</li>
	);
}
