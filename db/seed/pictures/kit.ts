// The drawing kit: shapes, one palette, one light (from the upper left), three views of every
// object. A drawing is flat geometry with a few planes of shade; the kit adds ground, shadow and
// view.

export const hue = {
  night: '#171a3c',
  indigo: '#2b3270',
  denim: '#4c5aa3',
  haze: '#8f9bcb',
  ink: '#242138',
  char: '#3a3846',
  slate: '#686877',
  steel: '#9ba0aa',
  silver: '#cfd1d3',
  white: '#fffaf0',
  paper: '#f4ead7',
  cream: '#eadabb',
  raffia: '#d9b779',
  straw: '#c49a57',
  ochre: '#d9962a',
  sun: '#f0b93f',
  vermilion: '#e2492b',
  brick: '#b0352a',
  wine: '#7c2536',
  coral: '#ec7f5f',
  rose: '#eab6a0',
  clay: '#c06c49',
  rust: '#8d4730',
  wood: '#94623a',
  oak: '#bd8850',
  cocoa: '#583425',
  bark: '#3f2820',
  leaf: '#3f7f4a',
  lime: '#8bb356',
  forest: '#275438',
  sage: '#b5c69b',
  teal: '#2d7d78',
  lagoon: '#6fb1a6',
} as const;

export const ground = {
  sand: '#ecdab4',
  paper: '#efe5d0',
  peach: '#f0b796',
  rose: '#ecc4b2',
  clay: '#cf8059',
  ochre: '#e6b04c',
  sage: '#bccba4',
  leaf: '#6f9d6a',
  lagoon: '#94bfb3',
  sky: '#b3c0dc',
  denim: '#6f7fbe',
  indigo: '#353d80',
  vermilion: '#e0684a',
} as const;

export type Drawing = {
  /** Background of each of the three views. */
  grounds: [string, string, string];
  /** The shadow: x, y and half width, or an outline for something that lies flat. */
  floor: [number, number, number] | string;
  /** Centre and zoom of the close-up. */
  focus: [number, number, number];
  /** The third view shows two of them; otherwise the other side. */
  pair?: boolean;
  /** Colours of the second one may differ. */
  draw: (other: boolean) => string;
};

const round = (value: number) => Math.round(value * 10) / 10;

// Shapes as path data --------------------------------------------------------------------------

export const rr = (x: number, y: number, w: number, h: number, radius = 0): string => {
  const r = Math.min(radius, w / 2, h / 2);
  if (r === 0) return `M${x} ${y}h${w}v${h}h${-w}z`;
  const a = `a${r} ${r} 0 0 1`;
  return `M${x + r} ${y}h${w - 2 * r}${a} ${r} ${r}v${h - 2 * r}${a} ${-r} ${r}h${2 * r - w}${a} ${-r} ${-r}v${2 * r - h}${a} ${r} ${-r}z`;
};

export const oval = (cx: number, cy: number, rx: number, ry = rx): string =>
  `M${round(cx - rx)} ${round(cy)}a${round(rx)} ${round(ry)} 0 1 0 ${round(2 * rx)} 0a${round(rx)} ${round(ry)} 0 1 0 ${round(-2 * rx)} 0z`;

export const poly = (...points: number[]): string => {
  const corners: string[] = [];
  for (let i = 0; i + 1 < points.length; i += 2)
    corners.push(`${round(points[i] ?? 0)} ${round(points[i + 1] ?? 0)}`);
  return `M${corners.join('L')}z`;
};

// Marks ----------------------------------------------------------------------------------------

export const path = (d: string, fill: string, opacity = 1): string =>
  `<path d="${d}" fill="${fill}"${opacity < 1 ? ` fill-opacity="${opacity}"` : ''}/>`;

