/** Names a request, so that a repetition after a lost answer does nothing twice. */
import { useCallback, useRef } from 'react';

/** Works on a page served without TLS, too. */
const newRequestId = (): string =>
	Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** @returns the id of a request with this content: the same content has the same id until the request succeeded */
export function useRequestId(): { idOf: (content: string) => string; succeeded: () => void } {
	const last = useRef<{ content: string; id: string } | null>(null);
	const idOf = useCallback((content: string) => {
		if (last.current?.content !== content) last.current = { content, id: newRequestId() };
		return last.current.id;
	}, []);
	const succeeded = useCallback(() => {
		last.current = null;
	}, []);
	return { idOf, succeeded };
}
