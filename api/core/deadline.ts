import type { AppEnv } from './http.ts';

type Fetch = (request: Request, env?: AppEnv['Bindings']) => Response | Promise<Response>;

/** A photo may come at 8 KB/s, and two buttons of the admin work through the whole storage: these have a pace of their own. */
const ownPace = /^\/api\/(uploads|admin\/(cleanup|health))(\/|$)/;

/**
 * Gives every request an answer in time: when none has begun after `seconds`, `late` answers instead, and what comes afterwards is thrown away.
 * An answer that has begun, such as the line to open pages, may go on. Calls of a page within the process are inside that page's deadline.
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
          // A line that nobody will ever read would be written to for ever.
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
