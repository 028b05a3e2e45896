import {
  type Drawing,
  dark,
  disc,
  ellipse,
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
  ring,
  rr,
  times,
} from './kit.ts';

/** A screen's picture: the mountain at dusk. */
const dusk = (x: number, y: number, w: number, h: number): string =>
  path(rr(x, y, w, h), hue.denim) +
  path(rr(x, y + h * 0.3, w, h * 0.7), hue.coral) +
  path(rr(x, y + h * 0.52, w, h * 0.5), hue.sun) +
  disc(x + w * 0.66, y + h * 0.46, Math.min(w, h) * 0.16, '#fff1c9') +
  path(
    poly(
      x,
      y + h * 0.74,
      x + w * 0.16,
      y + h * 0.6,
      x + w * 0.42,
      y + h * 0.3,
      x + w * 0.62,
      y + h * 0.58,
      x + w,
      y + h * 0.78,
      x + w,
      y + h,
      x,
      y + h,
    ),
    hue.indigo,
  ) +
  path(
    poly(
      x + w * 0.42,
      y + h * 0.3,
      x + w * 0.62,
      y + h * 0.58,
      x + w * 0.5,
      y + h * 0.86,
      x + w * 0.46,
      y + h * 0.6,
    ),
    hue.night,
    0.4,
  ) +
  path(
    `M${x} ${y + h * 0.82}Q${x + w * 0.3} ${y + h * 0.68} ${x + w * 0.6} ${y + h * 0.84}T${x + w} ${y + h * 0.8}V${y + h}H${x}z`,
    hue.forest,
  );

export const smartphone: Drawing = {
  grounds: [ground.peach, ground.sky, ground.sand],
  floor: [620, 1000, 330],
  focus: [560, 460, 1.55],
  draw: () => {
    const shell = hue.teal;
    return (
      group(
        'rotate(10 760 600)',
        form(
          rr(560, 200, 390, 780, 64),
          shell,
          dark(poly(760, 200, 960, 200, 960, 990, 560, 990), 0.1),
          light(poly(560, 700, 950, 300, 950, 420, 560, 820), 0.14),
        ),
        line(rr(566, 206, 378, 768, 58), '#fff', 5, 0.25),
        form(rr(746, 236, 172, 204, 46), hue.ink, light(rr(746, 236, 172, 60), 0.08)),
        ...[
          [796, 290],
          [796, 384],
          [870, 290],
        ].map(
          ([x = 0, y = 0]) =>
            disc(x, y, 34, '#0f1024') +
            disc(x, y, 20, hue.indigo) +
            disc(x - 8, y - 9, 7, hue.haze),
        ),
        disc(870, 384, 15, hue.sun),
      ) +
      group(
        'rotate(-7 440 620)',
        path(rr(252, 190, 404, 806, 66), hue.slate),
        path(rr(246, 186, 400, 806, 66), hue.ink),
        inside(
          rr(264, 204, 364, 770, 50),
          dusk(264, 204, 364, 770),
          light(poly(264, 204, 500, 204, 264, 620), 0.12),
        ),
        disc(446, 242, 15, hue.ink),
        ...[0, 1, 2, 3].map((i) =>
          path(
            rr(298 + i * 78, 868, 62, 62, 18),
            ['#fffaf0', hue.sun, hue.vermilion, hue.lagoon][i] ?? '',
            0.92,
          ),
        ),
        path(rr(386, 948, 120, 9, 5), '#fffaf0', 0.8),
        rect(646, 380, 8, 110, hue.char, 4),
      )
    );
  },
};

