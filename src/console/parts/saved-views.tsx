/** The member's saved views: this screen with its filters under a name, on whatever device the member works. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { FormEvent, ReactElement } from 'react';
import { type SessionResult, sessionCall } from '#console/api/operate.ts';
import { Dialog } from '#console/parts/dialog.tsx';
import { Loaded, Problem } from '#console/parts/loaded.tsx';
import { Button } from '#ui/button.tsx';
import { Field } from '#ui/field.tsx';

const VIEWS = ['views'] as const;

export const useViews = () =>
	useQuery<SessionResult<'views'>, Error>({ queryKey: VIEWS, queryFn: () => sessionCall('views', {}) });

export function SavedViewsDialog({ onClose }: { onClose: () => void }): ReactElement {
	const client = useQueryClient();
	const { history } = useRouter();
	const query = useViews();
	const changed = () => client.invalidateQueries({ queryKey: VIEWS });
	const save = useMutation<unknown, Error, string>({
		mutationFn: (name) => sessionCall('save-view', { name, address: history.location.href }),
		onSuccess: changed,
	});
	const remove = useMutation<unknown, Error, string>({
		mutationFn: (name) => sessionCall('remove-view', { name }),
		onSuccess: changed,
	});
	const send = (event: FormEvent<HTMLFormElement>) => {
		event.preventDefault();
		const form = event.currentTarget;
		save.mutate(String(new FormData(form).get('name') ?? ''), { onSuccess: () => form.reset() });
	};
	const open = (address: string) => {
		onClose();
		history.push(address);
	};
	return (
		<Dialog title="Saved views" onClose={onClose}>
			<form className="record-form" onSubmit={send}>
				<Field label="Save this screen with its filters as" name="name" maxLength={60} required />
				<Button type="submit" variant="primary" disabled={save.isPending}>
					Save
				</Button>
			</form>
			<Problem error={save.error ?? remove.error} />
			<Loaded query={query}>
				{(views) => (
					<ul>
						{views.map(({ name, address }) => (
							<li key={name}>
								<Button onClick={() => open(address)}>{name}</Button> <span className="text-muted">{address}</span>{' '}
								<Button aria-label={`Remove ${name}`} onClick={() => remove.mutate(name)}>
									Remove
								</Button>
							</li>
						))}
						{views.length === 0 && <li className="text-muted">None is saved.</li>}
					</ul>
				)}
			</Loaded>
		</Dialog>
	);
}
