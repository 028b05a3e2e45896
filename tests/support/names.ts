/** Names that mean something to whoever writes text into text: a replacement, a template, HTML. What is left of each is what was typed. */
export const awkwardNames = [
  "Cost $& or $1 or $$ or $`x$'",
  '{{name}} {{slot}} {{- name}} {{count}}',
  '$t(whatsapp.greeting) $t(common:brand.name)',
  'Bread &amp; butter &lt;b&gt; &#39;',
  `It's "so" ‘called’ «été» \`x\` \\n`,
  '👩🏾‍🍳 Ndolè 🇨🇲 5️⃣',
];

/** A name that is read from right to left, with a word that is not and a mark at its end. */
export const rightToLeft = 'عصير باب Samsung A14!';

/** A name as long as it may be, without a place to break it; wide letters, so that nothing is wider. */
export const endless = (length: number): string => 'MWmw'.repeat(length).slice(0, length);
