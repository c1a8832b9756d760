import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { MOST_API_KEYS } from '#contract/calls/api-access.ts';
import { Button } from '#ui/button.tsx';
import { FormScreen } from '#ui/form-screen.tsx';
import { lock } from '#ui/icon-drawings.ts';
import { registerIcons } from '#ui/icon-registry.ts';
import { Loaded } from '#ui/loaded.tsx';
import { Modal } from '#ui/modal.tsx';
import { ScreenState } from '#ui/screen-state.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { call } from '#web/api/client.ts';
import { messageOf } from '#web/api/failure.ts';
import { NewKey } from '#web/features/api-access/new-key.tsx';
import { formatDateTime } from '#web/format.ts';
import { type ApiKey, apiAccessQuery } from '#web/store/api-access-query.ts';
import { showChanged } from '#web/store/changes.ts';
import { showNotice } from '#web/store/notices.ts';
import { useSession } from '#web/store/session.ts';
import { ACCOUNT_TEXTS, API_TEXTS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';
import './api-access.css';

registerIcons([lock]);

const words = API_TEXTS;

function Revocation({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }): ReactElement {
	const revoking = useMutation({
		mutationFn: () => call('revokeApiKey', { keyId: apiKey.keyId }),
		onSuccess: async (access) => {
			await showChanged(apiAccessQuery().queryKey, () => access);
			showNotice(words.revoked(apiKey.name), 'success');
			onClose();
		},
	});
	return (
		<Modal open sheet title={words.revokeAsked(apiKey.name)} closeLabel={TEXTS.app.close} onClose={onClose}>
			<div className="flex flex-col gap-4">
				<p className="text-muted">{words.revokeHint}</p>
				{revoking.error && (
					<p role="alert" className="text-loss">
						{messageOf(revoking.error)}
					</p>
				)}
				<Button variant="danger" busy={revoking.isPending} onClick={() => revoking.mutate()}>
					{words.revoke}
				</Button>
			</div>
		</Modal>
	);
}

function KeyCard({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: () => void }): ReactElement {
	const { name, hint, mayTrade, addresses, callsPerSecond, createdAt, usedAt } = apiKey;
	const facts = [
		{ term: words.rights, fact: mayTrade ? words.trade : words.read },
		{ term: words.addresses, fact: addresses.length > 0 ? addresses.join(', ') : words.anywhere },
		{ term: words.calls, fact: words.perSecond(callsPerSecond) },
		{ term: words.created, fact: formatDateTime(createdAt) },
		{ term: words.used, fact: usedAt === null ? words.never : formatDateTime(usedAt) },
	];
	return (
		<li className="surface-card">
			<div className="api-key-head">
				<h2 className="font-semibold">
					<bdi>{name}</bdi> <span className="text-sm font-normal text-muted">{words.endsWith(hint)}</span>
				</h2>
				<Button variant="outline" size="small" aria-label={words.revokeNamed(name)} onClick={onRevoke}>
					{words.revoke}
				</Button>
			</div>
			<dl className="api-key-facts">
				{facts.map(({ term, fact }) => (
					<div key={term}>
						<dt>{term}</dt>
						<dd>{fact}</dd>
					</div>
				))}
			</dl>
		</li>
	);
}

function Keys({ keys }: { keys: readonly ApiKey[] }): ReactElement {
	const [revoked, setRevoked] = useState<ApiKey | null>(null);
	if (keys.length === 0)
		return (
			<ScreenState icon="lock" title={words.empty}>
				{words.emptyHint}
			</ScreenState>
		);
	return (
		<section aria-label={words.keys}>
			<ul className="flex flex-col gap-3">
				{keys.map((apiKey) => (
					<KeyCard key={apiKey.keyId} apiKey={apiKey} onRevoke={() => setRevoked(apiKey)} />
				))}
			</ul>
			{revoked && <Revocation apiKey={revoked} onClose={() => setRevoked(null)} />}
		</section>
	);
}

/** /api-access: the app keys with which the player's bots log in. */
export function ApiAccessScreen(): ReactElement {
	const isDemo = useSession(({ user }) => user?.isDemo ?? false);
	const asked = useQuery({ ...apiAccessQuery(), enabled: !isDemo });
	return (
		<FormScreen
			title={words.title}
			intro={words.intro}
			closed={isDemo && { title: ACCOUNT_TEXTS.password.demo, hint: words.demoHint }}
		>
			<Loaded
				asked={asked}
				words={TEXTS.app}
				waiting={<Skeleton className="h-40 w-full" />}
				empty={null}
				isEmpty={() => false}
			>
				{({ keys }) => (
					<>
						<Keys keys={keys} />
						{keys.length < MOST_API_KEYS ? <NewKey /> : <p className="text-muted">{words.full}</p>}
					</>
				)}
			</Loaded>
		</FormScreen>
	);
}
