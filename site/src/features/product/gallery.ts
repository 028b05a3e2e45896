/** Nothing is left to do here: the gallery is an island (Gallery.tsx). Goes with the script of ProductFrame.astro, which still calls it. */
export function gallery(): void {}
