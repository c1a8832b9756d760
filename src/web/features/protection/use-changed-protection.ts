import { useQueryClient } from '@tanstack/react-query';
import { type Protection, protectionQuery } from '#web/store/protection-queries.ts';

/** Shows a changed protection at once, and asks again for all that depends on it, such as what may be deposited. */
export function useChangedProtection(): (protection: Protection) => void {
	const queries = useQueryClient();
	return (protection) => {
		queries.setQueryData(protectionQuery().queryKey, protection);
		void queries.invalidateQueries({ queryKey: ['player', 'funds'] });
	};
}
