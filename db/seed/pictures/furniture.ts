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
  lozenges,
  path,
  poly,
  rect,
  ring,
  rr,
  times,
  zigzag,
} from './kit.ts';

const pole = (x1: number, y1: number, x2: number, y2: number, width: number, knots = 3): string => {
  const length = Math.hypot(x2 - x1, y2 - y1);
  const nx = -(y2 - y1) / length;
  const ny = (x2 - x1) / length;
  return (
    line(`M${x1} ${y1}L${x2} ${y2}`, hue.wood, width) +
    line(`M${x1} ${y1}L${x2} ${y2}`, hue.raffia, width * 0.78) +
    line(
      `M${x1 + nx * width * 0.14} ${y1 + ny * width * 0.14}L${x2 + nx * width * 0.14} ${y2 + ny * width * 0.14}`,
      '#f2dca6',
      width * 0.2,
    ) +
    times(knots, (i) => {
      const t = (i + 1) / (knots + 1);
      const x = x1 + (x2 - x1) * t;
      const y = y1 + (y2 - y1) * t;
      return line(
        `M${Math.round(x - nx * width * 0.46)} ${Math.round(y - ny * width * 0.46)}L${Math.round(x + nx * width * 0.46)} ${Math.round(y + ny * width * 0.46)}`,
        hue.wood,
        width * 0.16,
      );
    })
  );
};

export const bambooChair: Drawing = {
  grounds: [ground.leaf, ground.rose, ground.denim],
  floor: [600, 1070, 360],
  focus: [600, 480, 1.6],
  draw: () =>
    pole(376, 640, 400, 980, 40) +
    pole(824, 640, 800, 980, 40) +
    pole(330, 170, 376, 700, 46, 4) +
    pole(870, 170, 824, 700, 46, 4) +
    pole(320, 180, 880, 180, 50, 5) +
    pole(350, 300, 850, 300, 34, 4) +
    times(7, (i) => pole(418 + i * 61, 300, 428 + i * 57, 590, 26, 2)) +
    pole(370, 590, 830, 590, 34, 4) +
    pole(250, 480, 220, 720, 38, 2) +
    pole(950, 480, 980, 720, 38, 2) +
    pole(346, 440, 240, 480, 40, 1) +
    pole(854, 440, 960, 480, 40, 1) +
    form(
      'M360 640H840Q880 640 896 676L950 760Q960 800 916 804H284Q240 800 250 760L304 676Q320 640 360 640z',
      hue.indigo,
      line(zigzag(240, 670, 740, 60, 26), hue.paper, 8),
      line(zigzag(230, 740, 780, 64, 30), hue.paper, 8),
      times(9, (i) => disc(300 + i * 76, 722, 9, hue.sun)),
      dark('M760 630H980V820H840z', 0.2),
      dark(rr(230, 782, 760, 30), 0.3),
    ) +
    gleam('M320 690Q330 660 380 656H560', 8, 0.35) +
    pole(214, 824, 986, 824, 48, 6) +
    pole(256, 830, 236, 1060, 46, 3) +
    pole(944, 830, 964, 1060, 46, 3) +
    pole(250, 950, 950, 950, 30, 5) +
    [256, 944].map((x) => line(`M${x - 28} 806l56 36M${x + 28} 806l-56 36`, hue.rust, 10)).join(''),
};

export const bed: Drawing = {
  grounds: [ground.sky, ground.peach, ground.sand],
  floor: [600, 1010, 520],
  focus: [480, 520, 1.55],
  draw: () =>
    form(
      'M170 560V330Q180 220 330 226Q600 130 870 226Q1020 220 1030 330V560z',
      hue.wood,
      light('M170 560V330Q180 220 330 226Q600 130 700 170Q300 220 230 560z', 0.2),
      dark(rr(940, 180, 120, 400), 0.2),
    ) +
    form(
      'M236 560V370Q250 290 350 290Q600 210 850 290Q950 290 964 370V560z',
      hue.rust,
      times(5, (i) => line(`M${340 + i * 130} 200V560`, hue.bark, 6, 0.5)),
      times(4, (i) =>
        path(
          poly(405 + i * 130, 330, 440 + i * 130, 390, 405 + i * 130, 450, 370 + i * 130, 390),
          hue.oak,
        ),
      ),
    ) +
    path(poly(210, 540, 990, 540, 1090, 800, 110, 800), hue.white) +
    [
      [250, 440],
      [620, 440],
    ]
      .map(([x = 0, y = 0]) =>
        form(
          `M${x + 20} ${y + 6}Q${x + 160} ${y - 26} ${x + 310} ${y + 6}Q${x + 344} ${y + 60} ${x + 324} ${y + 130}Q${x + 160} ${y + 160} ${x + 6} ${y + 130}Q${x - 14} ${y + 60} ${x + 20} ${y + 6}z`,
          hue.white,
          dark(
            `M${x} ${y + 110}Q${x + 160} ${y + 130} ${x + 340} ${y + 90}V${y + 170}H${x}z`,
            0.12,
          ),
          line(`M${x + 60} ${y + 30}q40 20 50 60`, hue.cream, 6),
        ),
      )
      .join('') +
    form(
      'M176 620Q600 590 1024 620L1098 820Q1104 960 1090 960H110Q96 960 102 820z',
      hue.indigo,
      path('M160 600H1040L1060 690Q600 660 140 690z', hue.paper),
      line(zigzag(130, 716, 960, 60, 40), hue.sun, 12),
      path(lozenges(96, 840, 1030, 103, 110), hue.vermilion),
      path(lozenges(96, 840, 1030, 103, 56), hue.paper),
      line(zigzag(90, 914, 1040, 60, 30), hue.sun, 10),
      dark('M100 800Q600 770 1100 800V970H100z', 0.14),
      dark('M960 600L1100 800V970H1000z', 0.12),
    ) +
    form(
      rr(96, 940, 1008, 54, 18),
      hue.wood,
      light(rr(96, 940, 1008, 14), 0.3),
      dark(rr(980, 940, 130, 60), 0.2),
    ) +
    [130, 1010].map((x) => path(rr(x, 990, 60, 50, 8), hue.cocoa)).join(''),
};

