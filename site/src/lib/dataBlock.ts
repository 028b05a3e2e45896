/**
 * Serializes structured data for search engines. Escapes `<`, so no name can close the script
 * element.
 */
export const dataBlock = (data: object): string =>
  JSON.stringify(data)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
