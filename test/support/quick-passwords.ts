/**
 * Before each file: the servers in its process hash passwords lightly, and answer registrations as soon as they can.
 * Those in processes of their own do as in production.
 */
import { answerAfter } from '#server/people/players/evenly.ts';
import { hashLightly } from '#server/people/players/passwords.ts';

hashLightly();
answerAfter(0);
