/**
 * HTML of an operator's Markdown: tags in it are text, pictures are their words, and a link leads to
 * this site, to a page by https or to a mailbox, or is no link. Headings begin at the second level.
 */
export function legalHtml(markdown: string): string {
  const html = Bun.markdown.html(markdown, { noHtmlBlocks: true, noHtmlSpans: true });
  return new HTMLRewriter()
    .on('h1', {
      element: (heading) => {
        heading.tagName = 'h2';
      },
    })
    .on('img', {
      element: (picture) => {
        // As it was escaped.
        picture.replace(picture.getAttribute('alt') ?? '', { html: true });
      },
    })
    .on('a', {
      element: (link) => {
        const address = link.getAttribute('href') ?? '';
        if (!isAllowed(address)) link.removeAndKeepContent();
        else if (!address.startsWith('/')) link.setAttribute('rel', 'noopener noreferrer nofollow');
      },
    })
    .transform(html);
}

const isAllowed = (address: string): boolean =>
  /^(?:https:\/\/|mailto:)/i.test(address) || /^\/(?![/\\])/.test(address);
