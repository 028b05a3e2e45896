import type { deliveryFaults } from '../../db/schema/operations.ts';

export type DeliveryFault = (typeof deliveryFaults)[number];

/** As nodemailer adds them. */
type SmtpError = { code?: unknown; command?: unknown; responseCode?: unknown; response?: unknown };

const login = ['EAUTH', 'ENOAUTH', 'EOAUTH2'];
const network = ['ECONNECTION', 'ETIMEDOUT', 'ESOCKET', 'EDNS', 'ETLS', 'EREQUIRETLS'];

/**
 * Classifies a mail error by its remedy. A 5xx about the recipient is final (RFC 5321), but a
 * policy code (5.7.x: relaying, SPF) is about the sender and can be fixed.
 */
export function faultOf(error: unknown): DeliveryFault {
  if (!(error instanceof Error)) return 'other';
  const { code, command, responseCode, response } = error as SmtpError;
  if (login.includes(String(code)) || responseCode === 530) return 'login';
  if (
    network.includes(String(code)) ||
    error.name === 'AbortError' ||
    error.name === 'TimeoutError'
  )
    return 'unreachable';
  const status = Number(responseCode ?? 0);
  if (status >= 400 && status < 500) return 'later';
  if (status < 500) return code === 'EENVELOPE' && command === 'API' ? 'recipient' : 'other';
  const reason = /^\d{3}[ -]5\.(\d{1,3})\./.exec(String(response).slice(0, 20))?.[1];
  if (command === 'MAIL FROM' || (command === 'RCPT TO' && reason === '7')) return 'sender';
  return command === 'RCPT TO' || reason === '1' || reason === '2' ? 'recipient' : 'content';
}
