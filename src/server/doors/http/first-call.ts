/** The call whose answer a page's first screen shows. The page asks it at once, while its files are on their way. */
import type { DomainSetting } from '#contract/domain-setting.ts';
import { CALLS } from '#contract/registry.ts';
import { CRICKET, type SportKey, sportById } from '#values/sports.ts';

/** As many as the list of all sports asks for at once (`closestQuery` of the site). */
const PAGE = '100';
const ALL_SPORTS = 0;

const LIST = /^\/matchlist\/(\d{1,9})\/?$/i;
const MATCH = /^\/markets\/(?:[^/]+\/)?(\d{1,15})\/?$/i;

type Asked = 'closest' | 'getBySportName' | 'getMarketsByEventId';
const addressOf = (name: Asked, input: Record<string, string>): string =>
	`/${CALLS[name].path}?${new URLSearchParams(input)}`;

function ofList(id: number, shown: Readonly<Record<SportKey, boolean>>): string | null {
	if (id === ALL_SPORTS) return addressOf('closest', { take: PAGE, skip: '0' });
	const sport = sportById(id);
	return sport && shown[sport.key] ? addressOf('getBySportName', { sportName: sport.name }) : null;
}

/**
 * The address of the call, written as the site writes it; null for a screen that shows no such answer, such as a closed sport's, and for a site that
 * is suspended, asks elsewhere or encodes its requests.
 * @param url of the page, with its query
 */
export function firstCall(
	url: string,
	setting: Pick<DomainSetting, 'siteSuspended' | 'baseUrl' | 'encodeRequests' | SportKey>,
): string | null {
	const { siteSuspended, baseUrl, encodeRequests } = setting;
	if (siteSuspended || encodeRequests || baseUrl !== '') return null;
	const [path = ''] = url.split('?');
	if (path === '/') return ofList(CRICKET, setting);
	const list = LIST.exec(path)?.[1];
	if (list !== undefined) return ofList(Number(list), setting);
	const match = MATCH.exec(path)?.[1];
	return match === undefined ? null : addressOf('getMarketsByEventId', { eventId: match });
}
