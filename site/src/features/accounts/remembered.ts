import { session } from '../../lib/flash.ts';

const key = 'marche54.email';
const createdKey = 'marche54.created';

/** The address that waits for its verification, so that a new link can be asked for without typing it again. */
export const waitingEmail = {
  get: () => session.get(key),
  remember(email: string, created: boolean) {
    session.set(key, email.trim());
    if (created) session.set(createdKey, 'yes');
    else session.remove(createdKey);
  },
  /** Whether the account was made a moment ago, in this tab. */
  created: () => session.get(createdKey) === 'yes',
  forget() {
    session.remove(key);
    session.remove(createdKey);
  },
};
