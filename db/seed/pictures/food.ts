import {
  chance,
  type Drawing,
  dark,
  disc,
  form,
  gleam,
  ground,
  group,
  hue,
  inside,
  light,
  line,
  oval,
  path,
  poly,
  rect,
  rr,
  times,
  zigzag,
} from './kit.ts';

/** An open jute sack, rolled at the rim, with a heap in it. */
const sack = (cloth: string, weave: string, bands: string, heap: string): string => {
  const body =
    'M300 470Q250 560 240 760Q224 960 300 1040Q600 1090 900 1040Q976 960 960 760Q950 560 900 470z';
  return (
    form(
      body,
      cloth,
      times(30, (i) =>
        line(`M220 ${470 + i * 20}Q600 ${520 + i * 20} 980 ${470 + i * 20}`, weave, 3, 0.55),
      ),
      times(34, (i) =>
        line(`M${230 + i * 22} 440Q${214 + i * 23} 760 ${250 + i * 21} 1080`, weave, 3, 0.45),
      ),
      bands,
      dark('M800 460Q880 760 800 1080H1000V460z', 0.16),
      dark('M620 480Q560 760 640 1080H690Q620 760 680 480z', 0.08),
      light('M300 470Q250 560 240 760Q224 960 300 1040L370 1056Q300 760 390 470z', 0.22),
    ) +
    path('M260 450Q250 350 600 340Q950 350 940 450Q930 560 600 566Q270 560 260 450z', cloth) +
    path('M300 440Q310 374 600 368Q890 374 900 440Q890 510 600 516Q310 510 300 440z', hue.bark) +
    heap +
    form(
      'M250 440Q250 500 330 530Q600 590 870 530Q950 500 950 440Q972 520 944 560Q900 620 600 626Q300 620 256 560Q228 520 250 440z',
      cloth,
      light(
        'M250 440Q250 500 330 530Q600 590 870 530L872 546Q600 606 328 546Q256 520 250 440z',
        0.4,
      ),
      dark('M800 540Q950 500 950 440V640H780z', 0.14),
    )
  );
};

/** A heap of grains under a dome. */
const grains = (
  seed: number,
  count: number,
  part: (x: number, y: number, turn: number, i: number) => string,
): string => {
  const next = chance(seed);
  const list = Array.from({ length: count }, () => {
    const a = next() * Math.PI * 2;
    const d = Math.sqrt(next());
    const x = 600 + Math.cos(a) * d * 284;
    const lift = (1 - d * d) * 150;
    return { x, y: 452 + Math.sin(a) * d * 84 - lift, turn: next() * 180 };
  });
  return list
    .sort((a, b) => a.y - b.y)
    .map(({ x, y, turn }, i) => part(Math.round(x), Math.round(y), Math.round(turn), i))
    .join('');
};

const scoop = (): string =>
  group(
    'rotate(-28 800 350)',
    line('M840 350H1040', hue.wood, 36),
    gleam('M850 342H1030', 8, 0.4),
    form(
      'M660 300H800Q860 310 860 350Q860 390 800 400H660Q620 350 660 300z',
      hue.oak,
      light('M660 300H800Q860 310 860 350L640 350Q640 320 660 300z', 0.3),
    ),
  );

export const beans: Drawing = {
  grounds: [ground.lagoon, ground.peach, ground.leaf],
  floor: [600, 1040, 380],
  focus: [600, 520, 1.6],
  draw: () =>
    sack(
      hue.raffia,
      hue.wood,
      rect(200, 740, 800, 34, hue.vermilion) + rect(200, 790, 800, 12, hue.vermilion),
      path(oval(600, 400, 290, 96), hue.wine) +
        grains(7, 210, (x, y, turn, i) =>
          group(
            `rotate(${turn} ${x} ${y})`,
            path(oval(x, y, 30, 18), [hue.brick, hue.wine, '#963038', hue.rust][i % 4] ?? ''),
            path(oval(x, y - 9, 7, 4), hue.paper, 0.8),
            line(`M${x - 20} ${y + 4}Q${x} ${y + 14} ${x + 20} ${y + 4}`, hue.night, 4, 0.25),
          ),
        ),
    ),
};

