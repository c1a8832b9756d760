/** What a pasted reference names, and where its money is, in sentences that can be sent to the player. */
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, type ReactElement, useState } from 'react';
import type { ResultOf } from '#console/api/operate.ts';
import { useCall, useMe } from '#console/api/queries.ts';
import { amount, time, words } from '#console/parts/format.ts';
import { Loaded } from '#console/parts/loaded.tsx';
import { RecordTable } from '#console/parts/record-table.tsx';
import { Button } from '#ui/button.tsx';
import type { Column } from '#ui/table-columns.ts';
import { Tabs } from '#ui/tabs.tsx';
import { languageLabel } from '#values/language-names.ts';
import { LANGUAGES, type Language } from '#values/languages.ts';

type Result = ResultOf<'reference-find'>;
type Found = Result['found'][number];
type Answer = NonNullable<Result['answer']>;
type Posting = Answer['postings'][number];

const WHAT = 'Bet, withdrawal, deposit, UTR, round, market, name or mobile';
const LANGUAGE_TABS = LANGUAGES.map((key) => ({ key, label: languageLabel(key, 'not proofread') }));

const FOUND: readonly Column<Found>[] = [
	{ head: 'Reference', value: ({ reference }) => reference },
	{ head: 'What', value: ({ about }) => about, width: 3 },
	{ head: 'Player', value: ({ player }) => player?.userName ?? '', width: 2 },
	{ head: 'Brand', value: ({ player }) => player?.brand ?? '', width: 2 },
];

const POSTINGS: readonly Column<Posting>[] = [
	{ head: 'At', value: ({ at }) => at, show: ({ at }) => time(at), width: 2.2 },
	{ head: 'Kind', value: ({ kind }) => kind, show: ({ kind }) => words(kind), width: 2 },
	{ head: 'From', value: ({ debit }) => debit },
	{ head: 'To', value: ({ credit }) => credit },
	{ head: 'Amount', value: (posting) => posting.amount, show: (posting) => amount(posting.amount), isFigure: true },
];

export function FindScreen(): ReactElement {
	const navigate = useNavigate();
	const asked = useSearch({ from: '/find' }).reference ?? '';
	const ask = (reference: string) => void navigate({ to: '/find', search: { reference } });
	const find = (event: FormEvent<HTMLFormElement>) => {
		event.preventDefault();
		ask(String(new FormData(event.currentTarget).get('reference') ?? '').trim());
	};
	return (
		<>
			<h1>Where is the money</h1>
			<form className="asked" onSubmit={find} key={asked}>
				<input
					type="search"
					className="filter-text"
					name="reference"
					aria-label={WHAT}
					placeholder={WHAT}
					maxLength={100}
					defaultValue={asked}
				/>
				<Button type="submit">Find</Button>
			</form>
			{asked === '' ? (
				<p className="py-2 text-muted">Paste a reference as the player or the bank wrote it.</p>
			) : (
				<Results reference={asked} onAsk={ask} />
			)}
		</>
	);
}

function Results({ reference, onAsk }: { reference: string; onAsk: (reference: string) => void }): ReactElement {
	const query = useCall('reference-find', { reference });
	return (
		<Loaded query={query}>
			{({ found, answer }) => {
				const [only] = found;
				if (answer && only) return <Answered key={reference} found={only} answer={answer} />;
				return (
					<RecordTable
						title="What it may be"
						isPlain
						columns={FOUND}
						rows={found}
						keyOf={(one) => one.reference}
						onOpen={(one) => onAsk(one.reference)}
						empty="Nothing has this reference."
					/>
				);
			}}
		</Loaded>
	);
}

function Answered({ found, answer }: { found: Found; answer: Answer }): ReactElement {
	const [language, setLanguage] = useState<Language>(answer.language);
	const [copied, setCopied] = useState('');
	const text = answer.sentences[language].join('\n');
	const copy = async () => {
		try {
			await navigator.clipboard.writeText(text);
			setCopied(text);
		} catch {
			// The browser does not allow it: the button stays as it is, and the text can be selected.
			setCopied('');
		}
	};
	return (
		<>
			<h2>
				{words(found.reference)} · {found.about}
			</h2>
			<Links found={found} />
			<Tabs label="Language of the answer" tabs={LANGUAGE_TABS} selected={language} onSelect={setLanguage}>
				<div className="answer" lang={language}>
					{text}
				</div>
			</Tabs>
			<p className="acts">
				<Button onClick={() => void copy()}>{copied === text ? 'Copied' : 'Copy the answer'}</Button>
			</p>
			<h2>Postings</h2>
			<RecordTable
				title="Postings"
				isPlain
				columns={POSTINGS}
				rows={answer.postings}
				keyOf={({ id }) => id}
				empty="No money has moved."
			/>
		</>
	);
}

/** The screens of the subject and of its player, as far as the member may see them. */
function Links({ found: { kind, id, player, eventId, marketId } }: { found: Found }): ReactElement {
	const { data: me } = useMe();
	const may = (permission: NonNullable<typeof me>['permissions'][number]) =>
		me?.permissions.includes(permission) ?? false;
	const isPayment = kind === 'payment' || kind === 'deposit' || kind === 'withdrawal';
	return (
		<p className="acts">
			{player && (
				<Link to="/players/$playerId" params={{ playerId: player.playerId }}>
					{player.userName}
				</Link>
			)}
			{player && (
				<span className="text-muted">
					{player.brand} · {player.pool}
				</span>
			)}
			{isPayment && may('payments.read') && (
				<Link to="/payments/$kind/$id" params={{ kind: kind.toUpperCase(), id }}>
					Open the {kind}
				</Link>
			)}
			{eventId !== null && marketId !== null && may('markets.read') && (
				<Link to="/markets/$eventId/$marketId" params={{ eventId, marketId }}>
					Open the market
				</Link>
			)}
		</p>
	);
}
