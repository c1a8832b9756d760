/** The player's seeds: what was promised, and how they are replaced. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { Field } from '#ui/field.tsx';
import { call } from '#web/api/client.ts';
import { messageOf } from '#web/api/failure.ts';
import { type CasinoSeeds, seedsQuery } from '#web/store/casino-queries.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';

const words = CASINO_TEXTS.fairness;

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

/** Reveals the seeds in use; the next ones begin with the player's own client seed. */
export function RotateSeeds({ onRevealed }: { onRevealed: (revealed: CasinoSeeds) => void }): ReactElement {
	const [clientSeed, setClientSeed] = useState('');
	const queries = useQueryClient();
	const rotation = useMutation({
		mutationFn: () => call('rotateSeeds', clientSeed === '' ? {} : { clientSeed }),
		onSuccess: async ({ revealed }) => {
			onRevealed(revealed);
			setClientSeed('');
			await queries.invalidateQueries({ queryKey: seedsQuery().queryKey });
		},
	});
	return (
		<form
			onSubmit={(event) => {
				event.preventDefault();
				rotation.mutate();
			}}
		>
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
				{words.rotate}
			</Button>
		</form>
	);
}
