/** The library says `any` of an answer's JSON, which then is whatever its reader expects. */
interface Body {
	json(): Promise<unknown>;
}
