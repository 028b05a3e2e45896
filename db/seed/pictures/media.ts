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

export const textbooks: Drawing = {
  grounds: [ground.sky, ground.peach, ground.leaf],
  floor: [610, 1000, 400],
  focus: [480, 640, 1.6],
  draw: () => {
    const book = (
      x: number,
      y: number,
      w: number,
      h: number,
      cover: string,
      trim: string,
      mark: number,
    ): string =>
      form(
        rr(x, y, w, h, 16),
        cover,
        light(rr(x, y, w, 14), 0.28),
        dark(rr(x, y + h - 18, w, 18), 0.25),
        rect(x + 70, y, 22, h, trim),
        rect(x + w - 120, y, 22, h, trim),
        mark === 0
          ? path(lozenges(x + w * 0.3, y + h / 2, w * 0.4, h * 0.6, h * 0.5), trim)
          : mark === 1
            ? rect(x + w * 0.3, y + h * 0.34, w * 0.4, h * 0.3, hue.paper, 8)
            : [0, 1, 2]
                .map((i) => disc(x + w * 0.4 + i * h * 0.6, y + h / 2, h * 0.18, trim))
                .join(''),
        dark(rr(x + w - 70, y, 80, h), 0.14),
      );
    const pages = (x: number, y: number, w: number, h: number, cover: string): string =>
      path(
        `M${x} ${y}H${x + w}V${y + 18}H${x + 30}V${y + h - 18}H${x + w}V${y + h}H${x}Q${x - 30} ${y + h / 2} ${x} ${y}z`,
        cover,
      ) +
      form(
        rr(x + 26, y + 18, w - 46, h - 36),
        hue.paper,
        times(4, (i) => line(`M${x} ${y + 30 + (i * (h - 40)) / 4}H${x + w}`, hue.raffia, 4)),
        dark(rr(x + 26, y + 18, w, 12), 0.18),
        dark(rr(x + w - 90, y, 90, h), 0.1),
      ) +
      light(`M${x} ${y}H${x + w}V${y + 10}H${x}z`, 0.3);
    return (
      book(200, 874, 800, 126, hue.brick, hue.sun, 0) +
      pages(250, 764, 720, 110, hue.indigo) +
      book(220, 654, 740, 110, hue.leaf, hue.paper, 2) +
      book(280, 566, 680, 88, hue.ochre, hue.night, 1) +
      pages(230, 460, 690, 106, hue.vermilion) +
      group('rotate(-4 600 420)', book(290, 362, 600, 86, hue.teal, hue.sun, 1)) +
      group(
        'translate(0 12) rotate(-4 600 360)',
        line('M420 330L820 330', hue.sun, 30),
        line('M420 338L820 338', hue.ochre, 12),
        path(poly(420, 315, 420, 345, 372, 330), hue.rose),
        path(poly(388, 325, 388, 335, 372, 330), hue.ink),
        rect(816, 315, 24, 30, hue.silver),
        rect(838, 315, 34, 30, hue.coral, 8),
      ) +
      form(
        'M560 300C490 240 470 130 560 120C590 118 596 136 610 136C626 136 640 116 670 122C750 140 720 250 660 300C630 322 590 322 560 300z',
        hue.vermilion,
        dark('M660 110Q720 220 610 330H760V100z', 0.18),
      ) +
      line('M610 140Q606 100 630 80', hue.cocoa, 11) +
      path('M632 98Q680 50 720 76Q690 120 632 98z', hue.leaf) +
      gleam('M526 220Q520 170 556 154', 11, 0.6)
    );
  },
};

