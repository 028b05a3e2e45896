/**
 * Trims a text's end in linear time; `\s+$` is tried at each space (decision 060).
 * @param out matches a single character
 */
export function cutEnd(text: string, out: RegExp): string {
  let end = text.length;
  while (end > 0 && out.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
