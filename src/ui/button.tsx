import type { ButtonHTMLAttributes, MouseEvent, ReactElement, ReactNode, Ref } from 'react';
import { Spinner } from '#ui/spinner.tsx';

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> {
	variant?: 'primary' | 'secondary' | 'outline' | 'ghost' | 'back' | 'lay' | 'danger';
	size?: 'normal' | 'small';
	/** Shows a spinner in place of the label, keeps the width, and takes no presses. */
	busy?: boolean;
	/** Stays in the tab order and readable, so that `title` or the text beside it can explain why. */
	disabled?: boolean;
	children: ReactNode;
	ref?: Ref<HTMLButtonElement>;
}

/** A button; `disabled` and `busy` are ARIA attributes, because a truly disabled button loses the focus. */
export function Button({
	variant = 'secondary',
	size = 'normal',
	busy = false,
	disabled = false,
	className = '',
	type = 'button',
	onClick,
	children,
	...rest
}: ButtonProps): ReactElement {
	const still = busy || disabled;
	function press(event: MouseEvent<HTMLButtonElement>): void {
		if (still) event.preventDefault();
		else onClick?.(event);
	}
	return (
		<button
			{...rest}
			type={type}
			className={`button ${className}`}
			data-variant={variant}
			data-size={size}
			aria-disabled={still || undefined}
			aria-busy={busy || undefined}
			onClick={press}
		>
			<span className="button-label">{children}</span>
			{busy && (
				<span className="button-busy">
					<Spinner />
				</span>
			)}
		</button>
	);
}
