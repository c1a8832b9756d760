/** Writes a message in the name, the language and the colours of a brand: plain text, and the same as simple HTML. */
import { BN } from '#server/people/players/mail-texts/bn.ts';
import { EN, type MailTexts } from '#server/people/players/mail-texts/en.ts';
import { HI } from '#server/people/players/mail-texts/hi.ts';
import type { NewMail } from '#server/platform/mail/mail-outbox.ts';
import type { Brand } from '#server/world/brands/brands.ts';
import type { Language } from '#values/languages.ts';

export type MailKind = Exclude<keyof MailTexts, 'foot'>;
export type ValuesOf<Kind extends MailKind> = Parameters<MailTexts[Kind]>[1];
type MailingBrand = Pick<Brand, 'host' | 'setting'>;

const TEXTS: Readonly<Record<Language, MailTexts>> = { en: EN, hi: HI, bn: BN };
/** Mail programs know no variables and no mixed colours. */
const HEX = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;

/** @param language the player's own; null for the brand's */
export function writeMail<Kind extends MailKind>(
	{ host, setting }: MailingBrand,
	language: Language | null,
	kind: Kind,
	values: ValuesOf<Kind>,
): Pick<NewMail, 'brand' | 'senderName' | 'kind' | 'subject' | 'text' | 'html'> {
	const spoken = language ?? setting.defaultLanguage;
	const texts = TEXTS[spoken];
	const site = setting.domainTitle;
	const write = texts[kind] as (site: string, values: ValuesOf<Kind>) => ReturnType<MailTexts[Kind]>;
	const { subject, words } = write(site, values);
	const foot = `${texts.foot(site)}\nhttps://${host}`;
	const { brand: own = '', 'on-brand': onOwn = '' } = setting.themeTokens;
	const [colour, onColour] = HEX.test(own) && HEX.test(onOwn) ? [own, onOwn] : ['#1f2937', '#ffffff'];
	const paragraphs = words.map((one) => `<p>${escaped(one)}</p>`).join('');
	return {
		brand: host,
		senderName: site,
		kind,
		subject,
		text: `${words.join('\n\n')}\n\n-- \n${foot}\n`,
		html: `<!doctype html><html lang="${spoken}"><body style="margin:0;font-family:sans-serif;color:#111827;background:#ffffff"><h1 style="margin:0;padding:16px;font-size:18px;background:${colour};color:${onColour}">${escaped(site)}</h1><div style="padding:16px;font-size:15px;line-height:1.5">${paragraphs}<p style="color:#6b7280;font-size:12px">${escaped(foot).replace('\n', '<br>')}</p></div></body></html>`,
	};
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign);
