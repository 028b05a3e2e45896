import {
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
  lozenges,
  oval,
  path,
  poly,
  rect,
  ring,
  rr,
  times,
} from './kit.ts';

export const sewingMachine: Drawing = {
  grounds: [ground.rose, ground.sage, ground.ochre],
  floor: [600, 960, 480],
  focus: [420, 600, 1.6],
  draw: () =>
    form(
      rr(130, 850, 960, 110, 24),
      hue.wood,
      light(rr(130, 850, 960, 20), 0.3),
      dark(rr(130, 920, 960, 50), 0.25),
      path(lozenges(170, 905, 880, 88, 50), hue.sun, 0.9),
    ) +
    form('M170 790H1050L1070 860H150z', hue.ink, light('M170 790H1050L1054 806H166z', 0.25)) +
    form(
      'M250 330Q250 290 300 290H880Q960 290 960 380V800H780V540Q780 500 740 500H430Q400 500 400 530V600H250z',
      hue.ink,
      light('M250 330Q250 290 300 290H880Q930 290 946 320H300Q280 320 280 350V600H250z', 0.24),
      dark(rr(900, 290, 70, 520), 0.5),
      dark('M400 500H760V470H400z', 0.4),
    ) +
    line('M300 350H860Q910 350 910 400V760', hue.sun, 7, 0.9) +
    [460, 560, 660]
      .map(
        (x) =>
          times(6, (i) => group(`rotate(${i * 60} ${x} 424)`, path(oval(x, 400, 8, 18), hue.sun))) +
          disc(x, 424, 9, hue.vermilion),
      )
      .join('') +
    [
      [870, 560],
      [870, 680],
    ]
      .map(
        ([x = 0, y = 0]) =>
          path(poly(x, y - 44, x + 26, y, x, y + 44, x - 26, y), hue.sun) +
          path(poly(x, y - 20, x + 12, y, x, y + 20, x - 12, y), hue.vermilion),
      )
      .join('') +
    form(rr(276, 590, 96, 90, 10), hue.silver, dark(rr(330, 590, 50, 90), 0.2)) +
    line('M324 680V780', hue.steel, 15) +
    line('M324 780V822', hue.silver, 7) +
    path('M290 796H358L372 818H276z', hue.steel) +
    form(rr(250, 240, 40, 60, 8), hue.silver, dark(rr(274, 240, 20, 60), 0.2)) +
    disc(1000, 420, 118, hue.char) +
    disc(1006, 420, 96, hue.slate) +
    ring(1000, 420, 108, hue.ink, 22) +
    times(5, (i) => group(`rotate(${i * 72} 1003 420)`, line('M1003 420V330', hue.steel, 15))) +
    disc(1003, 420, 30, hue.silver) +
    gleam('M908 380Q930 326 976 312', 9, 0.5) +
    form(
      rr(600, 180, 90, 100, 10),
      hue.vermilion,
      times(7, (i) => line(`M590 ${192 + i * 13}H700`, hue.brick, 4)),
      light(rr(600, 180, 26, 100), 0.3),
    ) +
    path(rr(590, 166, 110, 20, 8), hue.oak) +
    path(rr(590, 276, 110, 20, 8), hue.oak) +
    line('M610 210Q460 160 380 300L324 700', hue.vermilion, 5) +
    form(
      'M140 822Q330 800 420 822Q560 846 700 824L730 840Q690 940 720 1020Q600 1060 470 1020Q320 1060 170 1010Q190 900 140 822z',
      hue.teal,
      ...Array.from({ length: 15 }, (_, i) =>
        ring(
          190 + (i % 5) * 116 + (Math.floor(i / 5) % 2) * 56,
          860 + Math.floor(i / 5) * 70,
          22,
          hue.sun,
          9,
        ),
      ),
      line('M150 836Q330 812 420 836Q560 858 710 838', hue.paper, 6),
      dark('M620 800H760V1060H600Q640 940 620 800z', 0.18),
      dark('M330 820Q380 930 340 1060H400Q430 930 380 820z', 0.14),
    ),
};

