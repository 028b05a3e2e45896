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

const tread = (cx: number, cy: number, r: number, rim: number): string =>
  disc(cx, cy, r, hue.ink) +
  times(26, (i) =>
    group(`rotate(${i * (360 / 26)} ${cx} ${cy})`, rect(cx - 6, cy - r, 12, 20, hue.night, 3)),
  ) +
  disc(cx, cy, r * 0.8, hue.char) +
  disc(cx, cy, rim, hue.silver);

export const motorbike: Drawing = {
  grounds: [ground.sand, ground.lagoon, ground.clay],
  floor: [600, 970, 520],
  focus: [640, 560, 1.55],
  draw: () =>
    [260, 950]
      .map(
        (x) =>
          tread(x, 770, 200, 134) +
          disc(x, 770, 120, hue.char) +
          times(9, (i) =>
            group(`rotate(${i * 40} ${x} 770)`, line(`M${x} 770L${x + 20} 646`, hue.silver, 9)),
          ) +
          ring(x, 770, 126, hue.silver, 14) +
          disc(x, 770, 44, hue.slate) +
          disc(x, 770, 22, hue.steel),
      )
      .join('') +
    path('M80 660Q150 530 330 540L420 640Q250 590 150 690z', hue.brick) +
    path(
      'M770 640Q860 530 1000 560Q1090 590 1140 680Q1040 620 960 620Q860 610 800 680z',
      hue.vermilion,
    ) +
    line('M260 770L540 790', hue.slate, 30) +
    line('M260 770L420 580', hue.steel, 22) +
    line('M790 330L950 770', hue.slate, 40) +
    line('M782 334L940 770', hue.silver, 16) +
    path('M500 590H780L740 850Q720 880 680 880H560Q520 876 510 840z', hue.char) +
    form(
      rr(560, 600, 170, 130, 16),
      hue.steel,
      times(6, (i) => rect(550, 608 + i * 21, 190, 9, hue.slate)),
    ) +
    disc(590, 800, 66, hue.silver) +
    disc(590, 800, 44, hue.steel) +
    disc(700, 810, 44, hue.slate) +
    line('M720 640Q830 700 760 850Q740 880 660 884H300', hue.silver, 28) +
    form(
      'M90 820L420 850V908L90 890Q70 850 90 820z',
      hue.silver,
      light('M90 820L420 850V866L90 840z', 0.6),
      dark('M90 870L420 890V910L90 892z', 0.3),
    ) +
    form(
      'M180 560Q260 500 420 520L560 560L540 640H330Q220 640 180 560z',
      hue.vermilion,
      dark('M300 600L560 590V650H330z', 0.2),
      light('M180 560Q260 500 420 520L440 530Q280 530 200 580z', 0.3),
    ) +
    path('M120 500Q110 470 150 472L230 500L220 560L150 540z', hue.coral) +
    form(
      'M200 500Q230 440 330 452Q450 470 560 466Q600 470 590 520Q480 560 340 540Q230 540 200 500z',
      hue.ink,
      light('M200 500Q230 440 330 452Q450 470 560 466V480Q330 480 210 510z', 0.2),
    ) +
    line('M130 480L330 470M150 480V520', hue.slate, 13) +
    form(
      'M540 520Q560 400 680 380Q790 370 830 430L800 540Q720 600 590 590Q540 580 540 520z',
      hue.vermilion,
      dark('M560 560Q700 540 820 460L800 560L600 610z', 0.22),
      light('M560 480Q590 410 690 400Q650 440 570 500z', 0.4),
      path('M600 520Q700 520 800 450L794 486Q700 550 602 550z', hue.sun),
    ) +
    path(oval(680, 384, 34, 12), hue.silver) +
    form(
      'M800 400Q880 380 910 420Q920 480 890 510Q840 520 810 490z',
      hue.vermilion,
      dark('M810 470L920 460V520H820z', 0.2),
    ) +
    path('M884 400Q930 420 920 470Q910 500 884 506Q860 450 884 400z', '#fff1c0') +
    line('M800 400L770 300L700 290', hue.char, 22) +
    line('M700 290L640 300', hue.ink, 34) +
    line('M780 320Q750 240 720 190', hue.slate, 10) +
    path(oval(714, 174, 54, 32), hue.ink) +
    path(oval(710, 172, 40, 22), hue.haze) +
    path(oval(850, 356, 46, 28), hue.char) +
    disc(1000, 540, 0, hue.char) +
    line('M520 870L470 930', hue.slate, 16),
};

