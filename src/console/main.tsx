/** The operators' console starts here. */
import './styles.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { setSessionEndedHandler } from '#console/api/operate.ts';
import { ME, queryClient } from '#console/api/queries.ts';
import { keptTheme, wear } from '#console/parts/theme.ts';
import { router } from '#console/routes.tsx';
import { Door } from '#console/screens/door.tsx';

// The next member at this browser sees nothing of what the last one saw.
setSessionEndedHandler(() => {
	queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== ME[0] });
	void queryClient.invalidateQueries({ queryKey: ME });
});

wear(keptTheme());

const container = document.querySelector('#root');
if (!container) throw new Error('The page has no root.');
createRoot(container).render(
	<StrictMode>
		<QueryClientProvider client={queryClient}>
			<Door>
				<RouterProvider router={router} />
			</Door>
		</QueryClientProvider>
	</StrictMode>,
);
