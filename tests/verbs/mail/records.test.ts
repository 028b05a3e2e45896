import { createSocket } from 'node:dgram';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { senderRecords } from '../../../api/mail/records.ts';
import { type Dns, systemDns } from '../../../api/ops/dns.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';

const market = await testApp({
  env: { MAIL_FROM: 'Marché 54 <post@mail.marché.example>', MAIL_DKIM_SELECTORS: 'one, two' },
});
const { admin, seller } = await actors(market);
const domain = 'mail.xn--march-fsa.example';
let records: Record<string, string[] | Error> = {};
let asked: string[] = [];
const dns: Dns = {
  async txt(name) {
    asked.push(name);
    const found = records[name] ?? [];
    if (found instanceof Error) throw found;
    return found;
  },
};
const good = {
  [domain]: ['v=spf1 include:provider.example -all'],
  [`one._domainkey.${domain}`]: ['v=DKIM1; p=AAAA'],
  [`two._domainkey.${domain}`]: ['v=DKIM1; p=BBBB'],
  '_dmarc.xn--march-fsa.example': ['v=DMARC1; p=reject'],
};

/** New services each time, because results are cached per services. */
async function fresh(env: Record<string, unknown> = {}, played: Dns = dns) {
  const ctx = await market.ctx(admin);
  const services = { ...market.services, dns: played, env: { ...market.env, ...env } };
  return () => senderRecords({ ...ctx, services });
}
beforeEach(async () => {
  await market.reset();
  records = { ...good };
  asked = [];
});

describe('the records of the sender’s domain', () => {
  test('are found, DMARC with a parent domain, and asked again only after ten minutes', async () => {
    const look = await fresh();
    const [first] = await Promise.all([look(), look(), look()]);
    expect(first).toMatchObject({
      state: 'asked',
      domain,
      spf: { state: 'found', name: domain },
      dmarc: { state: 'found', name: '_dmarc.xn--march-fsa.example' },
      dkim: [{ state: 'found', name: `one._domainkey.${domain}` }, { state: 'found' }],
    });
    expect(asked).toHaveLength(5);
    market.clock.advance({ minutes: 9, seconds: 59 });
    expect(await look()).toEqual(first);
    expect(asked).toHaveLength(5);
    market.clock.advance({ seconds: 1 });
    await look();
    expect(asked).toHaveLength(10);
  });

  test('that are wrong are asked again after a minute', async () => {
    records[domain] = [];
    const look = await fresh();
    expect(await look()).toMatchObject({ spf: { state: 'missing', name: domain } });
    records[domain] = good[domain] ?? [];
    expect(await look()).toMatchObject({ spf: { state: 'missing' } });
    market.clock.advance({ minutes: 1 });
    expect(await look()).toMatchObject({ spf: { state: 'found' } });
  });

  test('that could not be asked are not known, each for itself', async () => {
    records[domain] = Object.assign(new Error('queryTxt ESERVFAIL'), { code: 'ESERVFAIL' });
    expect(await (await fresh())()).toMatchObject({
      spf: { state: 'unreachable' },
      dmarc: { state: 'found' },
      dkim: [{ state: 'found' }, { state: 'found' }],
    });
    records = { ...good, [`_dmarc.${domain}`]: new Error('timeout') };
    expect(await (await fresh())()).toMatchObject({
      dmarc: { state: 'unreachable', name: `_dmarc.${domain}` },
    });
  });

  test('without a selector, without a mail server, and without a real domain say so and ask nothing in vain', async () => {
    expect(await (await fresh({ MAIL_DKIM_SELECTORS: [] }))()).toMatchObject({
      dkim: [{ state: 'unnamed' }],
    });
    expect(asked.some((name) => name.includes('_domainkey'))).toBe(false);
    asked = [];
    expect(await (await fresh({ SMTP_URL: undefined }))()).toEqual({ state: 'noMail', domain });
    expect(await (await fresh({ MAIL_FROM: 'Marché 54 <market@localhost>' }))()).toEqual({
      state: 'noDomain',
      domain: 'localhost',
    });
    expect(await (await fresh({ MAIL_FROM: 'nonsense' }))()).toEqual({
      state: 'noDomain',
      domain: null,
    });
    expect(asked).toEqual([]);
  });

  test('are read by admins, through one route', async () => {
    expect(await market.call('/api/admin/mail', { as: admin })).toMatchObject({
      status: 200,
      body: { sender: { state: 'asked' }, refused: { letters: [] } },
    });
    expect((await market.call('/api/admin/mail', { as: seller })).status).toBe(403);
  });
});

/** A name server with an answer or a response code per name; silent for any other. */
async function nameServer(known: Record<string, string[] | number>) {
  const socket = createSocket('udp4');
  socket.on('message', (question, from) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
      labels.push(question.subarray(at + 1, at + 1 + length).toString());
      at += length + 1;
    }
    const answer = known[labels.join('.')];
    if (answer === undefined) return;
    const texts = Array.isArray(answer) ? answer : [];
    const header = Buffer.from(question.subarray(0, 12));
    header.writeUInt16BE(0x8180 | (typeof answer === 'number' ? answer : 0), 2);
    header.writeUInt16BE(texts.length, 6);
    header.writeUInt32BE(0, 8);
    const rows = texts.map((text) => {
      const parts = text.match(/.{1,255}/gs) ?? [];
      const data = Buffer.concat(
        parts.map((part) => Buffer.concat([Buffer.from([part.length]), Buffer.from(part)])),
      );
      return Buffer.concat([
        Buffer.from([0xc0, 0x0c, 0, 16, 0, 1, 0, 0, 0, 60, data.length >> 8, data.length & 255]),
        data,
      ]);
    });
    socket.send(
      Buffer.concat([header, question.subarray(12, at + 5), ...rows]),
      from.port,
      from.address,
    );
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  afterAll(() => socket.close());
  return `127.0.0.1:${socket.address().port}`;
}

test('the system’s resolver joins the parts of a record, knows what is not there, and does not wait for ever', async () => {
  const long = `v=DKIM1; p=${'A'.repeat(400)}`;
  const served = systemDns([
    await nameServer({
      'long.example': [long, 'second'],
      'empty.example': [],
      'gone.example': 3,
      'broken.example': 2,
    }),
  ]);
  expect((await served.txt('long.example')).sort()).toEqual(['second', long]);
  expect(await served.txt('empty.example')).toEqual([]);
  expect(await served.txt('gone.example')).toEqual([]);
  await expect(served.txt('broken.example')).rejects.toThrow();
  await expect(served.txt('silent.example')).rejects.toThrow();
});
