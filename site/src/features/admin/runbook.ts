/** Adapts the runbook to the admin page: removes its heading, and its links to repository files. */
export const runbookHtml = (html: string): string =>
  html
    .replace('<h1 id="runbook">Runbook</h1>', '')
    .replaceAll(/<a href="(?!#|https?:)[^"]*">/g, '<a>');
