import { createHash, createPublicKey, verify } from 'node:crypto';
import { verifyMessage } from 'http-message-signatures/lib/httpbis/index.js';

/** Components without which a signature says nothing of the message. */
const requiredFields = ['@method', '@authority', '@path', 'content-digest'];
const hashes = { 'sha-256': 'sha256', 'sha-512': 'sha512' } as const;

/** True if the header `Content-Digest` (RFC 9530) is that of the body. */
function isDigestOf(body: string, header: string): boolean {
  const [, name, digest] = /^(sha-256|sha-512)=:([\w+/=]+):$/.exec(header.trim()) ?? [];
  return (
    name !== undefined &&
    createHash(hashes[name as keyof typeof hashes])
      .update(body)
      .digest('base64') === digest
  );
}

/**
 * True if a message to `url` was signed (RFC 9421) with ECDSA by a key of `keyOf`, in PEM. The
 * signature may be in DER, as pawaPay's examples have it, or raw, as the standard has it.
 */
export async function isSigned(
  { url, body, headers }: { url: string; body: string; headers: Headers },
  keyOf: (id: string) => Promise<string | undefined>,
): Promise<boolean> {
  if (!isDigestOf(body, headers.get('content-digest') ?? '')) return false;
  try {
    const verdict = await verifyMessage(
      {
        requiredFields,
        // Seconds that two clocks may differ.
        tolerance: 60,
        keyLookup: async ({ keyid }) => {
          const pem = typeof keyid === 'string' ? await keyOf(keyid) : undefined;
          if (!pem) return null;
          const key = createPublicKey(pem);
          return {
            algs: ['ecdsa-p256-sha256', 'ecdsa-p384-sha384'],
            verify: async (data, signature, parameters) =>
              (['der', 'ieee-p1363'] as const).some((dsaEncoding) =>
                verify(
                  parameters?.alg === 'ecdsa-p384-sha384' ? 'sha384' : 'sha256',
                  data,
                  { key, dsaEncoding },
                  signature,
                ),
              ),
          };
        },
      },
      { method: 'POST', url, headers: Object.fromEntries(headers) },
    );
    return verdict === true;
  } catch {
    // A malformed or outdated signature.
    return false;
  }
}
