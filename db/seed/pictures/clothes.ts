import {
  type Drawing,
  dark,
  disc,
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
  zigzag,
} from './kit.ts';

/** Toghu: bands of red, white, ochre and green on black. */
const band = (x: number, y: number, width: number): string =>
  rect(x, y, width, 64, hue.brick) +
  rect(x, y, width, 7, hue.sun) +
  rect(x, y + 57, width, 7, hue.sun) +
  path(lozenges(x, y + 32, width, 46, 44), hue.paper) +
  path(lozenges(x, y + 32, width, 46, 22), hue.leaf);

export const boubou: Drawing = {
  grounds: [ground.sand, ground.vermilion, ground.sage],
  floor: [600, 1090, 300],
  focus: [600, 360, 1.7],
  draw: () => {
    const gown =
      'M492 170Q600 214 708 170L820 212Q960 330 1096 604Q1020 690 930 726Q880 620 806 546Q806 800 872 1040Q600 1110 328 1040Q394 800 394 546Q320 620 270 726Q180 690 104 604Q240 330 380 212z';
    return (
      path('M492 170Q600 130 708 170Q600 250 492 170z', hue.bark) +
      form(
        gown,
        hue.ink,
        path('M806 546Q806 800 872 1040L700 1090Q760 760 730 420z', hue.night, 0.55),
        light('M394 546Q394 800 328 1040L420 1064Q450 760 440 440z', 0.07),
        light('M380 212Q240 330 104 604L170 650Q290 400 420 260z', 0.07),
        path(oval(600, 176, 236, 268), hue.sun),
        path(oval(600, 176, 226, 258), hue.brick),
        inside(
          oval(600, 176, 226, 258),
          line(zigzag(360, 330, 484, 44, 46), hue.sun, 9),
          times(9, (i) => disc(404 + i * 49, 306, 9, hue.paper)),
        ),
        path(oval(600, 176, 170, 190), hue.paper),
        path(oval(600, 176, 160, 180), hue.night),
        inside(oval(600, 176, 160, 180), line(zigzag(442, 296, 320, 36, 34), hue.vermilion, 9)),
        path(oval(600, 176, 124, 108), hue.sun),
        path(oval(600, 176, 114, 96), hue.leaf),
        path(poly(560, 420, 640, 420, 630, 760, 600, 810, 570, 760), hue.sun),
        path(poly(568, 420, 632, 420, 622, 756, 600, 794, 578, 756), hue.brick),
        ...[0, 1, 2, 3].map(
          (i) =>
            path(
              poly(600, 452 + i * 80, 622, 488 + i * 80, 600, 524 + i * 80, 578, 488 + i * 80),
              hue.paper,
            ) + disc(600, 488 + i * 80, 9, hue.leaf),
        ),
        ...[478, 722].map(
          (x) =>
            ring(x, 640, 56, hue.sun, 8) +
            ring(x, 640, 38, hue.vermilion, 8) +
            times(8, (i) =>
              group(
                `rotate(${i * 45} ${x} 640)`,
                path(poly(x, 560, x + 10, 580, x - 10, 580), hue.paper),
              ),
            ) +
            disc(x, 640, 20, hue.paper) +
            disc(x, 640, 10, hue.leaf),
        ),
        group('rotate(1)', band(300, 880, 620)),
        line(zigzag(300, 970, 640, 40, 30), hue.vermilion, 9),
        line(zigzag(300, 1000, 640, 40, 30), hue.sun, 9),
        group(
          'translate(104 604) rotate(36)',
          group(
            'translate(-40 -70)',
            band(0, 0, 300),
            line(zigzag(0, -26, 300, 36, 20), hue.sun, 7),
          ),
        ),
        group(
          'translate(1096 604) scale(-1 1) rotate(36)',
          group(
            'translate(-40 -70)',
            band(0, 0, 300),
            line(zigzag(0, -26, 300, 36, 20), hue.sun, 7),
          ),
        ),
        dark('M806 546Q806 800 872 1040L760 1080Q800 760 770 480z', 0.28),
      ) +
      path(oval(600, 172, 106, 58), hue.bark) +
      line('M494 172Q600 270 706 172', hue.sun, 10)
    );
  },
};

