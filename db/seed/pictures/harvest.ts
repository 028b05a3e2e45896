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
  light,
  line,
  oval,
  path,
  poly,
  rr,
  times,
} from './kit.ts';

/** A shallow woven basket; its content is drawn between its two halves. */
const basket = (content: string, band: string): string => {
  const body = 'M190 640Q220 960 400 1010H800Q980 960 1010 640Q600 760 190 640z';
  return (
    path(oval(600, 640, 412, 120), hue.wood) +
    path(oval(600, 646, 380, 98), hue.bark) +
    content +
    form(
      body,
      hue.raffia,
      times(9, (i) =>
        line(`M180 ${680 + i * 40}Q600 ${796 + i * 36} 1020 ${680 + i * 40}`, hue.straw, 9),
      ),
      times(25, (i) =>
        line(`M${190 + i * 34} 640Q${230 + i * 31} 880 ${400 + i * 17} 1020`, hue.wood, 6, 0.4),
      ),
      path('M196 740Q600 876 1004 740L990 810Q600 946 210 810z', band),
      dark('M820 640Q860 860 760 1020H1020V600z', 0.2),
      light('M190 640Q220 960 400 1010L440 1010Q300 900 280 660z', 0.2),
    ) +
    line('M190 640Q600 770 1010 640', hue.wood, 40) +
    line('M192 634Q600 762 1008 634', hue.straw, 20) +
    times(22, (i) => {
      const x = 210 + i * 37;
      const y = 640 + (1 - ((x - 600) / 410) ** 2) * 64;
      return line(`M${x - 8} ${Math.round(y - 14)}L${x + 8} ${Math.round(y + 14)}`, hue.wood, 6);
    })
  );
};

export const cocoa: Drawing = {
  grounds: [ground.sage, ground.sand, ground.sky],
  floor: [600, 960, 450],
  focus: [480, 640, 1.6],
  draw: () => {
    const pod = (fill: string, edge: string): string => {
      const d =
        'M-300 0Q-260 -130 -60 -140Q200 -140 300 10Q330 40 290 40Q180 150 -60 140Q-260 130 -300 0z';
      return (
        form(
          d,
          fill,
          dark('M-300 40Q0 160 320 20V180H-300z', 0.2),
          light('M-280 -20Q-220 -120 -40 -126Q160 -120 240 -40Q0 -100 -260 0z', 0.3),
          ...[-90, -46, 0, 46, 90].map((y) => line(`M-300 0Q-60 ${y * 1.6} 300 20`, edge, 9, 0.55)),
        ) + line('M-296 0L-350 -10', hue.wood, 26)
      );
    };
    return (
      path('M520 300Q640 120 880 160Q860 320 640 380Q560 380 520 300z', hue.leaf) +
      line('M530 310Q680 240 850 176', hue.lime, 7) +
      path('M520 320Q380 170 200 240Q250 380 420 400Q500 390 520 320z', hue.forest) +
      line('M510 320Q380 270 230 256', hue.leaf, 7) +
      group('translate(660 450) rotate(-16)', pod(hue.ochre, hue.rust)) +
      group('translate(390 690) rotate(12)', pod(hue.vermilion, hue.wine)) +
      group(
        'translate(760 780) rotate(-8)',
        path(
          'M-300 0Q-260 -130 -60 -140Q200 -140 300 10Q330 40 290 40Q180 150 -60 140Q-260 130 -300 0z',
          hue.rust,
        ),
        form(
          'M-278 0Q-240 -108 -60 -116Q180 -116 276 12Q160 124 -60 116Q-240 108 -278 0z',
          '#f1d9a8',
          path('M-240 0Q-200 -80 -50 -86Q150 -86 236 12Q130 94 -50 86Q-200 80 -240 0z', '#dcb27a'),
        ),
        times(12, (i) => {
          const x = -190 + (i % 6) * 72;
          const y = i < 6 ? -34 : 34;
          return group(
            `rotate(${i < 6 ? -14 : 14} ${x} ${y})`,
            path(oval(x, y + 4, 40, 28), '#a97a4b'),
            path(oval(x, y, 38, 26), hue.white),
            path(oval(x - 8, y - 8, 18, 9), '#ffffff', 0.9),
          );
        }),
      ) +
      [
        [200, 930],
        [290, 960],
        [390, 940],
      ]
        .map(([x = 0, y = 0], i) =>
          group(
            `rotate(${i * 40 - 20} ${x} ${y})`,
            path(oval(x, y, 44, 28), hue.cocoa),
            gleam(`M${x - 24} ${y - 8}q20 -14 40 -4`, 6, 0.35),
          ),
        )
        .join('')
    );
  },
};

