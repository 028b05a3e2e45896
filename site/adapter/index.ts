import { writeFile } from 'node:fs/promises';
import type { AstroIntegration } from 'astro';
import { sprite } from '../src/ui/sprite.ts';
import { islandRuntime } from './wake.ts';

/**
 * Minimal Astro adapter: the build exports a render function that the project's server calls
 * (decision 001).
 */
export default function adapter(): AstroIntegration {
  return {
    name: 'marche54-adapter',
    hooks: {
      'astro:build:done': async ({ dir }) => {
        for (const { path, source } of [islandRuntime, sprite])
          await writeFile(new URL(`.${path}`, dir), source);
      },
      'astro:config:done': ({ setAdapter }) => {
        setAdapter({
          name: 'marche54-adapter',
          entrypointResolution: 'auto',
          serverEntrypoint: new URL('./entry.ts', import.meta.url),
          supportedAstroFeatures: {
            serverOutput: 'stable',
            staticOutput: 'stable',
            hybridOutput: 'stable',
            sharpImageService: 'unsupported',
            i18nDomains: 'unsupported',
            envGetSecret: 'unsupported',
          },
          adapterFeatures: { buildOutput: 'server', staticHeaders: false },
        } as never);
      },
    },
  };
}
