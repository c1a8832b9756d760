/** Before each file: the servers in its process hash passwords lightly. Those in processes of their own do as in production. */
import { hashLightly } from '#server/people/players/passwords.ts';

hashLightly();
