/** The endpoints that a brand's webhooks go to, and what became of each delivery. */
import { Link, useParams } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import type { ResultOf } from '#console/api/operate.ts';
import { useAct, useCall, useMe } from '#console/api/queries.ts';
import { Dialog } from '#console/parts/dialog.tsx';
import { age, words } from '#console/parts/format.ts';
import { Loaded, Problem } from '#console/parts/loaded.tsx';
import { WebhookDeliveries } from '#console/parts/webhook-deliveries.tsx';
import { PreviewedProposal } from '#console/screens/propose-dialog.tsx';
import { SUBSCRIBED_KINDS, WEBHOOK_EVENTS, type WebhookKind } from '#contract/webhook-events.ts';
import { Button } from '#ui/button.tsx';
import { Field } from '#ui/field.tsx';

type Endpoint = ResultOf<'webhook-list'>[number];

/** Attempts come by themselves. */
const EVERY_MS = 5_000;

export function WebhooksScreen(): ReactElement {
	const { host } = useParams({ from: '/brands/$host/webhooks' });
	const { data: me } = useMe();
	const query = useCall('webhook-list', { host }, EVERY_MS);
	const [isAdding, setAdding] = useState(false);
	const mayEdit = me?.permissions.includes('brands.edit') ?? false;
	return (
		<>
			<h1>Webhooks of {host}</h1>
			<p className="acts">
				<Link to="/brands/$host" params={{ host }}>
					The brand
				</Link>
				{mayEdit && <Button onClick={() => setAdding(true)}>Add an endpoint …</Button>}
			</p>
			<Loaded query={query}>
				{(endpoints) => (
					<>
						{endpoints.length === 0 && <p className="py-2 text-muted">The brand has no endpoint.</p>}
						{endpoints.map((endpoint) => (
							<EndpointView
								key={endpoint.endpointId}
								askedAtMs={query.dataUpdatedAt}
								{...{ host, endpoint, mayEdit }}
							/>
						))}
					</>
				)}
			</Loaded>
			{isAdding && <AddDialog host={host} onClose={() => setAdding(false)} />}
		</>
	);
}

interface EndpointProps {
	host: string;
	endpoint: Endpoint;
	askedAtMs: number;
	mayEdit: boolean;
}

function EndpointView({ host, endpoint, askedAtMs, mayEdit }: EndpointProps): ReactElement {
	const { url, events, isPaused, failingSince, waiting, dead } = endpoint;
	return (
		<section aria-label={url}>
			<h2>{url}</h2>
			<p>
				{isPaused && <span className="text-loss">Paused. </span>}
				{failingSince !== null && (
					<span className="text-loss">It has taken nothing for {age(failingSince, askedAtMs)}. </span>
				)}
				{waiting} wait, {dead} were given up. It receives: {events.join(', ')}.
			</p>
			{mayEdit && <EndpointActs host={host} endpoint={endpoint} />}
			<WebhookDeliveries host={host} endpointId={endpoint.endpointId} mayEdit={mayEdit} />
		</section>
	);
}

type Asked = 'rotate' | 'remove';

function EndpointActs({
	host,
	endpoint: { endpointId, isPaused, dead },
}: Pick<EndpointProps, 'host' | 'endpoint'>): ReactElement {
	const [asked, setAsked] = useState<Asked | null>(null);
	const test = useAct('webhook-test');
	const pause = useAct('webhook-pause');
	const replay = useAct('webhook-replay');
	const on = { host, endpointId };
	return (
		<>
			<p className="acts">
				<Button busy={test.isPending} onClick={() => test.mutate(on)}>
					Send a test
				</Button>
				<Button busy={pause.isPending} onClick={() => pause.mutate({ ...on, isPaused: !isPaused })}>
					{isPaused ? 'Send again' : 'Pause'}
				</Button>
				{dead > 0 && (
					<Button busy={replay.isPending} onClick={() => replay.mutate(on)}>
						Send all that were given up again
					</Button>
				)}
				<Button onClick={() => setAsked('rotate')}>New secret …</Button>
				<Button onClick={() => setAsked('remove')}>Remove …</Button>
			</p>
			<Problem error={test.error ?? pause.error ?? replay.error} />
			{asked === 'rotate' && <SecretDialog {...on} onClose={() => setAsked(null)} />}
			{asked === 'remove' && <RemoveDialog {...on} onClose={() => setAsked(null)} />}
		</>
	);
}

interface DialogProps {
	host: string;
	endpointId: string;
	onClose: () => void;
}

/** The secret is in this answer alone, and leaves the page with the dialog. */
function SecretDialog({ onClose, ...on }: DialogProps): ReactElement {
	const rotate = useAct('webhook-rotate');
	return (
		<Dialog title="New secret" onClose={onClose}>
			<p>The endpoint gets a new secret, which is shown this once. The one before signs for a day more.</p>
			<Problem error={rotate.error} />
			{rotate.data ? (
				<output>
					Secret: <code>{rotate.data.secret}</code>
				</output>
			) : (
				<Button variant="primary" busy={rotate.isPending} onClick={() => rotate.mutate(on)}>
					Make a new secret
				</Button>
			)}
		</Dialog>
	);
}

function RemoveDialog({ onClose, ...on }: DialogProps): ReactElement {
	const remove = useAct('webhook-remove');
	return (
		<Dialog title="Remove the endpoint" onClose={onClose}>
			<p>It receives nothing any more, and what waits for it is deleted.</p>
			<Problem error={remove.error} />
			<Button variant="danger" busy={remove.isPending} onClick={() => remove.mutate(on, { onSuccess: onClose })}>
				Remove
			</Button>
		</Dialog>
	);
}

function AddDialog({ host, onClose }: { host: string; onClose: () => void }): ReactElement {
	const [url, setUrl] = useState('');
	const [events, setEvents] = useState<readonly WebhookKind[]>(SUBSCRIBED_KINDS);
	const turn = (kind: WebhookKind) =>
		setEvents((chosen) => SUBSCRIBED_KINDS.filter((each) => chosen.includes(each) !== (each === kind)));
	const input = { host, url, events };
	return (
		<Dialog title="Add an endpoint" onClose={onClose}>
			<Field
				label="Address, such as https://example.com/hook"
				value={url}
				onChange={({ target }) => setUrl(target.value.trim())}
			/>
			<fieldset>
				<legend>What it receives</legend>
				{SUBSCRIBED_KINDS.map((kind) => (
					<label key={kind} className="check">
						<input type="checkbox" checked={events.includes(kind)} onChange={() => turn(kind)} />
						<span>
							<strong>{words(kind)}</strong> {WEBHOOK_EVENTS[kind].summary}
						</span>
					</label>
				))}
			</fieldset>
			<PreviewedProposal
				key={JSON.stringify(input)}
				act="webhook-add"
				input={input}
				show="Show what leaves the house"
				onClose={onClose}
			/>
		</Dialog>
	);
}
