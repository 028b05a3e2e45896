import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { onFreePort, source } from '../support/processes.ts';

/** Chromium 87 as Debian's QtWebEngine: `python3-pyqt5.qtwebengine`. */
const shell = `
import sys
from PyQt5.QtWidgets import QApplication
from PyQt5.QtWebEngineWidgets import QWebEngineView
app = QApplication(sys.argv)
view = QWebEngineView()
view.show()
app.exec_()
`;
const pictures = source('.vitest/chromium87');

type Message = {
  id?: number;
  method?: string;
  params?: { exceptionDetails?: { exception?: { description?: string } } };
  result?: Record<string, unknown>;
  error?: { message: string };
};
type Cookie = { name: string; value: string };

async function start(port: number) {
  const child = spawn('xvfb-run', ['-a', '/usr/bin/python3', '-c', shell], {
    env: {
      ...process.env,
      QTWEBENGINE_DISABLE_SANDBOX: '1',
      QTWEBENGINE_REMOTE_DEBUGGING: `127.0.0.1:${port}`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  await new Promise<void>((resolve, reject) => {
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        if (said.includes('DevTools listening')) resolve();
      });
    child.on('close', () => reject(new Error(`Chromium 87 did not start: ${said}`)));
  });
  return { child, address: `http://127.0.0.1:${port}` };
}

/** Drives it by the Chrome DevTools Protocol: today's Playwright asks for more than it has. */
export async function openChromium87() {
  const { child, address } = await onFreePort(start);
  const answer = await fetch(`${address}/json`);
  const pages = (await answer.json()) as { webSocketDebuggerUrl: string }[];
  const socket = new WebSocket(pages[0]?.webSocketDebuggerUrl ?? '');
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  const waiting = new Map<number, (message: Message) => void>();
  const errors: string[] = [];
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    if (message.id) waiting.get(message.id)?.(message);
    if (message.method === 'Runtime.exceptionThrown')
      errors.push(message.params?.exceptionDetails?.exception?.description ?? 'an exception');
  });
  let last = 0;
  async function send<T>(method: string, params: object = {}): Promise<T> {
    const id = ++last;
    const answer = new Promise<Message>((resolve) => waiting.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params }));
    const { result, error } = await answer;
    if (error) throw new Error(`${method}: ${error.message}`);
    return result as T;
  }
  await send('Page.enable');
  await send('Runtime.enable');
  mkdirSync(pictures, { recursive: true });

  async function evaluate<Result>(expression: string): Promise<Result> {
    const { result, exceptionDetails } = await send<{
      result: { value: Result };
      exceptionDetails?: { exception?: { description?: string } };
    }>('Runtime.evaluate', {
      // A node cannot travel.
      expression: `Promise.resolve(${expression}).then((value) => value instanceof Node || value)`,
      awaitPromise: true,
      returnByValue: true,
      userGesture: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description);
    return result.value;
  }
  /** Runs a function in the page; it may see nothing but its argument. */
  const run = <Given, Result>(work: (given: Given) => Result, given?: Given) =>
    evaluate<Awaited<Result>>(`(${work})(${JSON.stringify(given)})`);

  return {
    errors,
    evaluate,
    run,
    async look(width: number, height: number, theme: 'light' | 'dark'): Promise<void> {
      await send('Emulation.setDeviceMetricsOverride', {
        ...{ width, height, deviceScaleFactor: 1, mobile: false },
      });
      const features = [{ name: 'prefers-color-scheme', value: theme }];
      await send('Emulation.setEmulatedMedia', { features });
    },
    async goto(url: string, cookies: readonly Cookie[] = []): Promise<void> {
      for (const cookie of cookies) await send('Network.setCookie', { ...cookie, url });
      // Gone with the old page, wherever the address leads.
      await run(() => {
        Object.assign(window, { old: true });
      });
      await send('Page.navigate', { url });
      await this.until(() => !('old' in window) && document.readyState === 'complete');
    },
    /** Waits until the page says so; ends after 20 seconds. */
    async until<Given>(happened: (given: Given) => unknown, given?: Given): Promise<void> {
      for (let tries = 0; tries < 200; tries++) {
        if (await run(happened, given as Given).catch(() => false)) return;
        await Bun.sleep(100);
      }
      await this.picture('not-reached');
      throw new Error(`Not reached: ${happened}`);
    },
    /** Puts a JPEG into a file field; the protocol's own way is forbidden there. */
    choose: (selector: string, jpeg: Buffer) =>
      run(
        ([field, base64]) => {
          const bytes = Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0));
          const files = new DataTransfer();
          files.items.add(new File([bytes], 'photo.jpg', { type: 'image/jpeg' }));
          const input = document.querySelector<HTMLInputElement>(field);
          if (!input) throw new Error(`No field ${field}`);
          input.files = files.files;
          input.dispatchEvent(new Event('change', { bubbles: true }));
        },
        [selector, jpeg.toString('base64')] as const,
      ),
    async picture(name: string): Promise<void> {
      const { data } = await send<{ data: string }>('Page.captureScreenshot');
      writeFileSync(`${pictures}/${name}.png`, Buffer.from(data, 'base64'));
    },
    close(): void {
      socket.close();
      if (child.pid) process.kill(-child.pid);
    },
  };
}
