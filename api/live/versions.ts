import { createHash, randomBytes } from 'node:crypto';
import { unversioned } from './schema.ts';

/** What an open page may have missed between the reading of its data and the opening of its stream. */
export type Versions = {
  /** A change as open pages are told of it: `slot:7`. */
  changed(change: string): void;
  /** Begins a page, ahead of every read of its data. Answers how to write its version into the HTML that came of them. */
  begin(): (html: string) => string;
  /** What changed since a version was true, `all:` when that cannot be told, nothing when nothing did. */
  since(version: string): string[];
};

const attribute = (version: string) => `data-version="${version}"`;
const blank = attribute(unversioned);
/** A page that missed more than this reads all of itself again. */
const keptChanges = 200;
/** More pages than stored ones (api/pageCache.ts): those with a query of their own come on top. The one not seen for longest is forgotten first. */
const keptVersions = 2000;

/** The version of a page whose data is in its HTML: the same state gives the same bytes and the same ETag, after a restart and in every process. */
export const byContent = (html: string): string =>
  createHash('sha256').update(html).digest('base64url').slice(0, 12);
/** The version of a page whose islands read its data later: its HTML tells nothing of that, so every rendering is one of its own. */
export const byRendering = (): string => randomBytes(9).toString('base64url');

/**
 * Remembers which changes a version of a page already shows: the number of the last change that this process had heard of before its data was
 * read. What another process rendered, or one before a restart, is not known until this one renders the same.
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
        // A slower rendering of the same content takes nothing back: what was true at the later number is.
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
