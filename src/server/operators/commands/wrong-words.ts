/** What an operator asked for cannot be read, said in a sentence. */
export class WrongWords extends Error {}