export const generator: Drawing = {
  grounds: [ground.sand, ground.sky, ground.leaf],
  floor: [600, 960, 470],
  focus: [460, 620, 1.6],
  draw: () =>
    line('M180 900V330Q180 260 250 260H950Q1020 260 1020 330V900', hue.ink, 44) +
    gleam('M172 860V340Q176 256 250 252H900', 9, 0.35) +
    form(
      'M230 330H970Q990 330 990 360V480H210V360Q210 330 230 330z',
      hue.vermilion,
      light('M230 330H970Q990 330 990 350H210Q210 330 230 330z', 0.35),
      dark(rr(210, 440, 800, 50), 0.2),
      path('M210 400H990V424H210z', hue.sun),
    ) +
    path(rr(540, 292, 120, 44, 14), hue.ink) +
    path(oval(600, 292, 60, 14), hue.slate) +
    form(
      rr(220, 500, 400, 350, 24),
      hue.paper,
      dark(rr(560, 500, 70, 360), 0.12),
      light(rr(220, 500, 400, 16), 0.6),
    ) +
    [310, 430]
      .map(
        (x) =>
          disc(x, 600, 50, hue.char) +
          disc(x, 600, 40, hue.ink) +
          disc(x - 14, 600, 7, hue.silver) +
          disc(x + 14, 600, 7, hue.silver) +
          disc(x, 622, 6, hue.silver),
      )
      .join('') +
    disc(545, 600, 48, hue.silver) +
    disc(545, 600, 38, hue.white) +
    times(7, (i) => group(`rotate(${i * 30 - 90} 545 600)`, line('M545 568v7', hue.ink, 4))) +
    line('M545 604L566 576', hue.vermilion, 6) +
    path(rr(280, 700, 70, 100, 12), hue.char) +
    path(rr(294, 712, 42, 42, 8), hue.vermilion) +
    path(rr(390, 700, 180, 100, 12), hue.sun) +
    path(poly(490, 712, 440, 762, 474, 762, 462, 792, 520, 742, 484, 742), hue.ink) +
    form(
      rr(640, 500, 340, 350, 20),
      hue.slate,
      times(10, (i) => rect(640, 512 + i * 34, 340, 14, hue.char)),
      dark(rr(900, 500, 90, 360), 0.25),
    ) +
    disc(820, 680, 124, hue.ink) +
    disc(820, 680, 104, hue.char) +
    times(14, (i) =>
      group(`rotate(${(i * 360) / 14} 820 680)`, rect(814, 590, 12, 50, hue.ink, 6)),
    ) +
    disc(820, 680, 42, hue.vermilion) +
    path(rr(790, 664, 60, 30, 12), hue.paper) +
    path(rr(150, 850, 900, 52, 18), hue.ink) +
    light(rr(150, 850, 900, 14, 7), 0.2) +
    [280, 920].map((x) => path(rr(x - 60, 896, 120, 60, 20), hue.char)).join(''),
};

export const wheelbarrow: Drawing = {
  grounds: [ground.sage, ground.clay, ground.sky],
  floor: [600, 960, 460],
  focus: [480, 560, 1.6],
  draw: () =>
    line('M280 800L620 690L1090 520', hue.bark, 32) +
    line('M990 556L1100 516', hue.vermilion, 50) +
    line('M790 640L850 930H930', hue.char, 32) +
    line('M650 690L760 930', hue.char, 24) +
    disc(286, 800, 164, hue.ink) +
    times(22, (i) =>
      group(`rotate(${i * (360 / 22)} 286 800)`, rect(280, 634, 12, 22, hue.night, 3)),
    ) +
    disc(286, 800, 112, hue.sun) +
    disc(286, 800, 84, hue.ochre) +
    times(5, (i) => group(`rotate(${i * 72} 286 800)`, rect(272, 716, 28, 70, hue.sun, 8))) +
    disc(286, 800, 32, hue.char) +
    line('M286 800L440 690', hue.slate, 26) +
    form(
      'M240 440Q400 270 560 360Q640 240 780 340Q860 300 920 420L880 470H280z',
      hue.rust,
      light('M240 440Q400 270 560 360Q480 340 380 460H280z', 0.2),
      ...[
        [400, 390],
        [520, 410],
        [660, 350],
        [760, 400],
        [840, 410],
        [600, 430],
      ].map(([x = 0, y = 0], i) => path(oval(x, y, 24, 16), i % 2 ? hue.cocoa : hue.clay)),
    ) +
    form(
      'M180 430H970L850 690Q840 716 806 716H400Q370 716 356 690z',
      hue.teal,
      dark('M820 430H980L850 720H700z', 0.18),
      light('M180 430H300L440 716H400Q370 716 356 690z', 0.18),
      dark(rr(300, 660, 600, 60), 0.2),
    ) +
    path(rr(160, 412, 830, 42, 20), hue.lagoon) +
    light(rr(170, 416, 810, 12, 6), 0.4) +
    group(
      'rotate(-18 640 300)',
      line('M660 420V60', hue.oak, 26),
      gleam('M654 400V70', 6, 0.5),
      line('M620 56H700', hue.wood, 34),
    ),
};

