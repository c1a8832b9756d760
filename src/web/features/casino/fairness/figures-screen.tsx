/** The fairness of each game in figures, for everybody. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactElement, Suspense, useState } from 'react';
import { GAMES } from '#games/all-games.ts';
import { realisedReturn } from '#games/bet-tally.ts';
import type { Game } from '#games/game.ts';
import { Button } from '#ui/button.tsx';
import { lazyPart } from '#ui/lazy-part.ts';
import { Loaded } from '#ui/loaded.tsx';
import { ProofMark } from '#ui/proof-mark.tsx';
import { ScreenState } from '#ui/screen-state.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { messageOf } from '#web/api/failure.ts';
import { readLogFile } from '#web/api/public-log-file.ts';
import { CasinoShell } from '#web/features/casino/casino-shell.tsx';
import { Claims } from '#web/features/casino/claims.tsx';
import type { PlottedBet } from '#web/features/casino/fairness/return-plot.tsx';
import type { RoundCheck } from '#web/features/casino/fairness/round-checks.ts';
import { formatNumber } from '#web/format.ts';
import { type FairGame, fairnessQuery } from '#web/store/fairness-query.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';
import './figures.css';

/** A picture of figures that stand beside it: it is larger than the rest of the page, and comes after them. */
const ReturnPlot = lazyPart(async () => ({
	default: (await import('#web/features/casino/fairness/return-plot.tsx')).ReturnPlot,
}));

const words = CASINO_TEXTS.figures;
/** Where the functions stand that draw the results. */
const SOURCES = [
	['words', 'src/games/seeded-words.ts'],
	['numbers', 'src/games/fair-draw.ts'],
	['beacon', 'src/games/beacon'],
	['crash', 'src/games/crash/crash-result.ts'],
	['games', 'src/games/tables, instant, turns'],
] as const;
/** Rounds in the list of checked ones. */
const SHOWN = 10;

type Log = { log: number; size: number; key: string; checkpoint: string };
interface CountedBet extends PlottedBet {
	code: string;
	rounds: number;
}

const percentText = (part: number): string => `${(part * 100).toFixed(2)}%`;

/** In the order of the pay table; bets without a round are left out. */
function countedBets(game: Game, { bets }: FairGame): CountedBet[] {
	return game.bets.flatMap((bet) => {
		const count = bets.find(({ bet: code }) => code === bet.code);
		const returns = count && realisedReturn(bet, count);
		return count && returns ? [{ ...returns, code: bet.code, name: bet.name, rounds: count.rounds }] : [];
	});
}

function BetTable({ bets, name }: { bets: readonly CountedBet[]; name: string }): ReactElement {
	return (
		<details>
			<summary>{words.allBets(bets.length)}</summary>
			<div className="rounds-scroll">
				<table className="rows">
					<caption className="unseen">{words.betsOf(name)}</caption>
					<thead>
						<tr>
							<th scope="col">{words.columns.bet}</th>
							<th scope="col">{words.columns.rounds}</th>
							<th scope="col">{words.columns.realised}</th>
							<th scope="col">{words.columns.exact}</th>
							<th scope="col">{words.columns.band}</th>
						</tr>
					</thead>
					<tbody>
						{bets.map(({ code, name: bet, rounds, realised, exact, within }) => (
							<tr key={code}>
								<th scope="row">{bet}</th>
								<td data-number data-label={words.columns.rounds}>
									{formatNumber(rounds)}
								</td>
								<td data-number data-label={words.columns.realised}>
									{percentText(realised)}
								</td>
								<td data-number data-label={words.columns.exact}>
									{percentText(exact)}
								</td>
								<td data-number data-label={words.columns.band}>
									{percentText(Math.max(0, exact - within))} – {percentText(exact + within)}
								</td>
							</tr>
						))}
					</tbody>
				</table>
			</div>
		</details>
	);
}

const PARTS = ['isLogged', 'isOfChain', 'isOfBeacon', 'isResult'] as const;

/** The parts of a check, each with the rounds that fail it. */
const failing = (checks: readonly RoundCheck[], part: (typeof PARTS)[number]): number[] =>
	checks.filter((check) => !check[part]).map(({ round }) => round);

function Checked({ checks }: { checks: readonly RoundCheck[] }): ReactElement {
	const voids = checks.filter(({ isVoid }) => isVoid);
	return (
		<div aria-live="polite">
			{PARTS.map((part) => {
				const wrong = failing(checks, part);
				const { right, wrong: says } = words.checks[part];
				return (
					<ProofMark
						key={part}
						isRight={wrong.length === 0}
						text={wrong.length === 0 ? right(checks.length) : says(wrong.slice(0, SHOWN).join(', '))}
					/>
				);
			})}
			{voids.length > 0 && <p>{words.checkedVoids(voids.map(({ round }) => round).join(', '))}</p>}
		</div>
	);
}

type Progress = { checked: number } | { checks: readonly RoundCheck[] } | { failure: string } | null;

