import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { ScreenState } from '#ui/screen-state.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { messageOf } from '#web/api/failure.ts';
import { GameHead } from '#web/features/casino/game-head.tsx';
import { markPlayed } from '#web/features/casino/game-marks.ts';
import { gameEventOf } from '#web/features/casino/game-messages.ts';
import { casinoGamesQuery, gameDefinitionQuery, type LaunchDoor, launchUrl } from '#web/store/casino-queries.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';
import './provider-game.css';

const words = CASINO_TEXTS.provider;

interface WindowProps {
	code: string;
	name: string;
	door: LaunchDoor;
	/** Opens another window, with a launch token of its own. */
	onAgain: () => void;
}

/** A game of an outside provider, in a frame that cannot reach this page. */
function GameWindow({ code, name, door, onAgain }: WindowProps): ReactElement {
	const frame = useRef<HTMLIFrameElement>(null);
	const [url, setUrl] = useState<string | null>(null);
	const [refusal, setRefusal] = useState('');
	const [isReady, setReady] = useState(false);
	useEffect(() => {
		const leaving = new AbortController();
		launchUrl(code, door, leaving.signal).then(setUrl, (failure: unknown) => {
			if (!leaving.signal.aborted) setRefusal(messageOf(failure));
		});
		return () => leaving.abort();
	}, [code, door]);
	useEffect(() => {
		const hear = (message: MessageEvent<unknown>) => {
			if (message.source !== frame.current?.contentWindow) return;
			const event = gameEventOf(message.data);
			if (event?.event === 'ready') setReady(true);
			if (event?.status === 'INVALID_TOKEN' || event?.status === 'TOKEN_EXPIRED') setRefusal(words.ended);
		};
		window.addEventListener('message', hear);
		return () => window.removeEventListener('message', hear);
	}, []);
	if (refusal)
		return (
			<ScreenState
				icon="triangle-exclamation"
				title={refusal}
				action={
					<Button variant="primary" onClick={onAgain}>
						{words.again}
					</Button>
				}
			/>
		);
	return (
		<div className="provider-window" aria-busy={!isReady}>
			{url === null ? (
				<Skeleton className="game-waiting" />
			) : (
				// Only scripts: the game gets no origin, no storage, no pop-ups and no way out of its frame.
				<iframe ref={frame} src={url} title={name} sandbox="allow-scripts" referrerPolicy="no-referrer" />
			)}
		</div>
	);
}

function Rules({ code }: { code: string }): ReactElement | null {
	const { data } = useQuery(gameDefinitionQuery(code));
	if (!data) return null;
	return (
		<details className="pay-table">
			<summary>{CASINO_TEXTS.frame.rules}</summary>
			<ul>
				{data.rules.map((rule) => (
					<li key={rule}>{rule}</li>
				))}
			</ul>
		</details>
	);
}

export function ProviderGame({ code }: { code: string }): ReactElement {
	const { data: games, isError } = useQuery(casinoGamesQuery());
	const game = games?.find((one) => one.code === code && one.launch !== null);
	const isKnown = game !== undefined;
	const [visit, setVisit] = useState(0);
	useEffect(() => {
		if (isKnown) markPlayed(code);
	}, [isKnown, code]);
	const toLobby = <Link to="/casino">{CASINO_TEXTS.frame.lobby}</Link>;
	if (!games && !isError) return <Skeleton className="game-waiting" />;
	if (!game?.launch) return <ScreenState title={CASINO_TEXTS.frame.unknown} action={toLobby} />;
	return (
		<div className="casino" data-game={code}>
			<GameHead name={game.name} note={words.by(game.provider)} />
			{game.enabled ? (
				<GameWindow
					key={visit}
					code={code}
					name={game.name}
					door={game.launch.door}
					onAgain={() => setVisit(visit + 1)}
				/>
			) : (
				<ScreenState icon="pause" title={words.rests} action={toLobby} />
			)}
			<Rules code={code} />
		</div>
	);
}
