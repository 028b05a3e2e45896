import {
  ball,
  chance,
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
  oval,
  path,
  poly,
  rect,
  ring,
  rr,
  times,
  zigzag,
} from './kit.ts';

export const toyTruck: Drawing = {
  grounds: [ground.sky, ground.sage, ground.peach],
  floor: [610, 950, 470],
  focus: [760, 620, 1.6],
  pair: true,
  draw: (other) => {
    const cab = other ? hue.teal : hue.vermilion;
    return (
      form(
        rr(150, 740, 900, 70, 20),
        hue.wood,
        light(rr(150, 740, 900, 18), 0.25),
        dark(rr(150, 786, 900, 30), 0.25),
      ) +
      [...Array(7).keys()]
        .map((i) =>
          ball(
            226 + i * 70,
            470 - (i % 2) * 26,
            58,
            [hue.sun, hue.vermilion, hue.lime][i % 3] ?? '',
          ),
        )
        .join('') +
      [...Array(5).keys()]
        .map((i) =>
          ball(290 + i * 74, 406 - (i % 2) * 22, 54, [hue.coral, hue.lime, hue.sun][i % 3] ?? ''),
        )
        .join('') +
      form(
        rr(140, 480, 560, 270, 16),
        hue.sun,
        dark(rr(620, 480, 90, 280), 0.12),
        line('M140 560H700M140 660H700', hue.ochre, 8),
        rect(140, 480, 40, 270, hue.ochre),
        rect(660, 480, 40, 270, hue.ochre),
        rect(400, 480, 40, 270, hue.ochre),
        path(lozenges(190, 610, 200, 66, 70), hue.indigo),
        path(lozenges(450, 610, 200, 66, 70), hue.indigo),
        light(rr(140, 480, 560, 16), 0.4),
      ) +
      form(
        'M720 430Q720 390 760 390H900Q930 390 944 420L990 560Q1060 580 1060 630V760H720z',
        cab,
        dark('M960 390H1080V770H980Q990 640 960 560z', 0.16),
        light('M720 430Q720 390 760 390H900L910 406H770Q744 406 744 440V760H720z', 0.3),
        dark(rr(720, 720, 360, 50), 0.16),
      ) +
      form(
        'M770 440H888Q900 440 906 456L940 560H770z',
        '#cfe4ea',
        light(poly(790, 440, 850, 440, 800, 560, 770, 560), 0.6),
      ) +
      disc(1040, 660, 28, hue.sun) +
      disc(1034, 654, 12, '#fff4cf') +
      line('M800 640h50', hue.night, 14) +
      [320, 560, 900]
        .map(
          (x) =>
            disc(x + 8, 826, 116, hue.night) +
            disc(x, 820, 114, hue.char) +
            disc(x, 820, 76, hue.raffia) +
            ring(x, 820, 60, hue.straw, 8) +
            disc(x, 820, 26, cab) +
            gleam(`M${x - 84} ${780}A94 94 0 0 1 ${x - 30} 732`, 11, 0.35),
        )
        .join('')
    );
  },
};

