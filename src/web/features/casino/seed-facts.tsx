/** The player's seeds: the commitment, and how they are replaced. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { Field } from '#ui/field.tsx';
import { messageOf } from '#web/api/failure.ts';
import { beginSeeds } from '#web/features/casino/seed-notes.ts';
import { type CasinoSeeds, seedsQuery } from '#web/store/casino-queries.ts';
import { useSession } from '#web/store/session.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';

const words = CASINO_TEXTS.fairness;

type Announced = Parameters<typeof beginSeeds>[0];

export function SeedFacts({ rows }: { rows: readonly (readonly [name: string, value: string])[] }): ReactElement {
	return (
		<dl className="seed-facts">
			{rows.map(([name, value]) => (
				<div key={name}>
					<dt>{name}</dt>
					<dd>{value}</dd>
				</div>
			))}
		</dl>
	);
}

/** The commitments: shown below a game, even before the first client seed is made. */
export function SeedLine(): ReactElement {
	const isPlayer = useSession(({ user }) => user !== null);
	const { data } = useQuery({ ...seedsQuery(), enabled: isPlayer });
	const { seeds, next } = data ?? {};
	return (
		<p className="round-commitment">
			{seeds ? words.inUse : next && words.first} <code>{(seeds ?? next)?.commitment}</code>{' '}
			{seeds && `${words.client}: ${seeds.clientSeed}`}
		</p>
	);
}

/** Reveals the seeds in use; the announced ones start with the player's own client seed. */
export function RotateSeeds({ onRevealed }: { onRevealed: (revealed: CasinoSeeds) => void }): ReactElement {
	const [clientSeed, setClientSeed] = useState('');
	const { data } = useQuery(seedsQuery());
	const next = data?.next;
	const rotation = useMutation({
		mutationFn: (announced: Announced) => beginSeeds(announced, clientSeed),
		onSuccess: ({ revealed }) => {
			if (revealed) onRevealed(revealed);
			setClientSeed('');
		},
	});
	return (
		<form
			onSubmit={(event) => {
				event.preventDefault();
				if (next) rotation.mutate(next);
			}}
		>
			<SeedFacts rows={[[words.announced, next?.commitment ?? '']]} />
			<Field
				label={words.next}
				hint={words.hint}
				value={clientSeed}
				maxLength={32}
				autoComplete="off"
				error={rotation.error ? messageOf(rotation.error) : ''}
				onChange={({ target }) => setClientSeed(target.value.trim())}
			/>
			<Button type="submit" variant="primary" busy={rotation.isPending}>
				{data?.seeds === null ? words.begin : words.rotate}
			</Button>
		</form>
	);
}
