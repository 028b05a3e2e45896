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

const corner = (cx: number, cy: number, r: number, degrees: number): [number, number] => [
  cx + r * Math.cos((degrees * Math.PI) / 180),
  cy + r * Math.sin((degrees * Math.PI) / 180),
];

const pentagon = (cx: number, cy: number, r: number, turn: number): string =>
  poly(...[0, 1, 2, 3, 4].flatMap((i) => corner(cx, cy, r, turn + i * 72)));

export const football: Drawing = {
  grounds: [ground.leaf, ground.ochre, ground.sky],
  floor: [600, 1000, 330],
  focus: [520, 520, 1.7],
  pair: true,
  draw: (other) => {
    const patch = other ? hue.vermilion : hue.ink;
    return (
      form(
        oval(600, 600, 410),
        hue.white,
        path(pentagon(600, 600, 140, -90), patch),
        ...[0, 1, 2, 3, 4].map((i) => {
          const [x1, y1] = corner(600, 600, 140, -90 + i * 72);
          const [x2, y2] = corner(600, 600, 262, -90 + i * 72);
          const [x3, y3] = corner(600, 600, 330, -90 + i * 72 - 24);
          const [x4, y4] = corner(600, 600, 330, -90 + i * 72 + 24);
          const [x5, y5] = corner(600, 600, 430, -90 + i * 72 - 18);
          const [x6, y6] = corner(600, 600, 430, -90 + i * 72 + 18);
          const [x7, y7] = corner(600, 600, 330, -90 + i * 72 + 48);
          return (
            line(poly(x1, y1, x2, y2), hue.slate, 9) +
            path(poly(x2, y2, x4, y4, x6, y6, x5, y5, x3, y3), patch) +
            line(poly(x4, y4, x7, y7), hue.slate, 9)
          );
        }),
        `<path fill-rule="evenodd" d="M190 190h820v820h-820z${oval(500, 490, 430)}" fill="${hue.night}" fill-opacity=".16"/>`,
        `<path fill-rule="evenodd" d="M190 190h820v820h-820z${oval(560, 555, 420)}" fill="${hue.night}" fill-opacity=".18"/>`,
      ) + gleam('M290 470Q340 320 470 256', 26, 0.55)
    );
  },
};

export const boxingGloves: Drawing = {
  grounds: [ground.sky, ground.sand, ground.leaf],
  floor: [600, 1070, 380],
  focus: [440, 480, 1.6],
  draw: () => {
    const glove = (): string =>
      form(
        'M300 700Q250 600 240 430Q236 220 420 200Q600 190 620 360Q640 500 590 640L576 700z',
        hue.vermilion,
        dark('M520 190Q660 260 640 480Q620 620 560 720H500Q600 500 520 190z', 0.2),
        light('M300 700Q250 600 240 430Q236 220 420 200Q300 260 300 420Q300 600 360 700z', 0.2),
      ) +
      form(
        'M560 360Q680 330 700 440Q710 540 600 640Q560 640 540 590Q620 510 560 440Q530 400 560 360z',
        hue.brick,
        light('M560 360Q680 330 700 440Q640 380 566 400z', 0.25),
      ) +
      line('M276 520Q400 560 520 520', hue.brick, 9) +
      gleam('M292 360Q310 262 400 244', 22, 0.55) +
      form(
        'M296 690H584L600 880Q604 912 570 914H310Q276 912 280 880z',
        hue.paper,
        rect(270, 730, 340, 26, hue.indigo),
        rect(270, 850, 340, 26, hue.indigo),
        dark(rr(520, 690, 100, 230), 0.16),
        light(rr(280, 690, 40, 230), 0.5),
      ) +
      line('M410 770L470 830M470 770L410 830', hue.vermilion, 12);
    return (
      line('M480 880Q560 1060 640 1010T760 880', hue.paper, 14) +
      group(
        'translate(1190 60) scale(-1 1) rotate(-8 440 560)',
        glove(),
        dark(
          'M300 700Q250 600 240 430Q236 220 420 200Q600 190 620 360Q700 340 700 440L600 914H280z',
          0.1,
        ),
      ) +
      group('translate(10 130) rotate(-8 440 560)', glove())
    );
  },
};

const wheel = (cx: number, cy: number, r: number): string =>
  ring(cx, cy, r, hue.ink, 26) +
  ring(cx, cy, r - 18, hue.steel, 9) +
  times(18, (i) =>
    group(
      `rotate(${i * 20} ${cx} ${cy})`,
      line(`M${cx} ${cy}L${cx + 8} ${cy - r + 20}`, hue.silver, 4),
    ),
  ) +
  disc(cx, cy, 20, hue.slate) +
  disc(cx, cy, 9, hue.silver);

