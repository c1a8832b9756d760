/** Opens what is done by mail: proven addresses, and new passwords by a code. */
import { MailAddresses, type MailAddressesOptions } from '#server/people/players/mail-addresses.ts';
import { PasswordResets, type PasswordResetsOptions } from '#server/people/players/password-resets.ts';
import { Turns } from '#server/platform/pacing/turns.ts';
import type { PlayerId } from '#values/ids.ts';

export interface PlayerContacts {
	addresses: MailAddresses;
	resets: PasswordResets;
	/** Changes of a player's password take turns. */
	changes: Turns<PlayerId>;
}

type ContactsOptions = MailAddressesOptions & Omit<PasswordResetsOptions, 'addresses' | 'changes'>;

export type MailOptions = Pick<MailAddressesOptions, 'mails' | 'isOffered'>;

/** Addresses are not loaded yet. */
export function openContacts(options: ContactsOptions): PlayerContacts {
	const { db, journal, mails, players, tokenKey, clock, limits, resends, isOffered, outbox, logins, devices } = options;
	const coded = { db, mails, players, tokenKey, clock, limits, resends };
	const addresses = new MailAddresses({ ...coded, journal, isOffered });
	const changes = new Turns<PlayerId>();
	return { addresses, changes, resets: new PasswordResets({ ...coded, devices, outbox, logins, addresses, changes }) };
}
