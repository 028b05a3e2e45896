import type { AppEnv } from './route.ts';

type Fetch = (request: Request, env?: AppEnv['Bindings']) => Response | Promise<Response>;

/** Photos may arrive at 8 KB/s, and two admin buttons scan the whole storage. */
const ownPace = /^\/api\/(uploads|admin\/(cleanup|health))(\/|$)/;

/**
 * Answers with `late` when no response begins within `seconds`; a later one is discarded. A stream
 * that has begun may go on, and in-process calls share their page's deadline.
 */
export function withDeadline(answer: Fetch, late: Fetch, seconds: number): Fetch {
  return (request, env) => {
    const answered = answer(request, env);
    if (
      !(answered instanceof Promise) ||
      env?.ctx ||
      (request.method === 'POST' && ownPace.test(new URL(request.url).pathname))
    )
      return answered;
    return new Promise((resolve, reject) => {
      let over = false;
      const timer = setTimeout(() => {
        over = true;
        resolve(late(request, env));
      }, seconds * 1000);
      answered.then(
        (response) => {
          clearTimeout(timer);
          // A stream without a reader would never end.
          if (over) response.body?.cancel().catch(() => {});
          else resolve(response);
        },
        (error) => {
          clearTimeout(timer);
          reject(error);
        },
      );
    });
  };
}
