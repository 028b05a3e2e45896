import {
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
  light,
  line,
  oval,
  path,
  poly,
  rect,
  ring,
  rr,
  times,
  zigzag,
} from './kit.ts';

const nut = (x: number, y: number, r: number, turn: number): string =>
  group(
    `rotate(${turn} ${x} ${y})`,
    form(
      oval(x, y, r, r * 0.76),
      hue.rust,
      path(oval(x, y + r * 0.62, r * 0.7, r * 0.3), hue.raffia),
      dark(oval(x + r * 0.7, y + r * 0.3, r * 0.6, r * 0.8), 0.2),
    ) +
      gleam(
        `M${x - r * 0.5} ${y - r * 0.2}Q${x - r * 0.3} ${y - r * 0.5} ${x + r * 0.1} ${y - r * 0.5}`,
        r * 0.13,
        0.5,
      ),
  );

export const sheaButter: Drawing = {
  grounds: [ground.sage, ground.clay, ground.sky],
  floor: [600, 1000, 420],
  focus: [560, 560, 1.6],
  draw: () =>
    group(
      'rotate(-14 880 800)',
      form(oval(900, 830, 170, 170), hue.straw, dark(oval(960, 880, 170, 170), 0.16)),
      disc(900, 830, 138, hue.oak),
      ring(900, 830, 100, hue.straw, 8),
      disc(900, 830, 40, hue.straw),
    ) +
    can(
      520,
      520,
      930,
      310,
      92,
      hue.paper,
      hue.cream,
      rect(200, 680, 640, 170, hue.leaf),
      path('M200 640Q520 760 840 640V800Q520 930 200 800z', hue.leaf),
      line('M210 656Q520 772 830 656M210 790Q520 912 830 790', hue.sun, 9),
      path(oval(520, 790, 82, 58), hue.rust),
      path(oval(520, 824, 54, 22), hue.raffia),
      path('M600 760Q690 700 730 740Q690 800 600 790z', hue.lime),
      path('M440 770Q350 710 310 750Q350 810 440 800z', hue.lime),
    ) +
    ellipse(520, 514, 290, 80, hue.straw) +
    form(oval(520, 520, 276, 72), '#f6e6b4', light(oval(440, 500, 150, 30), 0.6)) +
    form(
      'M270 500Q300 400 420 410Q440 320 540 330Q620 300 640 380Q760 390 770 490Q700 560 520 566Q330 560 270 500z',
      '#f8ebc0',
      dark('M640 380Q760 390 770 490Q700 560 520 566Q660 500 640 380z', 0.1),
      light('M270 500Q300 400 420 410Q360 440 350 540z', 0.7),
    ) +
    line('M420 410Q520 430 560 400M540 330Q600 370 560 400Q640 430 700 430', '#dcc384', 10, 0.8) +
    nut(300, 1000, 64, -20) +
    nut(440, 1030, 58, 16) +
    nut(740, 1030, 70, -8),
};

export const soap: Drawing = {
  grounds: [ground.peach, ground.lagoon, ground.indigo],
  floor: [600, 980, 420],
  focus: [560, 660, 1.6],
  draw: () => {
    const bar = (x: number, y: number, fill: string, mark: string): string =>
      form(
        `M${x + 40} ${y}H${x + 430}Q${x + 470} ${y} ${x + 490} ${y + 40}L${x + 540} ${y + 130}V${y + 220}Q${x + 536} ${y + 262} ${x + 490} ${y + 262}H${x + 50}Q${x + 4} ${y + 262} ${x} ${y + 220}V${y + 130}L${x + 10} ${y + 30}Q${x + 16} ${y} ${x + 40} ${y}z`,
        fill,
        dark(rr(x, y + 128, 560, 140), 0.16),
        dark(rr(x + 440, y + 128, 110, 140), 0.14),
        light(poly(x, y + 118, x + 540, y + 118, x + 540, y + 134, x, y + 134), 0.35),
      ) +
      path(
        `M${x + 90} ${y + 30}H${x + 390}Q${x + 420} ${y + 64} ${x + 440} ${y + 96}H${x + 80}z`,
        '#fff6e0',
        0.22,
      ) +
      path(
        `M${x + 190} ${y + 70}Q${x + 270} ${y + 10} ${x + 350} ${y + 60}Q${x + 270} ${y + 110} ${x + 190} ${y + 70}z`,
        mark,
      ) +
      gleam(`M${x + 30} ${y + 170}V${y + 226}`, 10, 0.5);
    return (
      bar(560, 720, '#e9d49a', hue.ochre) +
      bar(130, 740, hue.coral, hue.brick) +
      group('rotate(-5 600 560)', bar(330, 480, '#a9bf78', hue.forest)) +
      group(
        'rotate(-5 600 560)',
        form(
          'M560 478H660L716 610V744H606V610z',
          hue.paper,
          dark('M606 610H716V744H606z', 0.12),
          line(zigzag(590, 660, 140, 28, 26), hue.vermilion, 9),
        ),
      ) +
      [
        [300, 380, 62],
        [240, 520, 34],
        [960, 420, 48],
        [900, 300, 28],
        [400, 290, 30],
        [1020, 560, 24],
      ]
        .map(
          ([x = 0, y = 0, r = 0]) =>
            path(oval(x, y, r), '#ffffff', 0.34) +
            ring(x, y, r, '#ffffff', 4) +
            gleam(
              `M${x - r * 0.55} ${y - r * 0.15}Q${x - r * 0.5} ${y - r * 0.5} ${x - r * 0.1} ${y - r * 0.6}`,
              r * 0.16,
              0.9,
            ),
        )
        .join('')
    );
  },
};