export const laptop: Drawing = {
  grounds: [ground.sage, ground.sand, ground.clay],
  floor: [600, 930, 480],
  focus: [470, 760, 1.6],
  draw: () =>
    path(rr(214, 226, 772, 520, 34), hue.slate) +
    path(rr(220, 232, 760, 510, 30), hue.ink) +
    inside(
      rr(246, 260, 708, 452, 8),
      dusk(246, 260, 708, 452),
      light(poly(246, 260, 640, 260, 400, 712, 246, 712), 0.1),
    ) +
    disc(600, 246, 6, hue.slate) +
    path(poly(222, 738, 978, 738, 1080, 910, 120, 910), hue.silver) +
    dark(poly(700, 738, 978, 738, 1080, 910, 760, 910), 0.08) +
    path(poly(262, 752, 938, 752, 986, 838, 214, 838), hue.char) +
    times(4, (row) =>
      times(13, (i) => {
        const y = 757 + row * 20;
        const spread = 660 + row * 24;
        const x = 600 - spread / 2 + (i * spread) / 13 + 3;
        return rect(
          Math.round(x),
          y,
          Math.round(spread / 13 - 6),
          15,
          i === 12 && row === 1 ? hue.vermilion : hue.ink,
          4,
        );
      }),
    ) +
    path(poly(490, 850, 710, 850, 724, 898, 476, 898), hue.steel) +
    path('M120 910H1080L1070 932Q1066 940 1050 940H150Q134 940 130 932z', hue.steel) +
    path('M520 910h160l-10 12h-140z', hue.slate) +
    gleam('M240 744L150 900', 6, 0.7),
};

export const television: Drawing = {
  grounds: [ground.ochre, ground.lagoon, ground.rose],
  floor: [600, 920, 420],
  focus: [780, 600, 1.6],
  draw: () =>
    path(poly(330, 830, 372, 830, 320, 926, 262, 926), hue.char) +
    path(poly(828, 830, 870, 830, 938, 926, 880, 926), hue.ink) +
    path(rr(110, 262, 980, 586, 26), hue.slate) +
    path(rr(104, 256, 980, 586, 26), hue.ink) +
    inside(
      rr(124, 276, 940, 530, 6),
      rect(124, 276, 940, 530, hue.leaf),
      rect(124, 276, 940, 120, hue.denim),
      times(40, (i) =>
        disc(
          136 + i * 24,
          300 + (i % 3) * 30,
          13,
          [hue.sun, hue.paper, hue.coral, hue.haze][i % 4] ?? '',
        ),
      ),
      rect(124, 384, 940, 26, hue.paper),
      times(6, (i) =>
        path(
          poly(
            124 + i * 180 - 90,
            410,
            214 + i * 180 - 90,
            410,
            220 + i * 260 - 420,
            820,
            90 + i * 260 - 420,
            820,
          ),
          hue.lime,
          0.4,
        ),
      ),
      line('M124 560H1064', hue.paper, 8, 0.8),
      line('M404 640a200 80 0 1 0 400 0a200 80 0 1 0 -400 0', hue.paper, 8, 0.8),
      ellipse(690, 726, 70, 12, hue.forest),
      disc(676, 664, 62, hue.paper),
      path(poly(676, 634, 704, 655, 693, 688, 659, 688, 648, 655), hue.ink),
      ...[
        [676, 604],
        [732, 646],
        [711, 714],
        [641, 714],
        [620, 646],
      ].map(([x = 0, y = 0]) => disc(x, y, 9, hue.ink)),
      light(poly(124, 276, 520, 276, 300, 806, 124, 806), 0.12),
    ) +
    rect(560, 818, 80, 8, hue.slate, 4) +
    disc(1040, 824, 6, hue.vermilion),
};