export const rice: Drawing = {
  grounds: [ground.vermilion, ground.sky, ground.sage],
  floor: [600, 1040, 380],
  focus: [600, 480, 1.6],
  draw: () =>
    sack(
      hue.white,
      hue.raffia,
      path('M210 700Q600 760 990 700V880Q600 950 210 880z', hue.leaf) +
        line('M210 684Q600 744 990 684M210 898Q600 966 990 898', hue.leaf, 9) +
        [0, 1, 2]
          .map((i) =>
            group(
              `translate(${440 + i * 160} ${818 + (i === 1 ? 8 : 0)})`,
              line('M0 70Q-10 0 10 -70', hue.sun, 9),
              times(
                4,
                (k) =>
                  group(
                    `translate(0 ${40 - k * 32}) rotate(-36)`,
                    path(oval(-8, -26, 11, 24), hue.sun),
                  ) +
                  group(
                    `translate(0 ${40 - k * 32}) rotate(36)`,
                    path(oval(10, -26, 11, 24), hue.sun),
                  ),
              ),
            ),
          )
          .join(''),
      path(oval(600, 400, 290, 96), hue.cream) +
        path(
          'M312 430Q420 270 600 268Q780 270 888 430Q760 510 600 510Q440 510 312 430z',
          '#efe2c4',
        ) +
        grains(3, 420, (x, y, turn, i) =>
          group(
            `rotate(${turn} ${x} ${y})`,
            path(oval(x, y, 17, 6), ['#fffdf6', '#f6ecd6', '#e3d2ab'][i % 3] ?? ''),
          ),
        ),
    ) + scoop(),
};

export const palmOil: Drawing = {
  grounds: [ground.sage, ground.sand, ground.sky],
  floor: [600, 1060, 370],
  focus: [560, 620, 1.6],
  draw: () => {
    const bottle =
      'M500 300Q500 370 440 430Q390 480 390 560V1000Q392 1060 450 1062H750Q808 1060 810 1000V560Q810 480 760 430Q700 370 700 300z';
    return (
      form(
        rr(510, 160, 180, 110, 18),
        hue.leaf,
        light(rr(526, 160, 44, 110), 0.3),
        dark(rr(640, 160, 60, 110), 0.2),
        times(8, (i) => line(`M${528 + i * 21} 176v76`, hue.forest, 5)),
      ) +
      rect(520, 266, 160, 40, hue.paper, 8) +
      path(bottle, '#f6e3bf', 0.8) +
      inside(
        bottle,
        path('M380 480Q600 450 820 480V1070H380z', hue.vermilion),
        path('M380 760Q600 800 820 760V1070H380z', '#c93a20'),
        path('M380 480Q600 450 820 480V506Q600 480 380 506z', hue.ochre),
        dark('M730 300Q760 600 720 1070H830V300z', 0.16),
        light('M400 520Q430 460 470 440V1062H400z', 0.3),
      ) +
      line(bottle, '#fff6e0', 6, 0.7) +
      form(
        rr(390, 660, 420, 250, 4),
        hue.paper,
        rect(390, 660, 420, 20, hue.forest),
        rect(390, 890, 420, 20, hue.forest),
        ...[
          [560, 800],
          [640, 800],
          [600, 750],
          [600, 826],
          [530, 840],
          [670, 840],
        ].map(
          ([x = 0, y = 0]) =>
            path(oval(x, y, 34, 42), hue.brick) +
            path(`M${x - 14} ${y - 38}L${x} ${y - 16}L${x + 14} ${y - 38}z`, hue.bark),
        ),
        path(
          'M600 740Q560 690 500 700Q540 740 600 740zM600 740Q640 690 700 700Q660 740 600 740z',
          hue.leaf,
        ),
        dark(rr(730, 660, 90, 250), 0.12),
      ) +
      gleam('M432 580V640M432 930V1000', 16, 0.7) +
      [
        [230, 1000, -16],
        [330, 1030, 12],
        [900, 1010, 20],
        [980, 1030, -10],
      ]
        .map(([x = 0, y = 0, turn = 0]) =>
          group(
            `rotate(${turn} ${x} ${y})`,
            form(
              `M${x} ${y - 80}Q${x + 60} ${y - 50} ${x + 54} ${y + 20}Q${x + 40} ${y + 56} ${x} ${y + 56}Q${x - 40} ${y + 56} ${x - 54} ${y + 20}Q${x - 60} ${y - 50} ${x} ${y - 80}z`,
              hue.vermilion,
              path(
                `M${x - 50} ${y + 10}Q${x} ${y + 50} ${x + 50} ${y + 10}V${y + 60}H${x - 50}z`,
                hue.sun,
                0.8,
              ),
              path(
                `M${x} ${y - 84}Q${x + 50} ${y - 60} ${x + 56} ${y - 10}Q${x} ${y - 50} ${x - 56} ${y - 10}Q${x - 50} ${y - 60} ${x} ${y - 84}z`,
                hue.bark,
              ),
            ),
            gleam(`M${x - 34} ${y - 6}v30`, 8, 0.5),
          ),
        )
        .join('')
    );
  },
};

