import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { type ReactElement, Suspense, useDeferredValue, useState } from 'react';
import { Icon } from '#ui/icon.tsx';
import { lazyPart } from '#ui/lazy-part.ts';
import { Loaded } from '#ui/loaded.tsx';
import { ScreenState } from '#ui/screen-state.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { minorOf } from '#values/money.ts';
import { CasinoShell } from '#web/features/casino/casino-shell.tsx';
import { Claims } from '#web/features/casino/claims.tsx';
import { multiplierText } from '#web/features/casino/crash/flight-clock.ts';
import { findGames } from '#web/features/casino/find-games.ts';
import { GameArt } from '#web/features/casino/game-art.tsx';
import { useGameMarks } from '#web/features/casino/game-marks.ts';
import { isSection, RAILS, SECTIONS, type Section, sectionOf } from '#web/features/casino/sections.ts';
import { SessionButton } from '#web/features/casino/session-button.tsx';
import { formatMoney } from '#web/format.ts';
import type { CasinoGameInfo, CasinoLive } from '#web/store/casino-queries.ts';
import { firstGame } from '#web/store/first-game.ts';
import { lobbyQuery } from '#web/store/lobby-query.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';

const words = CASINO_TEXTS.lobby;
/** Its round is shown above the shelves. */
const LIVE_GAME = 'crash';

const CrashHero = lazyPart(async () => ({
	default: (await import('#web/features/casino/crash/crash-hero.tsx')).CrashHero,
}));

function Tile({ game }: { game: CasinoGameInfo }): ReactElement {
	const { favourites, toggleFavourite } = useGameMarks();
	return (
		<li className="game-tile">
			<Link to="/casino/$game" params={{ game: game.code }}>
				<GameArt code={game.code} />
				<span className="game-tile-name">{game.name}</span>
				<span className="game-tile-facts">
					{game.enabled ? words.returns(game.lowestReturn, game.highestReturn) : words.rests}
				</span>
				<span className="game-tile-facts">
					{words.from(formatMoney(game.minStake))}
					{game.playersNow > 0 ? ` · ${words.players(game.playersNow)}` : game.launch && ` · ${game.provider}`}
				</span>
			</Link>
			<button
				type="button"
				className="game-tile-star"
				aria-pressed={favourites.includes(game.code)}
				aria-label={words.favourite(game.name)}
				onClick={() => toggleFavourite(game.code)}
			>
				<Icon solid>star</Icon>
			</button>
		</li>
	);
}

function Rail({ title, games }: { title: string; games: readonly CasinoGameInfo[] }): ReactElement | null {
	if (games.length === 0) return null;
	return (
		<section className="game-rail">
			<h2>{title}</h2>
			<ul>
				{games.map((game) => (
					<Tile key={game.code} game={game} />
				))}
			</ul>
		</section>
	);
}

const liveGameOf = (games: readonly CasinoGameInfo[]): CasinoGameInfo | undefined =>
	games.find(({ code, enabled }) => code === LIVE_GAME && enabled);

/** The live round of Crash, where it is played, and the game that this domain's players come for. */
function Hero({ games }: { games: readonly CasinoGameInfo[] }): ReactElement {
	const live = liveGameOf(games);
	const first = games.find(({ code }) => code === firstGame());
	return (
		<>
			{live && (
				<Suspense fallback={<Skeleton className="casino-hero-place" />}>
					<CrashHero name={live.name} />
				</Suspense>
			)}
			{first && first !== live && <FirstGame game={first} />}
		</>
	);
}

function FirstGame({ game }: { game: CasinoGameInfo }): ReactElement {
	return (
		<Link to="/casino/$game" params={{ game: game.code }} className="first-game">
			<GameArt code={game.code} />
			<span>
				<strong>{game.name}</strong>
				{game.enabled ? words.play : words.rests}
			</span>
		</Link>
	);
}

/**
 * Current events: the last crash where the live round does not show it, the largest win of the day, and the number of
 * players. What there is none of is left out.
 */
function Live({ games, live }: { games: readonly CasinoGameInfo[]; live: CasinoLive }): ReactElement | null {
	const { lastCrashCents, biggestWin } = live;
	const players = games.reduce((sum, { playersNow }) => sum + playersNow, 0);
	const winner = games.find(({ code }) => code === biggestWin?.game);
	const facts = [
		lastCrashCents === null || liveGameOf(games)
			? null
			: { name: words.live.lastCrash, figure: multiplierText(lastCrashCents) },
		biggestWin && winner
			? {
					name: words.live.biggestWin,
					figure: formatMoney(minorOf(biggestWin.payout - biggestWin.stake)),
					note: winner.name,
				}
			: null,
		players === 0 ? null : { name: words.live.players, figure: String(players) },
	].filter((fact) => fact !== null);
	if (facts.length === 0) return null;
	return (
		<dl className="casino-live">
			{facts.map(({ name, figure, note }) => (
				<div key={name}>
					<dt>{name}</dt>
					<dd>
						{figure} {note && <small>{note}</small>}
					</dd>
				</div>
			))}
		</dl>
	);
}