export const wig: Drawing = {
  grounds: [ground.rose, ground.sage, ground.ochre],
  floor: [600, 1090, 250],
  focus: [600, 420, 1.6],
  draw: () => {
    const braid = (x: number, top: number, bottom: number, lean: number): string =>
      line(
        `M${x} ${top}Q${x + lean} ${(top + bottom) / 2} ${x + lean * 1.2} ${bottom}`,
        hue.ink,
        42,
      ) +
      times(Math.floor((bottom - top) / 38), (i) => {
        const t = (i * 38) / (bottom - top);
        const cx = x + 2 * t * (1 - t) * lean + t * t * lean * 1.2;
        return line(
          `M${Math.round(cx - 15)} ${top + i * 38 + 4}L${Math.round(cx)} ${top + i * 38 + 18}L${Math.round(cx + 15)} ${top + i * 38 + 4}`,
          hue.rust,
          7,
          0.9,
        );
      }) +
      disc(x + lean * 1.2, bottom + 8, 23, hue.sun) +
      ring(x + lean * 1.2, bottom + 8, 12, hue.vermilion, 8);
    return (
      [330, 380, 430].map((x, i) => braid(x, 420, 900 - i * 40, -60 + i * 14)).join('') +
      [870, 820, 770].map((x, i) => braid(x, 420, 900 - i * 40, 60 - i * 14)).join('') +
      form(
        'M530 720H670V900Q700 960 820 980Q850 1000 850 1090H350Q350 1000 380 980Q500 960 530 900z',
        '#8a5836',
        dark('M620 700H700V900Q720 960 860 1000V1100H640z', 0.14),
        dark('M520 740Q600 830 690 740V790Q600 870 520 790z', 0.14),
      ) +
      form(
        'M410 440Q400 700 500 780Q600 850 700 780Q800 700 790 440Q770 250 600 250Q430 250 410 440z',
        '#a9714a',
        dark('M690 260Q800 300 790 440Q800 700 700 780Q650 820 600 826Q740 640 690 260z', 0.12),
        light('M410 440Q400 640 460 740Q430 500 480 400z', 0.22),
      ) +
      line('M596 520Q578 622 584 636Q598 652 622 640', hue.cocoa, 9) +
      line('M546 712Q600 742 654 712', hue.cocoa, 11) +
      line('M470 540Q510 560 550 540M650 540Q690 560 730 540', hue.cocoa, 11) +
      form(
        'M600 140Q830 140 850 400Q856 520 830 600Q790 420 700 380Q600 340 600 340Q600 340 500 380Q410 420 370 600Q344 520 350 400Q370 140 600 140z',
        hue.ink,
        ...Array.from({ length: 13 }, (_, i) =>
          line(
            `M600 130Q${600 + (i - 6) * 44} 220 ${600 + (i - 6) * 52} ${440 + Math.abs(i - 6) * 30}`,
            hue.rust,
            6,
            0.85,
          ),
        ),
        light('M600 140Q400 150 370 400Q440 220 600 190z', 0.14),
      ) +
      [350, 396, 446].map((x, i) => braid(x, 460 - i * 44, 960 - i * 60, -30 + i * 4)).join('') +
      [850, 804, 754].map((x, i) => braid(x, 460 - i * 44, 960 - i * 60, 30 - i * 4)).join('')
    );
  },
};