export const radio: Drawing = {
  grounds: [ground.clay, ground.sage, ground.sky],
  floor: [610, 940, 420],
  focus: [420, 660, 1.7],
  pair: true,
  draw: (other) =>
    line('M860 380L1010 130', hue.silver, 14) +
    line('M860 380L930 264', hue.steel, 20) +
    disc(1012, 126, 15, hue.silver) +
    line('M330 400V330Q330 280 380 280H780Q830 280 830 330V400', hue.char, 34) +
    gleam('M350 330Q352 300 384 296H760', 8, 0.35) +
    path(rr(186, 392, 848, 548, 60), hue.night) +
    form(
      rr(176, 380, 848, 548, 60),
      other ? hue.teal : hue.vermilion,
      dark(rr(900, 380, 130, 560), 0.14),
      light(rr(176, 380, 848, 44), 0.25),
      dark(rr(176, 880, 848, 60), 0.18),
    ) +
    path(rr(224, 452, 752, 424, 36), hue.paper) +
    disc(424, 664, 184, hue.char) +
    disc(424, 664, 166, hue.ink) +
    times(7, (r) =>
      times(7, (c) =>
        Math.hypot(c - 3, r - 3) < 3.5
          ? disc(424 + (c - 3) * 44, 664 + (r - 3) * 44, 12, hue.raffia)
          : '',
      ),
    ) +
    ring(424, 664, 184, hue.straw, 10) +
    path(rr(640, 500, 296, 132, 18), hue.ink) +
    path(rr(656, 516, 264, 100, 8), hue.sun) +
    times(13, (i) => line(`M${674 + i * 19} 530v${i % 3 === 0 ? 34 : 20}`, hue.cocoa, 5)) +
    line('M668 592H908', hue.cocoa, 4) +
    line('M812 524V608', hue.vermilion, 9) +
    [716, 862]
      .map(
        (x) =>
          disc(x + 6, 756, 66, hue.straw) +
          disc(x, 748, 64, hue.char) +
          disc(x, 748, 44, hue.slate) +
          line(`M${x} 748L${x + 22} 712`, hue.paper, 10),
      )
      .join(''),
};

export const solarLamp: Drawing = {
  grounds: [ground.indigo, ground.denim, ground.clay],
  floor: [600, 1010, 260],
  focus: [600, 560, 1.6],
  draw: () =>
    [320, 270, 220]
      .map((r) => `<circle cx="600" cy="640" r="${r + 90}" fill="#ffd977" fill-opacity=".11"/>`)
      .join('') +
    line('M420 430C330 90 870 90 780 430', hue.silver, 22) +
    gleam('M432 380C410 200 520 170 570 168', 6, 0.6) +
    form(
      'M410 440Q420 340 600 340Q780 340 790 440L810 476H390z',
      hue.ochre,
      dark('M680 300H860V500H700z', 0.18),
      light(poly(400, 340, 500, 340, 460, 500, 380, 500), 0.25),
    ) +
    path(poly(500, 352, 700, 352, 730, 408, 470, 408), hue.night) +
    times(4, (i) => line(`M${520 + i * 54} 354L${504 + i * 64} 408`, hue.denim, 4)) +
    line('M486 380H714', hue.denim, 4) +
    form(
      'M420 476H780Q830 640 780 820H420Q370 640 420 476z',
      '#ffe9a8',
      path(oval(600, 650, 130, 160), '#fff8dc'),
      path(oval(600, 650, 66, 110), '#fffef5'),
      dark('M720 470H840V830H710Q770 640 720 470z', 0.08),
    ) +
    gleam('M446 520Q420 650 446 780', 16, 0.85) +
    [490, 710]
      .map((x) => line(`M${x} 476Q${x < 600 ? x - 24 : x + 24} 650 ${x} 820`, hue.straw, 12))
      .join('') +
    form(
      'M392 816H808L836 960Q838 1010 790 1012H410Q362 1010 364 960z',
      hue.vermilion,
      dark(poly(700, 800, 850, 800, 850, 1020, 730, 1020), 0.2),
      light(poly(392, 816, 470, 816, 440, 1012, 360, 1012), 0.2),
    ) +
    disc(600, 906, 46, hue.night) +
    disc(600, 906, 34, hue.paper) +
    line('M600 886v22', hue.vermilion, 10) +
    times(3, (i) => disc(690 + i * 36, 906, 10, i < 2 ? hue.lime : hue.rust)),
};