export const pagne: Drawing = {
  grounds: [ground.lagoon, ground.peach, ground.paper],
  floor: [620, 930, 460],
  focus: [520, 560, 1.6],
  draw: () => {
    const bolts = [
      {
        y: 770,
        base: hue.leaf,
        marks: (y: number) =>
          times(
            9,
            (i) =>
              ring(210 + i * 92, y + 75, 34, hue.sun, 12) +
              disc(210 + i * 92, y + 75, 14, hue.paper),
          ),
      },
      {
        y: 610,
        base: hue.brick,
        marks: (y: number) =>
          line(zigzag(150, y + 30, 900, 60, 88), hue.sun, 18) +
          line(zigzag(150, y + 2, 900, 60, 88), hue.paper, 8) +
          line(zigzag(150, y + 64, 900, 60, 88), hue.night, 10),
      },
      {
        y: 450,
        base: hue.indigo,
        marks: (y: number) => field(190, y + 30, 10, 3, 104, hue.coral, hue.paper, hue.sun),
      },
    ];
    return (
      path(poly(880, 450, 1030, 310, 1040, 770, 900, 920), hue.cocoa) +
      bolts
        .map(({ y, base, marks }) => {
          const front = `M225 ${y}H900V${y + 150}H225a75 75 0 0 1 0 -150z`;
          return (
            path(poly(896, y + 4, 1034, y - 136, 1040, y + 4, 900, y + 150), base) +
            dark(poly(896, y + 4, 1034, y - 136, 1040, y + 4, 900, y + 150), 0.42) +
            times(4, (i) =>
              line(`M900 ${y + 30 + i * 30}L1038 ${y - 106 + i * 28}`, hue.night, 6, 0.4),
            ) +
            form(
              front,
              base,
              marks(y),
              dark(rr(150, y + 104, 800, 50), 0.2),
              light(rr(150, y, 800, 26), 0.22),
            ) +
            times(3, (i) =>
              line(
                `M900 ${y + 38 + i * 37}H${250 + i * 8}a${38 - i * 6} ${38 - i * 6} 0 0 0 -${30 - i * 6} ${20}`,
                hue.night,
                5,
                i === 3 ? 0 : 0.26,
              ),
            ) +
            gleam(`M176 ${y + 62}Q184 ${y + 24} 224 ${y + 12}`, 8, 0.45)
          );
        })
        .join('') +
      form(
        'M225 452L362 312H1034L900 452z',
        hue.indigo,
        group(
          'matrix(1 0 .96 -1 225 452)',
          field(-40, 10, 9, 3, 104, hue.coral, hue.paper, hue.sun),
        ),
        light(poly(225, 452, 362, 312, 560, 312, 420, 452), 0.18),
      ) +
      form(
        'M470 440L604 316H770L650 440Q648 620 668 760Q560 800 468 764Q480 600 470 440z',
        hue.sun,
        field(440, 330, 5, 8, 84, hue.vermilion, hue.night, hue.paper),
        rect(440, 712, 260, 20, hue.night),
        rect(440, 744, 260, 12, hue.brick),
        dark('M604 440H760V800H590Q630 620 604 440z', 0.16),
        light(poly(470, 440, 604, 316, 770, 316, 650, 440), 0.28),
      )
    );
  },
};