export const sofa: Drawing = {
  grounds: [ground.sage, ground.paper, ground.denim],
  floor: [600, 940, 530],
  focus: [420, 640, 1.6],
  draw: () =>
    [190, 960]
      .map((x) => path(poly(x, 880, x + 56, 880, x + 44, 956, x + 16, 956), hue.cocoa))
      .join('') +
    form(
      'M210 420Q210 310 320 306H880Q990 310 990 420V760H210z',
      hue.rust,
      light(
        'M210 420Q210 310 320 306H880Q940 306 970 340Q600 350 330 350Q250 360 250 760H210z',
        0.14,
      ),
      dark(rr(880, 300, 120, 470), 0.14),
    ) +
    times(
      3,
      (i) =>
        form(
          rr(222 + i * 254, 350, 248, 330, 44),
          hue.clay,
          dark(rr(222 + i * 254 + 190, 350, 70, 330), 0.12),
          light(rr(222 + i * 254, 350, 248, 36), 0.22),
          disc(346 + i * 254, 500, 9, hue.rust),
        ) + line(`M${300 + i * 254} 480q46 24 92 0`, hue.rust, 5, 0.6),
    ) +
    times(3, (i) =>
      form(
        rr(206 + i * 264, 640, 262, 128, 40),
        hue.clay,
        light(rr(206 + i * 264, 640, 262, 40), 0.25),
        dark(rr(206 + i * 264, 726, 262, 50), 0.18),
      ),
    ) +
    form(
      rr(150, 750, 900, 150, 28),
      hue.rust,
      dark(rr(150, 850, 900, 60), 0.22),
      light(rr(150, 750, 900, 18), 0.16),
    ) +
    [1, -1]
      .map((side) =>
        group(
          side === 1 ? '' : 'translate(1200 0) scale(-1 1)',
          form(
            'M90 560Q92 480 170 480Q250 484 250 560V900H120Q90 900 90 870z',
            hue.clay,
            side === 1 ? light(rr(90, 470, 50, 440), 0.22) : dark(rr(90, 470, 70, 440), 0.2),
          ),
          disc(170, 560, 54, hue.rust),
          disc(170, 556, 40, hue.clay),
          line('M120 900V600', hue.rust, 4, 0),
        ),
      )
      .join('') +
    group(
      'rotate(-10 340 590)',
      form(
        rr(240, 480, 200, 200, 36),
        hue.indigo,
        path(lozenges(240, 580, 200, 66, 110), hue.paper),
        path(lozenges(240, 580, 200, 66, 50), hue.vermilion),
        line(zigzag(240, 506, 210, 40, 20), hue.sun, 8),
        line(zigzag(240, 640, 210, 40, 20), hue.sun, 8),
        dark(rr(390, 480, 60, 200), 0.2),
      ),
    ) +
    group(
      'rotate(12 870 590)',
      form(
        rr(770, 486, 190, 190, 36),
        hue.sun,
        times(3, (i) => ring(865, 581, 24 + i * 26, hue.brick, 12)),
        disc(865, 581, 14, hue.night),
        dark(rr(910, 480, 60, 200), 0.16),
      ),
    ),
};

