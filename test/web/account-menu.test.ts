/** Where the menu of the account leads. */
import { QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { expect, it } from 'vitest';
import { AccountMenu } from '#web/features/frame/account-menu.tsx';
import { queryClient } from '#web/store/query-client.ts';
import { writtenFor } from './brand-page.tsx';

/** Address and text of each link. */
function linksOf(isDemo: boolean): string[][] {
	const menu = createElement(AccountMenu, { name: 'asha', isDemo });
	const page = writtenFor({}, () => createElement(QueryClientProvider, { client: queryClient }, menu));
	return [...page.matchAll(/<a [^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/gs)].map(([, to = '', inside = '']) => [
		to,
		inside.replaceAll(/<[^>]*>/g, ''),
	]);
}

it.each([
	['a player', false],
	['a demo player', true],
])('the menu of %s leads to the limits, to the rules and to the log-out', (_, isDemo) => {
	const links = linksOf(isDemo);
	expect(links).toContainEqual(['/protection', 'Limits and protection']);
	expect(links).toContainEqual(['/rules', 'Rules']);
	expect(links).toContainEqual(['/Auth/Logout', expect.stringContaining('Log')]);
});
