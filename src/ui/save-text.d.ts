/** Hands a text to the browser as a download; the byte order mark makes spreadsheets read it as UTF-8. */
export declare function saveText(name: string, text: string): void;
