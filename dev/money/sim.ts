import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { Hono } from 'hono';
import { signMessage } from 'http-message-signatures/lib/httpbis/index.js';

/**
 * A payment provider that moves no money: pawaPay's Merchant API v2 as far as the market calls it
 * (openapi_v2.yaml, version v2), with signed callbacks, and faults on request.
 */

/** Faults that a deposit can go through. */
export const faults = [
  'twice',
  'late',
  'outOfOrder',
  'forged',
  'wrongAmount',
  'wrongCurrency',
  'error500',
  'timeout',
  'notFound',
  'acceptanceLost',
  'noCallback',
  'callbackFirst',
  'stuck',
  'rejected',
] as const;
export type Fault = (typeof faults)[number];

/** Last three digits of the payer's number that fail a deposit, as in the provider's sandbox. */
const failing: Readonly<Record<string, string>> = {
  '019': 'PAYER_LIMIT_REACHED',
  '029': 'PAYER_NOT_FOUND',
  '039': 'PAYMENT_NOT_APPROVED',
  '049': 'INSUFFICIENT_BALANCE',
  '069': 'UNSPECIFIED_FAILURE',
};

type Deposit = {
  depositId: string;
  amount: string;
  currency: string;
  status: 'ACCEPTED' | 'PROCESSING' | 'COMPLETED' | 'FAILED';
  phoneNumber: string;
  provider: string;
  providerTransactionId?: string;
  failureReason?: { failureCode: string };
  fault: Fault | undefined;
  asked: number;
};

type Refund = Pick<Deposit, 'depositId' | 'amount' | 'currency' | 'status' | 'failureReason'> & {
  refundId: string;
};
export type Sim = Awaited<ReturnType<typeof startSim>>;

const keyId = 'SIM_KEY:1';
const body = (deposit: Deposit) => {
  const { depositId, status, amount, currency, phoneNumber, provider } = deposit;
  const { providerTransactionId, failureReason } = deposit;
  return {
    ...{ depositId, status, amount, currency, country: 'CMR' },
    payer: { type: 'MMO', accountDetails: { phoneNumber, provider } },
    ...(providerTransactionId ? { providerTransactionId } : {}),
    ...(failureReason ? { failureReason } : {}),
  };
};

type Options = {
  token: string;
  /** Address of the callbacks; without it none are sent. */
  callbackUrl?: string;
  /** Milliseconds after which a payer has answered; only `finish` answers without it. */
  confirmsMs?: number;
  port?: number;
  /** Milliseconds that a silent answer takes. */
  silentMs?: number;
  /** Sends a callback. */
  send?: (request: Request) => Promise<Response>;
};

