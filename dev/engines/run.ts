import '../../tests/support/apart.ts';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSite } from '../../api/pages/build.ts';
import { languages } from '../../locales/languages.ts';
import { jpeg } from '../../tests/support/photos.ts';
import { type Demo, startDemo } from '../testbed/demo.ts';
import { onEnd, options, program } from '../testbed/program.ts';
import type { Engine } from './engine.ts';
import { firefox } from './firefox.ts';
import { journey } from './journey.ts';
import { webkit } from './webkit.ts';

/**
 * `bun run engines`: walks the main screens of a demo market in Debian's Firefox and in WebKitGTK,
 * in each language, and names browsers that are not installed. Exits with 1 when a step fails.
 * `--pictures FOLDER` keeps screenshots.
 */
const given = options({ pictures: '', desktop: false });
const viewport = given.desktop ? { width: 1440, height: 900 } : { width: 360, height: 740 };
const folder = mkdtempSync(join(tmpdir(), 'marche54-engines-'));
onEnd(() => rmSync(folder, { recursive: true, force: true }));
const pictures = given.pictures || folder;
mkdirSync(pictures, { recursive: true });
const photo = join(folder, 'pot.jpg');
writeFileSync(photo, await jpeg());
let failed = 0;

async function walk(
  { url, sellerSignIn }: Demo,
  name: string,
  open: () => Promise<Engine | undefined>,
): Promise<void> {
  const engine = await open();
  if (!engine) return console.log(`– ${name} is not installed: not tried`);
  console.log(engine.name);
  try {
    for (const language of languages) {
      const steps = journey({ url, language, ...sellerSignIn, photo, pictures });
      for (const step of steps) {
        const reason = await step.walk(engine).then(
          () => undefined,
          (error: unknown) => (error instanceof Error ? error.message : String(error)),
        );
        if (reason !== undefined) {
          failed++;
          await engine.picture(join(pictures, `failed-${failed}.png`)).catch(() => undefined);
        }
        console.log(
          `  ${reason === undefined ? '✓' : '✗'} ${language} ${step.name}${reason === undefined ? '' : `: ${reason}`}`,
        );
      }
      await engine.forget();
    }
    for (const error of engine.errors()) console.log(`  ✗ ${error}`);
    failed += engine.errors().length;
  } finally {
    await engine.close();
  }
}

await program(async () => {
  await buildSite();
  const demo = await startDemo({ withNetworks: false });
  await walk(demo, 'Firefox', () => firefox(viewport));
  await walk(demo, 'WebKitGTK', () => webkit(viewport));
  return failed === 0;
});
