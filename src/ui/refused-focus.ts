/** Leads to the field of a form that was refused, so that its error is read with it. */
import { type RefObject, useEffect, useRef, useState } from 'react';

function focusRefused(form: HTMLElement | null): void {
	form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}

/** @param refusal another object each time; null for none */
export function useFocusOn<Part extends HTMLElement = HTMLFormElement>(refusal: object | null): RefObject<Part | null> {
	const form = useRef<Part>(null);
	useEffect(() => {
		if (refusal) focusRefused(form.current);
	}, [refusal]);
	return form;
}

/**
 * @returns the form, or the part of the page that has its fields, and what is called with each refusal: once the mark is
 *   drawn, the first marked field has the focus
 */
export function useRefusedFocus<Part extends HTMLElement = HTMLFormElement>(): [
	form: RefObject<Part | null>,
	lead: () => void,
] {
	const [refusal, setRefusal] = useState<object | null>(null);
	return [useFocusOn<Part>(refusal), () => setRefusal({})];
}
