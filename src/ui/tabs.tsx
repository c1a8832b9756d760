import { type KeyboardEvent, type ReactElement, type ReactNode, useId, useRef } from 'react';

interface Tab<Key extends string> {
	key: Key;
	label: ReactNode;
}

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 };

/**
 * Tabs after the ARIA pattern: one stop in the tab order, arrows move and choose, the panel follows.
 * Small enough to be on the first screen, which a dialog library is not.
 */
export function Tabs<Key extends string>({
	label,
	tabs,
	selected,
	onSelect,
	children,
	className = '',
}: {
	/** Names the row of tabs. */
	label: string;
	tabs: readonly Tab<Key>[];
	selected: Key;
	onSelect: (key: Key) => void;
	children: ReactNode;
	className?: string;
}): ReactElement {
	const id = useId();
	const row = useRef<HTMLDivElement>(null);

	function move(event: KeyboardEvent): void {
		const step = STEPS[event.key];
		if (step === undefined) return;
		event.preventDefault();
		const at = tabs.findIndex((tab) => tab.key === selected);
		const next = tabs[(at + step + tabs.length) % tabs.length];
		if (!next) return;
		onSelect(next.key);
		row.current?.querySelector<HTMLElement>(`[data-tab="${next.key}"]`)?.focus();
	}

	return (
		<div className={`flex min-h-0 flex-col ${className}`}>
			<div
				ref={row}
				role="tablist"
				tabIndex={-1}
				aria-label={label}
				className="flex flex-none border-b border-line"
				onKeyDown={move}
			>
				{tabs.map((tab) => (
					<button
						key={tab.key}
						type="button"
						role="tab"
						id={`${id}-${tab.key}`}
						data-tab={tab.key}
						aria-selected={tab.key === selected}
						aria-controls={`${id}-panel`}
						tabIndex={tab.key === selected ? 0 : -1}
						onClick={() => onSelect(tab.key)}
						className="-mb-px min-h-11 flex-1 border-b-2 border-transparent px-3 font-semibold text-muted aria-selected:border-text aria-selected:text-text hover:text-text"
					>
						{tab.label}
					</button>
				))}
			</div>
			<div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${selected}`} className="min-h-0 flex-1">
				{children}
			</div>
		</div>
	);
}
