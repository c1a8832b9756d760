/** Whether the page shows a draft of the brand to an operator. It then stores nothing, and the draft stays as it came. */
export const IS_PREVIEW =
	globalThis.document?.querySelector<HTMLElement>('#domain-setting')?.dataset['preview'] !== undefined;
