import { type Language, languages } from '../../locales/languages.ts';
import { escapeHtml } from '../shared/html.ts';
import type { SitemapPage } from './reads.ts';

const prefixed = (path: string, language: Language): string =>
  path === '/' ? `/${language}` : `/${language}${path}`;

/**
 * Sitemap XML: each page in every language, with its alternates (product R40). `origin` has no
 * trailing slash.
 */
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

const closed = ['/seller', '/admin', '/api', '/demo'];

/** The robots.txt: closes seller, admin, API and demo pages. */
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

const securityDays = 90;

/** The security.txt (RFC 9116) with the operator's contact; each answer has a new end. */
export function writeSecurity(contact: string, origin: string, now: Date): string {
  const expires = new Date(now.getTime() + securityDays * 86_400_000);
  return [
    `Contact: ${contact}`,
    `Expires: ${expires.toISOString()}`,
    `Preferred-Languages: ${languages.join(', ')}`,
    `Canonical: ${origin}/.well-known/security.txt`,
    '',
  ].join('\n');
}
