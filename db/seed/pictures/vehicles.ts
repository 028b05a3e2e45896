import {
  type Drawing,
  dark,
  disc,
  form,
  ground,
  group,
  hue,
  light,
  line,
  oval,
  path,
  poly,
  rect,
  ring,
  rr,
  times,
} from './kit.ts';

const sprocket = (cx: number, cy: number, r: number, teeth: number, fill: string): string =>
  times(teeth, (i) =>
    group(
      `rotate(${(i * 360) / teeth} ${cx} ${cy})`,
      path(
        poly(
          cx - r * 0.07,
          cy - r * 0.9,
          cx - 5,
          cy - r,
          cx + 5,
          cy - r,
          cx + r * 0.07,
          cy - r * 0.9,
        ),
        fill,
      ),
    ),
  ) + disc(cx, cy, r * 0.92, fill);

export const chainKit: Drawing = {
  grounds: [ground.clay, ground.sky, ground.lagoon],
  floor: oval(460, 520, 300),
  focus: [540, 560, 1.55],
  draw: () => {
    const links: [number, number][] = Array.from({ length: 46 }, (_, i) => {
      const t = (i / 46) * Math.PI * 2;
      return [600 + 440 * Math.cos(t), 640 + 380 * Math.sin(t) + 40 * Math.cos(2 * t)];
    });
    return (
      group('translate(10 16)', ...links.map(([x, y]) => path(oval(x, y, 30), hue.night, 0.24))) +
      sprocket(464, 530, 290, 38, hue.slate) +
      group(
        'translate(-5 -7)',
        sprocket(464, 530, 290, 38, hue.steel),
        light('M200 530A264 264 0 0 1 464 266Q340 400 300 660z', 0.3),
        ring(464, 530, 232, hue.silver, 8),
      ) +
      times(6, (i) =>
        group(
          `rotate(${i * 60} 459 523)`,
          path(oval(459, 380, 52, 62), hue.slate),
          path(oval(463, 385, 46, 56), hue.char),
        ),
      ) +
      times(6, (i) => group(`rotate(${i * 60 + 30} 459 523)`, disc(459, 340, 14, hue.char))) +
      disc(459, 523, 72, hue.char) +
      ring(459, 523, 78, hue.silver, 12) +
      group('translate(8 14)', sprocket(820, 780, 130, 15, hue.night)) +
      sprocket(820, 780, 130, 15, hue.straw) +
      ring(820, 780, 84, hue.ochre, 12) +
      disc(820, 780, 46, hue.bark) +
      times(6, (i) => group(`rotate(${i * 60} 820 780)`, rect(812, 728, 16, 22, hue.straw))) +
      links
        .map(([x, y], i) => {
          const [nx = 0, ny = 0] = links[(i + 1) % links.length] ?? [];
          return (
            line(
              `M${Math.round(x)} ${Math.round(y)}L${Math.round(nx)} ${Math.round(ny)}`,
              i % 2 ? hue.ink : hue.char,
              i % 2 ? 42 : 34,
            ) +
            line(
              `M${Math.round(x)} ${Math.round(y - 6)}L${Math.round(nx)} ${Math.round(ny - 6)}`,
              hue.slate,
              7,
              0.7,
            )
          );
        })
        .join('') +
      links.map(([x, y]) => disc(x, y, 14, hue.sun) + disc(x - 3, y - 3, 5, hue.paper)).join('')
    );
  },
};

export const car: Drawing = {
  grounds: [ground.sky, ground.sand, ground.sage],
  floor: [600, 850, 540],
  focus: [420, 640, 1.55],
  draw: () => {
    const body =
      'M70 720Q60 600 130 580L260 550Q360 400 470 384H740Q830 390 930 540L1080 580Q1140 600 1134 700L1126 770Q1120 800 1090 800H110Q74 796 70 760z';
    return (
      form(
        body,
        hue.teal,
        light(
          'M70 720Q60 600 130 580L260 550H930L1080 580Q1130 596 1134 640Q900 590 600 590Q240 590 80 650z',
          0.2,
        ),
        dark(rr(60, 720, 1090, 100), 0.22),
        rect(60, 676, 1090, 12, hue.silver),
        dark('M900 540L1080 580Q1140 600 1134 800H1000Q1050 680 900 540z', 0.12),
      ) +
      path('M300 550Q390 424 480 414H590V550z', hue.night) +
      path('M620 414H730Q800 420 880 546L860 550H620z', hue.night) +
      light('M300 550Q390 424 480 414H520L400 550zM650 414H700L600 560H620z', 0.25) +
      light('M700 414L760 440L690 550H620z', 0.18) +
      line('M606 400V780', hue.night, 5, 0.4) +
      line('M290 570Q280 680 320 770M880 560Q900 640 860 720', hue.night, 5, 0.35) +
      [520, 800].map((x) => path(rr(x - 40, 610, 76, 18, 9), hue.silver)).join('') +
      path('M68 640Q120 630 140 650Q140 690 110 700H70z', hue.vermilion) +
      path('M1132 620Q1080 610 1050 640Q1060 680 1130 672z', '#fff1c0') +
      path('M880 540Q860 500 900 496Q926 510 916 546z', hue.forest) +
      path(rr(1060, 740, 80, 34, 12), hue.char) +
      path(rr(60, 740, 80, 34, 12), hue.char) +
      [300, 900]
        .map(
          (x) =>
            path(`M${x - 136} 804A136 136 0 0 1 ${x + 136} 804z`, hue.night) +
            disc(x, 780, 112, hue.ink) +
            disc(x, 780, 72, hue.silver) +
            disc(x, 780, 60, hue.steel) +
            times(5, (i) =>
              group(
                `rotate(${i * 72} ${x} 780)`,
                path(poly(x - 14, 780, x - 20, 720, x + 20, 720, x + 14, 780), hue.silver),
              ),
            ) +
            disc(x, 780, 18, hue.char),
        )
        .join('') +
      path(rr(440, 340, 330, 14, 7), hue.char) +
      line('M480 354V384M730 354V384', hue.char, 12) +
      form(
        rr(480, 270, 250, 72, 16),
        hue.rust,
        rect(480, 290, 250, 10, hue.sun),
        rect(560, 270, 14, 72, hue.sun),
        light(rr(480, 270, 250, 14), 0.3),
      )
    );
  },
};
