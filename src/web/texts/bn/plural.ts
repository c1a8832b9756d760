/** "1টি ফল", "2টি ফল": a noun keeps its form beside a number, which takes the classifier. */
export const count = (n: number, what: string): string => `${n}টি ${what}`;
