import type { ReactElement, ReactNode } from 'react';
import { Icon } from '#ui/icon.tsx';

/** The link to the brand's help: a mail, a telephone, or a page that opens beside this one. */
export function SupportLink({ href, children }: { href: string; children: ReactNode }): ReactElement {
	const elsewhere = href.startsWith('https:') ? { target: '_blank', rel: 'noopener noreferrer' } : {};
	return (
		<a href={href} className="button" data-variant="outline" {...elsewhere}>
			<Icon solid>circle-info</Icon>
			{children}
		</a>
	);
}
