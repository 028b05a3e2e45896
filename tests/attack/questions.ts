import { sentenceOf } from '../../api/challenge/question.ts';
import { dictionaries } from '../../locales/index.ts';
import type { Answer, Person } from './people.ts';

type Details = { token?: string; question?: string; seconds?: number };
type Refused = { error?: { code?: string; details?: Details } };
const longestWaitSeconds = 65;

/** The answer that a person would give to a question of the market, read in English. */
function answerTo(question: string): string {
  for (let a = 2; a < 10; a++) for (let b = 2; b < 10; b++) if (sentenceOf({ kind: 'sum', a, b }, 'en') === question) return String(a + b);
  const { words, places } = dictionaries.en.shop.question;
  const listed = Object.entries(words)
    .map(([key, word]) => ({ key, word, at: question.lastIndexOf(word) }))
    .filter(({ at }) => at >= 0)
    .sort((one, other) => one.at - other.at);
  for (let place = 1; place <= Object.keys(places).length; place++)
    if (sentenceOf({ kind: 'word', place, words: listed.map(({ key }) => key) }, 'en') === question) return listed[place - 1]?.word ?? '';
  return '';
}

/** Sends something as an honest person does: a question that is put ahead of it is waited for and answered. */
export async function asked<T>(person: Person, path: string, json: object): Promise<Answer<T> & { questions: number }> {
  let reply = {};
  for (let questions = 0; ; questions++) {
    const answer = await person.ask<T & Refused>(path, { json: { ...json, ...reply }, headers: { 'accept-language': 'en' } });
    const { token, question, seconds = 0 } = answer.body.error?.details ?? {};
    if (!token || !question || questions === 3) return { ...answer, questions };
    await Bun.sleep((Math.min(seconds, longestWaitSeconds) + 0.5) * 1000);
    reply = { token, answer: answerTo(question) };
  }
}
