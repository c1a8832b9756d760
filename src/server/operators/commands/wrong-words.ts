/** An operator's input that cannot be parsed, with a sentence that says why. */
export class WrongWords extends Error {}
