/** The icon component of the product specification, sections 5, 8 and 9. */
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, it, vi } from 'vitest';
import { Icon, type IconProps, randomIconId } from '#ui/icon.tsx';
import * as drawings from '#ui/icon-drawings.ts';
import { ICON_LIBRARY_VERSION, PRE_REGISTERED_ICONS } from '#ui/icon-registry.ts';
import published from './published/icon-names.json' with { type: 'json' };

afterEach(() => vi.restoreAllMocks());

const draw = (props: IconProps): string => renderToStaticMarkup(createElement(Icon, props));

it('draws the icon its content names', () => {
	expect(draw({ solid: true, children: 'star' })).toContain('data-icon="star" data-prefix="fas"');
	expect(draw({ regular: true, children: 'star' })).toContain('data-prefix="far"');
});

it('wants a variant', () => {
	expect(() => draw({ children: 'star' })).toThrow(
		'Missing icon prefix configuration. Pass one of {solid,regular,light,brands,duotone,thin} props.',
	);
});

it.each([undefined, '', '  '])('wants a name: %j is none', (children) => {
	expect(() => draw({ solid: true, ...(children === undefined ? {} : { children }) })).toThrow(
		'Empty icon content. Content of the tag should contain the icon name.',
	);
});

it.each(['light', 'duotone', 'thin', 'brands'] as const)(
	'draws a question mark for an unregistered icon, and warns: %s',
	(variant) => {
		const said = vi.spyOn(console, 'error').mockReturnValue();
		const prefix = { light: 'fal', duotone: 'fad', thin: 'fat', brands: 'fab' }[variant];
		expect(draw({ [variant]: true, children: 'nowhere' })).toContain('d="M4.5 4.5h15v15h-15z');
		expect(said).toHaveBeenCalledWith(`could not find icon: ${prefix}-nowhere`);
	},
);

it('knows 24 icons of release 6.7.2 from the start, and makes ids of twelve characters', () => {
	expect(PRE_REGISTERED_ICONS).toHaveLength(24);
	expect(ICON_LIBRARY_VERSION).toBe('6.7.2');
	expect(randomIconId()).toMatch(/^[0-9a-zA-Z]{12}$/);
});

it.each(Object.values(drawings))('$iconName has a name of that release', ({ prefix, iconName }) => {
	expect((prefix === 'far' ? published.far : published.fas).split(' ')).toContain(iconName);
});
