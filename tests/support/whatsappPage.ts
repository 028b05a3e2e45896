import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const version = '2.3000.54';

/**
 * Fakes WhatsApp's page up to linking: a QR code, a pairing code and, if `linked`, a linked phone.
 */
export function whatsappPage(
  folder: string,
  { linked = false }: { linked?: boolean } = {},
): { version: string; folder: string } {
  const html = `<!doctype html><title>WhatsApp</title><script>
    const listeners = {};
    const model = (more) => ({ on(name, fn) { (listeners[name] ??= []).push(fn); }, off() {}, ...more });
    const modules = {
      WAWebSocketModel: { Socket: model({ state: 'UNPAIRED' }) },
      WAWebCmd: { Cmd: model({}) },
      WAWebConnModel: { Conn: model({ ref: 'a reference' }) },
      WAWebOfflineHandler: { OfflineMessageHandler: {} },
      WAWebAltDeviceLinkingApi: { setPairingType() {}, async initializeAltDeviceLinking() {}, async startAltLinkingFlow(number) { return 'W' + number.slice(-7); } },
      WABase64: { encodeB64: (key) => 'key' + key },
      WAWebCompanionRegClientUtils: { DEVICE_PLATFORM: 'platform' },
      WAWebAdvSignatureApi: {},
      WAWebUserPrefsInfoStore: { waNoiseInfo: { async get() { return { staticKeyPair: { pubKey: 1 } }; } } },
      WAWebSignalStoreApi: { waSignalStore: { async getRegistrationInfo() { return { identityKeyPair: { pubKey: 2 } }; } } },
      WAWebUserPrefsMultiDevice: { getADVSecretKey: () => 'secret' },
    };
    window.require = (name) => modules[name] ?? {};
    window.Debug = { VERSION: '${version}' };
    ${linked ? "const link = setInterval(() => { if (listeners['change:hasSynced']) { clearInterval(link); for (const fn of listeners['change:hasSynced']) fn(); } }, 50);" : ''}
  </script>`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${version}.html`), html);
  return { version, folder };
}
