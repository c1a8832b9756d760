/**
 * The page under a host without a brand. It names no brand, loads nothing and needs no script, so it reveals only that
 * the host is wrong.
 */
export const WRONG_HOST_PAGE = `<!doctype html>
<html lang="en">
	<head>
		<meta charset="utf-8" />
		<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
		<meta name="robots" content="noindex" />
		<meta name="color-scheme" content="dark" />
		<title>No site at this address</title>
		<link rel="icon" href="data:," />
		<style>
			:root { --page: #0a0d10; --card: #11151a; --line: #242c36; --text: #e9edf1; --muted: #9aa6b4; }
			body { display: grid; min-height: 100dvh; margin: 0; padding: 1rem; box-sizing: border-box; place-items: center;
				background: var(--page); color: var(--text); font: 1rem/1.5 ui-sans-serif, system-ui, sans-serif; }
			main { box-sizing: border-box; width: 100%; max-width: 28rem; padding: 2.5rem 2rem; text-align: center;
				background: var(--card); border: 1px solid var(--line); border-radius: 14px; }
			svg { width: 4.5rem; height: 4.5rem; color: var(--muted); }
			h1 { margin: 1.25rem 0 0.5rem; font-size: 1.375rem; line-height: 1.25; text-wrap: balance; }
			p { margin: 0; color: var(--muted); text-wrap: pretty; }
		</style>
	</head>
	<body>
		<main>
			<svg viewBox="0 0 48 48" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round" aria-hidden="true">
				<circle cx="24" cy="24" r="18" stroke-dasharray="4 6.3" />
				<path d="M24 33v.01M24 27c0-4 5-4.5 5-8.5a5 5 0 0 0-10 0" />
			</svg>
			<h1>There is no site at this address</h1>
			<p>Look for a typing mistake in the address bar, or open the link you were given once more.</p>
		</main>
	</body>
</html>
`;
