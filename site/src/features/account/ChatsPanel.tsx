import type { Language } from '../../../../locales/languages.ts';
import { useReady } from '../../lib/form.ts';
import type { ChatWay } from '../chat/ways.ts';
import { type Chat, Chats } from './Chats.tsx';
import { chatScreenOf } from './screen.ts';
import type { ChatWords } from './words.ts';
import './account.css';

type Props = {
  language: Language;
  chats: Chat[];
  ways: ChatWay[];
  signIn: string;
  words: ChatWords;
};

/** Linked chats as an island of other pages. */
export default function ChatsPanel({ chats, ways, ...props }: Props) {
  const ready = useReady();
  return <Chats screen={chatScreenOf(props)} chats={chats} ways={ways} ready={ready} />;
}
