/** What search engines read, as the text of a data block. Every `<` is written as an escape, so that no name can end the element it stands in. */
export const dataBlock = (data: object): string =>
  JSON.stringify(data)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
