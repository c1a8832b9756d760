/** The real site with the draft, as a desk and a telephone show it. Nothing is saved, and the frames cannot log in. */
import { type ReactElement, useState } from 'react';
import { useCallOnce } from '#console/api/queries.ts';
import { Loaded } from '#console/parts/loaded.tsx';
import { changesOf, type Draft } from '#console/parts/setting-draft.ts';
import { Button } from '#ui/button.tsx';
import { SelectField } from '#ui/field.tsx';

const PAGES = [
	{ value: '/matchlist/3', text: 'the list of matches' },
	{ value: '/auth/login', text: 'the log-in page' },
];
const WIDTHS = [1440, 390] as const;

export function SitePreview({ host, draft }: { host: string; draft: Draft }): ReactElement {
	const [isShown, setShown] = useState(false);
	return (
		<>
			<p className="acts">
				<Button aria-expanded={isShown} onClick={() => setShown(!isShown)}>
					{isShown ? 'Hide the site' : 'Show the site with the draft'}
				</Button>
			</p>
			{isShown && <Frames host={host} draft={draft} />}
		</>
	);
}

function Frames({ host, draft }: { host: string; draft: Draft }): ReactElement {
	const [path, setPath] = useState('/matchlist/3');
	const query = useCallOnce('brand-preview', { host, changes: changesOf(draft) });
	const { protocol, port } = globalThis.location;
	const site = `${protocol}//${host}${port === '' ? '' : `:${port}`}`;
	return (
		<>
			<SelectField label="Page" value={path} options={PAGES} onChange={({ target }) => setPath(target.value)} />
			<Loaded query={query}>
				{({ secret }) => (
					<div className="site-frames">
						{WIDTHS.map((width) => (
							<div key={width} className="site-frame" data-width={width}>
								<iframe
									key={`${secret} ${path}`}
									title={`The site at ${width} pixels`}
									src={`${site}${path}?preview=${secret}`}
									// oxlint-disable-next-line react/iframe-missing-sandbox -- another origin, and its own policy limits it further
									sandbox="allow-scripts allow-same-origin"
									referrerPolicy="no-referrer"
								/>
							</div>
						))}
					</div>
				)}
			</Loaded>
		</>
	);
}
