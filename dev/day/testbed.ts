import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jobContext } from '../../api/core/jobContext.ts';
import { slotCount } from '../../api/shared/slots.ts';
import { storePhoto } from '../../api/uploads/files.ts';
import { preparePhoto } from '../../api/uploads/images.ts';
import { connect } from '../../db/client.ts';
import type { StoredImage } from '../../db/schema/products.ts';
import { openCaddy } from '../ops/fronts.ts';
import { fillingServices, fillMarket, fillMarketWithPhotos } from '../testbed/fill.ts';
import { openFront } from '../testbed/front.ts';
import { type Machines, openMachines } from '../testbed/machines.ts';
import { type Networks, openNetworks } from '../testbed/networks.ts';
import { mailboxOf, must, type Person, password } from '../testbed/people.ts';
import { photoFixture } from '../testbed/photos.ts';
import { undone } from '../testbed/program.ts';
import type { Order, Stall } from './order.ts';

export type Testbed = {
  machines: Machines;
  networks: Networks;
  front: { home: string; restMs: number };
  /** The market's part of the order. */
  order: Pick<
    Order,
    'home' | 'stalls' | 'files' | 'cards' | 'members' | 'sellers' | 'admin' | 'photo'
  >;
  folder: string;
  stop(): Promise<void>;
};

export type TestbedOptions = {
  /** A migrated database of this run. */
  url: string;
  /** `caddy`, or `own` for a minimal one. */
  front: string;
  /** Stalls with a photo; if all have one, their number and weight match the bench's. */
  photos: number;
  members: number;
  drainSeconds: number;
  say: (text: string) => void;
};

/**
 * 54 open stalls on three processes (two with pages, two with jobs, one of these with the bot),
 * behind a proxy as on one machine.
 */
export async function openTestbed({
  url,
  front: name,
  photos,
  members: count,
  drainSeconds,
  say,
}: TestbedOptions): Promise<Testbed> {
  const folder = mkdtempSync(join(tmpdir(), 'marche54-day-'));
  const undo: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  const stop = () => undone(undo);
  try {
    say('filling the market');
    const uploads = join(folder, 'uploads');
    mkdirSync(uploads, { mode: 0o700 });
    const made = await fill(url, folder, photos);
    const networks = openNetworks();
    undo.push(() => networks.stop());
    say('starting three processes');
    const env = {
      ...networks.env,
      LOAD_LIMITS: '1',
      UPLOADS_PER_HOUR: '120',
      DRAIN_SECONDS: String(drainSeconds),
      LOG_LEVEL: 'error',
    };
    const machines = await openMachines(url, { uploads, env });
    undo.push(() => machines.stop());
    const withPages = machines.all.slice(0, 2);
    const front = await openFrontNamed(name, withPages);
    undo.push(front.stop);
    say(`behind ${name}; signing up ${count} members`);
    // Restores the market's own contact limits, which openPeople lifts.
    for (const [limit, value] of Object.entries({
      contactPerHour: 10,
      contactPerDay: 30,
      contactPerAddressPerHour: 600,
    }))
      await machines.ask(machines.admin, `/api/admin/settings/${limit}`, {
        json: { value },
        method: 'PUT',
      });
    const people: { person: Person; email: string }[] = [];
    for (let n = 0; n < count; n++)
      people.push({
        person: await machines.signUp(`day${n}`),
        email: mailboxOf(`day${n}`),
      });
    await publish(machines, people);
    const photo = join(folder, 'sent.jpg');
    writeFileSync(photo, await photoFixture(54));
    const { files, cards, stalls } = await readAddresses(front.home, made);
    return {
      machines,
      networks,
      front,
      folder,
      order: {
        ...{ home: front.home, files, cards, stalls, photo },
        members: people.map(({ person, email }) => ({
          email,
          password,
          userId: person.userId,
        })),
        sellers: people.map(({ person }) => person.jar.header()),
        admin: machines.admin.jar.header(),
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function fill(url: string, folder: string, photos: number) {
  const { db, close } = connect(url, { max: 4 });
  const services = fillingServices(folder);
  try {
    const ctx = jobContext({ db, services, now: () => new Date() }, 'day');
    if (photos === slotCount) return await fillMarketWithPhotos(ctx);
    const photo = await preparePhoto(services, new Uint8Array(await photoFixture(1)), 'fixture');
    const images: StoredImage[] = [];
    for (let n = 0; n < photos; n++) images.push((await storePhoto(ctx, photo)).image);
    return await fillMarket(ctx, (index) => images.slice(index, index + 1));
  } finally {
    await services.pictures.close();
    await close();
  }
}

async function openFrontNamed(name: string, machines: readonly { home: string }[]) {
  if (name === 'own') {
    const { home, stop } = await openFront(machines.map((machine) => machine.home));
    return { home, restMs: 300, stop };
  }
  const ports = machines.map(({ home }) => Number(new URL(home).port));
  const { home, stop } = await openCaddy(ports, 'several', { passing: true });
  // It probes each process every second with a timeout of two.
  return { home, restMs: 3000, stop };
}

/** Publishes posts, so that Connect's lists are not empty. */
async function publish(
  { ask, admin }: Machines,
  people: readonly { person: Person }[],
): Promise<void> {
  for (const [n, { person }] of people.entries()) {
    const credits = { userId: person.userId, amount: 60, reason: 'To begin with' };
    const key = () => crypto.randomUUID();
    await must(ask(admin, '/api/admin/credits/corrections', { json: credits, key: key() }));
    for (let post = 0; post < 3; post++) {
      const words = {
        title: `A van on Saturday, ${n}-${post}`,
        description: 'For some furniture, in Douala.',
        category: 'transportation',
        tags: ['van'],
      };
      const json = { ...words, contactWhatsapp: '+237699001000' };
      await must(ask(person, '/api/connect/posts', { json, key: key() }));
    }
  }
}

/** Reads from the pages what a browser would load. */
async function readAddresses(
  home: string,
  made: readonly { slotId: number; productId: string; slug: string }[],
) {
  const page = async (path: string) =>
    (await fetch(`${home}${path}`, { headers: { 'x-forwarded-for': '192.0.2.99' } })).text();
  const found = (text: string, pattern: RegExp) => [...new Set(text.match(pattern) ?? [])];
  const photosIn = (text: string) => found(text, /\/media\/[^"\s,?]+/g);
  const html = await page('/fr');
  // A phone loads one size of a card's photo.
  const cards = photosIn(html).filter((path) => /320\.\w+$/.test(path));
  const stalls: Stall[] = [];
  for (const { slotId, productId, slug } of made) {
    const path = `/shop/${slotId}/${slug}`;
    const hero = photosIn(await page(path)).find((photo) => /720\.\w+$/.test(photo));
    stalls.push({ slotId, productId, path, photos: hero ? [hero] : [] });
  }
  return {
    files: found(html, /\/_astro\/[^"\s)]+\.(?:js|css|woff2)/g),
    cards: [...new Set(cards)].slice(0, 14),
    stalls,
  };
}
