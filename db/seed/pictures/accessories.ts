import {
  ball,
  type Drawing,
  dark,
  disc,
  ellipse,
  field,
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
} from './kit.ts';

export const handbag: Drawing = {
  grounds: [ground.rose, ground.leaf, ground.sand],
  floor: [610, 1010, 420],
  focus: [600, 660, 1.6],
  pair: true,
  draw: (other) => {
    const hide = other ? hue.wine : hue.clay;
    const body =
      'M270 470H930Q960 470 966 500L1022 940Q1028 1010 960 1010H240Q172 1010 178 940L234 500Q240 470 270 470z';
    return (
      line('M372 520C350 90 850 90 828 520', hue.cocoa, 40) +
      line('M372 520C350 90 850 90 828 520', hide, 28) +
      gleam('M376 440C380 260 480 200 580 194', 8, 0.4) +
      form(
        body,
        hide,
        dark(poly(880, 460, 1030, 460, 1040, 1020, 920, 1020), 0.18),
        light(poly(230, 460, 320, 460, 270, 1020, 170, 1020), 0.18),
      ) +
      inside(
        body,
        rect(170, 756, 860, 186, hue.night),
        field(200, 790, 10, 3, 108, hue.sun, hue.vermilion, hue.paper),
        rect(170, 746, 860, 14, hue.sun),
        rect(170, 938, 860, 14, hue.sun),
        dark(poly(880, 740, 1030, 740, 1040, 960, 920, 960), 0.25),
      ) +
      path('M246 480H954L926 690Q920 720 890 720H310Q280 720 274 690z', hue.night, 0.25) +
      form(
        'M250 462H950L914 660Q908 694 876 694H324Q292 694 286 660z',
        hide,
        dark(poly(860, 460, 960, 460, 930, 700, 800, 700), 0.14),
        light(rr(240, 462, 720, 26), 0.25),
      ) +
      line('M276 490L308 650Q312 670 332 670H868Q888 670 892 650L924 490', hue.paper, 4, 0.55) +
      path(rr(540, 640, 120, 92, 20), hue.straw) +
      path(rr(548, 640, 104, 80, 16), hue.sun) +
      disc(600, 680, 18, hue.cocoa) +
      [372, 828]
        .map(
          (x) =>
            path(rr(x - 34, 480, 68, 84, 16), hue.cocoa) +
            ring(x, 494, 22, hue.sun, 11) +
            disc(x, 540, 8, hue.sun),
        )
        .join('') +
      path('M900 560q50 70 20 150l-40 -10q10 -80 -10 -120z', hue.vermilion) +
      times(5, (i) =>
        line(`M${884 + i * 9} 708l${-6 + i * 4} 70`, i % 2 ? hue.brick : hue.vermilion, 9),
      )
    );
  },
};

export const wristwatch: Drawing = {
  grounds: [ground.denim, ground.sand, ground.peach],
  floor:
    'M470 60H730L750 330Q900 420 900 600T750 870L730 1140H470L450 870Q300 780 300 600T450 330z',
  focus: [600, 600, 1.6],
  pair: true,
  draw: (other) => {
    const strap = other ? hue.ink : hue.rust;
    return (
      form(
        'M474 60H726L752 380H448zM448 820H752L726 1140H474z',
        strap,
        dark(poly(676, 40, 800, 40, 800, 1160, 690, 1160), 0.2),
        light(rr(474, 40, 36, 1120), 0.16),
      ) +
      line('M500 80L480 360M700 80L720 360M480 840L500 1120M720 840L700 1120', hue.sun, 5, 0.7) +
      [930, 1000, 1070].map((y) => path(oval(600, y, 15, 20), hue.bark)).join('') +
      path(rr(430, 330, 340, 60, 16), hue.steel) +
      path(rr(430, 810, 340, 60, 16), hue.slate) +
      path(rr(886, 566, 60, 68, 14), hue.straw) +
      times(4, (i) => line(`M892 ${578 + i * 15}H940`, hue.wood, 4)) +
      disc(606, 608, 306, hue.night) +
      disc(600, 600, 304, hue.straw) +
      form(oval(600, 600, 304), hue.sun, dark(poly(300, 900, 900, 300, 900, 900), 0.2)) +
      disc(600, 600, 264, hue.cocoa) +
      form(oval(600, 600, 254), hue.night, path(oval(600, 600, 200), hue.indigo)) +
      times(60, (i) =>
        i % 5
          ? group(`rotate(${i * 6} 600 600)`, line('M600 362v12', hue.haze, 4))
          : group(`rotate(${i * 6} 600 600)`, rect(593, 362, 14, i % 15 ? 40 : 58, hue.paper, 5)),
      ) +
      disc(600, 722, 54, hue.night) +
      ring(600, 722, 54, hue.haze, 5) +
      line('M600 722V686', hue.sun, 6) +
      path(rr(740, 578, 60, 46, 8), hue.paper) +
      group(
        'rotate(-58 600 600)',
        path(poly(588, 620, 590, 460, 600, 440, 610, 460, 612, 620), hue.paper),
      ) +
      group(
        'rotate(52 600 600)',
        path(poly(590, 630, 592, 410, 600, 384, 608, 410, 610, 630), hue.paper),
      ) +
      group('rotate(150 600 600)', line('M600 650V390', hue.vermilion, 6)) +
      disc(600, 600, 20, hue.sun) +
      disc(600, 600, 8, hue.cocoa) +
      light('M380 480A254 254 0 0 1 640 350L430 790A254 254 0 0 1 380 480z', 0.12) +
      gleam('M322 540A284 284 0 0 1 500 336', 10, 0.7)
    );
  },
};

