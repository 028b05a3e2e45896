import { createHash, randomBytes } from 'node:crypto';
import { unversioned } from './schema.ts';

/** Finds what a page missed between reading its data and opening its stream. */
export type Versions = {
  changed(change: string): void;
  /** Starts a page, before any read of its data; the result writes its version into the HTML. */
  begin(): (html: string) => string;
  /** Changes since a version, as `slot:7`; `all:` if unknown. */
  since(version: string): string[];
};

const attribute = (version: string) => `data-version="${version}"`;
const blank = attribute(unversioned);
const keptChanges = 200;
/** More than the cached pages (api/pages/pageCache.ts), since pages with a query add to them. */
const keptVersions = 2000;

/** For pages with their data in the HTML: equal content gives the same ETag in every process. */
export const byContent = (html: string): string =>
  createHash('sha256').update(html).digest('base64url').slice(0, 12);
/**
 * For pages whose islands read data later, which the HTML does not show: each rendering has its
 * own.
 */
export const byRendering = (): string => randomBytes(9).toString('base64url');

/**
 * Remembers, per version, the last change received before the page's data was read. Versions of
 * another process or an earlier run are unknown until this one renders the same.
 */
export function createVersions(versionOf: (html: string) => string = byContent): Versions {
  let changes: string[] = [];
  let heard = 0;
  const shows = new Map<string, number>();
  return {
    changed(change) {
      heard++;
      changes.push(change);
      if (changes.length > 2 * keptChanges) changes = changes.slice(-keptChanges);
    },
    begin() {
      const before = heard;
      return (html) => {
        if (!html.includes(blank)) return html;
        const version = versionOf(html);
        const already = shows.get(version) ?? 0;
        shows.delete(version);
        // A slower rendering of the same content must not lower the number.
        shows.set(version, Math.max(already, before));
        if (shows.size > keptVersions) shows.delete(shows.keys().next().value as string);
        return html.replace(blank, attribute(version));
      };
    },
    since(version) {
      const shown = shows.get(version);
      if (shown === undefined || heard - shown > changes.length) return ['all:'];
      return shown === heard ? [] : [...new Set(changes.slice(shown - heard))];
    },
  };
}
