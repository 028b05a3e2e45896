import { afterAll, describe, expect, test } from 'vitest';
import { knownHosts } from '../../api/http/host.ts';
import { serve } from '../../api/httpServer.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { send } from '../support/rawRequest.ts';

/** DNS rebinding: a foreign page whose name resolves to this machine could read the answers. */
const demo = await testApp({ env: { DEMO: '1', PUBLIC_URL: 'https://shown.example:8443' } });
const servers: ReturnType<typeof serve>[] = [];
afterAll(() => Promise.all(servers.map((server) => server.stop())));

function listening({ app }: TestApp, env: Parameters<typeof knownHosts>[0]) {
  const assets = (_: Request, path: string) =>
    path === '/robots.txt' ? new Response('built') : undefined;
  const knows = knownHosts(env);
  const server = serve({
    app,
    assets,
    hostname: '127.0.0.1',
    port: 0,
    ...(knows ? { knows } : {}),
  });
  servers.push(server);
  return (path: string, host: string | undefined, more = '') =>
    send(
      server.port,
      Buffer.from(
        `GET ${path} HTTP/1.1\r\n${host === undefined ? '' : `Host: ${host}\r\n`}${more}Connection: close\r\n\r\n`,
      ),
      8000,
    );
}

const paths = ['/api/demo/outbox', '/api/live', '/robots.txt', '/healthz', '/media/x.webp'];

describe('a demo on this machine alone', () => {
  const get = listening(demo, demo.env);

  test.each([
    'localhost',
    'localhost:5454',
    'LocalHost:1',
    'market.localhost:5454',
    '127.0.0.1:5454',
    '127.9.9.9',
    '[::1]:5454',
    '[::1]',
    'shown.example',
    'Shown.example:1',
  ])('answers to %s', async (host) => {
    expect((await get('/api/demo/outbox', host)).status).toBe(200);
  });

  test.each([
    'evil.example',
    'evil.example:5454',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    'evillocalhost',
    '.localhost',
    '128.0.0.1',
    '192.168.1.7:5454',
    '[::2]',
    '[::ffff:192.168.1.7]',
    'localhost, evil.example',
    'evil.example@localhost',
    'shown.example.evil.example',
  ])('answers nothing to %s, streams and files neither', async (host) => {
    for (const path of paths) {
      const { status, body } = await get(path, host);
      expect([400, 421], `${path} ${body}`).toContain(status);
      expect(body).not.toContain('messages');
    }
  });

  test('says why in a sentence, and judges nothing but the name that was asked for', async () => {
    const answer = await get(
      '/api/demo/outbox',
      'evil.example',
      'X-Forwarded-Host: localhost\r\nForwarded: host=localhost\r\nAccept-Language: fr\r\n',
    );
    expect(answer.status).toBe(421);
    expect(JSON.parse(answer.body).error).toMatchObject({
      code: 'wrongHost',
      message: expect.stringMatching(/^Cette démo ne répond que sur cette machine/),
    });
    expect([400, 421]).toContain((await get('/api/demo/outbox', undefined)).status);
    expect([400, 421]).toContain(
      (await get('http://evil.example/api/demo/outbox', 'evil.example')).status,
    );
  });
});

describe('others', () => {
  test('an opened demo is asked for by any name, and so is a market that is none', async () => {
    for (const env of [
      { demo: true, HOST: '0.0.0.0' },
      { demo: true, HOST: '::' },
      { demo: true, HOST: '192.168.1.7' },
      { demo: false, HOST: '127.0.0.1' },
    ]) {
      const get = listening(demo, env);
      for (const host of ['phone.lan:5454', '192.168.1.7:5454', 'localhost'])
        expect((await get('/api/demo/outbox', host)).status).toBe(200);
    }
  });

  test('`bun run dev` says where browsers reach it', () => {
    expect(knownHosts({ demo: true, HOST: '127.0.0.1' }, '0.0.0.0')).toBeUndefined();
    expect(knownHosts({ demo: true, HOST: '127.0.0.1' }, '127.0.0.1')?.('evil.example')).toBe(
      false,
    );
  });
});