export const necklace: Drawing = {
  grounds: [ground.ochre, ground.lagoon, ground.denim],
  floor: [600, 1070, 330],
  focus: [600, 760, 1.7],
  draw: () => {
    const strand = (
      cx: number,
      top: number,
      rx: number,
      ry: number,
      count: number,
      size: (t: number) => number,
      colours: string[],
    ): string =>
      times(count, (i) => {
        const t = i / (count - 1);
        const angle = Math.PI * (1 - t);
        return ball(
          cx + Math.cos(angle) * rx,
          top + Math.sin(angle) * ry,
          size(Math.sin(Math.PI * t)),
          colours[i % colours.length] ?? '',
        );
      });
    return (
      form(
        'M500 110Q600 140 700 110Q700 290 744 356Q940 404 976 500Q996 590 910 720Q830 860 800 1010H400Q370 860 290 720Q204 590 224 500Q260 404 456 356Q500 290 500 110z',
        hue.indigo,
        dark(
          'M650 100H720Q710 290 744 356Q940 404 976 500Q996 590 910 720Q830 860 800 1020H690Q700 860 800 720Q880 580 800 480Q680 420 650 100z',
          0.26,
        ),
        light(
          'M500 110L534 118Q534 300 480 384Q300 440 270 520Q260 600 330 720Q420 860 446 1010H400Q370 860 290 720Q204 590 224 500Q260 404 456 356Q500 290 500 110z',
          0.18,
        ),
      ) +
      ellipse(600, 114, 100, 28, hue.denim) +
      form(
        rr(360, 1004, 480, 66, 22),
        hue.wood,
        light(rr(360, 1004, 480, 16), 0.3),
        dark(rr(720, 1004, 130, 70), 0.2),
      ) +
      strand(600, 310, 116, 320, 23, (s) => 16 + s * 6, [
        hue.paper,
        hue.vermilion,
        hue.paper,
        hue.sun,
      ]) +
      strand(600, 436, 166, 376, 21, (s) => 20 + s * 14, [
        hue.vermilion,
        hue.sun,
        hue.leaf,
        hue.sun,
      ]) +
      [0, 1, 2]
        .map((i) => line(`M${572 + i * 28} 880V${940 + (i === 1 ? 40 : 0)}`, hue.sun, 8))
        .join('') +
      form(
        'M600 820L690 870L660 930H540L510 870z',
        hue.oak,
        light('M600 820L510 870L540 930L570 930z', 0.35),
        dark('M600 820L690 870L660 930H620z', 0.16),
      ) +
      disc(600, 880, 22, hue.brick) +
      [0, 1, 2]
        .map((i) =>
          ball(
            560 + i * 40,
            960 + (i === 1 ? 26 : 0),
            20,
            [hue.leaf, hue.vermilion, hue.leaf][i] ?? '',
          ),
        )
        .join('')
    );
  },
};

