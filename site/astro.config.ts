import react from '@astrojs/react';
import type { AstroIntegration } from 'astro';
import { defineConfig, passthroughImageService } from 'astro/config';
import manifest from '../package.json' with { type: 'json' };
import adapter from './adapter/index.ts';
import { scriptHashes } from './adapter/wake.ts';

/** The oldest browsers that must show the market as meant; Samsung's 14 is Chromium 87. */
const floor = manifest.browserslist
  .filter((browser) => !browser.startsWith('samsung'))
  .map((browser) => browser.replace(' ', ''));

/**
 * Adds `client:calm`: islands of public pages start after the first paint (src/directives/calm.ts).
 */
const calm: AstroIntegration = {
  name: 'client-calm',
  hooks: {
    'astro:config:setup': ({ addClientDirective }) =>
      addClientDirective({
        name: 'calm',
        entrypoint: new URL('./src/directives/calm.ts', import.meta.url).pathname,
      }),
  },
};

/**
 * React integration with our own client entry, which adds an error boundary around each island
 * (src/directives/island.ts).
 */
const islands = (): AstroIntegration => {
  const { hooks, ...made } = react();
  return {
    ...made,
    hooks: {
      ...hooks,
      'astro:config:setup': (setup) =>
        hooks['astro:config:setup']?.({
          ...setup,
          addRenderer: (renderer) =>
            setup.addRenderer({
              ...renderer,
              clientEntrypoint: new URL('./src/directives/island.ts', import.meta.url).pathname,
            }),
        }),
    },
  };
};

export default defineConfig({
  output: 'server',
  adapter: adapter(),
  integrations: [islands(), calm],
  outDir: './dist',
  compressHTML: 'jsx',
  trailingSlash: 'ignore',
  devToolbar: { enabled: false },
  // The server refuses foreign origins itself, for API and pages alike.
  security: {
    checkOrigin: false,
    csp: {
      scriptDirective: { hashes: scriptHashes },
      directives: [
        "default-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "font-src 'self'",
        "object-src 'none'",
        "base-uri 'self'",
        "frame-ancestors 'none'",
        // Without JavaScript the contact form is redirected here twice; browsers check each hop.
        "form-action 'self' https://wa.me https://api.whatsapp.com",
      ],
    },
  },
  build: { inlineStylesheets: 'always', assets: '_astro' },
  // Only the runbook is Markdown. Highlighting would add style attributes, which the policy
  // refuses.
  markdown: { syntaxHighlight: false },
  // Photos are resized at upload (api/uploads).
  image: { service: passthroughImageService() },
  vite: {
    build: { assetsInlineLimit: 0, modulePreload: false, cssTarget: floor },
    environments: {
      client: {
        build: {
          rolldownOptions: {
            output: {
              // Each file is a round trip on 3G. Without groups the home page loads 25 scripts of
              // 74.2 KB instead of 10 of 71.1, above its limit of 72 (dev/bench/bytes.ts). Without
              // `market` it would be 19; Connect and sign-in pay 4 KB more for that. Without `shell`
              // a page without islands loads React: 66 KB instead of 1.4. `react` saves 0.9 KB.
              codeSplitting: {
                groups: [
                  { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ },
                  // Runs on every page, without React: not every page has islands.
                  {
                    name: 'shell',
                    test: /src[\\/]lib[\\/](shell|mark|offline|report|storage)\.ts$|vite[\\/]preload-helper/,
                  },
                  {
                    name: 'market',
                    test: /features[\\/](live|market|product)[\\/](?!Gallery|gallery|ProductIsland|product\.ts|slots\.ts|MarketIsland|market\.ts|grid\.ts|ContactQuestion|StallState|leaveSoon).*\.tsx?$|lib[\\/](clock|countdown|engagement|notice)\.ts$/,
                  },
                ],
              },
            },
          },
        },
      },
    },
    plugins: [
      {
        // Astro is not installed in production, so its renderer is bundled. Our own production
        // packages stay external.
        name: 'bundle-the-renderer',
        apply: 'build' as const,
        configEnvironment: (name: string) =>
          name === 'client'
            ? // Astro sets `esnext`, whatever stands below.
              { build: { target: floor } }
            : {
                resolve: {
                  noExternal: true as const,
                  external: Object.keys(manifest.dependencies),
                },
              },
      },
      {
        // Vite's wrapper of dynamic imports preloads styles and chunks; ours have none
        // (ui/ErrorScreen.tsx). It is a third of the scripts of a page without islands, and 0.85 KB
        // of the home page, whose limit would be reached.
        name: 'import-without-preload',
        enforce: 'pre',
        load: (id: string) =>
          id.includes('vite/preload-helper')
            ? 'export const __vitePreload = (load) => load();'
            : undefined,
        renderChunk: (code: string) => code.replaceAll('__VITE_PRELOAD__', '[]'),
      },
      {
        // sonner inserts a style element when it loads, which the policy refuses. toaster.css
        // replaces it.
        name: 'sonner-without-style',
        transform: (code: string, id: string) =>
          id.includes('sonner/dist/index.mjs')
            ? code.replace(/^__insertCSS\(.*\);$/m, '')
            : undefined,
      },
    ],
  },
});