export const tools: Drawing = {
  grounds: [ground.ochre, ground.lagoon, ground.leaf],
  floor: [600, 1070, 360],
  focus: [680, 420, 1.6],
  draw: () =>
    group(
      'translate(40 0) rotate(-20 600 640)',
      line('M600 180V1080', hue.cocoa, 50),
      line('M596 180V1076', hue.oak, 36),
      gleam('M588 260V1060', 8, 0.5),
      form('M560 150H640L650 250H550z', hue.char, light(rr(556, 150, 24, 100), 0.2)),
      form(
        'M572 156Q430 130 300 250Q260 330 268 440Q330 360 420 350Q500 300 566 244z',
        hue.steel,
        light('M572 156Q430 130 300 250Q290 270 282 300Q420 180 570 196z', 0.55),
        dark(
          'M268 440Q330 360 420 350Q500 300 566 244L566 222Q470 280 400 310Q300 340 262 400z',
          0.3,
        ),
      ),
      line('M284 424Q340 360 416 344', hue.white, 6, 0.8),
    ) +
    group(
      'translate(40 10) rotate(24 600 640)',
      path('M540 760Q520 500 556 240Q570 150 640 120Q680 300 664 520Q660 660 660 760z', hue.slate),
      form(
        'M540 750Q520 500 556 230Q570 140 640 110Q680 290 664 510Q660 650 660 750z',
        hue.silver,
        dark('M610 100H700V760H620Q640 400 610 100z', 0.16),
        light('M540 750Q520 500 556 230Q570 140 640 110L580 280Q556 500 566 750z', 0.6),
      ),
      line('M548 720Q530 490 566 240Q580 170 620 140', hue.white, 7, 0.9),
      form(
        rr(530, 740, 140, 320, 44),
        hue.rust,
        light(rr(530, 740, 40, 320), 0.22),
        dark(rr(630, 740, 50, 320), 0.25),
        ...[0, 1, 2].map((i) => disc(600, 810 + i * 90, 16, hue.sun)),
      ),
      path(rr(518, 726, 164, 34, 14), hue.char),
    ),
};

const pumpMotor = () =>
  form(
    rr(150, 860, 900, 66, 16),
    hue.char,
    light(rr(150, 860, 900, 14), 0.2),
    dark(rr(150, 900, 900, 30), 0.3),
  ) +
  [
    [420, 800, 110],
    [760, 800, 170],
  ]
    .map(([x = 0, y = 0, w = 0]) =>
      path(poly(x, y - 60, x + w, y - 60, x + w + 20, y + 66, x - 20, y + 66), hue.ink),
    )
    .join('') +
  form(
    rr(520, 480, 470, 330, 60),
    hue.denim,
    times(9, (i) => rect(560 + i * 46, 470, 16, 350, hue.indigo)),
    light(rr(520, 480, 470, 60), 0.3),
    dark(rr(520, 730, 470, 90), 0.25),
  ) +
  form(
    rr(960, 500, 100, 290, 50),
    hue.indigo,
    dark(rr(1010, 500, 60, 300), 0.3),
    times(5, (i) => rect(976, 550 + i * 42, 64, 14, hue.night, 7)),
  ) +
  form(
    rr(640, 400, 220, 110, 16),
    hue.char,
    light(rr(640, 400, 220, 20), 0.2),
    path(rr(670, 436, 70, 44, 8), hue.paper),
    disc(806, 458, 20, hue.vermilion),
  );
const pumpBody = () =>
  form(
    'M250 660Q250 470 400 470Q540 470 540 650Q540 820 400 820Q250 820 250 660z',
    hue.leaf,
    light('M250 660Q250 470 400 470Q330 540 320 680Q310 780 330 804Q250 780 250 660z', 0.25),
    dark('M440 480Q540 520 540 650Q540 800 430 820Q500 700 440 480z', 0.22),
  ) +
  times(8, (i) =>
    group(
      `rotate(${i * 45 + 20} 396 648)`,
      disc(396, 510, 15, hue.silver) + disc(396, 510, 7, hue.slate),
    ),
  ) +
  ring(396, 648, 96, hue.forest, 14) +
  disc(396, 648, 62, hue.forest) +
  gleam('M350 630Q356 600 386 594', 10, 0.5) +
  form(
    rr(340, 290, 120, 200, 10),
    hue.leaf,
    light(rr(340, 290, 36, 200), 0.3),
    dark(rr(410, 290, 60, 200), 0.18),
  ) +
  path(rr(318, 270, 164, 44, 12), hue.forest) +
  path(rr(346, 200, 108, 76, 8), hue.slate) +
  times(4, (i) => rect(346, 208 + i * 17, 108, 8, hue.char)) +
  form(
    rr(130, 596, 140, 110, 10),
    hue.leaf,
    light(rr(130, 596, 140, 34), 0.3),
    dark(rr(130, 664, 140, 50), 0.18),
  ) +
  path(rr(112, 576, 42, 152, 12), hue.forest);
const waterJet = () =>
  path(
    'M400 200Q396 110 480 84Q560 70 580 130Q590 170 560 190Q570 130 510 130Q456 140 454 200z',
    '#9fd0e6',
    0.95,
  ) +
  gleam('M424 190Q424 120 490 100', 9, 0.8) +
  [
    [600, 210, 16],
    [640, 160, 12],
    [566, 240, 13],
    [610, 268, 9],
  ]
    .map(([x = 0, y = 0, r = 0]) =>
      form(
        `M${x} ${y - r * 1.6}Q${x + r * 1.2} ${y} ${x} ${y + r}Q${x - r * 1.2} ${y} ${x} ${y - r * 1.6}z`,
        '#7fb9dc',
      ),
    )
    .join('');

export const waterPump: Drawing = {
  grounds: [ground.peach, ground.lagoon, ground.sand],
  floor: [600, 930, 460],
  focus: [420, 640, 1.6],
  draw: () => pumpMotor() + pumpBody() + waterJet(),
};