/** Starts the provider on this machine. */
export async function startSim({
  token,
  callbackUrl,
  confirmsMs,
  port = 0,
  silentMs = 20_000,
  send = fetch,
}: Options) {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const deposits = new Map<string, Deposit>();
  const refunds = new Map<string, Refund>();
  const next: Fault[] = [];
  /** Every request and answer, with its headers. */
  const traffic: { path: string; headers: Record<string, string>; body: string }[] = [];

  async function call(deposit: Deposit, { forged = false } = {}): Promise<number> {
    if (!callbackUrl) return 0;
    const content = JSON.stringify(body(deposit));
    const { privateKey } = forged ? stranger : keys;
    const signed = await signMessage(
      {
        name: 'sig-pp',
        fields: [
          ...['@method', '@authority', '@path', 'signature-date', 'content-digest'],
          'content-type',
        ],
        key: {
          id: keyId,
          alg: 'ecdsa-p256-sha256',
          sign: async (data) => sign('sha256', data, privateKey),
        },
      },
      {
        method: 'POST',
        url: callbackUrl,
        headers: {
          'content-type': 'application/json',
          'signature-date': new Date().toISOString(),
          'content-digest': `sha-512=:${createHash('sha512').update(content).digest('base64')}:`,
        },
      },
    );
    const headers = signed.headers as Record<string, string>;
    traffic.push({ path: 'callback', headers, body: content });
    const request = new Request(callbackUrl, { method: 'POST', headers, body: content });
    return (await send(request)).status;
  }

  /** The payer's answer, or the network's; a callback follows unless the fault withholds it. */
  async function finish(
    id: string,
    outcome: 'COMPLETED' | { failureCode: string } = 'COMPLETED',
  ): Promise<void> {
    const deposit = deposits.get(id);
    if (!deposit) throw new Error(`There is no deposit ${id}`);
    if (outcome === 'COMPLETED') {
      deposit.status = 'COMPLETED';
      deposit.providerTransactionId = `sim-${id.slice(0, 8)}`;
      if (deposit.fault === 'wrongAmount') deposit.amount = String(Number(deposit.amount) - 5);
      if (deposit.fault === 'wrongCurrency') deposit.currency = 'XOF';
    } else {
      deposit.status = 'FAILED';
      deposit.failureReason = outcome;
    }
    if (deposit.fault === 'noCallback') return;
    if (deposit.fault === 'outOfOrder') await call({ ...deposit, status: 'PROCESSING' });
    await call(deposit);
    if (deposit.fault === 'twice') await call(deposit);
  }

  /** The network's answer to a refund. */
  const giveBack = (id: string, failureCode?: string) => {
    const refund = refunds.get(id);
    if (!refund) throw new Error(`There is no refund ${id}`);
    refund.status = failureCode ? 'FAILED' : 'COMPLETED';
    if (failureCode) refund.failureReason = { failureCode };
  };

  const later = async (deposit: Deposit) => {
    const code = failing[deposit.phoneNumber.slice(-3)];
    const wait = deposit.fault === 'late' ? 20 : 1;
    if (deposit.fault === 'stuck' || confirmsMs === undefined) return;
    await Bun.sleep(confirmsMs * wait);
    await finish(deposit.depositId, code ? { failureCode: code } : 'COMPLETED').catch(() => {});
  };

  const app = new Hono()
    .use('/v2/*', async (c, go) => {
      const path = `${c.req.method} ${c.req.path}`;
      traffic.push({ path, headers: c.req.header(), body: await c.req.text() });
      const isKnown =
        c.req.path === '/v2/public-key/http' || c.req.header('authorization') === `Bearer ${token}`;
      if (isKnown) await go();
      else c.res = c.json({ failureReason: { failureCode: 'AUTHENTICATION_ERROR' } }, 403);
      const headers = Object.fromEntries(c.res.headers);
      traffic.push({ path, headers, body: await c.res.clone().text() });
    })
    .get('/v2/public-key/http', (c) =>
      c.json([
        { id: keyId, key: keys.publicKey.export({ type: 'spki', format: 'pem' }).toString() },
      ]),
    )
    .post('/v2/predict-provider', async (c) => {
      const { phoneNumber } = await c.req.json<{ phoneNumber: string }>();
      const own = /^237(6\d{8})$/.exec(phoneNumber)?.[1] ?? '';
      const provider = /^6(?:7|5[0-4]|8[0-4])/.test(own)
        ? 'MTN_MOMO_CMR'
        : /^6(?:9|5[5-9]|8[5-9])/.test(own)
          ? 'ORANGE_CMR'
          : undefined;
      return provider
        ? c.json({ country: 'CMR', provider, phoneNumber })
        : c.json({ failureReason: { failureCode: 'INVALID_PHONE_NUMBER' } }, 400);
    })
    .post('/v2/deposits', async (c) => {
      const given = await c.req.json<{
        depositId: string;
        amount: string;
        currency: string;
        payer: { accountDetails: { phoneNumber: string; provider: string } };
      }>();
      const { depositId, amount, currency, payer } = given;
      const created = new Date().toISOString();
      if (deposits.has(depositId))
        return c.json({ depositId, status: 'DUPLICATE_IGNORED', created });
      const fault = next.shift();
      if (fault === 'error500') return c.json({}, 500);
      if (fault === 'rejected')
        return c.json({
          ...{ depositId, status: 'REJECTED', created },
          failureReason: { failureCode: 'INVALID_PHONE_NUMBER' },
        });
      const deposit: Deposit = {
        ...{ depositId, amount, currency, ...payer.accountDetails, fault },
        ...{ status: 'ACCEPTED', asked: 0 },
      };
      deposits.set(depositId, deposit);
      if (fault === 'forged') await call({ ...deposit, status: 'COMPLETED' }, { forged: true });
      if (fault === 'callbackFirst') await finish(depositId);
      else void later(deposit);
      if (fault === 'timeout') await Bun.sleep(silentMs);
      if (fault === 'acceptanceLost') return c.body(null, 502);
      return c.json({ depositId, status: 'ACCEPTED', created });
    })
    .post('/v2/refunds', async (c) => {
      const given = await c.req.json<Omit<Refund, 'status'>>();
      const { refundId, depositId, amount, currency } = given;
      if (refunds.has(refundId)) return c.json({ refundId, status: 'DUPLICATE_IGNORED' });
      const deposit = deposits.get(depositId);
      if (deposit?.status !== 'COMPLETED')
        return c.json({
          ...{ refundId, status: 'REJECTED' },
          failureReason: { failureCode: 'INVALID_STATE' },
        });
      const fault = next.shift();
      if (fault === 'error500') return c.json({}, 500);
      refunds.set(refundId, { refundId, depositId, amount, currency, status: 'ACCEPTED' });
      if (fault === 'acceptanceLost') return c.body(null, 502);
      if (confirmsMs !== undefined) setTimeout(() => giveBack(refundId), confirmsMs);
      return c.json({ refundId, status: 'ACCEPTED' });
    })
    .get('/v2/refunds/:id', (c) => {
      const refund = refunds.get(c.req.param('id'));
      return c.json(refund ? { status: 'FOUND', data: refund } : { status: 'NOT_FOUND' });
    })
    .get('/v2/deposits/:id', (c) => {
      const deposit = deposits.get(c.req.param('id'));
      if (deposit) deposit.asked += 1;
      if (!deposit || (deposit.fault === 'notFound' && deposit.asked === 1))
        return c.json({ status: 'NOT_FOUND' });
      return c.json({ status: 'FOUND', data: body(deposit) });
    })
    // For a person at the keyboard.
    .post('/sim/next/:fault', (c) => {
      const fault = faults.find((known) => known === c.req.param('fault'));
      if (!fault) return c.json({ faults }, 400);
      next.push(fault);
      return c.json({ next });
    })
    .get('/sim', (c) => c.json({ faults, next, failing, deposits: [...deposits.values()] }));

  const server = Bun.serve({ port, hostname: '127.0.0.1', fetch: app.fetch });
  return {
    url: `http://127.0.0.1:${server.port}`,
    deposits,
    refunds,
    giveBack,
    traffic,
    finish,
    call,
    /** The next deposit goes through these, one each. */
    misbehave: (...wanted: Fault[]) => next.push(...wanted),
    close: () => server.stop(true),
  };
}
