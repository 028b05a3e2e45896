import { answerTo } from '../../tests/support/question.ts';
import type { Answer, Person } from './people.ts';

type Details = { token?: string; question?: string; seconds?: number };
type Refused = { error?: { code?: string; details?: Details } };
const longestWaitSeconds = 65;

/** Sends a request as an honest person: answers the challenge that is put ahead of it. */
export async function asked<T>(
  person: Person,
  path: string,
  json: object,
): Promise<Answer<T> & { questions: number }> {
  let reply = {};
  for (let questions = 0; ; questions++) {
    const answer = await person.ask<T & Refused>(path, {
      json: { ...json, ...reply },
      headers: { 'accept-language': 'en' },
    });
    const { token, question, seconds = 0 } = answer.body.error?.details ?? {};
    if (!token || !question || questions === 3) return { ...answer, questions };
    await Bun.sleep((Math.min(seconds, longestWaitSeconds) + 0.5) * 1000);
    const answered = answerTo(question);
    reply = path.startsWith('/api/auth/')
      ? { questionToken: token, answer: answered }
      : { token, answer: answered };
  }
}