export const coffee: Drawing = {
  grounds: [ground.peach, ground.leaf, ground.ochre],
  floor: [600, 1050, 370],
  focus: [560, 620, 1.6],
  draw: () => {
    const next = chance(11);
    const bean = (x: number, y: number, r: number, turn: number): string =>
      group(
        `rotate(${turn} ${x} ${y})`,
        path(oval(x + 3, y + 6, r, r * 0.7), hue.night, 0.3),
        path(oval(x, y, r, r * 0.7), hue.cocoa),
        line(
          `M${x - r * 0.8} ${y}Q${x - r * 0.2} ${y - r * 0.24} ${x} ${y}T${x + r * 0.8} ${y}`,
          hue.bark,
          r * 0.16,
        ),
        gleam(
          `M${x - r * 0.5} ${y - r * 0.36}Q${x} ${y - r * 0.6} ${x + r * 0.3} ${y - r * 0.44}`,
          r * 0.11,
          0.3,
        ),
      );
    return (
      path(poly(780, 220, 880, 300, 880, 1000, 790, 1056), hue.wood) +
      form(
        'M340 250H790L800 1040Q800 1056 780 1056H350Q330 1056 330 1040z',
        hue.oak,
        dark(rr(720, 240, 100, 830), 0.14),
        light(poly(340, 250, 410, 250, 400, 1060, 330, 1060), 0.22),
        dark(poly(330, 960, 800, 990, 800, 1060, 330, 1060), 0.12),
      ) +
      form(
        'M344 140H786L790 270H340z',
        hue.wood,
        light('M344 140H786V160H344z', 0.3),
        line('M340 230H800', hue.cocoa, 6),
      ) +
      path(rr(430, 176, 270, 30, 12), hue.sun) +
      form(
        rr(390, 420, 350, 440, 20),
        hue.paper,
        rect(390, 420, 350, 70, hue.leaf),
        line(zigzag(390, 440, 360, 36, 28), hue.sun, 8),
        rect(390, 790, 350, 70, hue.leaf),
        line(zigzag(390, 810, 360, 36, 28), hue.sun, 8),
        path(poly(410, 760, 520, 590, 570, 650, 620, 580, 720, 760), hue.indigo),
        disc(640, 560, 40, hue.vermilion),
      ) +
      disc(565, 320, 44, hue.cocoa) +
      line('M540 346Q566 320 566 320T590 294', hue.oak, 8) +
      Array.from({ length: 26 }, (_, i) =>
        bean(180 + next() * 360 + (i > 16 ? 380 : 0), 1010 + next() * 90, 32, next() * 180),
      ).join('')
    );
  },
};
