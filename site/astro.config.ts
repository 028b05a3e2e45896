import react from '@astrojs/react';
import type { AstroIntegration } from 'astro';
import { defineConfig, passthroughImageService } from 'astro/config';
import adapter from './adapter/index.ts';
import { wakeHash } from './adapter/wake.ts';

/** `client:calm`: islands of public pages wait until the page has been painted (src/directives/calm.ts). */
const calm: AstroIntegration = {
  name: 'client-calm',
  hooks: {
    'astro:config:setup': ({ addClientDirective }) =>
      addClientDirective({ name: 'calm', entrypoint: new URL('./src/directives/calm.ts', import.meta.url).pathname }),
  },
};

export default defineConfig({
  output: 'server',
  adapter: adapter(),
  integrations: [react(), calm],
  outDir: './dist',
  compressHTML: 'jsx',
  trailingSlash: 'ignore',
  devToolbar: { enabled: false },
  // The server refuses foreign origins itself, ahead of API and pages alike.
  security: {
    checkOrigin: false,
    csp: {
      scriptDirective: { hashes: [wakeHash] },
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
  // Photos are prepared when they arrive (api/uploads); pages only name them.
  image: { service: passthroughImageService() },
  vite: {
    build: { assetsInlineLimit: 0 },
    environments: {
      client: {
        build: {
          rolldownOptions: {
            output: {
              // Public pages ask for two files in place of fifteen: on 3G each is a round trip, and together they compress better.
              codeSplitting: {
                groups: [
                  { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler|@astrojs[\\/]react)[\\/]/ },
                  {
                    name: 'market',
                    test: /features[\\/](live|market|product)[\\/](?!Gallery|gallery|ProductIsland|product\.ts|slots\.ts).*\.tsx?$|node_modules[\\/](@nanostores|nanostores)[\\/]|lib[\\/](countdown|engagement|notice|storage)\.ts$/,
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
        // sonner writes a style element when it loads, which the content security policy refuses; toaster.css replaces that sheet.
        name: 'sonner-without-style',
        transform: (code: string, id: string) => (id.includes('sonner/dist/index.mjs') ? code.replace(/^__insertCSS\(.*\);$/m, '') : undefined),
      },
    ],
  },
});
