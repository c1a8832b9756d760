import { type ReactElement, useLayoutEffect, useRef } from 'react';
import { flash } from '#ui/flash-sweeper.ts';

/** The number of characters that fit into a cell in the size of prices. */
const LONGEST_PRICE = 5;

interface PriceButtonProps {
	side: 'BACK' | 'LAY';
	/** 1 is the best price. */
	level: 1 | 2 | 3;
	/** As text; null without an offer. */
	price: string | null;
	size: string | null;
	/** Read out loud: "Back India 1.95, 12,400 available". */
	label: string;
	/** How the price went, and a number that rises with each change so that two in a row both show. */
	move: -1 | 0 | 1;
	changeCount: number;
	pressed: boolean;
	disabled: boolean;
	/** The player has an unmatched bet at this price. */
	own: boolean;
	onPress: () => void;
}

/** One price of the grid: fixed size, bold price above its size, a dash where there is none. */
export function PriceButton(props: PriceButtonProps): ReactElement {
	const button = useRef<HTMLButtonElement>(null);
	const { move, changeCount } = props;
	useLayoutEffect(() => {
		if (move !== 0 && changeCount > 0 && button.current) flash(button.current, move);
	}, [move, changeCount]);
	return (
		<button
			ref={button}
			type="button"
			className="price"
			data-side={props.side}
			data-level={props.level}
			data-empty={props.price === null || undefined}
			data-own={props.own || undefined}
			aria-pressed={props.price === null ? undefined : props.pressed}
			disabled={props.disabled || props.price === null}
			onClick={props.onPress}
		>
			<span className="unseen">{props.label}</span>
			<b aria-hidden="true" data-long={(props.price?.length ?? 0) > LONGEST_PRICE || undefined}>
				{props.price ?? '–'}
			</b>
			{props.size !== null && <small aria-hidden="true">{props.size}</small>}
		</button>
	);
}
