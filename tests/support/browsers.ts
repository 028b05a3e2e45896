import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto';

/** A message as the browser reads it, and what its push service saw. */
type Arrived = { text: string; endpoint: string; ttl: number; claims: Claims };
type Claims = { aud: string; exp: number; sub: string };
export type Browser = ReturnType<typeof browserAt>;

/** A browser's subscription at a push service, with the keys that read its messages (RFC 8291). */
export function browserAt(
  endpoint = `https://fcm.googleapis.com/fcm/send/${randomBytes(12).toString('hex')}`,
) {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  const auth = randomBytes(16);
  const keys = {
    p256dh: pair.getPublicKey('base64url'),
    auth: auth.toString('base64url'),
  };

  /** Decrypts by RFC 8188 with the keys of RFC 8291; throws for what is not for this browser. */
  function read(body: Buffer): string {
    const [salt, sender, sealed] = [body.subarray(0, 16), body.subarray(21, 86), body.subarray(86)];
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), sender]);
    const secret = Buffer.from(hkdfSync('sha256', pair.computeSecret(sender), auth, info, 32));
    const part = (name: string, bytes: number) =>
      Buffer.from(hkdfSync('sha256', secret, salt, `Content-Encoding: ${name}\0`, bytes));
    const opening = createDecipheriv('aes-128-gcm', part('aes128gcm', 16), part('nonce', 12));
    opening.setAuthTag(sealed.subarray(-16));
    const padded = Buffer.concat([opening.update(sealed.subarray(0, -16)), opening.final()]);
    return padded.subarray(0, padded.lastIndexOf(2)).toString('utf8');
  }
  return { endpoint, keys, read };
}

/**
 * A push service over real HTTP: it checks the sender's signature (RFC 8292) and keeps what came for
 * its browsers. `answers` are the next statuses, 201 without.
 */
export async function pushService() {
  const browsers = new Map<string, Browser>();
  const arrived: Arrived[] = [];
  const answers: (number | Response)[] = [];
  const called: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const endpoint = request.headers.get('x-endpoint') ?? '';
      const body = Buffer.from(await request.arrayBuffer());
      const claims = claimsIn(request.headers.get('authorization') ?? '');
      const next = answers.shift() ?? 201;
      if (typeof next !== 'number') return next;
      if (next !== 201) return new Response(null, { status: next });
      const text = browsers.get(endpoint)?.read(body);
      if (text === undefined) return new Response(null, { status: 410 });
      arrived.push({ text, endpoint, ttl: Number(request.headers.get('ttl')), claims });
      return new Response(null, { status: 201 });
    },
  });
  return {
    arrived,
    answers,
    /** Addresses that the market called. */
    called,
    add(browser = browserAt()): Browser {
      browsers.set(browser.endpoint, browser);
      return browser;
    },
    /** The market's way there, in place of the public network. */
    fetch(endpoint: string, init: RequestInit): Promise<Response> {
      called.push(endpoint);
      const headers = { ...(init.headers as Record<string, string>), 'x-endpoint': endpoint };
      return fetch(`http://127.0.0.1:${server.port}/`, { ...init, headers });
    },
    stop: () => server.stop(true),
  };
}

/** Claims of a VAPID header; throws for a wrong signature. */
function claimsIn(authorization: string): Claims {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) =>
    half.toString('base64url'),
  );
  const publicKey = createPublicKey({
    key: { kty: 'EC', crv: 'P-256', x: x as string, y: y as string },
    format: 'jwk',
  });
  const signed = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
  if (
    !verify('sha256', Buffer.from(`${head}.${claims}`), signed, Buffer.from(signature, 'base64url'))
  )
    throw new Error('The signature of the market is wrong');
  return JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as Claims;
}
