import { useQueryClient } from '@tanstack/react-query';
import { type Protection, protectionQuery } from '#web/store/protection-queries.ts';

/**
 * Shows a changed protection immediately, and requests everything that depends on it again, such as the deposit rules.
 */
export function useChangedProtection(): (protection: Protection) => void {
	const queries = useQueryClient();
	return (protection) => {
		queries.setQueryData(protectionQuery().queryKey, protection);
		void queries.invalidateQueries({ queryKey: ['player', 'funds'] });
	};
}
