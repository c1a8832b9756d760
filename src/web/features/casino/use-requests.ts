/** Requests at a table: one at a time, and each keeps its id until its outcome is known. */
import { useRef, useState } from 'react';
import type { Paise } from '#values/money.ts';
import { isOutcomeUnknown, messageOf } from '#web/api/failure.ts';
import { useSession } from '#web/store/session.ts';
import { showAnsweredWallet } from '#web/store/wallet.ts';

type Request = () => Promise<void>;

export interface Requests<Act> {
	isPending: boolean;
	/** What was asked when the answer was lost: the same request can be asked again. */
	unknown: Act | null;
	refusal: string;
	/** @returns whether it was carried out */
	ask: (act: Act, request: Request) => Promise<boolean>;
	retry: () => void;
}

/** @param on begin: a request is made · fail: it was refused, or its answer was lost */
export function useRequests<Act extends string>(on: { begin: () => void; fail: () => void }): Requests<Act> {
	const [isPending, setPending] = useState(false);
	const [unknown, setUnknown] = useState<Act | null>(null);
	const [refusal, setRefusal] = useState('');
	const asked = useRef<{ act: Act; request: Request } | null>(null);
	const isBusy = useRef(false);

	async function ask(act: Act, request: Request): Promise<boolean> {
		// A second press while the first is on its way does nothing.
		if (isBusy.current) return false;
		isBusy.current = true;
		asked.current = { act, request };
		setPending(true);
		setUnknown(null);
		setRefusal('');
		on.begin();
		try {
			await request();
			return true;
		} catch (failure) {
			setUnknown(isOutcomeUnknown(failure) ? act : null);
			setRefusal(messageOf(failure));
			on.fail();
			return false;
		} finally {
			isBusy.current = false;
			setPending(false);
		}
	}

	const retry = (): void => {
		if (asked.current) void ask(asked.current.act, asked.current.request);
	};
	return { ask, retry, refusal, isPending, unknown };
}

/** Shows the money of an answer unless another player has logged in meanwhile. */
export function walletShower(): (balance: Paise, exposure: Paise) => void {
	const askedAt = performance.now();
	const { loginCount } = useSession.getState();
	return (balance, exposure) => {
		if (useSession.getState().loginCount === loginCount) showAnsweredWallet(balance, exposure, askedAt);
	};
}
