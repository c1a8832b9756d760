import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Button } from '#ui/button.tsx';
import { useMediaQuery } from '#ui/media-query.ts';
import { serverAddress } from '#web/api/server-address.ts';
import { storageKeeps } from '#web/api/storage.ts';
import { browserName } from '#web/live/browser-name.ts';
import { useConnection } from '#web/live/connection.ts';
import { useHub } from '#web/live/hub.ts';
import { useBrand } from '#web/store/brand.ts';
import { SCREEN_TEXTS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';
import './test-page.css';

const words = SCREEN_TEXTS.test;

/** Milliseconds until the server answered. */
async function askServer(): Promise<number> {
	const before = performance.now();
	const response = await fetch(`${serverAddress()}/healthz`, { cache: 'no-store' });
	if (!response.ok) throw new Error(response.statusText);
	return Math.round(performance.now() - before);
}

/** /test: the connection between this browser and the server. */
export function TestScreen(): ReactElement {
	const server = useQuery({ queryKey: ['test'], queryFn: askServer, retry: false, gcTime: 0 });
	const connection = useHub(({ state }) => state);
	const online = useConnection((state) => state.online);
	const version = useBrand(({ setting }) => setting?.version ?? 0);
	const reduced = useMediaQuery('(prefers-reduced-motion: reduce)');
	const rows: Record<keyof typeof words.rows, string> = {
		server: server.isFetching ? words.asking : server.data === undefined ? words.silent : words.answers(server.data),
		connection,
		network: online ? words.online : words.offline,
		storage: storageKeeps() ? words.kept : words.memory,
		version: String(version),
		browser: browserName(navigator.userAgent),
		width: `${globalThis.innerWidth} × ${globalThis.innerHeight}`,
		motion: reduced ? words.reduced : words.full,
	};
	return (
		<main className="mx-auto flex min-h-dvh max-w-[34rem] flex-col justify-center gap-4 p-4">
			<h1 className="text-lg font-bold">{words.title}</h1>
			<p className="text-muted">{words.intro}</p>
			<dl className="checks">
				{(Object.keys(words.rows) as (keyof typeof words.rows)[]).map((row) => (
					<div key={row} data-check={row}>
						<dt>{words.rows[row]}</dt>
						<dd>{rows[row]}</dd>
					</div>
				))}
			</dl>
			<div className="flex flex-wrap gap-2">
				<Button onClick={() => void server.refetch()}>{words.again}</Button>
				<Link to="/matchlist/$id" params={{ id: '3' }} className="button" data-variant="primary">
					{TEXTS.errors.toMatches}
				</Link>
			</div>
		</main>
	);
}
