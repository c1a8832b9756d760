/** Leads to the field of a form that was refused, so that its error is read with it. */
import { type RefObject, useEffect, useRef, useState } from 'react';

export function focusRefused(form: HTMLElement | null): void {
	form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}

/** @returns the form, and what is called with each refusal: the first field that is marked then has the focus */
export function useRefusedFocus(): [form: RefObject<HTMLFormElement | null>, lead: () => void] {
	const form = useRef<HTMLFormElement>(null);
	const [refusals, setRefusals] = useState(0);
	// Once the mark is drawn.
	useEffect(() => {
		if (refusals > 0) focusRefused(form.current);
	}, [refusals]);
	return [form, () => setRefusals((before) => before + 1)];
}
