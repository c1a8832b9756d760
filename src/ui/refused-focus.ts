/** Leads to the field of a form that was refused, so that its error is read with it. */
import { type RefObject, useEffect, useRef, useState } from 'react';

export function focusRefused(form: HTMLElement | null): void {
	form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}

/** @param refusal another object each time; null for none */
export function useFocusOn(refusal: object | null): RefObject<HTMLFormElement | null> {
	const form = useRef<HTMLFormElement>(null);
	useEffect(() => {
		if (refusal) focusRefused(form.current);
	}, [refusal]);
	return form;
}

/** @returns the form, and what is called with each refusal: once the mark is drawn, the first marked field has the focus */
export function useRefusedFocus(): [form: RefObject<HTMLFormElement | null>, lead: () => void] {
	const [refusal, setRefusal] = useState<object | null>(null);
	return [useFocusOn(refusal), () => setRefusal({})];
}
