import type { Reply } from '../../../../api/core/chatMessages.ts';
import { lines, paragraphs, short } from '../../../delivery/layout.ts';
import { saying } from '../../../delivery/shown.ts';

export const most = {
  text: 4096,
  body: 1024,
  caption: 1024,
  button: 20,
  row: 24,
  description: 72,
  say: 200,
  buttons: 3,
  rows: 10,
  word: 900,
} as const;

type Payload = Record<string, unknown>;
const fits = (text: string, letters: number) => Array.from(text).length <= letters;

/**
 * Formats buttons: three below a message, ten in a list, or one that opens a URL. Undefined if they
 * do not fit; they are then numbered in the text.
 */
export function withButtons(reply: Reply, choose: string, image?: string): Payload | undefined {
  const says = saying(reply);
  const urls = (reply.buttons ?? []).flat().filter((button) => 'url' in button);
  const text =
    says.length > 0
      ? paragraphs(reply.text, lines(...urls.map(({ label, url }) => `${label}:\n${url}`)))
      : reply.text;
  const different = (values: string[]) => new Set(values).size === values.length;
  if (
    !fits(text, most.body) ||
    !different(says.map(({ say }) => say)) ||
    says.some(({ say }) => !fits(say, most.say))
  )
    return undefined;
  const interactive = (
    type: string,
    action: Payload,
    header = image && { type: 'image', image: { id: image } },
  ): Payload => ({
    type: 'interactive',
    interactive: { type, ...(header ? { header } : {}), body: { text }, action },
  });
  const [only, ...others] = urls;
  if (says.length === 0)
    return only && others.length === 0
      ? interactive('cta_url', {
          name: 'cta_url',
          parameters: { display_text: short(only.label, most.button), url: only.url },
        })
      : undefined;
  const labels = says.map(({ label }) => label);
  const rowed = says.some(({ row }) => row);
  if (
    says.length <= most.buttons &&
    !rowed &&
    different(labels) &&
    labels.every((label) => fits(label, most.button))
  )
    return interactive('button', {
      buttons: says.map(({ label, say }) => ({ type: 'reply', reply: { id: say, title: label } })),
    });
  // Lists cannot have a picture.
  if (image || says.length > most.rows) return undefined;
  const rows = says.map(({ label, say, row }) => {
    const { title, description } = row ?? { title: label, description: label };
    return {
      id: say,
      title: short(title, most.row),
      ...(row || !fits(label, most.row)
        ? { description: short(description, most.description) }
        : {}),
    };
  });
  return interactive('list', { button: choose, sections: [{ title: choose, rows }] });
}

export const inText = (text: string): Payload => ({
  type: 'text',
  text: { body: text, preview_url: false },
});
export const inPicture = (id: string, caption?: string): Payload => ({
  type: 'image',
  image: { id, ...(caption ? { caption } : {}) },
});

const onOneLine = (text: string): string => {
  const lines = text.split('\n').map((line) => line.trim());
  return lines
    .filter((line) => line !== '')
    .join(' · ')
    .replaceAll(/\s{2,}/g, ' ');
};

/** A template message; its parameter is one line, because WhatsApp refuses line breaks. */
export const inTemplate = (name: string, language: string, text: string): Payload => ({
  type: 'template',
  template: {
    name,
    language: { code: language },
    components: [
      { type: 'body', parameters: [{ type: 'text', text: short(onOneLine(text), most.word) }] },
    ],
  },
});
