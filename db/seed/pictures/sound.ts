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
  oval,
  path,
  poly,
  rect,
  ring,
  rr,
  zigzag,
} from './kit.ts';

export const headphones: Drawing = {
  grounds: [ground.vermilion, ground.sage, ground.indigo],
  floor: [600, 980, 360],
  focus: [360, 700, 1.65],
  draw: () =>
    line('M290 660C240 90 960 90 910 660', hue.night, 66) +
    line('M288 650C244 96 956 96 912 650', hue.ink, 52) +
    line('M330 420C400 190 800 190 870 420', hue.straw, 26) +
    gleam('M296 560C280 330 440 214 600 222', 9, 0.3) +
    [1, -1]
      .map((side) =>
        group(
          side === 1 ? '' : 'translate(1200 0) scale(-1 1)',
          rect(258, 520, 56, 130, hue.silver, 20),
          dark(rr(290, 520, 24, 130), 0.2),
          form(
            rr(316, 588, 120, 380, 58),
            hue.cocoa,
            dark(rr(390, 588, 60, 380), 0.3),
            light(rr(330, 610, 18, 330, 9), 0.16),
          ),
          form(
            'M330 600C220 590 176 680 176 778S220 966 330 956z',
            hue.paper,
            dark('M176 800Q220 940 340 930V980H160z', 0.14),
            light('M330 600C240 600 200 680 200 760Q260 640 330 640z', 0.5),
          ),
          line('M330 600V956', hue.straw, 8),
          disc(254, 778, 34, hue.ochre),
          disc(254, 778, 16, hue.rust),
        ),
      )
      .join(''),
};

export const speaker: Drawing = {
  grounds: [ground.leaf, ground.ochre, ground.peach],
  floor: [600, 1040, 300],
  focus: [560, 740, 1.6],
  pair: true,
  draw: (other) => {
    const cloth = other ? hue.vermilion : hue.ochre;
    return (
      path(poly(860, 170, 940, 130, 940, 980, 860, 1030), hue.bark) +
      path(poly(320, 170, 860, 170, 940, 130, 420, 130), hue.oak) +
      form(
        rr(316, 164, 548, 872, 24),
        hue.wood,
        dark(rr(316, 960, 548, 90), 0.2),
        light(rr(316, 164, 548, 16), 0.3),
      ) +
      form(
        rr(350, 200, 480, 800, 18),
        hue.night,
        line(zigzag(350, 216, 480, 40, 24), cloth, 10),
        line(zigzag(350, 960, 480, 40, 24), cloth, 10),
      ) +
      [
        [600, 380, 116],
        [600, 716, 196],
      ]
        .map(
          ([x = 0, y = 0, r = 0]) =>
            disc(x, y, r, hue.slate) +
            disc(x, y, r - 14, hue.ink) +
            disc(x, y, r * 0.7, hue.char) +
            ring(x, y, r * 0.82, hue.slate, 6) +
            disc(x, y, r * 0.36, cloth) +
            gleam(
              `M${x - r * 0.6} ${y - r * 0.35}A${r * 0.7} ${r * 0.7} 0 0 1 ${x - r * 0.1} ${y - r * 0.68}`,
              r * 0.07,
              0.35,
            ) +
            gleam(
              `M${x - r * 0.2} ${y - r * 0.12}Q${x - r * 0.14} ${y - r * 0.24} ${x} ${y - r * 0.25}`,
              r * 0.06,
              0.6,
            ),
        )
        .join('') +
      disc(770, 940, 12, '#c8f08a') +
      path(oval(460, 940, 20), hue.steel) +
      path(oval(520, 940, 20), hue.steel)
    );
  },
};
