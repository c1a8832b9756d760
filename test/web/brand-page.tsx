/** What a component writes into the page of a brand, without a browser. */
import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router';
import type { FunctionComponent } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import * as v from 'valibot';
import { DomainSetting } from '#contract/domain-setting.ts';
import { useBrand } from '#web/store/brand.ts';

type Setting = Partial<v.InferInput<typeof DomainSetting>>;

/** Links lead somewhere in it. */
const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });

/** @param given of the brand's setting; the rest is as by default */
export function writtenFor(given: Setting, Part: FunctionComponent): string {
	const setting = v.parse(DomainSetting, { domain: 'page.test', version: 1, ...given });
	const [first, before] = [useBrand.getInitialState(), useBrand.getState()];
	const firstBefore = { ...first };
	try {
		// Outside a browser a component sees the first state of a store, and what is no component the present one.
		Object.assign(first, { setting, loaded: true });
		useBrand.setState({ setting, loaded: true });
		return renderToStaticMarkup(
			<RouterContextProvider router={router}>
				<Part />
			</RouterContextProvider>,
		);
	} finally {
		Object.assign(first, firstBefore);
		useBrand.setState(before, true);
	}
}
