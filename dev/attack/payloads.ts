/** Page variable that a payload's script would set. */
export const flag = '__owned';
const run = `window.${flag}=1`;

/** Texts that have become scripts, links, attributes or templates somewhere, by name. */
export const payloads: Readonly<Record<string, string>> = {
  'script tag': `<script>${run}</script>`,
  'attribute, double quotes': `" autofocus onfocus="${run}" onmouseover="${run}" x="`,
  'attribute, single quotes': `' autofocus onfocus='${run}' onmouseover='${run}' x='`,
  'picture that fails': `"><img src=x onerror=${run}>`,
  'end of the script': `</script><script>${run}</script>`,
  'end of title and style': `</title></style></textarea><svg/onload=${run}>`,
  'end of a comment': `--></noscript><iframe srcdoc="<script>parent.${flag}=1</script>">`,
  'javascript link': `javascript:${run}//`,
  'data link': `data:text/html,<script>top.${flag}=1</script>`,
  'markdown link': `[x](javascript:${run}) https://evil.example/x.js //evil.example`,
  template: `{{constructor.constructor('${run}')()}} \${${run}} $t(x) <%= 1 %>`,
  'end of a string': `\\";${run};//\u2028';${run};//`,
  'escaped already': `&lt;script&gt;${run}&lt;/script&gt;&#60;img src=x onerror=${run}&#62;`,
  'right to left': '\u202egnirts\u2066 عصير باب A14!',
  'one long word': 'MWmw'.repeat(25),
};