export const bicycle: Drawing = {
  grounds: [ground.peach, ground.lagoon, ground.sand],
  floor: [600, 960, 500],
  focus: [520, 640, 1.6],
  draw: () =>
    wheel(300, 726, 226) +
    wheel(900, 726, 226) +
    line('M88 640A226 226 0 0 1 260 480', hue.vermilion, 16) +
    line('M710 610A226 226 0 0 1 860 486', hue.vermilion, 16) +
    line('M300 726L560 726L450 400L300 726', hue.brick, 24) +
    line('M560 726L800 430L456 430', hue.vermilion, 30) +
    line('M440 380L560 726', hue.vermilion, 30) +
    gleam('M480 426H780', 8, 0.5) +
    line('M780 360L810 450Q830 600 900 726', hue.vermilion, 28) +
    line('M780 360L764 300Q760 270 800 262Q880 250 900 300Q906 330 880 340', hue.char, 22) +
    line('M884 340L850 346', hue.cocoa, 34) +
    line('M438 380L426 330', hue.silver, 20) +
    form(
      'M330 300Q420 276 520 304Q540 320 500 328Q430 330 390 356Q340 360 322 330Q318 308 330 300z',
      hue.cocoa,
      light('M330 300Q420 276 520 304L516 314Q420 296 326 318z', 0.3),
    ) +
    line('M150 470H420M170 470L300 700M230 470V560', hue.slate, 14) +
    path(rr(140, 452, 240, 22, 11), hue.slate) +
    ring(560, 726, 66, hue.char, 12) +
    times(5, (i) => group(`rotate(${i * 72} 560 726)`, line('M560 726V664', hue.steel, 10))) +
    line('M300 708L560 662M300 744L560 790', hue.slate, 8) +
    line('M560 726L620 830', hue.silver, 18) +
    path(rr(584, 822, 92, 26, 10), hue.ink) +
    line('M560 726L500 624', hue.silver, 14) +
    path(rr(456, 606, 80, 22, 10), hue.ink) +
    disc(560, 726, 22, hue.silver) +
    disc(842, 400, 34, hue.silver) +
    disc(852, 400, 24, '#fff1c0'),
};

export const dumbbells: Drawing = {
  grounds: [ground.vermilion, ground.sage, ground.sky],
  floor: [600, 920, 480],
  focus: [400, 720, 1.6],
  draw: () => {
    const plate = (x: number, half: number, w: number, fill: string): string =>
      form(
        rr(x, 600 - half, w, half * 2, 24),
        fill,
        light(rr(x, 600 - half, w, half * 0.3), 0.25),
        dark(rr(x, 600 + half * 0.4, w, half), 0.3),
      ) + gleam(`M${x + w * 0.3} ${600 - half * 0.74}V${600 - half * 0.1}`, 8, 0.3);
    const bell = (fill: string): string =>
      form(
        rr(120, 574, 960, 52, 20),
        hue.silver,
        light(rr(120, 574, 960, 16), 0.6),
        dark(rr(120, 604, 960, 30), 0.25),
      ) +
      times(16, (i) => line(`M${470 + i * 17} 578l10 44`, hue.steel, 5)) +
      [1, -1]
        .map((side) =>
          group(
            side === 1 ? '' : 'translate(1200 0) scale(-1 1)',
            path(rr(426, 552, 26, 96, 10), hue.char),
            plate(160, 110, 62, hue.char),
            plate(228, 160, 84, fill),
            plate(318, 200, 100, hue.ink),
            path(rr(110, 564, 44, 72, 14), hue.steel),
          ),
        )
        .join('');
    return (
      group('translate(180 -10) rotate(-24 600 600) scale(.84)', bell(hue.ochre)) +
      group('translate(-20 250) rotate(6 600 600) scale(.86)', bell(hue.ochre))
    );
  },
};

export const jersey: Drawing = {
  grounds: [ground.sand, ground.lagoon, ground.clay],
  floor: 'M450 190L250 270L120 520L280 620L350 520V1040H850V520L920 620L1080 520L950 270L750 190z',
  focus: [600, 430, 1.6],
  pair: true,
  draw: (other) => {
    const cloth = other ? hue.vermilion : hue.teal;
    const shirt =
      'M450 170Q600 260 750 170L900 220Q960 250 980 300L1090 510Q1010 580 930 610L850 500V1020Q850 1044 826 1044H374Q350 1044 350 1020V500L270 610Q190 580 110 510L220 300Q240 250 300 220z';
    return (
      form(
        shirt,
        cloth,
        times(5, (i) => path(rr(386 + i * 100, 150, 34, 920), hue.night, 0.22)),
        path('M350 620Q600 700 850 620V740Q600 820 350 740z', hue.sun),
        path('M350 662Q600 742 850 662V698Q600 778 350 698z', hue.indigo),
        line('M140 530L280 600M1060 530L920 600', hue.sun, 30),
        dark('M760 170L990 300L1100 510L930 620L850 500V1050H740Q800 700 760 170z', 0.18),
        light('M440 170L220 300L110 510L180 560Q260 340 440 240z', 0.2),
        dark('M350 500L400 420Q380 640 430 1050H350z', 0.12),
      ) +
      line('M350 520V420M850 520V420', hue.night, 6, 0.35) +
      path('M450 170Q600 120 750 170Q600 260 450 170z', hue.night, 0.8) +
      line('M450 172Q600 262 750 172', hue.sun, 24) +
      ellipse(720, 420, 42, 42, hue.sun) +
      path(pentagon(720, 420, 28, -90), hue.indigo)
    );
  },
};
