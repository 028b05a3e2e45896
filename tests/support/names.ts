/**
 * Names that are special to text processors: replacements, templates, HTML. They must appear
 * exactly as typed.
 */
export const awkwardNames = [
  "Cost $& or $1 or $$ or $`x$'",
  '{{name}} {{slot}} {{- name}} {{count}}',
  '$t(whatsapp.greeting) $t(common:brand.name)',
  'Bread &amp; butter &lt;b&gt; &#39;',
  `It's "so" ‘called’ «été» \`x\` \\n`,
  '👩🏾‍🍳 Ndolè 🇨🇲 5️⃣',
];

/** A right-to-left name with a left-to-right word and a mark at its end. */
export const rightToLeft = 'عصير باب Samsung A14!';

/** A name of wide letters without a place to break it. */
export const endless = (length: number): string => 'MWmw'.repeat(length).slice(0, length);