export const kaba: Drawing = {
  grounds: [ground.sky, ground.ochre, ground.rose],
  floor: [610, 1100, 290],
  focus: [600, 420, 1.6],
  draw: () =>
    line('M600 150V116Q600 80 634 84Q664 92 650 124', hue.steel, 14) +
    form(
      'M600 140Q760 180 820 240L800 262Q600 190 400 262L380 240Q440 180 600 140z',
      hue.wood,
      light('M600 140Q440 180 380 240L600 170z', 0.25),
    ) +
    form(
      'M470 204Q600 270 730 204L812 250Q800 380 782 420Q800 700 960 1030Q780 1110 600 1100Q420 1110 240 1030Q400 700 418 420Q400 380 388 250z',
      hue.vermilion,
      field(230, 440, 10, 9, 112, hue.sun, hue.night, hue.paper),
      path('M418 420Q600 470 782 420L812 200H388z', hue.indigo),
      times(14, (i) => disc(420 + i * 28, 380 + Math.abs(6.5 - i) * -3, 8, hue.sun)),
      rect(230, 1000, 760, 26, hue.indigo),
      dark('M782 420Q800 700 960 1030L800 1100Q760 700 700 440z', 0.2),
      dark('M560 460Q540 800 500 1110H560Q590 800 590 460z', 0.13),
      light('M418 420Q400 700 240 1030L350 1080Q440 760 470 440z', 0.2),
    ) +
    [1, -1]
      .map((side) =>
        group(
          side === 1 ? '' : 'translate(1200 0) scale(-1 1)',
          form(
            'M404 238Q300 260 240 400Q230 500 300 560Q370 560 420 470Q440 360 404 238z',
            hue.vermilion,
            field(230, 270, 4, 5, 96, hue.sun, hue.night, hue.paper),
            side === 1
              ? light('M404 238Q300 260 240 400L300 420Q330 300 404 238z', 0.3)
              : dark('M404 238Q300 260 240 400Q230 500 300 560L330 440z', 0.2),
          ),
          form(
            'M234 486Q230 560 296 584Q380 574 424 480L404 452Q360 530 300 536Q262 520 254 466z',
            hue.indigo,
            times(6, (i) => line(`M${262 + i * 26} 590L${270 + i * 24} 480`, hue.sun, 5)),
          ),
        ),
      )
      .join('') +
    path('M470 204Q600 156 730 204Q600 300 470 204z', hue.bark) +
    line('M470 206Q600 296 730 206', hue.sun, 14) +
    path('M418 420Q600 470 782 420L790 448Q600 500 410 448z', hue.night) +
    line('M420 436Q600 486 780 436', hue.sun, 7),
};

const upperOutline =
  'M176 790Q160 650 186 500Q196 446 250 462Q280 530 366 520Q440 506 470 430L536 386Q586 372 606 416Q640 540 800 610Q1010 650 1050 790z';

export const sneakers: Drawing = {
  grounds: [ground.peach, ground.indigo, ground.lagoon],
  floor: [620, 900, 480],
  focus: [760, 700, 1.6],
  draw: () => {
    const accent = hue.vermilion;
    const shoe = (upper: string, panel: string): string => {
      return (
        form(
          upperOutline,
          upper,
          path('M176 790Q160 650 186 500Q190 470 216 464Q300 640 330 800z', panel),
          path('M800 610Q1010 650 1050 790L860 800Q850 690 800 610z', hue.cream),
          path('M360 800Q470 640 560 560L640 610Q540 690 500 800z', panel),
          path('M560 800Q620 690 690 636L736 660Q680 720 660 800z', panel, 0.75),
          dark(rr(150, 742, 920, 60), 0.12),
          light('M470 430L536 386Q586 372 606 416Q640 540 800 610L780 630Q600 560 560 440z', 0.3),
        ) +
        path(
          'M250 462Q280 530 366 520Q440 506 470 430L536 386Q500 470 440 540Q330 600 246 520z',
          hue.night,
          0.75,
        ) +
        line('M246 470Q280 556 370 544Q450 526 490 440', upper, 22) +
        line('M186 520Q196 452 250 466', panel, 20) +
        [0, 1, 2, 3, 4]
          .map(
            (i) =>
              line(
                `M${500 + i * 44} ${520 + i * 26}L${580 + i * 46} ${430 + i * 40}`,
                hue.paper,
                20,
              ) + disc(500 + i * 44, 522 + i * 26, 9, hue.night),
          )
          .join('') +
        line('M570 410Q520 380 500 330M572 412Q600 350 650 344', hue.paper, 15) +
        form(
          'M150 786H1056Q1098 800 1086 846Q1076 884 1024 884H216Q164 884 152 840z',
          hue.white,
          dark(rr(130, 850, 980, 40), 0.22),
          dark(rr(880, 780, 240, 120), 0.07),
        ) +
        line('M166 816H1084', accent, 11) +
        times(24, (i) => line(`M${210 + i * 36} 866v16`, hue.steel, 8))
      );
    };
    return (
      group(
        'translate(84 -132)',
        shoe(hue.indigo, accent),
        dark(
          `${upperOutline}M150 786H1056Q1098 800 1086 846Q1076 884 1024 884H216Q164 884 152 840z`,
          0.3,
        ),
      ) + shoe(hue.indigo, accent)
    );
  },
};

