import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { GAMES, gameOf } from '#games/all-games.ts';
import { standingOf } from '#games/pair-proof.ts';
import { Button } from '#ui/button.tsx';
import { Field } from '#ui/field.tsx';
import { FilterSelect } from '#ui/filter-select.tsx';
import { latin } from '#values/read-amount.ts';
import { CasinoShell } from '#web/features/casino/casino-shell.tsx';
import { Claims } from '#web/features/casino/claims.tsx';
import { CrashProof } from '#web/features/casino/crash/crash-proof.tsx';
import { isRevealed } from '#web/features/casino/pair-check.ts';
import { PairProof, StandingMark } from '#web/features/casino/pair-proof.tsx';
import { ReceiptProof } from '#web/features/casino/receipt-proof.tsx';
import { noteOf } from '#web/features/casino/seed-notes.ts';
import { computed, ProofSteps, type SeedProof } from '#web/features/casino/seed-proof.tsx';
import { TableProof } from '#web/features/casino/tables/table-proof.tsx';
import { roundQuery } from '#web/store/casino-queries.ts';
import { isLoggedIn } from '#web/store/session.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';

const words = CASINO_TEXTS.verify;
interface Inputs {
	game: string;
	serverSeed: string;
	clientSeed: string;
	nonce: string;
	choice: string;
	actions: string;
}
const EMPTY: Inputs = { game: 'dice', serverSeed: '', clientSeed: '', nonce: '0', choice: '', actions: '' };

/** Null if the inputs belong to no round. */
function proofOf({ game: code, serverSeed, clientSeed, nonce: text, choice, actions }: Inputs): SeedProof | null {
	const game = gameOf(code);
	const nonce = Number(text);
	if (!game || game.kind === 'crash' || serverSeed === '' || !Number.isSafeInteger(nonce) || nonce < 0) return null;
	const taken = actions.split(',').map((action) => action.trim());
	return computed(
		game,
		{ serverSeed, clientSeed, nonce },
		{ choice, actions: taken.filter((action) => action !== '') },
	);
}

function Form({ initial }: { initial: Inputs }): ReactElement {
	const [inputs, setInputs] = useState(initial);
	const [proof, setProof] = useState(() => proofOf(initial));
	const [isWrong, setWrong] = useState(false);
	const set = (part: Partial<Inputs>) => setInputs({ ...inputs, ...part });
	const field = (name: Exclude<keyof Inputs, 'game'>) => (
		<Field
			label={words[name]}
			value={inputs[name]}
			autoComplete="off"
			onChange={({ target }) => set({ [name]: target.value.trim() })}
		/>
	);
	const hasTurns = gameOf(inputs.game)?.kind === 'turns';
	return (
		<>
			<form
				className="verify-form"
				onSubmit={(event) => {
					event.preventDefault();
					const found = proofOf(inputs);
					setProof(found);
					setWrong(found === null);
				}}
			>
				<FilterSelect
					label={words.game}
					value={inputs.game}
					options={GAMES.filter(({ kind }) => kind !== 'crash').map(({ code, name }) => ({ value: code, text: name }))}
					onChange={(game) => set({ game })}
				/>
				{field('serverSeed')}
				{field('clientSeed')}
				{field('nonce')}
				{hasTurns && field('choice')}
				{hasTurns && field('actions')}
				<Button type="submit" variant="primary">
					{words.compute}
				</Button>
				{isWrong && <p role="alert">{words.impossible}</p>}
			</form>
			{proof && <ProofSteps key={proof.script} proof={proof} />}
		</>
	);
}

const SHARED = GAMES.filter(({ kind }) => kind === 'crash' || kind === 'table');

/** A shared round: its number finds its proof. */
function SharedForm({ initial }: { initial: { game: string; round: string } }): ReactElement {
	const [{ game, round }, setInputs] = useState(initial);
	const [asked, setAsked] = useState(initial);
	return (
		<>
			<form
				className="verify-form"
				onSubmit={(event) => {
					event.preventDefault();
					setAsked({ game, round });
				}}
			>
				<FilterSelect
					label={words.sharedGame}
					value={game}
					options={SHARED.map(({ code, name }) => ({ value: code, text: name }))}
					onChange={(next) => setInputs({ game: next, round })}
				/>
				<Field
					label={words.sharedRound}
					value={round}
					inputMode="numeric"
					autoComplete="off"
					onChange={({ target }) => setInputs({ game, round: latin(target.value).replace(/\D/g, '') })}
				/>
				<Button type="submit" variant="primary">
					{words.checkShared}
				</Button>
			</form>
			{asked.round !== '' && (
				<>
					<h2>{CASINO_TEXTS.crash.proof.title(asked.round)}</h2>
					{asked.game === 'crash' ? (
						<CrashProof key={asked.round} round={asked.round} />
					) : (
						<TableProof key={`${asked.game} ${asked.round}`} game={asked.game} round={asked.round} />
					)}
				</>
			)}
		</>
	);
}

/**
 * Computes a round from its seeds, in the browser. A round of the player's own fills the fields; a shared one is found
 * by its number.
 */
export function VerifyScreen(): ReactElement {
	const { round: roundId, table, number } = useSearch({ from: '__root__' });
	const { data } = useQuery({ ...roundQuery(String(roundId ?? '')), enabled: roundId !== undefined && isLoggedIn() });
	const initial = data?.seeds
		? {
				game: data.round.game,
				serverSeed: data.seeds.serverSeed ?? '',
				clientSeed: data.seeds.clientSeed,
				nonce: String(data.round.nonce ?? 0),
				choice: data.round.bets[0]?.bet ?? '',
				actions: data.round.actions.join(', '),
			}
		: EMPTY;
	// A statement has only the id of the bet.
	const shared = data?.round.tableRound ? { table: data.round.game, number: data.round.tableRound } : { table, number };
	return (
		<CasinoShell>
			<div className="casino verify">
				<h1>{words.title}</h1>
				<p>{words.lead}</p>
				<p>
					<Link to="/fairness-figures" className="button" data-variant="outline">
						{CASINO_TEXTS.figures.title}
					</Link>
				</p>
				<Claims />
				<SharedForm
					key={`${shared.table} ${shared.number}`}
					initial={{ game: String(shared.table ?? 'crash'), round: String(shared.number ?? '') }}
				/>
				{data?.seeds && isRevealed(data.seeds) && (
					<section aria-label={CASINO_TEXTS.pairs.title}>
						<h2>{CASINO_TEXTS.pairs.title}</h2>
						<StandingMark standing={standingOf(data.seeds, noteOf(data.seeds))} />
						<PairProof seeds={data.seeds} />
					</section>
				)}
				<Form key={data?.round.roundId ?? 'empty'} initial={initial} />
				<ReceiptProof />
			</div>
		</CasinoShell>
	);
}
