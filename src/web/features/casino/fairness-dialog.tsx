import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { Field } from '#ui/field.tsx';
import { Modal } from '#ui/modal.tsx';
import { call } from '#web/api/client.ts';
import { messageOf } from '#web/api/failure.ts';
import { type CasinoSeeds, seedsQuery } from '#web/store/casino-queries.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';

const words = CASINO_TEXTS.fairness;

function Facts({ rows }: { rows: readonly (readonly [name: string, value: string])[] }): ReactElement {
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
function Rotate({ onRevealed }: { onRevealed: (revealed: CasinoSeeds) => void }): ReactElement {
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

/** The player's seeds: what was promised, and how to see it kept. */
export function FairnessDialog({ onClose }: { onClose: () => void }): ReactElement {
	const { data } = useQuery(seedsQuery());
	const [revealed, setRevealed] = useState<CasinoSeeds | null>(null);
	return (
		<Modal open sheet title={words.title} closeLabel={TEXTS.app.close} onClose={onClose}>
			<ol className="fair-how">
				{words.how.map((step) => (
					<li key={step}>{step}</li>
				))}
			</ol>
			{data && (
				<Facts
					rows={[
						[words.client, data.seeds.clientSeed],
						[words.commitment, data.seeds.commitment],
						[words.nonce, String(data.nonce)],
					]}
				/>
			)}
			<Rotate onRevealed={setRevealed} />
			{revealed && (
				<>
					<Facts
						rows={[
							[words.revealed, revealed.serverSeed ?? ''],
							[words.client, revealed.clientSeed],
							[words.commitment, revealed.commitment],
						]}
					/>
					<Link to="/casino-rounds" className="button" data-variant="outline">
						{words.check}
					</Link>
				</>
			)}
		</Modal>
	);
}