export const mosquitoNet: Drawing = {
  grounds: [ground.indigo, ground.clay, ground.leaf],
  floor: [600, 1040, 480],
  focus: [600, 460, 1.6],
  draw: () =>
    form(
      rr(220, 880, 760, 140, 20),
      hue.wood,
      dark(rr(220, 970, 760, 60), 0.25),
      light(rr(220, 880, 760, 16), 0.25),
    ) +
    [240, 900].map((x) => path(rr(x, 1000, 60, 50, 6), hue.cocoa)).join('') +
    form(
      rr(230, 770, 740, 130, 36),
      hue.white,
      rect(230, 840, 740, 70, hue.lagoon),
      dark(rr(230, 870, 740, 40), 0.14),
    ) +
    form(
      'M480 770Q600 736 970 776V900H460z',
      hue.vermilion,
      line(zigzag(440, 800, 540, 50, 30), hue.sun, 9),
      line(zigzag(440, 850, 540, 50, 30), hue.paper, 8),
    ) +
    form(rr(260, 704, 220, 96, 40), hue.paper, dark(rr(260, 766, 220, 40), 0.12)) +
    path(
      'M560 170Q360 420 200 600Q130 800 110 1000Q350 1060 600 1050Q850 1060 1090 1000Q1070 800 1000 600Q840 420 640 170z',
      '#f6f3ff',
      0.36,
    ) +
    inside(
      'M560 170Q360 420 200 600Q130 800 110 1000Q350 1060 600 1050Q850 1060 1090 1000Q1070 800 1000 600Q840 420 640 170z',
      times(23, (i) =>
        line(`M600 120Q${600 + (i - 11) * 34} 460 ${600 + (i - 11) * 50} 1080`, '#ffffff', 3, 0.42),
      ),
      times(20, (i) =>
        line(`M60 ${300 + i * 40}Q600 ${360 + i * 40} 1140 ${300 + i * 40}`, '#ffffff', 3, 0.3),
      ),
    ) +
    path(
      'M560 170Q360 420 200 600Q130 800 110 1000Q230 1040 330 1044Q330 800 420 620Q520 420 590 170z',
      '#fffaf5',
      0.5,
    ) +
    path(
      'M640 170Q840 420 1000 600Q1070 800 1090 1000Q970 1040 870 1044Q870 800 780 620Q680 420 610 170z',
      '#fffaf5',
      0.38,
    ) +
    line('M330 1044Q330 800 420 620Q520 420 590 170', '#ffffff', 6, 0.8) +
    line('M870 1044Q870 800 780 620Q680 420 610 170', '#ffffff', 6, 0.7) +
    line(
      'M250 1024Q240 800 330 610M170 1010Q180 780 260 600M950 1024Q960 800 870 610',
      '#ffffff',
      4,
      0.5,
    ) +
    line('M600 176V70', hue.paper, 8) +
    path('M540 190Q540 130 600 126Q660 130 660 190Q600 214 540 190z', hue.white) +
    ellipse(600, 190, 60, 18, hue.raffia),
};

export const flowerPot: Drawing = {
  grounds: [ground.rose, ground.lagoon, ground.ochre],
  floor: [600, 1060, 270],
  focus: [600, 480, 1.6],
  draw: () => {
    const leaf = (angle: number, length: number, width: number, fill: string): string =>
      group(
        `translate(600 760) rotate(${angle})`,
        line(`M0 40Q-10 ${-length * 0.3} 0 ${-length * 0.5}`, hue.forest, 16),
        form(
          `M0 ${-length * 0.32}C${-width} ${-length * 0.5} ${-width} ${-length * 0.86} 0 ${-length}C${width} ${-length * 0.86} ${width} ${-length * 0.5} 0 ${-length * 0.32}z`,
          fill,
          dark(`M0 0H${width}V${-length}H0z`, 0.16),
          times(6, (i) =>
            line(
              `M0 ${-length * (0.44 + i * 0.09)}l${-width} ${-width * 0.4}M0 ${-length * (0.44 + i * 0.09)}l${width} ${-width * 0.4}`,
              '#fff6d8',
              5,
              0.28,
            ),
          ),
        ),
        line(`M0 ${-length * 0.32}V${-length * 0.97}`, '#e5edb8', 6, 0.6),
      );
    return (
      [
        leaf(-66, 460, 110, hue.forest),
        leaf(66, 470, 110, hue.forest),
        leaf(-36, 600, 130, hue.leaf),
        leaf(38, 590, 130, hue.forest),
        leaf(2, 680, 140, hue.leaf),
        leaf(-86, 330, 90, hue.lime),
        leaf(20, 400, 110, hue.lime),
        leaf(-22, 420, 110, hue.lime),
        leaf(86, 340, 90, hue.leaf),
      ].join('') +
      form(
        'M374 780H826L770 1030Q764 1062 730 1064H470Q436 1062 430 1030z',
        hue.clay,
        line(zigzag(360, 880, 480, 50, 46), hue.paper, 14),
        line('M380 850H820M400 960H800', hue.rust, 9),
        dark(poly(700, 770, 840, 770, 780, 1070, 680, 1070), 0.2),
        light(poly(384, 770, 440, 770, 490, 1070, 440, 1070), 0.22),
      ) +
      form(
        rr(350, 730, 500, 84, 22),
        hue.clay,
        light(rr(350, 730, 500, 22), 0.3),
        dark(rr(740, 730, 120, 90), 0.18),
        dark(rr(350, 796, 500, 20), 0.2),
      )
    );
  },
};
