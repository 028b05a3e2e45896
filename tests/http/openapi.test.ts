import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import openapiTypes, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OpenApi, Operation } from '../../api/docs/openapi.ts';
import { actors } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { source } from '../support/processes.ts';

const token = 'a-token-of-the-figures-that-is-long';
const market = await testApp({ env: { METRICS_TOKEN: token } });
const demo = await testApp({ database: market.database, env: { DEMO: '1', PUBLIC_URL: '' } });
const secure = await testApp({
  database: market.database,
  env: { PUBLIC_URL: 'https://market.test' },
});
const { body: document } = await market.call<OpenApi>('/api/openapi.json');
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path,
    operation,
  })),
);
const named = (method: string, path: string): Operation | undefined =>
  document.paths[path]?.[method];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'marche54-openapi-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a tool with Bun in the temporary folder; returns exit code and output. */
async function run(args: string[]) {
  const child = Bun.spawn([process.execPath, '--bun', ...args], {
    cwd: folder,
    env: {
      ...process.env,
      NO_COLOR: '1',
      REDOCLY_TELEMETRY: 'off',
      REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, out, err };
}

const { body: ofDemo } = await demo.call<OpenApi>('/api/openapi.json');

test.each([
  ['with a public address', document],
  ['without one', ofDemo],
])('the recommended rules of a standard linter find nothing, %s', async (name, text) => {
  const file = `${name.replaceAll(' ', '-')}.json`;
  await writeFile(join(folder, file), JSON.stringify(text));
  const linter = source('node_modules/@redocly/cli/bin/cli.js');
  const { code, out, err } = await run([
    linter,
    'lint',
    file,
    '--extends',
    'recommended',
    '--format',
    'json',
  ]);
  const found = JSON.parse(out) as {
    totals: Record<string, number>;
    problems: { ruleId: string; message: string }[];
  };
  expect(found.problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  expect([found.totals, code], err).toEqual([{ errors: 0, warnings: 0, ignored: 0 }, 0]);
});

test('the server is the public address, and without one the server that answers', () => {
  expect(document.servers).toEqual([{ url: 'http://market.test' }]);
  expect(ofDemo.servers).toEqual([
    { url: '/', description: 'The server that answers this document' },
  ]);
});

describe('who may call', () => {
  const proofs = operations.filter(({ operation }) =>
    operation.security.every((way) => !('session' in way) && Object.keys(way).length),
  );

  test('an operation that asks for a session refuses a caller without one, with an answer of the document', async () => {
    const closed = operations.filter(({ operation }) =>
      operation.security.every((way) => 'session' in way),
    );
    expect(closed.length).toBeGreaterThan(90);
    for (const { method, path, operation } of closed) {
      const { status } = await market.call(path.replaceAll(/\{\w+\}/g, '1'), { method });
      expect([status, operation.description.includes('visitor')], `${method} ${path}`).toEqual([
        401,
        false,
      ]);
      expect(operation.responses).toHaveProperty('401.content');
    }
  });

  test('a webhook and the figures refuse a caller without their secret, with an answer of the document', async () => {
    expect(
      proofs.map(
        ({ method, path, operation }) =>
          `${method} ${path} ${Object.keys(operation.security[0] ?? {})}`,
      ),
    ).toEqual([
      'GET /metrics metricsToken',
      'POST /bot/telegram telegramSecret',
      'GET /bot/whatsapp whatsappToken',
      'POST /bot/whatsapp whatsappSignature',
    ]);
    for (const { method, path, operation } of proofs) {
      const { status } = await market.call(path, { method });
      expect([403, 404]).toContain(status);
      expect(operation.responses, path).toHaveProperty(`${status}.content`);
    }
    expect((await market.call('/metrics')).status).toBe(403);
    expect(
      (await market.request('/metrics', { headers: { authorization: `Bearer ${token}` } })).status,
    ).toBe(200);
  });

  test('everything else works without credentials, and may use a session', () => {
    const open = operations.filter(({ operation }) =>
      operation.security.some((way) => !Object.keys(way).length),
    );
    for (const { path, operation } of open) {
      expect(operation.security, path).toEqual([{}, { session: [] }]);
      expect(operation.responses, path).not.toHaveProperty('401');
    }
    expect(named('get', '/api/slots')?.security).toEqual([{}, { session: [] }]);
  });

  test('the cookie has the name that a sign-in sets', async () => {
    const name = (body: OpenApi) =>
      (body.components.securitySchemes.session as { name: string }).name;
    const { member } = await actors(market);
    expect(member.jar.header()).toContain(`${name(document)}=`);
    const answer = (await secure.call<OpenApi>('/api/openapi.json')).body;
    const { options } = secure.auth;
    expect([name(answer), options.advanced.useSecureCookies]).toEqual([
      '__Secure-marche54.session_token',
      true,
    ]);
  });

  test('every operation has its refusals in the one shape, and a name of its own', () => {
    for (const { method, path, operation } of operations) {
      const refusals = Object.entries(operation.responses).filter(
        ([status]) => !status.startsWith('2'),
      );
      expect(
        refusals.map(([status]) => status).some((status) => status.startsWith('4')),
        path,
      ).toBe(true);
      for (const [status, { content }] of refusals)
        expect(content, `${method} ${path} ${status}`).toEqual({
          'application/json': { schema: { $ref: '#/components/schemas/Error' } },
        });
    }
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(
      operations.length,
    );
    expect(Object.keys(named('put', '/api/auth/profile')?.responses ?? {})).toEqual([
      '200',
      '400',
      '401',
      '403',
      '429',
      'default',
    ]);
    expect(Object.keys(named('get', '/api/slots')?.responses ?? {})).toEqual([
      '200',
      '429',
      'default',
    ]);
  });
});

describe('a typed client that a stranger generates', () => {
  const use = `
import createClient from 'openapi-fetch';
import type { components, paths } from './market';

const client = createClient<paths>({ baseUrl: 'http://market.test', fetch: (request) => globalThis.askMarket(request) });
declare global {
  var askMarket: (request: Request) => Promise<Response>;
}

export async function tryIt() {
  const slots = await client.GET('/api/slots');
  const empty = await client.GET('/api/slots/{slotId}', { params: { path: { slotId: '1' } } });
  const closed = await client.GET('/api/account');
  const refusal: components['schemas']['Error'] | undefined = closed.error;
  // @ts-expect-error This path is not in the document.
  await client.GET('/api/nowhere');
  // @ts-expect-error A report names its reason.
  const wrong = await client.POST('/api/products/{id}/report', { params: { path: { id: 'x' } }, body: {} });
  return [slots.response.status, empty.error?.error.code, closed.response.status, refusal?.error.code, wrong.response.status];
}
`;

  test('type-checks, refuses a wrong use, and calls the market', async () => {
    await writeFile(
      join(folder, 'market.d.ts'),
      astToString(await openapiTypes(JSON.stringify(document))),
    );
    await writeFile(join(folder, 'use.ts'), use);
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await symlink(source('node_modules'), join(folder, 'node_modules'));
    const compiler = source('node_modules/ts7/bin/tsc');
    const options = [
      '--noEmit',
      '--strict',
      '--module',
      'esnext',
      '--moduleResolution',
      'bundler',
      '--target',
      'es2022',
      '--lib',
      'es2022,dom',
      '--types',
      '',
    ];
    const { code, out } = await run([compiler, ...options, 'use.ts']);
    expect([code, out]).toEqual([0, '']);

    Object.assign(globalThis, { askMarket: (request: Request) => market.app.fetch(request) });
    const { tryIt } = (await import(join(folder, 'use.ts'))) as { tryIt: () => Promise<unknown[]> };
    expect(await tryIt()).toEqual([200, 'products.notFound', 401, 'signInRequired', 400]);
  });
});
