import type { Button, Reply } from '../../api/core/chatMessages.ts';
import type { Ctx } from '../../api/core/context.ts';
import type { EngagementEvent } from '../../api/engagement/schema.ts';
import type { Version } from '../../api/legal/version.ts';
import type { Chat } from '../../api/people/chats.ts';
import type { Refusal } from '../../api/shared/errors.ts';
import type { Translate } from '../../locales/keys.ts';
import type { Language } from '../../locales/languages.ts';
import type { Args } from '../understanding/request.ts';
import type { Asked, State } from '../understanding/state.ts';

export type { Args, Button, Reply };

/** Photos of one album arrive one by one. */
export type TakenPhoto = { album?: string } & ({ id: string } | { refused: Refusal });

export type Turn = {
  /** Its database is the turn's transaction. */
  ctx: Ctx;
  chat: Pick<Chat, 'keyHash' | 'transport' | 'language' | 'notices' | 'stoppedAt' | 'closedWhy'>;
  state: State;
  t: Translate<'bot'>;
  changes: { language?: Language | null; notices?: boolean };
  /** Language of the person's app. */
  spoken?: string;
  /** Terms that hold now, read once. */
  version: () => Promise<Version>;
  /** Asked again if a verb refuses the answer. */
  again?: Asked;
  photos: TakenPhoto[];
  /** Recorded once the answer is stored. */
  seen: EngagementEvent[];
};

export type Answer = Reply | Reply[];
export type Handler = (turn: Turn, args: Args) => Promise<Answer> | Answer;
