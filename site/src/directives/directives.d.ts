import 'astro';

declare module 'astro' {
  interface AstroClientDirectives {
    /** Hydrates after the largest paint; with Save-Data at the first touch (directives/calm.ts). */
    'client:calm'?: boolean;
  }
}