export const peppers: Drawing = {
  grounds: [ground.sky, ground.leaf, ground.sand],
  floor: [600, 1000, 400],
  focus: [600, 620, 1.6],
  draw: () => {
    const next = chance(4);
    const tones: string[] = [hue.vermilion, hue.sun, hue.vermilion, hue.lime, hue.brick, hue.ochre];
    const pepper = (x: number, y: number, turn: number, fill: string): string =>
      group(
        `translate(${x} ${y}) rotate(${turn}) scale(1.12)`,
        form(
          'M0 -66Q44 -90 72 -50Q96 0 60 50Q40 84 4 92Q-40 84 -60 50Q-96 0 -72 -50Q-44 -90 0 -66z',
          fill,
          dark('M30 -90Q60 0 10 100H110V-90z', 0.2),
          dark('M-10 -70Q-30 10 0 90L12 88Q-12 10 4 -68z', 0.14),
        ),
        gleam('M-50 -30Q-58 0 -44 30', 13, 0.55),
        path('M-34 -66Q0 -40 34 -66Q20 -92 0 -86Q-20 -92 -34 -66z', hue.leaf),
        line('M0 -84Q4 -120 26 -128', hue.forest, 15),
      );
    const spots: [number, number][] = [
      [330, 560],
      [480, 500],
      [620, 470],
      [760, 510],
      [880, 570],
      [410, 430],
      [560, 370],
      [700, 390],
      [810, 450],
      [270, 640],
      [440, 620],
      [590, 590],
      [740, 620],
      [930, 640],
    ];
    return basket(
      spots
        .map(([x, y], i) => [x, y, i] as const)
        .sort((a, b) => a[1] - b[1])
        .map(([x, y, i]) => pepper(x, y, next() * 80 - 40, tones[i % 6] ?? ''))
        .join(''),
      hue.brick,
    );
  },
};

export const smokedFish: Drawing = {
  grounds: [ground.lagoon, ground.ochre, ground.rose],
  floor: oval(600, 640, 470, 330),
  focus: [460, 600, 1.6],
  draw: () => {
    const fish = (): string => {
      const d =
        'M-370 10Q-300 -120 -60 -120Q160 -110 290 -20L400 -100Q420 -90 410 -60L380 10L420 84Q416 110 390 100L290 40Q160 120 -60 124Q-290 120 -370 10z';
      return (
        group('translate(10 18)', path(d, hue.night, 0.3)) +
        path('M-120 -116Q-20 -190 120 -104zM-60 120Q0 180 80 110z', hue.bark) +
        form(
          d,
          hue.rust,
          path('M-370 10Q-200 90 60 80Q240 60 300 10V140H-370z', hue.ochre, 0.75),
          path(
            'M-370 10Q-300 -120 -60 -120Q160 -110 300 0Q60 -60 -200 -50Q-320 -40 -370 10z',
            hue.bark,
            0.7,
          ),
          times(5, (r) =>
            times(11, (i) =>
              line(`M${-190 + i * 40 + (r % 2) * 20} ${-70 + r * 32}q20 16 0 32`, hue.bark, 5, 0.5),
            ),
          ),
          path('M-370 10Q-300 -120 -210 -112Q-180 0 -220 108Q-330 80 -370 10z', hue.cocoa, 0.85),
        ) +
        line('M-210 -112Q-180 0 -220 108', hue.bark, 9) +
        disc(-286, -20, 25, hue.sun) +
        disc(-286, -20, 14, hue.night) +
        line('M-364 16Q-330 34 -300 30', hue.bark, 8) +
        line('M310 -10L388 -70M310 20L388 70M316 6H370', hue.bark, 7) +
        gleam('M-160 -74Q0 -96 160 -50', 11, 0.3)
      );
    };
    return (
      path(oval(600, 650, 480, 340), hue.wood) +
      path(oval(600, 636, 480, 340), hue.raffia) +
      [430, 370, 310, 250]
        .map(
          (r) =>
            `<ellipse cx="600" cy="636" rx="${r}" ry="${Math.round(r * 0.7)}" fill="none" stroke="${hue.straw}" stroke-width="9"/>`,
        )
        .join('') +
      times(36, (i) =>
        group(
          `translate(600 636) scale(1 .71) rotate(${i * 10})`,
          line('M440 0H474', hue.rust, 12),
        ),
      ) +
      path('M220 700Q330 560 560 560Q720 480 960 540Q1000 660 900 760Q620 880 330 840z', hue.leaf) +
      line('M240 720Q560 640 950 570', hue.lime, 9) +
      group('translate(620 490) rotate(-12) scale(.92)', fish()) +
      group('translate(570 640) rotate(-4) scale(.96)', fish()) +
      group('translate(630 800) rotate(6) scale(.92)', fish()) +
      [
        [930, 800],
        [990, 740],
      ]
        .map(([x = 0, y = 0]) =>
          form(oval(x, y, 56, 52), hue.lime, light(oval(x - 16, y - 16, 24, 20), 0.5)),
        )
        .join('')
    );
  },
};

