/** A figure that leads to the postings that it is the sum of, for members who may see them. */
import { Link } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import type { InputOf } from '#console/api/operate.ts';
import { useMe } from '#console/api/queries.ts';
import { amount } from '#console/parts/format.ts';

export type PostingsAsked = Omit<InputOf<'postings'>, 'before'>;

/** @param children what stands for the figure; without them its amount */
export function PostingsLink(props: { value: number; of: PostingsAsked; children?: ReactNode }): ReactElement {
	const { value, of, children } = props;
	const { data: me } = useMe();
	const text = children ?? amount(value);
	if (!me?.permissions.includes('reports.read')) return <>{text}</>;
	return (
		<Link to="/postings" search={of} onClick={(event) => event.stopPropagation()} title="Show the postings">
			{text}
		</Link>
	);
}
