import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { GAMES, gameOf } from '#games/all-games.ts';
import { resultOf } from '#games/round-result.ts';
import { blocksOf, commitmentOf } from '#games/seeded-words.ts';
import { Button } from '#ui/button.tsx';
import { Field } from '#ui/field.tsx';
import { FilterSelect } from '#ui/filter-select.tsx';
import { CasinoShell } from '#web/features/casino/casino-shell.tsx';
import { CrashProof } from '#web/features/casino/crash/crash-proof.tsx';
import { TableProof } from '#web/features/casino/tables/table-proof.tsx';
import { verifyScript } from '#web/features/casino/verify-script.ts';
import { roundQuery } from '#web/store/casino-queries.ts';
import { isLoggedIn } from '#web/store/session.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';

const words = CASINO_TEXTS.verify;
/** More words than most rounds draw. */
const SHOWN_BLOCKS = 2;

interface Inputs {
	game: string;
	serverSeed: string;
	clientSeed: string;
	nonce: string;
	choice: string;
	actions: string;
}
const EMPTY: Inputs = { game: 'dice', serverSeed: '', clientSeed: '', nonce: '0', choice: '', actions: '' };

interface Proof {
	commitment: string;
	blocks: string[];
	outcome: string;
	result: string;
	script: string;
}

/** Null when the inputs are no round's. */
function proofOf({ game: code, serverSeed, clientSeed, nonce: text, choice, actions }: Inputs): Proof | null {
	const game = gameOf(code);
	const nonce = Number(text);
	if (!game || game.kind === 'crash' || serverSeed === '' || !Number.isSafeInteger(nonce) || nonce < 0) return null;
	const seeds = { serverSeed, clientSeed, nonce };
	try {
		const taken = actions.split(',').map((action) => action.trim());
		const { outcome, result } = resultOf(game, seeds, { choice, actions: taken.filter((action) => action !== '') });
		return {
			commitment: commitmentOf(serverSeed),
			blocks: blocksOf(seeds, SHOWN_BLOCKS),
			outcome: JSON.stringify(outcome),
			result,
			script: verifyScript(seeds),
		};
	} catch {
		// A choice or an action that the game does not have.
		return null;
	}
}

function Steps({ proof }: { proof: Proof }): ReactElement {
	const [copied, setCopied] = useState(false);
	const copy = async () => {
		await navigator.clipboard.writeText(proof.script);
		setCopied(true);
	};
	return (
		<section className="proof" aria-label={words.steps} aria-live="polite">
			<h2>{words.steps}</h2>
			<h3>{words.hash}</h3>
			<code>{proof.commitment}</code>
			<h3>{words.blocks}</h3>
			{proof.blocks.map((block) => (
				<code key={block}>{block}</code>
			))}
			<h3>{words.outcome}</h3>
			<code>{proof.outcome}</code>
			{proof.result && (
				<p>
					{words.result}: <strong>{proof.result}</strong>
				</p>
			)}
			<h3>{words.script}</h3>
			<pre>{proof.script}</pre>
			<Button size="small" variant="outline" onClick={() => void copy()}>
				{copied ? words.copied : words.copy}
			</Button>
		</section>
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
					const computed = proofOf(inputs);
					setProof(computed);
					setWrong(computed === null);
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
			{proof && <Steps key={proof.script} proof={proof} />}
		</>
	);
}

const SHARED = GAMES.filter(({ kind }) => kind === 'crash' || kind === 'table');

/** A round that everybody played: its number finds what proves it. */
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
					onChange={({ target }) => setInputs({ game, round: target.value.replace(/\D/g, '') })}
				/>
				<Button type="submit" variant="primary">
					{words.checkShared}
				</Button>
			</form>
			{asked.round !== '' &&
				(asked.game === 'crash' ? (
					<CrashProof key={asked.round} round={asked.round} />
				) : (
					<TableProof key={`${asked.game} ${asked.round}`} game={asked.game} round={asked.round} />
				))}
		</>
	);
}

/**
 * Computes a round from its seeds, in the browser. A round of the player's own fills the fields; one that everybody played
 * is found by its number.
 */
export function VerifyScreen(): ReactElement {
	const {
		round: roundId,
		table,
		number,
	} = useSearch({ strict: false }) as {
		round?: string | number;
		table?: string;
		number?: string | number;
	};
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
	// A statement knows the id of the bet alone.
	const shared = data?.round.tableRound ? { table: data.round.game, number: data.round.tableRound } : { table, number };
	return (
		<CasinoShell>
			<div className="casino verify">
				<h1>{words.title}</h1>
				<p>{words.lead}</p>
				<SharedForm
					key={`${shared.table} ${shared.number}`}
					initial={{ game: shared.table ?? 'crash', round: String(shared.number ?? '') }}
				/>
				<Form key={data?.round.roundId ?? 'empty'} initial={initial} />
			</div>
		</CasinoShell>
	);
}
