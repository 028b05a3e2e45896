import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { type MarkFile, markPath } from '../shared/brand/mark.ts';

export const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.txt': 'text/plain; charset=utf-8',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
};

/** Icons whose place the operator's mark takes. */
const iconFiles: Record<string, MarkFile> = {
  '/favicon.ico': '96',
  '/apple-touch-icon.png': '180',
  '/icons/any-192.png': '192',
  '/icons/any-512.png': '512',
  '/icons/maskable-512.png': 'maskable-512',
};

type Asset = {
  body: Uint8Array<ArrayBuffer>;
  brotli?: Uint8Array<ArrayBuffer>;
  headers: Record<string, string>;
};
export type Assets = (request: Request, path: string) => Response | undefined;
export type BuiltFiles = Assets & {
  /** Brotli of the files whose names change with each release, by path. */
  release: ReadonlyMap<string, Uint8Array>;
};
export const immutable = 'public, max-age=31536000, immutable';

/**
 * Serves built files from memory, brotli copies included (build.ts). Names under /_astro/ contain a
 * hash and never change.
 */
export async function loadAssets(folder: string): Promise<BuiltFiles> {
  const files = new Map<string, Asset>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name.endsWith('.br')) continue;
    const file = join(entry.parentPath, entry.name);
    const path = `/${file.slice(folder.length).replaceAll('\\', '/').replace(/^\/+/, '')}`;
    const body = new Uint8Array(await readFile(file));
    const kind = extname(file);
    const packed = await readFile(`${file}.br`).catch(() => undefined);
    const brotli =
      packed && packed.byteLength < body.byteLength ? new Uint8Array(packed) : undefined;
    files.set(path, {
      body,
      ...(brotli ? { brotli } : {}),
      headers: {
        'content-type': types[kind] ?? 'application/octet-stream',
        'cache-control':
          path.startsWith('/_astro/') || path.startsWith('/fonts/')
            ? immutable
            : 'public, max-age=3600',
        etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 20)}"`,
        'x-content-type-options': 'nosniff',
        ...(brotli ? { vary: 'accept-encoding' } : {}),
      },
    });
  }
  const serve = (request: Request, path: string) => {
    const own = iconFiles[path];
    const moved = own && markPath(own);
    if (moved)
      return new Response(null, {
        status: 302,
        headers: { location: moved, 'cache-control': 'no-cache' },
      });
    const asset = files.get(path);
    if (!asset || (request.method !== 'GET' && request.method !== 'HEAD')) return undefined;
    if (request.headers.get('if-none-match') === asset.headers.etag)
      return new Response(null, { status: 304, headers: asset.headers });
    const brotli =
      asset.brotli && /\bbr\b/.test(request.headers.get('accept-encoding') ?? '')
        ? asset.brotli
        : undefined;
    return new Response(request.method === 'HEAD' ? null : (brotli ?? asset.body), {
      headers: brotli ? { ...asset.headers, 'content-encoding': 'br' } : asset.headers,
    });
  };
  const release = new Map(
    [...files].flatMap(([path, { brotli }]) =>
      brotli && path.startsWith('/_astro/') ? [[path, brotli] as const] : [],
    ),
  );
  return Object.assign(serve, { release });
}
