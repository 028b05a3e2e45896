/** Files younger than this may belong to work in progress. */
export const orphanedFilesMs = 86_400_000;

/** Used with the wrong database, a storage would lose every photo. */
export const looksLikeAnotherMarkets = (orphaned: number, all: number): boolean =>
  orphaned > 50 && orphaned > all / 2;