export const hat: Drawing = {
  grounds: [ground.sky, ground.clay, ground.leaf],
  floor: [600, 880, 460],
  focus: [600, 560, 1.6],
  pair: true,
  draw: (other) =>
    path('M130 770Q140 690 600 680Q1060 690 1070 770Q1060 900 600 904Q140 900 130 770z', hue.wood) +
    form(
      'M130 756Q140 660 600 656Q1060 660 1070 756Q1060 880 600 884Q140 880 130 756z',
      hue.raffia,
      times(
        9,
        (i) =>
          `<ellipse cx="600" cy="${768 - i * 2}" rx="${460 - i * 34}" ry="${112 - i * 9}" fill="none" stroke="${hue.straw}" stroke-width="6"/>`,
      ),
      dark('M700 640H1090V900H760Q960 800 900 700z', 0.14),
      light('M130 756Q140 660 500 656Q220 690 190 780Q220 840 300 862Q140 840 130 756z', 0.35),
    ) +
    path(oval(616, 770, 310, 66), hue.night, 0.2) +
    form(
      'M310 740Q330 400 440 330Q520 300 600 356Q680 300 760 330Q870 400 890 740Q800 810 600 812Q400 810 310 740z',
      hue.raffia,
      times(12, (i) =>
        line(`M290 ${380 + i * 30}Q600 ${450 + i * 34} 910 ${380 + i * 30}`, hue.straw, 6),
      ),
      times(22, (i) =>
        line(`M${320 + i * 27} 320Q${290 + i * 29} 560 ${300 + i * 29} 800`, hue.straw, 4, 0.5),
      ),
      path('M300 640Q600 760 900 640V800H300z', other ? hue.brick : hue.indigo),
      times(10, (i) => {
        const x = 330 + i * 60;
        const y = 706 + (1 - ((x - 600) / 300) ** 2) * 42;
        return (
          path(poly(x, y - 30, x + 22, y, x, y + 30, x - 22, y), hue.sun) +
          disc(x, y, 8, hue.vermilion)
        );
      }),
      dark('M740 320Q900 400 900 760L800 820Q830 560 740 320z', 0.2),
      light('M440 330Q330 400 310 740L380 780Q390 500 480 326z', 0.25),
    ) +
    path('M470 340Q600 400 730 340Q660 470 600 480Q540 470 470 340z', hue.wood, 0.35),
};

export const schoolBag: Drawing = {
  grounds: [ground.ochre, ground.sky, ground.sage],
  floor: [610, 1050, 350],
  focus: [560, 640, 1.6],
  pair: true,
  draw: (other) => {
    const cloth = other ? hue.brick : hue.indigo;
    return (
      line('M510 230C510 110 690 110 690 230', hue.night, 34) +
      path('M270 560Q180 600 190 860Q200 960 280 970z', hue.night) +
      path('M930 560Q1020 600 1010 860Q1000 960 920 970z', hue.night) +
      form(
        'M260 470Q260 190 600 186Q940 190 940 470V960Q938 1050 860 1052H340Q262 1050 260 960z',
        cloth,
        dark('M820 180H960V1060H840Q880 600 820 180z', 0.24),
        light('M260 470Q260 190 560 186Q340 240 330 480V1052H260z', 0.16),
      ) +
      line('M330 620V420Q340 262 600 258Q860 262 870 420V620', hue.sun, 13) +
      line('M330 620V420Q340 262 600 258Q860 262 870 420V620', hue.cocoa, 3) +
      path(rr(846, 596, 26, 70, 12), hue.silver) +
      path(rr(510, 330, 180, 46, 20), hue.night, 0.6) +
      path(rr(508, 324, 184, 44, 20), hue.vermilion) +
      path(rr(310, 674, 596, 322, 50), hue.night, 0.35) +
      form(
        rr(304, 660, 592, 322, 50),
        cloth,
        light(rr(304, 660, 592, 60), 0.14),
        dark(rr(304, 920, 592, 70), 0.18),
        path(lozenges(304, 850, 600, 74, 96), hue.sun),
        path(lozenges(304, 850, 600, 74, 50), hue.vermilion),
        rect(304, 786, 592, 9, hue.paper),
        rect(304, 906, 592, 9, hue.paper),
      ) +
      line('M330 720H870', hue.sun, 13) +
      path(rr(340, 708, 24, 72, 12), hue.silver) +
      [230, 930]
        .map((x) =>
          form(rr(x - 10, 730, 60, 250, 24), hue.char, light(rr(x - 10, 730, 18, 250), 0.2)),
        )
        .join('') +
      ellipse(595, 508, 74, 74, hue.sun) +
      path(
        poly(
          595,
          450,
          610,
          490,
          652,
          492,
          619,
          518,
          631,
          558,
          595,
          535,
          559,
          558,
          571,
          518,
          538,
          492,
          580,
          490,
        ),
        cloth,
      )
    );
  },
};
