/** A browser as the journey uses it: the few acts that both drivers have. */
export type Engine = {
  name: string;
  /** Goes to an address and waits until the page is loaded. */
  open(url: string): Promise<void>;
  /** Runs the body of a function in the page. */
  run<Answer>(body: string): Promise<Answer>;
  /** Clicks the first element that matches, as the browser's own input does. */
  click(css: string): Promise<void>;
  type(css: string, text: string): Promise<void>;
  upload(css: string, file: string): Promise<void>;
  /** Writes what is seen as a PNG. */
  picture(file: string): Promise<void>;
  /** Forgets cookies and storage: the next page meets a newcomer. */
  forget(): Promise<void>;
  /** Script errors of the pages so far; empty where the driver cannot report them. */
  errors(): readonly string[];
  close(): Promise<void>;
};

const pause = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/**
 * Asks a page until an expression is true, at most 30 seconds.
 * @throws Error with the expression and the address where it never was
 */
export async function until(engine: Engine, expression: string): Promise<void> {
  const end = performance.now() + 30_000;
  while (performance.now() < end) {
    // A page that is being left cannot answer.
    if (await engine.run<boolean>(`return Boolean(${expression})`).catch(() => false)) return;
    await pause(100);
  }
  throw new Error(
    `Never true on ${await engine.run<string>('return location.href')}: ${expression}`,
  );
}