export const helmet: Drawing = {
  grounds: [ground.lagoon, ground.peach, ground.leaf],
  floor: [600, 1000, 390],
  focus: [640, 540, 1.6],
  pair: true,
  draw: (other) => {
    const shell = other ? hue.leaf : hue.vermilion;
    const outline =
      'M200 640Q180 210 600 196Q960 200 1000 560Q1010 640 980 700L960 860Q940 960 840 980L560 1000Q420 1000 330 950Q210 860 200 640z';
    return (
      form(
        outline,
        shell,
        path(
          'M560 196H680Q500 300 430 520Q400 760 470 1000H390Q250 700 380 400Q440 260 560 196z',
          hue.paper,
        ),
        path(
          'M600 196H640Q470 320 420 520Q400 760 440 1000H420Q340 700 410 440Q470 280 600 196z',
          hue.sun,
        ),
        dark('M860 250Q1000 380 1000 560L960 980H700Q900 820 900 560Q920 400 860 250z', 0.18),
        dark('M200 800Q330 960 600 930Q860 910 980 820V1010H200z', 0.16),
        light('M200 640Q180 210 600 196Q330 260 300 560Q290 760 340 900Q210 820 200 640z', 0.22),
      ) +
      form(
        'M520 460Q760 400 1000 490Q1024 560 1006 660Q970 740 880 756Q700 780 560 740Q500 700 500 600Q500 500 520 460z',
        hue.night,
        light('M540 480Q700 430 860 450L700 750Q600 750 560 730Q520 690 524 590z', 0.16),
        light('M900 460L960 480L820 756L760 760z', 0.12),
        path('M520 460Q760 400 1000 490L1004 520Q760 430 510 500z', hue.denim, 0.7),
      ) +
      line(
        'M520 460Q760 400 1000 490Q1024 560 1006 660Q970 740 880 756Q700 780 560 740Q500 700 500 600Q500 500 520 460z',
        hue.ink,
        14,
      ) +
      disc(486, 600, 50, hue.char) +
      disc(486, 600, 30, hue.silver) +
      disc(486, 600, 13, hue.slate) +
      [0, 1, 2].map((i) => line(`M${760 + i * 60} 850l40 -6`, hue.night, 18)).join('') +
      gleam('M262 500Q290 320 430 260', 20, 0.6)
    );
  },
};

export const tyre: Drawing = {
  grounds: [ground.ochre, ground.sky, ground.sage],
  floor: [620, 1050, 360],
  focus: [640, 480, 1.6],
  pair: true,
  draw: () =>
    path(oval(680, 610, 400, 440), hue.night) +
    inside(
      `${oval(680, 610, 400, 440)}`,
      times(44, (i) =>
        group(
          `rotate(${i * 8.2} 660 610)`,
          path(poly(620, 150, 650, 150, 668, 230, 636, 230), hue.char),
        ),
      ),
    ) +
    path(oval(560, 610, 400, 440), hue.ink) +
    `<ellipse cx="560" cy="610" rx="372" ry="410" fill="none" stroke="${hue.char}" stroke-width="26"/>` +
    `<ellipse cx="560" cy="610" rx="320" ry="354" fill="none" stroke="${hue.slate}" stroke-width="5"/>` +
    times(36, (i) => {
      const a = (i * Math.PI) / 18;
      return line(
        `M${Math.round(560 + 384 * Math.cos(a))} ${Math.round(610 + 424 * Math.sin(a))}L${Math.round(560 + 402 * Math.cos(a + 0.04))} ${Math.round(610 + 442 * Math.sin(a + 0.04))}`,
        hue.night,
        15,
      );
    }) +
    path(oval(560, 610, 262, 292), hue.night) +
    path(oval(572, 610, 246, 280), hue.slate) +
    path(oval(560, 610, 240, 272), hue.silver) +
    times(5, (i) => {
      const a = -90 + i * 72;
      const point = (r: number, degrees: number): string =>
        `${Math.round(560 + r * 0.9 * Math.cos((degrees * Math.PI) / 180))} ${Math.round(610 + r * Math.sin((degrees * Math.PI) / 180))}`;
      return path(
        `M${point(96, a + 20)}L${point(236, a + 14)}Q${point(262, a + 36)} ${point(236, a + 58)}L${point(96, a + 52)}z`,
        hue.ink,
      );
    }) +
    path(oval(560, 610, 76, 86), hue.steel) +
    path(oval(552, 606, 40, 46), hue.paper) +
    times(5, (i) =>
      disc(
        560 + 58 * Math.cos((i * 72 * Math.PI) / 180),
        610 + 66 * Math.sin((i * 72 * Math.PI) / 180),
        9,
        hue.slate,
      ),
    ) +
    gleam('M206 520Q240 320 400 236', 16, 0.35),
};

