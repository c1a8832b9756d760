import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { FormScreen } from '#ui/form-screen.tsx';
import { Loaded } from '#ui/loaded.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { DocumentForm } from '#web/features/cashier/identity/document-form.tsx';
import { formatDateTime, formatMoney } from '#web/format.ts';
import { showChanged } from '#web/store/changes.ts';
import { type Identity, identityQuery } from '#web/store/funds-queries.ts';
import { IDENTITY_TEXTS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';
import './identity.css';

const words = IDENTITY_TEXTS;

/** Whether the player is verified, and what waits for it, with the reason. */
function Standing({ verifiedAt, waiting }: Identity): ReactElement {
	if (verifiedAt) return <output className="identity-note">{words.verified(formatDateTime(verifiedAt))}</output>;
	if (waiting.length === 0) return <p className="text-muted">{words.notAsked}</p>;
	return (
		<ul className="identity-note">
			{waiting.map(({ id, amount, reason }) => (
				<li key={id}>{words.because(words.waits(formatMoney(amount)), words.reasons[reason ?? 'ASKED'])}</li>
			))}
		</ul>
	);
}

function Documents({ documents }: Pick<Identity, 'documents'>): ReactElement | null {
	if (documents.length === 0) return null;
	return (
		<section className="surface-card" aria-label={words.documents}>
			<h2>{words.documents}</h2>
			<ul className="identity-documents">
				{documents.map(({ id, kind, number, status, submittedAt, reason }) => (
					<li key={id}>
						<span>
							{words.kinds[kind]} <span translate="no">{number}</span>
						</span>
						<strong data-state={status}>{words.states[status]}</strong>
						<time dateTime={submittedAt}>{formatDateTime(submittedAt)}</time>
						{reason && <p>{words.why(reason)}</p>}
					</li>
				))}
			</ul>
		</section>
	);
}

/** /identity: what waits for the player's identity, the sent documents, and a form for the next one. */
export function IdentityScreen(): ReactElement {
	return (
		<FormScreen title={words.title} intro={words.intro}>
			<Loaded
				asked={useQuery(identityQuery())}
				words={TEXTS.app}
				waiting={<Skeleton className="identity-waiting" />}
				empty={null}
				isEmpty={() => false}
			>
				{(identity) => (
					<>
						<Standing {...identity} />
						{identity.documents.some(({ status }) => status === 'SUBMITTED') ? (
							<output className="identity-note">{words.looked}</output>
						) : (
							!identity.verifiedAt && (
								<DocumentForm onSent={(next) => void showChanged(identityQuery().queryKey, () => next)} />
							)
						)}
						<Documents documents={identity.documents} />
					</>
				)}
			</Loaded>
		</FormScreen>
	);
}
