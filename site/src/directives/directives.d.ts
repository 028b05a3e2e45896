import 'astro';

declare module 'astro' {
  interface AstroClientDirectives {
    /** After the largest paint; with Save-Data at the first touch (directives/calm.ts). */
    'client:calm'?: boolean;
  }
}
