import react from '@astrojs/react';
import type { AstroIntegration } from 'astro';
import { defineConfig, passthroughImageService } from 'astro/config';
import manifest from '../package.json' with { type: 'json' };
import adapter from './adapter/index.ts';
import { scriptHashes } from './adapter/wake.ts';

/** `client:calm`: islands of public pages wait until the page has been painted (src/directives/calm.ts). */
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

/** React, whose islands are brought to life by this house's own entry: with the error screen around each (src/directives/island.ts). */
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
  // The server refuses foreign origins itself, ahead of API and pages alike.
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
        // The contact form without JavaScript is redirected there, and on from there: browsers check each hop.
        "form-action 'self' https://wa.me https://api.whatsapp.com",
      ],
    },
  },
  build: { inlineStylesheets: 'always', assets: '_astro' },
  // The runbook is the only page of Markdown. Colours of code would be style attributes, which the policy above refuses.
  markdown: { syntaxHighlight: false },
  // Photos are prepared when they arrive (api/uploads); pages only name them.
  image: { service: passthroughImageService() },
  vite: {
    build: { assetsInlineLimit: 0, modulePreload: false },
    environments: {
      client: {
        build: {
          rolldownOptions: {
            output: {
              // Public pages ask for a few files in place of fifteen: on 3G each is a round trip, and together they compress better.
              codeSplitting: {
                groups: [
                  { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ },
                  // What every page runs, without React: not every page has islands.
                  {
                    name: 'shell',
                    test: /src[\\/]lib[\\/](shell|mark|report|storage)\.ts$|vite[\\/]preload-helper/,
                  },
                  {
                    name: 'market',
                    test: /features[\\/](live|market|product)[\\/](?!Gallery|gallery|ProductIsland|product\.ts|slots\.ts|MarketIsland|market\.ts|grid\.ts|ContactQuestion).*\.tsx?$|lib[\\/](countdown|engagement|notice)\.ts$/,
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
        // Astro is not installed in production: what its renderer needs goes into the build, all but our own production packages.
        name: 'bundle-the-renderer',
        apply: 'build' as const,
        configEnvironment: (name: string) =>
          name === 'client'
            ? undefined
            : {
                resolve: {
                  noExternal: true as const,
                  external: Object.keys(manifest.dependencies),
                },
              },
      },
      {
        // What Vite wraps a later `import()` in (0.7 KB) looks for styles and parts to fetch beside it. Here such a part brings none (ui/ErrorScreen.tsx).
        name: 'import-without-preload',
        enforce: 'pre',
        load: (id: string) =>
          id.includes('vite/preload-helper')
            ? 'export const __vitePreload = (load) => load();'
            : undefined,
        renderChunk: (code: string) => code.replaceAll('__VITE_PRELOAD__', '[]'),
      },
      {
        // sonner writes a style element when it loads, which the content security policy refuses; toaster.css replaces that sheet.
        name: 'sonner-without-style',
        transform: (code: string, id: string) =>
          id.includes('sonner/dist/index.mjs')
            ? code.replace(/^__insertCSS\(.*\);$/m, '')
            : undefined,
      },
    ],
  },
});