export const powerBank: Drawing = {
  grounds: [ground.sky, ground.peach, ground.leaf],
  floor: [600, 1010, 260],
  focus: [560, 360, 1.7],
  pair: true,
  draw: (other) => {
    const shell = other ? hue.brick : hue.char;
    return (
      line('M620 250C620 120 930 90 940 330S820 640 930 760', hue.paper, 26) +
      line('M620 250C620 120 930 90 940 330S820 640 930 760', hue.straw, 6, 0.6) +
      group(
        'rotate(-24 946 800)',
        rect(912, 750, 74, 100, hue.paper, 14),
        rect(924, 850, 50, 66, hue.silver, 4),
        rect(934, 866, 10, 16, hue.slate),
        rect(954, 866, 10, 16, hue.slate),
      ) +
      group(
        'rotate(-3 560 640)',
        path(rr(358, 240, 440, 770, 70), hue.night),
        form(
          rr(340, 232, 440, 770, 70),
          shell,
          dark(rr(690, 230, 100, 780), 0.3),
          light(poly(340, 640, 700, 232, 560, 232, 340, 480), 0.1),
          light(rr(340, 232, 440, 26), 0.16),
        ),
        rect(380, 278, 360, 8, hue.slate, 4),
        rect(590, 222, 62, 26, hue.night, 6) + rect(466, 222, 62, 26, hue.night, 6),
        times(4, (i) => disc(440 + i * 52, 356, 15, i < 3 ? '#c8f08a' : hue.slate)),
        path(rr(420, 470, 280, 420, 30), hue.night, 0.5),
        times(6, (r) =>
          times(4, (c) =>
            rect(434 + c * 65, 484 + r * 66, 58, 58, (r + c) % 3 === 0 ? hue.denim : hue.indigo, 6),
          ),
        ),
        light(poly(420, 760, 700, 470, 640, 470, 420, 690), 0.16),
        rect(790, 440, 10, 90, hue.slate, 5),
      )
    );
  },
};

export const fan: Drawing = {
  grounds: [ground.sand, ground.lagoon, ground.rose],
  floor: [600, 1060, 250],
  focus: [600, 440, 1.55],
  draw: () =>
    path(
      'M360 1052Q370 990 600 984Q830 990 840 1052Q842 1072 820 1072H380Q358 1072 360 1052z',
      hue.indigo,
    ) +
    light('M380 1040Q420 1000 600 996Q500 1008 440 1040z', 0.35) +
    form(rr(576, 760, 48, 240, 10), hue.silver, dark(rr(604, 760, 30, 240), 0.25)) +
    form(
      rr(546, 742, 108, 130, 24),
      hue.indigo,
      dark(rr(610, 740, 60, 150), 0.25),
      disc(580, 800, 12, hue.vermilion),
      disc(620, 800, 12, hue.paper),
    ) +
    disc(600, 440, 326, hue.paper) +
    `<circle cx="600" cy="440" r="326" fill="${hue.lagoon}" fill-opacity=".35"/>` +
    times(3, (i) =>
      group(
        `rotate(${i * 120 + 18} 600 440)`,
        form(
          'M600 440C520 400 450 300 500 190C540 120 660 130 690 220C712 300 650 380 600 440z',
          hue.denim,
          light(
            'M600 440C520 400 450 300 500 190C540 150 560 150 570 160C520 260 560 360 600 440z',
            0.3,
          ),
        ),
      ),
    ) +
    times(24, (i) =>
      group(`rotate(${i * 15} 600 440)`, line('M600 360Q588 220 600 118', hue.char, 5, 0.75)),
    ) +
    [140, 216, 286].map((r) => ring(600, 440, r, hue.char, 5)).join('') +
    ring(600, 440, 326, hue.indigo, 20) +
    gleam('M320 300A320 320 0 0 1 470 146', 10, 0.6) +
    disc(606, 446, 84, hue.night) +
    disc(600, 440, 82, hue.vermilion) +
    disc(600, 440, 50, hue.brick) +
    gleam('M548 408Q562 382 590 374', 12, 0.6),
};
