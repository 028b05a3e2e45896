import {
  ball,
  can,
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
  path,
  poly,
  rect,
  rr,
  times,
} from './kit.ts';

export const blender: Drawing = {
  grounds: [ground.lagoon, ground.ochre, ground.rose],
  floor: [600, 1060, 280],
  focus: [600, 560, 1.6],
  draw: () => {
    const jug = 'M392 240H808L746 770H454z';
    return (
      line('M790 320H900Q940 320 930 370L890 620Q884 660 840 660H770', hue.slate, 40) +
      line('M790 312H896Q936 312 926 362L888 612', hue.steel, 14) +
      path(jug, '#e4efe8', 0.75) +
      inside(
        jug,
        path('M380 400Q480 360 600 396T820 384V800H380z', hue.coral),
        path('M380 400Q480 360 600 396T820 384V430Q700 470 600 440T380 444z', hue.rose),
        ...[
          [470, 520, 40],
          [640, 480, 30],
          [560, 620, 46],
          [690, 600, 34],
          [500, 700, 26],
          [640, 710, 30],
        ].map(
          ([x = 0, y = 0, r = 0], i) =>
            disc(x, y, r, i % 2 ? hue.sun : hue.vermilion) +
            disc(x - r * 0.2, y - r * 0.2, r * 0.5, i % 2 ? '#ffe08a' : hue.coral),
        ),
        dark(poly(740, 230, 830, 230, 780, 780, 690, 780), 0.12),
        light(poly(410, 230, 480, 230, 520, 780, 450, 780), 0.4),
      ) +
      line('M392 240H808L746 770H454z', '#f7fbf4', 9, 0.8) +
      times(4, (i) => line(`M${700 - i * 6} ${440 + i * 80}h44`, hue.paper, 7, 0.9)) +
      form(
        rr(374, 186, 452, 70, 26),
        hue.char,
        light(rr(374, 186, 452, 22), 0.2),
        dark(rr(740, 180, 100, 90), 0.3),
      ) +
      form(
        rr(520, 130, 160, 66, 20),
        hue.char,
        light(rr(520, 130, 160, 18), 0.2),
        dark(rr(640, 130, 50, 70), 0.3),
      ) +
      path(rr(440, 752, 320, 46, 14), hue.ink) +
      form(
        'M430 790H770L850 1030Q856 1064 816 1066H384Q344 1064 350 1030z',
        hue.vermilion,
        dark(poly(700, 780, 780, 780, 880, 1080, 740, 1080), 0.22),
        light(poly(430, 780, 500, 780, 440, 1080, 340, 1080), 0.2),
        dark(rr(330, 1040, 540, 40), 0.25),
      ) +
      disc(604, 924, 82, hue.brick) +
      disc(600, 918, 78, hue.silver) +
      disc(600, 918, 54, hue.paper) +
      line('M600 918V878', hue.ink, 13) +
      times(7, (i) => group(`rotate(${i * 30 - 90} 600 918)`, disc(600, 818, 6, hue.paper))) +
      disc(740, 992, 13, '#c8f08a')
    );
  },
};

