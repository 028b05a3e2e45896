/** Run ahead of each Try Again of an error screen: forgets the answers that could not be drawn. A registry, so that no page loads for it what it does not use. */
export const beforeRetry = new Set<() => void>();
