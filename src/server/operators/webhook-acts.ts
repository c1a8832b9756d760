/** Acts on the webhooks of brands. */
import { isoTime } from '#server/exchange/views/wire-views.ts';
import type { ActsOf, OperatorOptions, PreviewsOf } from '#server/operators/act.ts';
import type { WebhookEndpoint } from '#server/operators/webhooks/webhook-endpoints.ts';
import { isSafeUrl } from '#server/platform/outside/public-address.ts';
import { Refused } from '#values/error-catalogue.ts';

/** A brand of another engine has its endpoints there. @throws Refused UNKNOWN_DOMAIN, OTHER_POOL */
function checkBrand({ brands }: OperatorOptions, host: string): void {
	if (!brands.byHost(host)) throw new Refused('UNKNOWN_DOMAIN');
	if (!brands.own().some((brand) => brand.host === host)) throw new Refused('OTHER_POOL');
}

/** @throws Refused UNKNOWN_DOMAIN, OTHER_POOL, UNSAFE_ADDRESS, TOO_MANY_ENDPOINTS */
function checkNew(parts: OperatorOptions, { host, url }: { host: string; url: string }): void {
	const { endpoints, isGuarded } = parts.webhooks;
	checkBrand(parts, host);
	if (!/^https?:/.test(new URL(url).protocol) || (isGuarded && !isSafeUrl(url))) throw new Refused('UNSAFE_ADDRESS');
	endpoints.checkCount(host);
}

interface NamedEndpoint {
	host: string;
	endpointId: string;
}

/** @throws Refused NOT_FOUND */
const endpointOf = ({ webhooks }: OperatorOptions, { host, endpointId }: NamedEndpoint): WebhookEndpoint =>
	webhooks.endpoints.named(host, endpointId);

export const WEBHOOK_ACTS: ActsOf<
	| 'webhook-list'
	| 'webhook-add'
	| 'webhook-rotate'
	| 'webhook-pause'
	| 'webhook-remove'
	| 'webhook-test'
	| 'webhook-deliveries'
	| 'webhook-replay'
> = {
	'webhook-list': async ({ host }, { webhooks: { endpoints, deliveries } }) => {
		const counts = await deliveries.counts(host);
		return endpoints.ofBrand(host).map(({ endpointId, url, kinds, isPaused, createdAtMs, failingSinceMs }) => ({
			endpointId,
			url,
			events: [...kinds],
			isPaused,
			createdAt: isoTime(createdAtMs),
			failingSince: failingSinceMs === null ? null : isoTime(failingSinceMs),
			waiting: counts.get(endpointId)?.waiting ?? 0,
			dead: counts.get(endpointId)?.dead ?? 0,
		}));
	},
	'webhook-add': async ({ host, url, events }, parts) => {
		checkNew(parts, { host, url });
		return { endpointId: await parts.webhooks.endpoints.add({ brand: host, url, kinds: events }) };
	},
	'webhook-rotate': async (input, parts) => {
		const endpoint = endpointOf(parts, input);
		const { secret, earlierUntilMs } = await parts.webhooks.endpoints.rotate(endpoint);
		return { endpointId: endpoint.endpointId, secret, earlierSignsUntil: isoTime(earlierUntilMs) };
	},
	'webhook-pause': async ({ isPaused, ...named }, parts) => {
		await parts.webhooks.endpoints.setPaused(endpointOf(parts, named), isPaused);
		return { endpointId: named.endpointId, isPaused };
	},
	'webhook-remove': async (input, parts) => {
		const endpoint = endpointOf(parts, input);
		await parts.webhooks.endpoints.remove(endpoint);
		return { removed: endpoint.url };
	},
	'webhook-test': async (input, parts) => await parts.webhooks.deliveries.test(endpointOf(parts, input)),
	'webhook-deliveries': async ({ before = null, state = null, ...named }, parts) => {
		const rows = await parts.webhooks.deliveries.list(endpointOf(parts, named), before, state);
		return rows.map(({ atMs, nextAtMs, ...row }) => ({
			...row,
			at: isoTime(atMs),
			nextAt: row.state === 'WAITING' ? isoTime(nextAtMs) : null,
		}));
	},
	'webhook-replay': async ({ sequence = null, ...named }, parts) => ({
		replayed: await parts.webhooks.deliveries.replay(endpointOf(parts, named), sequence),
	}),
};

const kindsText = (kinds: readonly string[]): string => [...new Set(kinds)].sort().join();

export const WEBHOOK_PREVIEWS: PreviewsOf<'webhook-add'> = {
	'webhook-add': {
		preview: ({ host, url, events }, parts) => {
			checkNew(parts, { host, url });
			const summary = [`What happens on ${host} is sent to ${url} from now on: ${events.join(', ')}.`];
			return { summary, lines: [], total: 0, sums: [], basis: JSON.stringify([host, url, events]) };
		},
		// A second endpoint of the same address would be sent everything twice.
		isDone: ({ host, url, events }, { webhooks: { endpoints } }) =>
			endpoints.ofBrand(host).some((one) => one.url === url && kindsText(one.kinds) === kindsText(events)),
	},
};