export const line = (d: string, stroke: string, width: number, opacity = 1): string =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"${
    opacity < 1 ? ` stroke-opacity="${opacity}"` : ''
  }/>`;

export const rect = (
  x: number,
  y: number,
  w: number,
  h: number,
  fill: string,
  radius = 0,
): string => path(rr(x, y, w, h, radius), fill);
export const disc = (cx: number, cy: number, r: number, fill: string): string =>
  `<circle cx="${round(cx)}" cy="${round(cy)}" r="${round(r)}" fill="${fill}"/>`;
export const ellipse = (cx: number, cy: number, rx: number, ry: number, fill: string): string =>
  `<ellipse cx="${round(cx)}" cy="${round(cy)}" rx="${round(rx)}" ry="${round(ry)}" fill="${fill}"/>`;
export const ring = (cx: number, cy: number, r: number, stroke: string, width: number): string =>
  `<circle cx="${round(cx)}" cy="${round(cy)}" r="${round(r)}" fill="none" stroke="${stroke}" stroke-width="${width}"/>`;

/** A plane in shade, a plane in light, a gleam. */
export const dark = (d: string, opacity = 0.16): string => path(d, hue.night, opacity);
export const light = (d: string, opacity = 0.24): string => path(d, '#fff6e0', opacity);
export const gleam = (d: string, width: number, opacity = 0.5): string =>
  line(d, '#fffaf0', width, opacity);

export const group = (transform: string, ...parts: string[]): string =>
  `<g transform="${transform}">${parts.join('')}</g>`;
export const times = (count: number, part: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => part(i)).join('');

let serial = 0;

/** Parts that show only inside an outline. */
export const inside = (d: string, ...parts: string[]): string => {
  serial += 1;
  return `<clipPath id="c${serial}"><path d="${d}"/></clipPath><g clip-path="url(#c${serial})">${parts.join('')}</g>`;
};

/** A filled outline with its planes of shade. */
export const form = (d: string, fill: string, ...parts: string[]): string =>
  path(d, fill) + (parts.length > 0 ? inside(d, ...parts) : '');

/** An upright cylinder: body, shaded right side, light left side, rim. */
export const can = (
  cx: number,
  top: number,
  bottom: number,
  rx: number,
  ry: number,
  fill: string,
  rim: string,
  ...parts: string[]
): string => {
  const body = `M${cx - rx} ${top}V${bottom}A${rx} ${ry} 0 0 0 ${cx + rx} ${bottom}V${top}z`;
  return (
    form(
      body,
      fill,
      ...parts,
      dark(rr(cx + rx * 0.45, top - ry, rx, bottom - top + 3 * ry)),
      dark(rr(cx + rx * 0.78, top - ry, rx, bottom - top + 3 * ry)),
      light(rr(cx - rx * 0.8, top - ry, rx * 0.24, bottom - top + 3 * ry), 0.3),
    ) + ellipse(cx, top, rx, ry, rim)
  );
};

/** A ball: a crescent of shade below right, a gleam above left. */
export const ball = (cx: number, cy: number, r: number, fill: string, ...parts: string[]): string =>
  form(
    oval(cx, cy, r),
    fill,
    ...parts,
    `<path fill-rule="evenodd" d="${rr(cx - r, cy - r, 2 * r, 2 * r)}${oval(cx - r * 0.22, cy - r * 0.24, r * 1.02)}" fill="${hue.night}" fill-opacity=".16"/>`,
  ) +
  gleam(
    `M${round(cx - r * 0.62)} ${round(cy - r * 0.26)}Q${round(cx - r * 0.52)} ${round(cy - r * 0.56)} ${round(cx - r * 0.2)} ${round(cy - r * 0.66)}`,
    round(r * 0.13),
    0.45,
  );

/** Repeatable pseudo-random numbers from 0 to 1, for grains and weaves. */
export const chance = (seed: number): (() => number) => {
  let state = seed * 2654435761 + 1;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 374761393) >>> 0;
    return state / 4294967296;
  };
};

// Cloth ----------------------------------------------------------------------------------------

/** A zigzag from x to x + width, in steps. */
export const zigzag = (
  x: number,
  y: number,
  width: number,
  step: number,
  height: number,
): string => {
  const count = Math.ceil(width / step);
  const points = Array.from(
    { length: count + 1 },
    (_, i) => `${round(x + i * step)} ${round(y + (i % 2) * height)}`,
  );
  return `M${points.join('L')}`;
};

/** A row of lozenges. */
export const lozenges = (
  x: number,
  y: number,
  width: number,
  step: number,
  height: number,
): string =>
  times(Math.floor(width / step), (i) => {
    const cx = x + (i + 0.5) * step;
    return poly(cx, y - height / 2, cx + step / 2, y, cx, y + height / 2, cx - step / 2, y);
  });

/** A wax-print flower. */
const wax = (
  x: number,
  y: number,
  r: number,
  outer: string,
  middle: string,
  heart: string,
): string =>
  times(8, (i) =>
    group(`rotate(${i * 45} ${x} ${y})`, path(oval(x, y - r * 0.74, r * 0.2, r * 0.3), outer)),
  ) +
  disc(x, y, r * 0.52, outer) +
  disc(x, y, r * 0.36, middle) +
  disc(x, y, r * 0.16, heart);

/** A field of wax-print flowers. */
export const field = (
  x: number,
  y: number,
  columns: number,
  rows: number,
  step: number,
  outer: string,
  middle: string,
  heart: string,
): string =>
  times(rows, (r) =>
    times(columns, (c) =>
      wax(x + (c + (r % 2) / 2) * step, y + r * step * 0.86, step * 0.46, outer, middle, heart),
    ),
  );

// Views ----------------------------------------------------------------------------------------

const shadow = (floor: Drawing['floor']): string => {
  if (typeof floor === 'string')
    return [44, 30, 16, 4]
      .map(
        (spread) =>
          `<path d="${floor}" transform="translate(16 26)" class="s" stroke-width="${spread}"/>`,
      )
      .join('');
  const [cx, cy, rx] = floor;
  return (
    `<ellipse cx="${cx + 26}" cy="${cy + 4}" rx="${round(rx * 1.22)}" ry="${round(26 + rx * 0.13)}" fill="url(#s)"/>` +
    `<ellipse cx="${cx + 8}" cy="${cy}" rx="${round(rx * 1.04)}" ry="${round(13 + rx * 0.05)}" fill="url(#t)"/>`
  );
};

const deep: string[] = [ground.indigo, ground.denim, ground.leaf, ground.clay, ground.vermilion];

const defs = (colour: string) =>
  `<defs><radialGradient id="l" cx=".38" cy=".3" r=".8"><stop offset="0" stop-color="#fff3d6" stop-opacity="${deep.includes(colour) ? 0.24 : 0.5}"/>` +
  '<stop offset="1" stop-color="#fff3d6" stop-opacity="0"/></radialGradient>' +
  `<radialGradient id="s"><stop offset="0" stop-color="${hue.night}" stop-opacity=".5"/><stop offset=".55" stop-color="${hue.night}" stop-opacity=".24"/>` +
  `<stop offset="1" stop-color="${hue.night}" stop-opacity="0"/></radialGradient>` +
  `<radialGradient id="t"><stop offset="0" stop-color="${hue.night}" stop-opacity=".42"/><stop offset=".7" stop-color="${hue.night}" stop-opacity=".3"/>` +
  `<stop offset="1" stop-color="${hue.night}" stop-opacity="0"/></radialGradient></defs>` +
  `<style>.s{fill:${hue.night};fill-opacity:.085;stroke:${hue.night};stroke-opacity:.085;stroke-linejoin:round}</style>`;

const placed = (drawing: Drawing, other: boolean, transform: string): string =>
  group(transform, shadow(drawing.floor), drawing.draw(other));

const views: ((drawing: Drawing) => string)[] = [
  (drawing) => placed(drawing, false, ''),
  (drawing) => {
    const [x, y, zoom] = drawing.focus;
    return placed(
      drawing,
      false,
      `translate(600 600) rotate(${typeof drawing.floor === 'string' ? 24 : -7}) scale(${zoom}) translate(${-x} ${-y})`,
    );
  },
  (drawing) =>
    drawing.pair
      ? placed(drawing, true, 'translate(456 120) scale(.66)') +
        placed(drawing, false, 'translate(-72 256) scale(.77)')
      : placed(drawing, false, 'translate(1176 26) scale(-.96 .96)'),
];

export const picture =
  (drawing: Drawing) =>
  (variant: number): string => {
    serial = 0;
    const view = ((Math.trunc(variant) % 3) + 3) % 3;
    const colour = drawing.grounds[view] ?? drawing.grounds[0];
    const body = views[view]?.(drawing) ?? '';
    return (
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 1200" width="1200" height="1200">${defs(colour)}` +
      `<path d="M0 0h1200v1200H0z" fill="${colour}"/><path d="M0 0h1200v1200H0z" fill="url(#l)"/>${body}</svg>`
    );
  };