export const carBattery: Drawing = {
  grounds: [ground.peach, ground.sage, ground.sky],
  floor: [620, 950, 420],
  focus: [460, 500, 1.6],
  draw: () =>
    path(poly(200, 440, 320, 330, 1040, 330, 920, 440), hue.slate) +
    path(poly(920, 440, 1040, 330, 1040, 850, 920, 960), hue.night) +
    form(
      rr(196, 430, 730, 530, 18),
      hue.char,
      dark(rr(196, 870, 730, 100), 0.25),
      light(rr(196, 430, 730, 26), 0.2),
      light(rr(196, 430, 36, 530), 0.1),
      times(5, (i) => rect(230 + i * 140, 850, 100, 80, hue.ink, 10)),
    ) +
    form(
      rr(240, 510, 640, 290, 16),
      hue.vermilion,
      path(poly(240, 800, 600, 510, 880, 510, 880, 800), hue.brick),
      path(poly(590, 530, 480, 680, 556, 680, 520, 784, 660, 622, 580, 622, 640, 530), hue.sun),
      light(rr(240, 510, 640, 16), 0.3),
    ) +
    rect(286, 560, 76, 22, hue.paper, 6) +
    rect(313, 533, 22, 76, hue.paper, 6) +
    rect(760, 560, 76, 22, hue.paper, 6) +
    times(
      6,
      (i) =>
        ellipse(390 + i * 92, 384, 34, 14, hue.night) +
        ellipse(388 + i * 92, 378, 32, 13, hue.steel) +
        line(`M${374 + i * 92} 378h28`, hue.slate, 5),
    ) +
    [
      [330, 400, hue.vermilion],
      [880, 400, hue.night],
    ]
      .map(
        ([x, y, fill]) =>
          form(
            rr(Number(x) - 50, Number(y) - 90, 100, 80, 14),
            String(fill),
            light(rr(Number(x) - 50, Number(y) - 90, 30, 80), 0.25),
          ) +
          path(rr(Number(x) - 30, Number(y) - 130, 60, 50, 8), hue.steel) +
          ellipse(Number(x), Number(y) - 130, 30, 12, hue.silver),
      )
      .join('') +
    line('M330 340Q600 120 880 340', hue.ink, 26) +
    gleam('M372 306Q600 136 760 244', 6, 0.4),
};

export const engineOil: Drawing = {
  grounds: [ground.sage, ground.vermilion, ground.sand],
  floor: [600, 1060, 290],
  focus: [600, 640, 1.6],
  pair: true,
  draw: (other) => {
    const shell = other ? hue.leaf : hue.indigo;
    const body =
      'M330 400L430 290H560L620 250H760Q850 260 860 360L880 1000Q880 1060 820 1060H380Q320 1060 320 1000z';
    return (
      form(
        rr(420, 160, 150, 110, 18),
        hue.vermilion,
        light(rr(434, 160, 34, 110), 0.35),
        dark(rr(530, 160, 50, 110), 0.2),
        times(7, (i) => line(`M${434 + i * 20} 176v76`, hue.brick, 5)),
      ) +
      rect(436, 262, 118, 40, hue.night) +
      form(
        body,
        shell,
        dark('M760 240H900V1070H740Q800 700 760 240z', 0.26),
        light('M330 400L430 290H470L390 420V1060H320z', 0.22),
        dark(rr(310, 1000, 580, 70), 0.18),
      ) +
      path('M660 320Q780 310 780 380V440Q780 470 740 470H690Q650 466 640 430Z', hue.night, 0.75) +
      light('M650 330Q780 310 784 380L770 384Q760 340 660 344z', 0.25) +
      form(
        rr(376, 540, 444, 420, 26),
        hue.paper,
        rect(376, 540, 444, 70, hue.vermilion),
        rect(376, 890, 444, 70, hue.sun),
        dark(rr(740, 540, 90, 420), 0.1),
      ) +
      form(
        'M600 650Q700 770 700 820Q696 880 600 884Q504 880 500 820Q500 770 600 650z',
        hue.ochre,
        dark('M600 650Q700 770 700 820Q696 880 600 884Q660 800 600 650z', 0.2),
      ) +
      gleam('M536 820Q540 790 560 762', 13, 0.8) +
      gleam('M350 460V960', 11, 0.4)
    );
  },
};