export const novel: Drawing = {
  grounds: [ground.clay, ground.sand, ground.indigo],
  floor: [620, 1060, 310],
  focus: [620, 560, 1.6],
  pair: true,
  draw: (other) => {
    const cover = rr(330, 150, 570, 900, 14);
    return (
      path(poly(330, 150, 270, 180, 270, 1020, 330, 1050), hue.night) +
      light(poly(330, 150, 270, 180, 270, 1020, 330, 1050), 0.14) +
      form(
        cover,
        other ? hue.brick : hue.indigo,
        disc(640, 410, 260, hue.sun),
        path(oval(640, 410, 200), '#ffe3a0'),
        path('M330 560Q480 500 620 570T900 540V760H330z', hue.clay),
        path('M330 640Q520 580 700 650T900 630V1060H330z', hue.rust),
        path('M330 800Q520 700 700 800T900 770V1060H330z', hue.cocoa),
        path(poly(410, 640, 490, 520, 570, 640), hue.bark),
        rect(430, 640, 120, 90, hue.raffia),
        rect(472, 664, 36, 66, hue.bark),
        path(poly(570, 690, 660, 560, 750, 690), hue.night),
        rect(594, 690, 132, 100, hue.oak),
        rect(640, 716, 40, 74, hue.bark),
        line('M800 860Q790 640 820 470', hue.night, 20),
        ...[-80, -40, 0, 40, 80].map((turn) =>
          group(
            `rotate(${turn} 820 470)`,
            path('M820 470Q780 390 820 310Q860 390 820 470z', hue.forest),
          ),
        ),
        path('M430 1060Q520 900 620 860Q560 960 560 1060z', hue.sun, 0.7),
        rect(330, 920, 570, 140, hue.night),
        line(zigzag(330, 940, 580, 56, 36), hue.sun, 10),
        rect(420, 1006, 380, 20, hue.paper, 10),
        dark(rr(330, 150, 34, 900), 0.25),
        light(poly(364, 150, 640, 150, 364, 700), 0.12),
        dark(rr(830, 150, 80, 900), 0.1),
      ) +
      path(poly(280, 1020, 330, 1048, 900, 1050, 880, 1064, 320, 1064), hue.cream) +
      line('M720 1040V1120L740 1100L760 1120V1040', hue.vermilion, 0) +
      path(poly(700, 1046, 746, 1046, 746, 1130, 723, 1106, 700, 1130), hue.vermilion)
    );
  },
};

export const guitar: Drawing = {
  grounds: [ground.lagoon, ground.peach, ground.denim],
  floor: [480, 1080, 300],
  focus: [520, 800, 1.7],
  draw: () => {
    const body =
      'M600 520C700 500 770 560 760 640C752 700 790 730 820 800C860 920 760 1050 600 1050C440 1050 340 920 380 800C410 730 448 700 440 640C430 560 500 500 600 520z';
    return group(
      'translate(-10 86) rotate(24 600 700) scale(.95)',
      group('translate(16 10)', path(body, hue.cocoa)),
      form(
        body,
        hue.ochre,
        dark('M700 500Q860 700 760 900Q720 1000 640 1060H900V500z', 0.18),
        light(
          'M600 520C500 500 430 560 440 640C448 700 410 730 380 800Q360 900 420 970Q430 800 500 700Q490 600 600 520z',
          0.25,
        ),
        dark('M640 790Q760 820 740 940Q700 1000 640 960z', 0),
      ),
      line(
        'M600 528C690 508 760 560 750 640C742 704 780 734 808 804C844 916 752 1038 600 1038C448 1038 356 916 392 804C420 734 458 704 450 640C440 560 510 508 600 528z',
        hue.bark,
        7,
        0.5,
      ),
      disc(600, 730, 88, hue.rust),
      disc(600, 730, 76, hue.sun),
      disc(600, 730, 66, hue.bark),
      path('M640 790Q720 780 742 850Q730 930 660 920Q620 880 640 790z', hue.rust),
      path(rr(500, 910, 200, 40, 12), hue.bark),
      rect(520, 916, 160, 8, hue.paper, 4),
      path(poly(568, 130, 632, 130, 640, 720, 560, 720), hue.bark),
      light(poly(568, 130, 584, 130, 580, 720, 560, 720), 0.16),
      times(12, (i) =>
        line(`M${568 - i * 0.6} ${180 + i * 42 - i * i * 0.6}H${632 + i * 0.6}`, hue.straw, 5),
      ),
      [264, 344, 420, 494].map((y) => disc(600, y, 8, hue.paper)).join(''),
      form(
        'M558 -40Q600 -66 642 -40L636 130H564z',
        hue.rust,
        light('M558 -40Q580 -60 590 -54L586 130H564z', 0.25),
      ),
      [0, 40, 80]
        .map(
          (y) =>
            line(`M560 ${y}H528M640 ${y}H672`, hue.silver, 10) +
            disc(522, y, 13, hue.paper) +
            disc(678, y, 13, hue.paper),
        )
        .join(''),
      times(6, (i) => line(`M${576 + i * 9.6} 120L${570 + i * 12} 920`, hue.paper, 3, 0.85)),
    );
  },
};