export const yams: Drawing = {
  grounds: [ground.leaf, ground.sky, ground.ochre],
  floor: [600, 1000, 450],
  focus: [480, 700, 1.6],
  draw: () => {
    const next = chance(9);
    const yam = (d: string): string =>
      form(
        d,
        '#8b5e3e',
        dark('M-400 40Q0 170 420 40V220H-400z', 0.26),
        light('M-380 -30Q-200 -120 100 -96Q260 -80 360 -30Q100 -60 -380 0z', 0.18),
        times(46, () => {
          const x = next() * 720 - 360;
          const y = next() * 220 - 110;
          return line(
            `M${Math.round(x)} ${Math.round(y)}l${Math.round(10 + next() * 22)} 2`,
            next() > 0.5 ? hue.bark : hue.oak,
            5,
            0.6,
          );
        }),
      ) +
      times(9, (i) =>
        line(
          `M${-300 + i * 74} ${i % 2 ? -112 : 112}q6 ${i % 2 ? -14 : 14} 16 ${i % 2 ? -22 : 22}`,
          hue.cocoa,
          5,
        ),
      );
    const long =
      'M-370 10Q-390 -80 -260 -104Q0 -140 230 -96Q380 -66 376 14Q370 90 220 110Q0 136 -240 116Q-366 96 -370 10z';
    return (
      group('translate(610 460) rotate(-8)', yam(long)) +
      group('translate(430 680) rotate(10)', yam(long)) +
      group('translate(800 700) rotate(-22) scale(.86)', yam(long)) +
      group(
        'translate(640 880) rotate(3)',
        yam(
          'M-370 10Q-390 -80 -260 -104Q0 -140 170 -106L200 10L170 116Q0 136 -240 116Q-366 96 -370 10z',
        ),
        path(oval(182, 4, 56, 114), '#8b5e3e'),
        path(oval(184, 4, 47, 102), '#f7ecd2'),
        path(oval(190, 4, 30, 76), '#fffaf0'),
      ) +
      group(
        'translate(1010 950) rotate(12)',
        path(oval(0, 8, 90, 50), '#8b5e3e'),
        path(oval(0, -4, 84, 44), '#f7ecd2'),
        path(oval(0, -6, 60, 28), '#fffaf0'),
      )
    );
  },
};

export const eggs: Drawing = {
  grounds: [ground.denim, ground.sage, ground.peach],
  floor: [600, 900, 500],
  focus: [500, 600, 1.6],
  draw: () => {
    const shells: string[] = ['#d8a273', '#c98d5e', '#e3b78c', '#d19a6a', '#f0d9b8'];
    const row = (r: number): string => {
      const y = 430 + r * 108;
      const scale = 0.78 + r * 0.072;
      const count = 6;
      const width = 150 * scale;
      const x0 = 600 - (width * count) / 2;
      return (
        times(count, (c) => {
          const x = x0 + (c + 0.5) * width;
          const s = scale;
          return (
            form(
              `M${Math.round(x)} ${Math.round(y - 110 * s)}C${Math.round(x + 52 * s)} ${Math.round(y - 110 * s)} ${Math.round(x + 68 * s)} ${Math.round(y - 30 * s)} ${Math.round(x + 66 * s)} ${Math.round(y + 10 * s)}Q${Math.round(x)} ${Math.round(y + 80 * s)} ${Math.round(x - 66 * s)} ${Math.round(y + 10 * s)}C${Math.round(x - 68 * s)} ${Math.round(y - 30 * s)} ${Math.round(x - 52 * s)} ${Math.round(y - 110 * s)} ${Math.round(x)} ${Math.round(y - 110 * s)}z`,
              shells[(c * 2 + r * 3) % 5] ?? '',
              dark(
                `M${Math.round(x + 20 * s)} ${Math.round(y - 110 * s)}Q${Math.round(x + 60 * s)} ${Math.round(y - 20 * s)} ${Math.round(x)} ${Math.round(y + 60 * s)}H${Math.round(x + 80 * s)}V${Math.round(y - 110 * s)}z`,
                0.13,
              ),
            ) +
            gleam(
              `M${Math.round(x - 40 * s)} ${Math.round(y - 30 * s)}Q${Math.round(x - 38 * s)} ${Math.round(y - 66 * s)} ${Math.round(x - 18 * s)} ${Math.round(y - 84 * s)}`,
              10 * s,
              0.55,
            )
          );
        }) +
        path(
          `M${Math.round(x0 - 10)} ${Math.round(y + 4)}${Array.from({ length: count }, (_, c) => `Q${Math.round(x0 + (c + 0.5) * width)} ${Math.round(y + 62 * scale)} ${Math.round(x0 + (c + 1) * width)} ${Math.round(y + 4)}`).join('')}L${Math.round(600 + width * 3 + 22)} ${y + 100}H${Math.round(x0 - 22)}z`,
          r % 2 ? '#9d9aa6' : '#aaa7b1',
        )
      );
    };
    return (
      path(poly(220, 400, 980, 400, 1090, 860, 110, 860), '#8c8996') +
      [0, 1, 2, 3].map(row).join('') +
      form(
        'M96 800H1104L1092 892Q1088 906 1070 906H130Q112 906 108 892z',
        '#b8b5be',
        dark(rr(90, 870, 1030, 40), 0.16),
        light(rr(90, 800, 1030, 12), 0.5),
        times(12, (i) => dark(rr(130 + i * 80, 824, 50, 56, 20), 0.08)),
      )
    );
  },
};
