/** Numbers of a kind: ids, amounts and prices, which must not be confused. */
declare const kind: unique symbol;

/** A number of this kind that was checked: only the checking function creates one. */
export type Checked<Kind extends string> = number & { readonly [kind]: Kind };

/**
 * A number of this kind, or one without a kind, such as a sum or a column of a table. A number of another kind is a type
 * error: a call that swaps a stake and a price does not compile.
 */
export type Any<Kind extends string> = number & { readonly [kind]?: Kind };