export const gasCooker: Drawing = {
  grounds: [ground.peach, ground.sky, ground.sage],
  floor: [610, 1060, 400],
  focus: [600, 480, 1.6],
  draw: () =>
    path(rr(250, 1020, 60, 46, 8), hue.ink) +
    path(rr(890, 1020, 60, 46, 8), hue.ink) +
    form(
      poly(290, 150, 910, 150, 930, 340, 270, 340),
      hue.char,
      light(poly(290, 150, 620, 150, 420, 340, 270, 340), 0.14),
    ) +
    line('M290 150H910', hue.steel, 10) +
    form(
      poly(270, 330, 930, 330, 990, 450, 210, 450),
      hue.silver,
      light(poly(270, 330, 560, 330, 430, 450, 210, 450), 0.4),
    ) +
    [
      [430, 366, 86],
      [770, 366, 86],
      [400, 418, 100],
      [800, 418, 100],
    ]
      .map(
        ([x = 0, y = 0, r = 0]) =>
          ellipse(x, y + 6, r, 20, hue.steel) +
          ellipse(x, y, r * 0.5, 12, hue.char) +
          ellipse(x, y - 4, r * 0.4, 8, hue.ink) +
          line(
            `M${x - r} ${y - 8}H${x + r}M${x - r * 0.6} ${y - 22}L${x + r * 0.6} ${y + 10}M${x + r * 0.6} ${y - 22}L${x - r * 0.6} ${y + 10}`,
            hue.ink,
            10,
          ),
      )
      .join('') +
    form(
      rr(206, 446, 788, 590, 22),
      hue.paper,
      dark(rr(900, 440, 100, 600), 0.14),
      light(rr(206, 446, 40, 600), 0.6),
      dark(rr(206, 990, 788, 60), 0.12),
    ) +
    path(rr(206, 446, 788, 130, 22), hue.vermilion) +
    dark(rr(900, 446, 94, 130, 10), 0.16) +
    times(
      5,
      (i) =>
        disc(304 + i * 148, 518, 46, hue.brick) +
        disc(300 + i * 148, 510, 44, hue.silver) +
        disc(300 + i * 148, 510, 30, hue.paper) +
        line(`M${300 + i * 148} 510l${i % 2 ? 20 : 0} -${i % 2 ? 18 : 28}`, hue.ink, 10),
    ) +
    path(rr(262, 622, 676, 340, 26), hue.steel) +
    path(rr(256, 616, 676, 340, 26), hue.silver) +
    inside(
      rr(300, 700, 588, 220, 18),
      rect(300, 700, 588, 220, hue.night),
      path('M300 920V840Q600 760 888 840V920z', hue.ochre, 0.5),
      line('M300 800H888M300 860H888', hue.slate, 7),
      light(poly(380, 690, 560, 690, 430, 930, 250, 930), 0.14),
      light(poly(600, 690, 640, 690, 510, 930, 470, 930), 0.12),
    ) +
    path(rr(330, 650, 530, 26, 13), hue.slate) +
    path(rr(330, 644, 530, 22, 11), hue.white),
};

const pot = (cx: number, top: number, bottom: number, r: number): string =>
  [-1, 1]
    .map(
      (side) =>
        line(
          `M${cx + side * (r - 6)} ${top + 40}q${side * 74} -6 ${side * 66} 44q${side * -6} 34 ${side * -66} 26`,
          hue.slate,
          24,
        ) +
        line(`M${cx + side * (r - 6)} ${top + 36}q${side * 74} -6 ${side * 66} 44`, hue.silver, 10),
    )
    .join('') +
  can(
    cx,
    top,
    bottom,
    r,
    44,
    hue.steel,
    hue.silver,
    path(rr(cx - r, top - 40, r * 0.5, bottom - top + 120), hue.silver),
    times(3, (i) =>
      line(
        `M${cx - r} ${bottom - 12 - i * 16}A${r} 44 0 0 0 ${cx + r} ${bottom - 12 - i * 16}`,
        hue.slate,
        4,
        0.5,
      ),
    ),
  ) +
  form(
    `M${cx - r - 14} ${top}Q${cx - r + 20} ${top - 86} ${cx} ${top - 92}Q${cx + r - 20} ${top - 86} ${cx + r + 14} ${top}A${r + 14} 46 0 0 1 ${cx - r - 14} ${top}z`,
    hue.silver,
    dark(`M${cx + r * 0.2} ${top - 100}H${cx + r + 40}V${top + 60}H${cx + r * 0.5}z`, 0.2),
    light(
      `M${cx - r} ${top}Q${cx - r + 40} ${top - 80} ${cx - 20} ${top - 92}Q${cx - r * 0.5} ${top - 40} ${cx - r * 0.5} ${top + 44}z`,
      0.6,
    ),
  ) +
  line(
    `M${cx - r - 12} ${top + 4}A${r + 14} 46 0 0 0 ${cx + r + 12} ${top + 4}`,
    hue.slate,
    6,
    0.6,
  ) +
  path(rr(cx - 30, top - 116, 60, 34, 10), hue.char) +
  ellipse(cx, top - 118, 40, 18, hue.ink) +
  ellipse(cx - 8, top - 123, 22, 6, hue.slate);

export const pots: Drawing = {
  grounds: [ground.clay, ground.sand, ground.lagoon],
  floor: [600, 1000, 470],
  focus: [480, 720, 1.6],
  draw: () =>
    pot(760, 430, 820, 240) +
    dark('M520 860Q700 940 1000 830V900H520z', 0.1) +
    pot(420, 600, 940, 250) +
    pot(850, 790, 970, 170),
};

