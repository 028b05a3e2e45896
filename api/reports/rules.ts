/** Newest notes shown per product or shop. */
export const notesShown = 10;
