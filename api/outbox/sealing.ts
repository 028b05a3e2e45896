import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const [ivBytes, tagBytes] = [12, 16];
const cipher = { name: 'aes-256-gcm', options: { authTagLength: tagBytes } } as const;
/** Each purpose has its own key, derived from these words. */
type Purpose =
  | 'marche54 chat address'
  | 'marche54 browser'
  | 'marche54 mailed link'
  | 'marche54 contact question'
  | 'marche54 payer number';
const keyOf = (secret: string, purpose: Purpose) =>
  Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));

/**
 * Encrypts a text (AES-256-GCM) as base64url, differently each time. Only the same `whose` opens
 * it.
 */
export function seal(secret: string, purpose: Purpose, whose: string, text: string): string {
  return sealWith(randomBytes(ivBytes), secret, purpose, whose, text);
}

/**
 * Encrypts equal texts alike. Different texts get different IVs, which are keyed hashes of the
 * text.
 */
export function sealAlike(secret: string, purpose: Purpose, whose: string, text: string): string {
  const iv = createHmac('sha256', keyOf(secret, purpose))
    .update(`${whose.length}:${whose}${text}`)
    .digest()
    .subarray(0, ivBytes);
  return sealWith(iv, secret, purpose, whose, text);
}

function sealWith(
  iv: Buffer,
  secret: string,
  purpose: Purpose,
  whose: string,
  text: string,
): string {
  const sealing = createCipheriv(cipher.name, keyOf(secret, purpose), iv, cipher.options).setAAD(
    Buffer.from(whose),
  );
  return Buffer.concat([
    iv,
    sealing.update(text, 'utf8'),
    sealing.final(),
    sealing.getAuthTag(),
  ]).toString('base64url');
}

/** Decrypts a text; throws for another `whose`, another secret or a tampered text. */
export function unseal(secret: string, purpose: Purpose, whose: string, text: string): string {
  const sealed = Buffer.from(text, 'base64url');
  if (sealed.length < ivBytes + tagBytes) throw new Error('What was sealed is cut short');
  const opening = createDecipheriv(
    cipher.name,
    keyOf(secret, purpose),
    sealed.subarray(0, ivBytes),
    cipher.options,
  );
  opening.setAAD(Buffer.from(whose)).setAuthTag(sealed.subarray(-tagBytes));
  return Buffer.concat([
    opening.update(sealed.subarray(ivBytes, -tagBytes)),
    opening.final(),
  ]).toString('utf8');
}
