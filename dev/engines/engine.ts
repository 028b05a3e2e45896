/** The browser functions that both drivers have. */
export type Engine = {
  name: string;
  /** Opens an address and waits for the page to load. */
  open(url: string): Promise<void>;
  /** Runs the body of a function in the page. */
  run<Answer>(body: string): Promise<Answer>;
  /** Clicks the first match through native input. */
  click(css: string): Promise<void>;
  type(css: string, text: string): Promise<void>;
  upload(css: string, file: string): Promise<void>;
  /** Saves a screenshot as PNG. */
  picture(file: string): Promise<void>;
  /** Clears cookies and storage. */
  forget(): Promise<void>;
  /** Script errors so far; empty where the driver cannot report them. */
  errors(): readonly string[];
  close(): Promise<void>;
};

const pause = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/**
 * Waits until an expression is true in the page, at most 30 seconds.
 * @throws Error with the expression and the address
 */
export async function until(engine: Engine, expression: string): Promise<void> {
  const end = performance.now() + 30_000;
  while (performance.now() < end) {
    // A page that is navigating away cannot answer.
    if (await engine.run<boolean>(`return Boolean(${expression})`).catch(() => false)) return;
    await pause(100);
  }
  throw new Error(
    `Never true on ${await engine.run<string>('return location.href')}: ${expression}`,
  );
}