export const djembe: Drawing = {
  grounds: [ground.ochre, ground.indigo, ground.sage],
  floor: [600, 1080, 230],
  focus: [600, 440, 1.6],
  pair: true,
  draw: (other) => {
    const wood = other ? hue.cocoa : hue.rust;
    const body =
      'M290 260Q290 560 480 720Q490 780 470 880Q440 1000 400 1050Q600 1110 800 1050Q760 1000 730 880Q710 780 720 720Q910 560 910 260z';
    return (
      form(
        body,
        wood,
        path('M486 720H714V800Q600 830 486 800z', hue.bark),
        line(zigzag(470, 742, 270, 34, 40), hue.sun, 9),
        ...[0, 1, 2].map(
          (i) =>
            path(oval(480 + i * 120, 950, 40, 46), hue.bark, 0.7) +
            path(oval(480 + i * 120, 950, 22, 26), hue.sun),
        ),
        path('M400 1020Q600 1076 800 1020V1120H380z', hue.bark),
        dark('M760 250Q760 560 640 720Q660 900 700 1110H860L920 250z', 0.24),
        light('M290 260Q290 560 480 720L520 700Q380 540 370 260z', 0.16),
        times(12, (i) => {
          const x = 296 + i * 56;
          return line(`M${x} 300L${x + 28} 560L${x + 56} 300`, hue.paper, 9);
        }),
      ) +
      line('M318 426Q600 520 882 426', hue.vermilion, 22) +
      line('M318 426Q600 520 882 426', hue.brick, 6) +
      line('M372 580Q600 660 828 580', hue.paper, 16) +
      line('M372 580Q600 660 828 580', hue.straw, 5) +
      line('M284 268Q300 370 600 378Q900 370 916 268', hue.ink, 30) +
      line('M284 262Q300 362 600 370Q900 362 916 262', hue.slate, 8) +
      ellipse(600, 256, 326, 106, hue.ink) +
      form(
        oval(600, 244, 314, 98),
        hue.cream,
        path(oval(640, 262, 220, 64), hue.raffia, 0.4),
        light('M290 244A314 98 0 0 1 600 146Q400 190 360 290z', 0.6),
      )
    );
  },
};

export const balafon: Drawing = {
  grounds: [ground.rose, ground.lagoon, ground.clay],
  floor: [600, 960, 520],
  focus: [420, 560, 1.5],
  draw: () =>
    [160, 1040]
      .map((x) => line(`M${x} 500V930`, hue.cocoa, 34) + line(`M${x - 6} 500V920`, hue.wood, 12))
      .join('') +
    line('M150 880H1050', hue.cocoa, 26) +
    times(9, (i) => {
      const r = 70 - i * 4.5;
      const x = 240 + i * 90;
      return (
        form(
          oval(x, 720, r, r * 1.3),
          hue.ochre,
          dark(oval(x + r * 0.6, 740, r * 0.8, r * 1.5), 0.2),
          light(oval(x - r * 0.5, 690, r * 0.3, r * 0.7), 0.35),
        ) +
        path(rr(x - 20, 610, 40, 60, 10), hue.rust) +
        disc(x, 750, r * 0.24, hue.cocoa)
      );
    }) +
    line('M130 420L1070 470M130 610L1070 570', hue.bark, 22) +
    times(13, (i) => {
      const x = 150 + i * 70;
      const top = 300 + i * 14;
      const bottom = 700 - i * 14;
      return (
        path(rr(x + 6, top + 12, 58, bottom - top, 14), hue.bark) +
        form(
          rr(x, top, 58, bottom - top, 14),
          i % 2 ? hue.wood : hue.rust,
          light(rr(x, top, 18, bottom - top), 0.22),
          dark(rr(x + 42, top, 20, bottom - top), 0.2),
          path(oval(x + 29, (top + bottom) / 2, 22, 64), '#fff6e0', 0.12),
        ) +
        line(`M${x + 16} ${top + 66}h26M${x + 16} ${bottom - 66}h26`, hue.paper, 9)
      );
    }) +
    group(
      'rotate(14 700 300)',
      line('M520 300H960', hue.raffia, 18),
      disc(500, 300, 44, hue.vermilion),
      ring(500, 300, 28, hue.brick, 8),
      gleam('M474 284q10 -16 26 -18', 8, 0.5),
    ) +
    group(
      'rotate(-4 700 220)',
      line('M560 200H1000', hue.raffia, 18),
      disc(540, 200, 44, hue.vermilion),
      ring(540, 200, 28, hue.brick, 8),
      gleam('M514 184q10 -16 26 -18', 8, 0.5),
    ),
};
