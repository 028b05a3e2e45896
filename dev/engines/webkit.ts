import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { Builder, By, Capabilities, until } from 'selenium-webdriver';
import { freePort } from '../../tests/support/processes.ts';
import type { Engine } from './engine.ts';

const driverPath = '/usr/bin/WebKitWebDriver';
const browserPath = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser';

/**
 * WebKitGTK's MiniBrowser through WebKitWebDriver; undefined if not installed. It needs a display,
 * such as `xvfb-run`'s.
 */
export async function webkit({
  width,
  height,
}: {
  width: number;
  height: number;
}): Promise<Engine | undefined> {
  if (!existsSync(driverPath) || !existsSync(browserPath)) return undefined;
  if (!process.env.DISPLAY)
    throw new Error('WebKitGTK needs a display: begin the command with `xvfb-run -a`.');
  const port = await freePort();
  const service = spawn(driverPath, [`--port=${port}`], { stdio: 'ignore' });
  const start = () =>
    new Builder()
      .usingServer(`http://127.0.0.1:${port}`)
      .withCapabilities(
        new Capabilities({
          browserName: 'MiniBrowser',
          'webkitgtk:browserOptions': { binary: browserPath, args: ['--automation'] },
        }),
      )
      .build();
  let driver = await start();
  const resize = () => driver.manage().window().setRect({ width, height });
  await resize();
  const element = async (css: string) => {
    const found = await driver.wait(until.elementLocated(By.css(css)), 30_000);
    await driver.executeScript('arguments[0].scrollIntoView({ block: "center" })', found);
    return driver.wait(until.elementIsVisible(found), 30_000);
  };
  const capabilities = await driver.getCapabilities();
  return {
    name: `WebKitGTK ${capabilities.getBrowserVersion() ?? ''}`.trim(),
    open: (url) => driver.get(url),
    run: (body) => driver.executeScript(body) as Promise<never>,
    click: async (css) => (await element(css)).click(),
    type: async (css, text) => (await element(css)).sendKeys(text),
    upload: async (css, file) => (await driver.findElement(By.css(css))).sendKeys(file),
    picture: async (file) => writeFile(file, await driver.takeScreenshot(), 'base64'),
    forget: async () => {
      await driver.quit();
      driver = await start();
      await resize();
    },
    errors: () => [],
    close: async () => {
      await driver.quit();
      service.kill();
    },
  };
}