export const doll: Drawing = {
  grounds: [ground.ochre, ground.rose, ground.lagoon],
  floor: [600, 1080, 250],
  focus: [600, 400, 1.7],
  pair: true,
  draw: (other) => {
    const skin = '#8a5539';
    const dress = other ? hue.teal : hue.vermilion;
    return (
      [500, 700]
        .map(
          (x) =>
            form(rr(x - 46, 880, 92, 150, 30), skin, dark(rr(x + 10, 880, 50, 150), 0.16)) +
            form(
              `M${x - 56} 1010Q${x} 990 ${x + 56} 1010Q${x + 80} 1086 ${x} 1086Q${x - 80} 1086 ${x - 56} 1010z`,
              hue.night,
              light(rr(x - 60, 1010, 30, 80), 0.2),
            ),
        )
        .join('') +
      [1, -1]
        .map((side) =>
          group(
            side === 1 ? '' : 'translate(1200 0) scale(-1 1)',
            line('M470 640Q340 700 290 810', skin, 74),
            disc(282, 822, 44, skin),
            form(
              'M480 590Q400 600 350 680L420 740Q470 700 500 690z',
              dress,
              light('M480 590Q400 600 350 680L370 700Q420 630 490 610z', 0.3),
            ),
            line('M352 684L424 744', hue.sun, 16),
          ),
        )
        .join('') +
      form(
        'M480 590H720Q780 740 850 930Q720 980 600 980Q480 980 350 930Q420 740 480 590z',
        dress,
        times(
          9,
          (i) =>
            ring(380 + (i % 5) * 112 + (i > 4 ? 56 : 0), i > 4 ? 880 : 790, 24, hue.sun, 10) +
            disc(380 + (i % 5) * 112 + (i > 4 ? 56 : 0), i > 4 ? 880 : 790, 9, hue.night),
        ),
        rect(340, 700, 520, 24, hue.night),
        line(zigzag(340, 930, 520, 40, 24), hue.paper, 10),
        dark('M700 580Q760 760 800 980H900V580z', 0.16),
        light('M480 590H520Q460 760 410 960L340 940z', 0.2),
      ) +
      form(
        'M500 580Q600 640 700 580L690 640Q600 700 510 640z',
        hue.paper,
        line(zigzag(500, 630, 200, 30, 20), hue.indigo, 8),
      ) +
      rect(556, 520, 88, 80, skin, 20) +
      [430, 770]
        .map(
          (x) =>
            disc(x, 250, 96, hue.ink) +
            ring(x, 250, 60, hue.char, 10) +
            path(poly(x - 50, 300, x + 50, 340, x + 50, 300, x - 50, 340), hue.sun) +
            disc(x, 320, 15, hue.vermilion),
        )
        .join('') +
      disc(600, 390, 190, hue.ink) +
      form(
        oval(600, 410, 172, 170),
        skin,
        dark(oval(720, 470, 150, 170), 0.14),
        light(oval(520, 340, 90, 100), 0.12),
      ) +
      path('M430 390Q470 240 600 240Q730 240 770 390Q700 330 600 320Q500 330 430 390z', hue.ink) +
      [536, 664]
        .map(
          (x) =>
            ellipse(x, 424, 20, 27, hue.night) +
            disc(x - 6, 414, 7, hue.white) +
            ellipse(x + (x < 600 ? -34 : 34), 474, 28, 19, '#b5604a'),
        )
        .join('') +
      line('M560 494Q600 532 640 494', hue.bark, 11) +
      line('M508 384q26 -20 52 -6M640 378q26 -14 52 6', hue.ink, 9) +
      [430, 770].map((x) => disc(x, 480, 13, hue.sun)).join('')
    );
  },
};

export const puzzle: Drawing = {
  grounds: [ground.clay, ground.leaf, ground.sky],
  floor: rr(170, 220, 760, 760, 20),
  focus: [660, 680, 1.6],
  draw: () => {
    const cell = 180;
    const x0 = 200;
    const y0 = 240;
    const side = (x1: number, y1: number, x2: number, y2: number, out: number): string => {
      const ux = (x2 - x1) / cell;
      const uy = (y2 - y1) / cell;
      const at = (along: number, off: number): string =>
        `${Math.round(x1 + ux * along + uy * off * out)} ${Math.round(y1 + uy * along - ux * off * out)}`;
      return out === 0
        ? `L${x2} ${y2}`
        : `L${at(72, 0)}C${at(60, 30)} ${at(56, 46)} ${at(90, 46)}C${at(124, 46)} ${at(120, 30)} ${at(108, 0)}L${x2} ${y2}`;
    };
    const piece = (c: number, r: number): string => {
      const x = x0 + c * cell;
      const y = y0 + r * cell;
      const knob = (a: number, b: number): number => ((a * 3 + b * 5) % 2 ? 1 : -1);
      return `M${x} ${y}${side(x, y, x + cell, y, r === 0 ? 0 : knob(c, r))}${side(x + cell, y, x + cell, y + cell, c === 3 ? 0 : knob(r, c + 1))}${side(x + cell, y + cell, x, y + cell, r === 3 ? 0 : -knob(c, r + 1))}${side(x, y + cell, x, y, c === 0 ? 0 : -knob(r, c))}z`;
    };
    const scene = (): string =>
      rect(140, 200, 840, 840, '#9cc4cf') +
      disc(730, 390, 90, hue.sun) +
      path('M140 560Q360 420 560 520T1000 480V1040H140z', hue.lime) +
      path('M140 740Q400 640 1000 760V1040H140z', hue.leaf) +
      path(
        'M300 780V640Q300 480 470 470Q640 460 680 560Q720 660 700 800H610V720Q560 750 470 730V800H380V690Q350 690 350 780z',
        hue.denim,
      ) +
      path('M330 640Q230 640 240 470Q240 380 330 380Q450 380 450 500Q450 620 330 640z', hue.denim) +
      path('M360 430Q450 400 470 500Q470 600 380 610Q330 560 360 430z', hue.haze) +
      path('M250 560Q220 700 250 800Q262 850 300 830L290 790Q270 700 310 620z', hue.denim) +
      path('M290 620Q270 700 230 700L250 640z', hue.paper) +
      disc(292, 480, 14, hue.night) +
      line('M700 600Q750 640 740 710', hue.denim, 14) +
      [820, 880, 240]
        .map(
          (x, i) =>
            line(`M${x} ${900 - i * 20}v-60`, hue.forest, 10) +
            disc(x, 820 - i * 20, 22, [hue.vermilion, hue.sun, hue.coral][i] ?? ''),
        )
        .join('');
    const out = (c: number, r: number): boolean => c === 3 && r === 3;
    const cells = Array.from({ length: 16 }, (_, i): [number, number] => [
      i % 4,
      Math.floor(i / 4),
    ]);
    return (
      form(
        rr(170, 210, 780, 780, 24),
        hue.wood,
        light(rr(170, 210, 780, 18), 0.3),
        dark(rr(170, 970, 780, 30), 0.3),
      ) +
      rect(196, 236, 728, 728, hue.cocoa, 6) +
      inside(
        cells
          .filter(([c, r]) => !out(c, r))
          .map(([c, r]) => piece(c, r))
          .join(''),
        scene(),
      ) +
      cells
        .filter(([c, r]) => !out(c, r))
        .map(
          ([c, r]) => line(piece(c, r), hue.night, 5, 0.5) + line(piece(c, r), '#fff6e0', 2, 0.35),
        )
        .join('') +
      group(
        'translate(126 110) rotate(16 830 870)',
        group('translate(14 18)', path(piece(3, 3), hue.night, 0.3)),
        path(piece(3, 3), hue.wood),
        group(
          'translate(-4 -8)',
          inside(piece(3, 3), scene()),
          line(piece(3, 3), hue.night, 5, 0.5),
        ),
      )
    );
  },
};