export const waterFilter: Drawing = {
  grounds: [ground.sand, ground.sky, ground.clay],
  floor: [620, 1060, 380],
  focus: [560, 720, 1.6],
  draw: () => {
    const upper = 'M330 220H790L760 560H360z';
    const lower = 'M340 590H780L750 1040Q748 1060 720 1060H400Q372 1060 370 1040z';
    return (
      form(
        lower,
        '#7fa9c9',
        path('M340 760Q450 744 560 760T790 756V1070H340z', '#3f77ad'),
        path('M340 760Q450 744 560 760T790 756V786Q670 790 560 776T340 784z', '#a9cbe2'),
        dark(poly(700, 580, 800, 580, 770, 1070, 680, 1070), 0.16),
        light(poly(360, 590, 410, 590, 430, 1070, 385, 1070), 0.45),
      ) +
      form(
        upper,
        '#c5dceb',
        path('M330 330Q440 316 560 330T800 326V570H330z', '#6fa3cb'),
        form(rr(490, 380, 140, 180, 60), hue.white, dark(rr(590, 380, 50, 180), 0.14)),
        dark(poly(710, 210, 800, 210, 770, 570, 690, 570), 0.16),
        light(poly(350, 220, 400, 220, 420, 570, 380, 570), 0.5),
      ) +
      path(rr(320, 556, 480, 52, 20), hue.indigo) +
      light(rr(320, 556, 480, 16, 8), 0.25) +
      path(rr(306, 170, 508, 62, 22), hue.indigo) +
      light(rr(306, 170, 508, 20, 10), 0.25) +
      path(rr(490, 134, 140, 44, 16), hue.indigo) +
      path(rr(510, 930, 100, 50, 10), hue.silver) +
      path(rr(536, 900, 48, 40, 10), hue.vermilion) +
      path('M500 950H452Q420 950 420 990V1010H456V990H510z', hue.silver) +
      dark('M420 996h36v14h-36z', 0.3) +
      form(
        poly(830, 820, 1010, 820, 990, 1060, 850, 1060),
        '#d9e8ef',
        path(poly(838, 900, 1004, 900, 990, 1060, 850, 1060), '#5d96c4'),
        light(poly(850, 820, 880, 820, 890, 1060, 866, 1060), 0.5),
        dark(poly(970, 820, 1010, 820, 990, 1060, 950, 1060), 0.14),
      ) +
      line('M830 820H1010', '#ffffff', 7, 0.8)
    );
  },
};

export const fridge: Drawing = {
  grounds: [ground.ochre, ground.leaf, ground.sky],
  floor: [620, 1090, 320],
  focus: [560, 460, 1.6],
  draw: () =>
    path(poly(800, 130, 900, 170, 900, 1050, 800, 1090), hue.slate) +
    [340, 740].map((x) => path(rr(x, 1070, 60, 30, 6), hue.ink)).join('') +
    form(
      rr(310, 124, 500, 960, 34),
      hue.silver,
      light(poly(310, 124, 560, 124, 380, 1090, 310, 1090), 0.4),
      dark(rr(760, 124, 60, 970), 0.12),
    ) +
    path(rr(310, 440, 500, 16), hue.slate) +
    light(rr(310, 456, 500, 8), 0.6) +
    [
      [200, 210],
      [520, 330],
    ]
      .map(
        ([y = 0, h = 0]) =>
          path(rr(356, y, 40, h, 20), hue.slate) +
          path(rr(350, y - 4, 36, h, 18), hue.white) +
          dark(rr(372, y, 14, h - 8, 7), 0.16),
      )
      .join('') +
    form(
      rr(560, 560, 180, 60, 16),
      hue.night,
      light(rr(560, 560, 80, 60), 0.12),
      ...[0, 1, 2].map((i) => disc(604 + i * 46, 590, 9, i === 0 ? hue.vermilion : hue.lagoon)),
    ) +
    ball(640, 280, 40, hue.vermilion) +
    path('M640 244q20 -30 44 -22q-10 26 -44 22z', hue.leaf) +
    path(poly(690, 330, 760, 316, 770, 390, 700, 400), hue.sun) +
    line('M706 346l46 -8M710 366l40 -6', hue.wood, 5) +
    gleam('M340 170V420M340 480V1030', 7, 0.7) +
    dark(rr(310, 1040, 500, 44, 20), 0.12),
};
