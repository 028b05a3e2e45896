import { type Language, languages } from '../../locales/languages.ts';
import { escapeHtml } from '../core/html.ts';
import type { SitemapPage } from './reads.ts';

const prefixed = (path: string, language: Language): string =>
  path === '/' ? `/${language}` : `/${language}${path}`;

/** The sitemap of some pages: each in every language, with its alternates (product R40). `origin` is the site's address without a slash. */
export function writeSitemap(pages: readonly SitemapPage[], origin: string): string {
  const entries = pages.flatMap(({ path, changed }) => {
    const link = (language: string, to: string) =>
      `<xhtml:link rel="alternate" hreflang="${language}" href="${escapeHtml(origin + to)}"/>`;
    const alternates = [
      ...languages.map((language) => link(language, prefixed(path, language))),
      link('x-default', path),
    ].join('');
    const lastmod = changed ? `<lastmod>${changed.toISOString()}</lastmod>` : '';
    return languages.map(
      (language) =>
        `<url><loc>${escapeHtml(origin + prefixed(path, language))}</loc>${lastmod}${alternates}</url>`,
    );
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ...entries,
    '</urlset>',
    '',
  ].join('\n');
}

/** Rooms that hold nothing for a search engine. */
const closed = ['/seller', '/admin', '/api', '/demo'];

/** The robots file: everything but the closed rooms, in every language, and where the sitemap is. */
export function writeRobots(origin: string): string {
  const rooms = [
    ...closed,
    ...languages.flatMap((language) =>
      closed.filter((room) => room !== '/api').map((room) => `/${language}${room}`),
    ),
  ];
  return [
    'User-agent: *',
    ...rooms.map((room) => `Disallow: ${room}`),
    '',
    `Sitemap: ${origin}/sitemap.xml`,
    '',
  ].join('\n');
}