export const songo: Drawing = {
  grounds: [ground.sage, ground.ochre, ground.rose],
  floor: rr(80, 380, 1040, 450, 110),
  focus: [420, 580, 1.7],
  draw: () => {
    const next = chance(5);
    const pit = (x: number, y: number, count: number): string =>
      disc(x, y, 58, hue.bark) +
      path(oval(x, y + 5, 50), hue.cocoa) +
      inside(
        oval(x, y, 58),
        dark(`M${x - 60} ${y - 60}H${x + 60}V${y - 10}Q${x} ${y - 40} ${x - 60} ${y}z`, 0.4),
      ) +
      times(count, (i) => {
        const a = i * 2.4 + next();
        const d = i === 0 ? 4 : 14 + (i % 2) * 12 + next() * 6;
        return ball(
          x + d * Math.cos(a),
          y + 6 + d * Math.sin(a),
          14,
          [hue.paper, hue.raffia, hue.steel][i % 3] ?? '',
        );
      }) +
      gleam(`M${x - 40} ${y + 34}A54 54 0 0 0 ${x + 40} ${y + 34}`, 5, 0.3);
    const counts = [5, 4, 6, 0, 5, 3, 5, 5, 6, 2, 5, 4, 0, 6];
    return (
      form(rr(80, 390, 1040, 440, 110), hue.rust, dark(rr(80, 770, 1040, 70), 0.35)) +
      form(
        rr(80, 370, 1040, 420, 110),
        hue.wood,
        times(9, (i) =>
          line(
            `M60 ${400 + i * 50}Q400 ${380 + i * 52} 620 ${406 + i * 48}T1140 ${396 + i * 50}`,
            hue.cocoa,
            4,
            0.3,
          ),
        ),
        light(rr(80, 370, 1040, 30), 0.25),
        dark(rr(940, 370, 200, 430), 0.08),
      ) +
      times(14, (i) => pit(252 + (i % 7) * 116, 484 + Math.floor(i / 7) * 190, counts[i] ?? 0)) +
      line(zigzag(200, 570, 800, 40, 22), hue.sun, 8) +
      [134, 1066]
        .map(
          (x) =>
            path(rr(x - 34, 500, 68, 160, 34), hue.bark) +
            path(rr(x - 28, 508, 56, 148, 28), hue.cocoa) +
            times(3, (i) =>
              ball(
                x + (i % 2) * 10 - 4,
                546 + i * 34,
                14,
                [hue.paper, hue.raffia, hue.steel][i] ?? '',
              ),
            ),
        )
        .join('') +
      ball(380, 900, 17, hue.paper) +
      ball(450, 930, 17, hue.raffia) +
      dark(oval(388, 918, 16, 6), 0.2)
    );
  },
};
