/** Hands a text to the browser as a download, byte for byte in UTF-8. */
export declare function saveFile(name: string, type: string, ...parts: readonly string[]): void;
/** Hands a table to the browser as a download; the byte order mark makes spreadsheets read it as UTF-8. */
export declare function saveText(name: string, text: string): void;