export const perfume: Drawing = {
  grounds: [ground.vermilion, ground.sand, ground.lagoon],
  floor: [600, 1040, 280],
  focus: [600, 640, 1.6],
  pair: true,
  draw: (other) => {
    const juice = other ? hue.lagoon : hue.sun;
    const glass =
      'M430 470H770Q860 500 870 600L890 980Q890 1044 820 1046H380Q310 1044 310 980L330 600Q340 500 430 470z';
    return (
      form(
        rr(500, 400, 200, 80, 12),
        hue.straw,
        light(rr(516, 400, 40, 80), 0.4),
        dark(rr(650, 400, 60, 80), 0.2),
      ) +
      form(
        rr(470, 180, 260, 230, 30),
        hue.night,
        light(rr(490, 180, 50, 230), 0.2),
        dark(rr(670, 180, 70, 230), 0.4),
        rect(470, 366, 260, 14, hue.sun),
        path(poly(600, 220, 640, 280, 600, 340, 560, 280), hue.sun),
        path(poly(600, 250, 618, 280, 600, 310, 582, 280), hue.vermilion),
      ) +
      path(glass, '#fdf6e6', 0.72) +
      form(
        'M372 620H828L846 970Q846 1004 806 1004H394Q354 1004 354 970z',
        juice,
        dark(poly(740, 610, 860, 610, 860, 1010, 720, 1010), 0.14),
        light(poly(372, 620, 450, 620, 440, 1010, 350, 1010), 0.4),
        path('M340 620H860V650Q600 630 340 650z', '#ffffff', 0.35),
      ) +
      line('M600 470V960', '#ffffff', 8, 0.45) +
      line(glass, '#fffaf0', 8, 0.8) +
      form(
        rr(456, 700, 288, 210, 20),
        hue.paper,
        rect(456, 716, 288, 12, hue.brick),
        rect(456, 882, 288, 12, hue.brick),
        path(oval(600, 806, 54, 54), hue.brick),
        path(oval(600, 806, 34, 34), hue.paper),
        ...Array.from({ length: 6 }, (_, i) =>
          group(`rotate(${i * 60} 600 806)`, path(oval(600, 784, 9, 20), hue.brick)),
        ),
      ) +
      gleam('M372 600Q376 540 430 516', 14, 0.9) +
      gleam('M350 680L342 940', 12, 0.7)
    );
  },
};

export const clippers: Drawing = {
  grounds: [ground.sky, ground.ochre, ground.rose],
  floor: [620, 1050, 330],
  focus: [520, 420, 1.6],
  draw: () => {
    const body =
      'M460 400Q450 360 480 350H720Q750 360 740 400L720 560Q750 700 736 860Q720 1010 600 1010Q480 1010 464 860Q450 700 480 560z';
    return (
      line('M580 980Q560 1120 760 1100T1040 1010T960 780', hue.ink, 24) +
      line('M580 980Q560 1120 760 1100T1040 1010', hue.slate, 5, 0.6) +
      group(
        'rotate(-14 600 620)',
        form(
          'M450 250H750L740 366H460z',
          hue.silver,
          dark(poly(680, 240, 760, 240, 750, 370, 670, 370), 0.16),
          light(poly(450, 250, 540, 250, 540, 366, 460, 366), 0.5),
        ),
        times(19, (i) => rect(452 + i * 15.8, 176, 9, 84, hue.steel, 3)),
        rect(446, 236, 308, 26, hue.slate, 6),
        times(14, (i) => rect(470 + i * 19, 210, 8, 50, hue.char, 3)),
        disc(530, 310, 13, hue.slate),
        disc(670, 310, 13, hue.slate),
        path(body, hue.night),
        form(
          body,
          hue.char,
          dark('M670 340H770V1020H640Q720 760 670 340z', 0.3),
          light(
            'M460 400Q450 360 480 350H540Q500 500 520 760Q520 940 560 1008Q480 1000 464 860Q450 700 480 560z',
            0.12,
          ),
          path('M440 420Q600 470 760 420V520Q600 570 440 520z', hue.vermilion),
          path('M440 420Q600 470 760 420V436Q600 486 440 436z', hue.coral),
        ),
        path(rr(556, 600, 88, 150, 40), hue.night),
        path(rr(566, 612, 68, 70, 30), hue.sun),
        line('M584 634h32M584 652h32', hue.rust, 6),
        ring(600, 860, 46, hue.sun, 7),
        path(poly(600, 828, 622, 860, 600, 892, 578, 860), hue.sun),
        form(
          'M740 440Q790 440 800 500L790 560Q770 570 744 556z',
          hue.steel,
          light('M740 440Q790 440 800 500L760 490z', 0.5),
        ),
      ) +
      group(
        'translate(180 860) rotate(-10)',
        form(
          'M0 0H190Q210 4 208 30L200 70H10L-6 20Q-8 0 0 0z',
          hue.paper,
          dark(rr(0, 50, 220, 30), 0.16),
        ),
        times(11, (i) => line(`M${16 + i * 17} 70l-6 60`, hue.paper, 9)),
        times(11, (i) => line(`M${20 + i * 17} 72l-6 56`, hue.straw, 3)),
      )
    );
  },
};