export const sandals: Drawing = {
  grounds: [ground.sage, ground.sky, ground.ochre],
  floor: `M330 190C460 160 520 300 500 500C490 640 540 760 520 900C500 1030 330 1040 290 900C260 780 300 650 262 500C230 340 240 210 330 190zM870 190C740 160 680 300 700 500C710 640 660 760 680 900C700 1030 870 1040 910 900C940 780 900 650 938 500C970 340 960 210 870 190z`,
  focus: [430, 400, 1.7],
  draw: () =>
    [1, -1]
      .map((side) => {
        const sole =
          'M330 190C460 160 520 300 500 500C490 640 540 760 520 900C500 1030 330 1040 290 900C260 780 300 650 262 500C230 340 240 210 330 190z';
        return group(
          side === 1 ? '' : 'translate(1200 0) scale(-1 1)',
          group('translate(8 12)', path(sole, hue.bark)),
          form(
            sole,
            hue.oak,
            dark('M470 160C540 300 480 640 560 1000L440 1040Q500 700 430 180z', 0.14),
            light(
              'M330 190C240 210 230 340 262 500C300 650 260 780 290 900L340 900Q310 560 350 190z',
              0.22,
            ),
          ),
          line(
            'M334 216C438 192 492 310 474 498C464 640 512 760 494 892C474 1000 346 1006 316 896C290 780 328 650 290 502C262 350 268 232 334 216z',
            hue.paper,
            4,
            0.6,
          ),
          path(oval(404, 890, 62, 76), hue.rust, 0.3),
          path(oval(380, 340, 72, 84), hue.rust, 0.22),
          form(
            'M232 470C300 400 360 330 384 250L420 262C424 350 470 430 530 480L524 556C450 520 410 460 398 400C370 470 310 530 240 556z',
            hue.rust,
            light('M232 470C300 400 360 330 384 250L400 256Q330 420 236 510z', 0.25),
            dark('M420 400Q470 500 530 540L524 580L400 470z', 0.2),
          ),
          line('M252 530C310 500 366 440 396 360M512 530C460 500 420 440 404 360', hue.sun, 5, 0.9),
          disc(398, 336, 30, hue.sun),
          disc(398, 336, 19, hue.vermilion),
          disc(398, 336, 8, hue.paper),
          form(
            'M252 720C340 690 440 690 530 730L532 810C440 770 350 768 262 800z',
            hue.rust,
            light('M252 720C340 690 440 690 530 730V744C440 706 340 708 254 738z', 0.3),
            path(lozenges(250, 752, 290, 48, 42), hue.sun),
            path(lozenges(250, 752, 290, 48, 18), hue.indigo),
          ),
          group(
            'rotate(8 500 770)',
            path(rr(476, 734, 52, 62, 10), hue.silver) + path(rr(488, 746, 28, 38, 6), hue.rust),
          ),
        );
      })
      .join(''),
};
