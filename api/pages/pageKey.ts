import { isLanguage, type Language, negotiateLanguage } from '../../locales/languages.ts';
import { type Theme, themes } from '../http/cookies.ts';
import { markCookie } from '../http/sessionMark.ts';
import { type Partition, partitionOf } from './cachedPaths.ts';

/** Parts of a request that a stored page depends on; `key` joins them. */
export type Wanted = {
  partition: Partition;
  path: string;
  language: Language;
  theme: Theme;
  signedIn: boolean;
  key: string;
};

const marked = new RegExp(`(?:^|;\\s*)${markCookie}=\\w`);
/** Browsers send less. */
const longestPreference = 200;
const languageByHeader = new Map<string, Language>();

function browserLanguage(preferred: string | null): Language {
  if (preferred === null) return 'en';
  const header = preferred.slice(0, longestPreference);
  let language = languageByHeader.get(header);
  if (!language) {
    if (languageByHeader.size > 1000) languageByHeader.clear();
    language = negotiateLanguage(header) ?? 'en';
    languageByHeader.set(header, language);
  }
  return language;
}

/** Undefined if the request's page is never stored. */
export function wantedOf(request: Request): Wanted | undefined {
  if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
  const { url } = request;
  const path = url.slice(url.indexOf('/', 8));
  const partition = partitionOf(path);
  if (!partition) return undefined;
  const cookie = request.headers.get('cookie');
  const prefix = path.slice(1, 3);
  const prefixed = isLanguage(prefix) && (path.length === 3 || path[3] === '/');
  const chosen = cookie === null ? undefined : /(?:^|;\s*)language=(\w+)/.exec(cookie)?.[1];
  const language = prefixed
    ? (prefix as Language)
    : isLanguage(chosen)
      ? chosen
      : browserLanguage(request.headers.get('accept-language'));
  const themeCookie = cookie === null ? undefined : /(?:^|;\s*)theme=(\w+)/.exec(cookie)?.[1];
  const theme = themes.find((known) => known === themeCookie) ?? 'system';
  // Updates for open pages contain no header.
  const signedIn = cookie !== null && partition !== 'stalls' && marked.test(cookie);
  const key = `${language} ${theme} ${signedIn} ${path}`;
  return { partition, path, language, theme, signedIn, key };
}
