import { open } from 'node:fs/promises';
import { BadBackup } from './format.ts';

/** Encrypts a stream in age's format (decision 052). */
export type Seal = (plain: AsyncIterable<Uint8Array>) => AsyncGenerator<Uint8Array>;

// Loading takes a third of a second, for nothing if nothing is encrypted.
const library = () => import('age-encryption');

/** Encrypts to public keys (`age1…`); any one private key opens it. */
export const sealTo = (recipients: readonly string[]): Seal =>
  async function* (plain) {
    const { Encrypter } = await library();
    const encrypter = new Encrypter();
    for (const recipient of recipients) encrypter.addRecipient(recipient);
    yield* chunksOf(await encrypter.encrypt(streamOf(plain)));
  };

const magic = 'age-encryption.org/v1\n';

export async function isSealed(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(magic.length), 0, magic.length, 0);
    return buffer.toString('latin1', 0, bytesRead) === magic;
  } finally {
    await handle.close();
  }
}

/** Decrypts a stream. Throws {@link BadBackup} if no private key fits. */
export async function* unseal(
  sealed: AsyncIterable<Uint8Array>,
  identities: readonly string[],
): AsyncGenerator<Uint8Array> {
  if (identities.length === 0)
    throw new BadBackup(
      'This backup is encrypted. Give its private key: --identity <file>, or --identity - to paste it.',
    );
  const { Decrypter } = await library();
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  const plain = await decrypter.decrypt(streamOf(sealed)).catch((error) => {
    if (/no identity matched/.test(String(error)))
      throw new BadBackup(
        'This private key does not open the backup: it was encrypted to other keys (BACKUP_RECIPIENTS of its day).',
      );
    throw error;
  });
  yield* chunksOf(plain);
}

/** Private keys in a key file of `age-keygen` or `bun run backup:keys`. */
export async function identitiesIn(text: string): Promise<string[]> {
  if (/^(?:age-encryption\.org|-----BEGIN AGE)/.test(text))
    throw new BadBackup(
      'This key file is encrypted itself: age -d key.age | bun run restore … --identity -',
    );
  const lines = text.split('\n').map((line) => line.trim());
  const keys = lines.filter((line) => line && !line.startsWith('#'));
  if (keys.length === 0)
    throw new BadBackup(
      'There is no private key in what was given: it begins with AGE-SECRET-KEY-1.',
    );
  const { Decrypter } = await library();
  try {
    for (const key of keys) new Decrypter().addIdentity(key);
  } catch {
    // The library's own message may quote the key.
    throw new BadBackup(
      'What was given is no private key of age, or a mistyped one: it begins with AGE-SECRET-KEY-1.',
    );
  }
  return keys;
}

export async function newKeys(): Promise<{ recipient: string; identity: string }> {
  const { generateX25519Identity, identityToRecipient } = await library();
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

/** Pulls on demand, so a fast source never fills the memory. */
function streamOf(source: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await chunks.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