/** Computed here, from the files of the log. */
function BrowserCheck({ game, log }: { game: FairGame; log: Log }): ReactElement {
	const [progress, setProgress] = useState<Progress>(null);
	const { chains, newest, announced } = game;
	const check = async () => {
		setProgress({ checked: 0 });
		try {
			// With the curve of the beacon's signatures, which is as large as the rest of the page.
			const { checkRounds } = await import('#web/features/casino/fairness/round-checks.ts');
			const leaves = { log: log.log, newest, announced, chains };
			setProgress({ checks: await checkRounds(game.game, leaves, readLogFile, (checked) => setProgress({ checked })) });
		} catch (error) {
			setProgress({ failure: error instanceof Error ? error.message : messageOf(error) });
		}
	};
	if (progress && 'checks' in progress) return <Checked checks={progress.checks} />;
	const isBusy = progress !== null && 'checked' in progress;
	return (
		<>
			<Button size="small" variant="outline" busy={isBusy} onClick={() => void check()}>
				{isBusy ? words.checking(progress.checked, newest.length) : words.check(newest.length)}
			</Button>
			{progress && 'failure' in progress && <p role="alert">{words.failed(progress.failure)}</p>}
		</>
	);
}

function ChainFacts({ chain }: { chain: FairGame['chains'][number] }): ReactElement {
	const { number, commitment, length, firstRound, leaf, isAhead, isDevelopment, beacon, replaced } = chain;
	return (
		<>
			<p>
				{words.chain(number, formatNumber(length), firstRound)}
				{leaf && ` ${words.leaf(leaf.log, leaf.entry)}`}
			</p>
			<code>{commitment}</code>
			{isAhead && <p>{words.ahead}</p>}
			{beacon && <p>{words.beacon(CASINO_TEXTS.beacon.names[beacon.name])}</p>}
			{replaced && <p>{words.replaced[replaced]}</p>}
			{isDevelopment && (
				<p className="proof-warning">{beacon ? CASINO_TEXTS.beacon.local : CASINO_TEXTS.crash.proof.development}</p>
			)}
		</>
	);
}

function GameFigures({ game, figures, log }: { game: Game; figures: FairGame; log: Log | null }): ReactElement {
	const bets = countedBets(game, figures);
	const inUse = figures.chains.find(({ isAhead }) => !isAhead);
	const shown = figures.chains.filter((chain) => chain.isAhead || chain === inUse);
	const outside = bets.filter(({ realised, exact, within }) => Math.abs(realised - exact) > within).length;
	return (
		<section className="fair-game" aria-labelledby={`figures-${game.code}`}>
			<h2 id={`figures-${game.code}`}>{game.name}</h2>
			<p className="fair-counts">
				{words.rounds(figures.rounds)}
				{figures.voids.map(({ reason, rounds }) => (
					<span key={reason}> · {words.voids(rounds, reason)}</span>
				))}
				{figures.voids.length === 0 && ` · ${words.noVoids}`}
			</p>
			{bets.length > 0 ? (
				<>
					<Suspense fallback={<div className="return-plot" />}>
						<ReturnPlot bets={bets} />
					</Suspense>
					<p>{words.within(bets.length - outside, bets.length)}</p>
					<BetTable bets={bets} name={game.name} />
				</>
			) : (
				<p>{game.code === 'blackjack' ? words.byDecisions : words.noRounds}</p>
			)}
			{shown.map((chain) => (
				<ChainFacts key={chain.number} chain={chain} />
			))}
			{figures.replaced.map(({ reason, chains }) => (
				<p key={reason}>{words.left(chains, reason)}</p>
			))}
			{log && figures.newest.length > 0 && <BrowserCheck game={figures} log={log} />}
		</section>
	);
}

function LogFacts({ log }: { log: Log }): ReactElement {
	return (
		<section className="fair-log" aria-label={words.log}>
			<h2>{words.log}</h2>
			<p>{words.leaves(formatNumber(log.size), log.log)}</p>
			<pre>{log.checkpoint}</pre>
			<p>{words.key}</p>
			<code>{log.key}</code>
		</section>
	);
}

export function FiguresScreen(): ReactElement {
	const asked = useQuery(fairnessQuery());
	return (
		<CasinoShell>
			<div className="casino fair">
				<h1>{words.title}</h1>
				<p>{words.lead}</p>
				<p>
					<Link to="/fairness" className="button" data-variant="outline">
						{words.verify}
					</Link>
				</p>
				<Claims />
				<Loaded
					asked={asked}
					words={TEXTS.app}
					waiting={<Skeleton className="casino-waiting" />}
					empty={<ScreenState title={words.noRounds} />}
					isEmpty={({ games }) => games.length === 0}
				>
					{({ log, games }) => (
						<>
							<div className="fair-games">
								{GAMES.map((game) => {
									const figures = games.find((each) => each.game === game.code);
									return figures && <GameFigures key={game.code} game={game} figures={figures} log={log} />;
								})}
							</div>
							{log && <LogFacts log={log} />}
							<p>{words.source}</p>
							<ul>
								{SOURCES.map(([what, files]) => (
									<li key={what}>
										<code>{files}</code> {words.sources[what]}
									</li>
								))}
							</ul>
						</>
					)}
				</Loaded>
			</div>
		</CasinoShell>
	);
}
