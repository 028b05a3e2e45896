import { session } from '../../lib/storage.ts';

const key = 'marche54.email';
const createdKey = 'marche54.created';

/** Address that awaits verification, so that a new link needs no typing. */
export const waitingEmail = {
  get: () => session.get(key),
  remember(email: string, created: boolean) {
    session.set(key, email.trim());
    if (created) session.set(createdKey, 'yes');
    else session.remove(createdKey);
  },
  /** The account was created in this tab just now. */
  created: () => session.get(createdKey) === 'yes',
  forget() {
    session.remove(key);
    session.remove(createdKey);
  },
};
