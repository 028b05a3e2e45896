import * as accessories from './accessories.ts';
import * as auto from './auto.ts';
import * as beauty from './beauty.ts';
import * as clothes from './clothes.ts';
import * as electronics from './electronics.ts';
import * as food from './food.ts';
import * as furniture from './furniture.ts';
import * as harvest from './harvest.ts';
import { picture } from './kit.ts';
import * as kitchen from './kitchen.ts';
import * as media from './media.ts';
import * as sound from './sound.ts';
import * as sports from './sports.ts';
import * as toys from './toys.ts';
import * as vehicles from './vehicles.ts';
import * as workshop from './workshop.ts';

const drawings = {
  ...electronics,
  ...sound,
  ...clothes,
  ...accessories,
  ...kitchen,
  ...furniture,
  ...sports,
  ...media,
  ...beauty,
  ...auto,
  ...vehicles,
  ...toys,
  ...food,
  ...harvest,
  ...workshop,
};

export type PictureName = keyof typeof drawings;

const names = Object.keys(drawings) as PictureName[];

/**
 * Every drawing as an SVG. Variant 0 is the whole object, 1 a close-up, 2 two of them or the other
 * side.
 */
export const pictures = Object.fromEntries(
  names.map((name) => [name, picture(drawings[name])]),
) as Record<PictureName, (variant: number) => string>;
