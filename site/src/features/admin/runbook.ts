/**
 * The pages of the runbook as one: without their headings and first lines, links between them lead to
 * the sections, and links to files of the repository go.
 */
export const runbookHtml = (pages: readonly string[]): string =>
  pages
    .map((html) => html.replace(/^\s*<h1[^>]*>[^<]*<\/h1>\s*<p>[\s\S]*?<\/p>/, ''))
    .join('')
    .replaceAll(/<a href="[a-z]+\.md#/g, '<a href="#')
    .replaceAll(/<a href="(?!#|https?:)[^"]*">/g, '<a>');