function Rails({ games, section }: { games: readonly CasinoGameInfo[]; section: Section }): ReactElement {
	const { favourites, recent, isKnown } = useGameMarks();
	const marked = (codes: readonly string[]) => codes.flatMap((code) => games.find((game) => game.code === code) ?? []);
	if (section !== 'all')
		return <Rail title={words.sections[section]} games={games.filter((game) => sectionOf(game) === section)} />;
	if (!isKnown) return <Skeleton className="casino-waiting" />;
	return (
		<>
			<Rail title={words.recent} games={marked(recent)} />
			<Rail title={words.favourites} games={marked(favourites)} />
			{RAILS.map((of) => (
				<Rail key={of} title={words.sections[of]} games={games.filter((game) => sectionOf(game) === of)} />
			))}
		</>
	);
}

/** The provider of the displayed games, or all. It is part of the URL. */
function Providers({
	games,
	section,
	selected,
}: {
	games: readonly CasinoGameInfo[];
	section: Section;
	selected: string | undefined;
}): ReactElement | null {
	const counts = new Map<string, number>();
	for (const { provider } of games) counts.set(provider, (counts.get(provider) ?? 0) + 1);
	if (counts.size < 2) return null;
	const chip = (provider: string | undefined, name: string, count: number) => (
		<li key={name}>
			<Link
				to="/lobby-page/$section"
				params={{ section }}
				search={provider === undefined ? {} : { provider }}
				aria-current={provider === selected}
			>
				{name} <small>{count}</small>
			</Link>
		</li>
	);
	return (
		<ul className="provider-chips" aria-label={words.providers}>
			{chip(undefined, words.allProviders, games.length)}
			{[...counts].map(([provider, count]) => chip(provider, provider, count))}
		</ul>
	);
}

/** Shown without a search. */
function Shelves({
	games,
	live,
	section,
}: {
	games: readonly CasinoGameInfo[];
	live: CasinoLive;
	section: Section;
}): ReactElement {
	const { provider: named } = useSearch({ from: '__root__' });
	const provider = named === undefined ? undefined : String(named);
	const inSection = section === 'all' ? games : games.filter((game) => sectionOf(game) === section);
	const ofProvider = inSection.filter((game) => game.provider === provider);
	const selected = ofProvider.length > 0 ? provider : undefined;
	return (
		<>
			{section === 'all' && <Hero games={games} />}
			{section === 'all' && <Live games={games} live={live} />}
			<Providers games={inSection} section={section} selected={selected} />
			{selected === undefined ? (
				<Rails games={games} section={section} />
			) : (
				<Rail title={selected} games={ofProvider} />
			)}
		</>
	);
}

function FoundGames({ games }: { games: readonly CasinoGameInfo[] }): ReactElement {
	if (games.length === 0) return <ScreenState icon="magnifying-glass" title={words.none} />;
	return <Rail title={words.search} games={games} />;
}

function Lobby({ section }: { section: Section }): ReactElement {
	const asked = useQuery(lobbyQuery());
	const [text, setText] = useState('');
	const sought = useDeferredValue(text.trim());
	return (
		<CasinoShell section={section}>
			<div className="casino">
				<header className="casino-head">
					<div>
						<h1>{words.title}</h1>
						<p>{words.lead}</p>
					</div>
					<SessionButton />
					<nav aria-label={words.title} className="casino-links">
						<Link to="/casino-rounds">{words.rounds}</Link>
						<Link to="/fairness">{words.verify}</Link>
					</nav>
				</header>
				<div className="casino-find">
					<input
						type="search"
						value={text}
						aria-label={words.search}
						placeholder={words.search}
						onChange={({ target }) => setText(target.value)}
					/>
					<nav aria-label={words.sections.all}>
						{SECTIONS.map((key) => (
							<Link
								key={key}
								to="/lobby-page/$section"
								params={{ section: key }}
								aria-current={key === section ? 'page' : undefined}
							>
								{words.sections[key]}
							</Link>
						))}
					</nav>
				</div>
				<Loaded
					asked={asked}
					words={TEXTS.app}
					waiting={<Skeleton className="casino-waiting" />}
					empty={<ScreenState icon="magnifying-glass" title={words.none} />}
					isEmpty={({ games }) => games.length === 0}
				>
					{({ games, live }) => (
						<>
							{sought === '' ? (
								<Shelves games={games} live={live} section={section} />
							) : (
								<FoundGames games={findGames(games, sought)} />
							)}
							{/* Not before the games, which would move it. */}
							<Claims />
						</>
					)}
				</Loaded>
			</div>
		</CasinoShell>
	);
}

export const LobbyScreen = (): ReactElement => <Lobby section="all" />;

/** `/lobby-page/:section`; the routes lead only to existing sections. */
export function LobbySectionScreen(): ReactElement {
	const { section } = useParams({ strict: false });
	return <Lobby section={isSection(section) ? section : 'all'} />;
}
