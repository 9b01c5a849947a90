/** A sentence of the page's own around what it did not write: that comes in as `T`, however it is drawn, and stands in its place. */
export type Said<T> = readonly (T | string)[];
