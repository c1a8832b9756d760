/** Markets whose books one call answers. */
export const MOST_BOOKS = 50;
